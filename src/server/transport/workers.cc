#include "server/transport/workers.h"

#include <algorithm>
#include <utility>

namespace tollgate::server {
namespace {

// What one thread is woken for. LIMIT: judging an ordinary call takes some ten microseconds.
constexpr std::size_t kForEach = 8;

}  // namespace

Workers::Workers(unsigned count, Run run) : run_(std::move(run)) {
  try {
    for (unsigned i = 0; i < std::max(count, 1u); ++i) threads_.emplace_back([this] { live(); });
  } catch (...) {
    join();
    throw;
  }
}

void Workers::join() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  called_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Workers::add(std::vector<Work>& work) {
  std::size_t woken = 0;
  {
    const std::scoped_lock lock(mutex_);
    for (Work& each : work) queue_.push_back(std::move(each));
    queued_ = queue_.size();
    const std::size_t wanted = (queue_.size() + kForEach - 1) / kForEach;
    const std::size_t awake = threads_.size() - idle_;
    woken = call(wanted > awake ? wanted - awake : 0);
  }
  work.clear();
  for (; woken > 0; --woken) called_.notify_one();
}

void Workers::look_after() {
  std::size_t woken = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (!queue_.empty() && taken_ == last_seen_) woken = call(1);
    last_seen_ = taken_;
  }
  if (woken > 0) called_.notify_one();
}

std::size_t Workers::call(std::size_t wanted) {
  const std::size_t count = std::min(wanted, idle_);
  idle_ -= count;
  calls_ += count;
  return count;
}

void Workers::live() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (queue_.empty()) {
      if (over_) return;
      ++idle_;
      called_.wait(lock, [this] { return calls_ > 0 || over_; });
      if (calls_ > 0) --calls_;
      continue;
    }
    Work work = std::move(queue_.front());
    queue_.pop_front();
    queued_ = queue_.size();
    ++taken_;
    lock.unlock();
    run_(std::move(work));
    lock.lock();
  }
}

}  // namespace tollgate::server
