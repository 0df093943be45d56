#include "server/transport/event_loop.h"

#include <signal.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "os/clock.h"

namespace tollgate::server {
namespace {

namespace asio = boost::asio;
using Executor = asio::io_context::executor_type;
using Failure = boost::system::error_code;

// Runs it; false when it threw, and then the log has it.
template <class Work>
bool guarded(const EventLoop::Log& log, Work&& work) {
  std::string words;
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    words = error.what();
  } catch (...) {
    words = "something unknown";
  }
  try {
    if (log) log("a task of the daemon failed: " + words);
  } catch (...) {
    return false;  // the log itself has failed, and there is nobody else to tell
  }
  return false;
}

class AsioWatch : public Watch {
 public:
  AsioWatch(asio::io_context& context, const EventLoop::Log& log, os::Descriptor descriptor)
      : owned_(std::move(descriptor)),
        descriptor_(context.get_executor(), owned_.number()),
        log_(log) {}
  // The descriptor is taken from the reactor before it is closed.
  ~AsioWatch() override { descriptor_.release(); }

  void await_readable(std::shared_ptr<Watched> who) override {
    descriptor_.async_wait(asio::posix::descriptor_base::wait_read,
                           [who = std::move(who), &log = log_](Failure failure) {
                             if (!failure) guarded(log, [&] { who->on_readable(); });
                           });
  }
  void await_writable(std::shared_ptr<Watched> who) override {
    descriptor_.async_wait(asio::posix::descriptor_base::wait_write,
                           [who = std::move(who), &log = log_](Failure failure) {
                             if (!failure) guarded(log, [&] { who->on_writable(); });
                           });
  }

 private:
  os::Descriptor owned_;
  asio::posix::basic_stream_descriptor<Executor> descriptor_;
  const EventLoop::Log& log_;  // the loop's, which outlives every handler
};

class AsioTimer : public Timer {
 public:
  struct State {
    explicit State(asio::io_context& context) : timer(context.get_executor()) {}
    asio::basic_waitable_timer<std::chrono::steady_clock,
                               asio::wait_traits<std::chrono::steady_clock>, Executor>
        timer;
    std::function<void()> run;
  };
  explicit AsioTimer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  ~AsioTimer() override {
    // It may be due already and stand in the queue: then it finds nothing to run.
    state_->run = nullptr;
    state_->timer.cancel();
  }

 private:
  std::shared_ptr<State> state_;
};

class AsioLoop : public EventLoop {
 public:
  AsioLoop(unsigned workers, Log log) : log_(std::move(log)), pool_(std::max(workers, 1u)) {}
  ~AsioLoop() override {
    pool_.join();
    // What was not run goes while the context is there; it may still want to post.
    std::vector<std::function<void()>> left;
    const std::scoped_lock lock(mutex_);
    over_ = true;
    left.swap(posted_);
  }

  // What comes while something waits already goes with it: one wake-up of the loop for many.
  void post(std::function<void()> work) override {
    {
      const std::scoped_lock lock(mutex_);
      if (over_) return;
      posted_.push_back(std::move(work));
      if (posted_.size() > 1) return;
    }
    asio::post(context_, [this] { run_posted(); });
  }

  // Both are destroyed on the loop: they may hold an exchange. One whose heavy part threw is not
  // told, and what it held answers for itself.
  void work(std::function<void()> heavy, std::function<void()> then) override {
    struct Job {
      std::function<void()> heavy, then;
    };
    auto job = std::make_shared<Job>(Job{std::move(heavy), std::move(then)});
    asio::post(pool_, [this, job = std::move(job)]() mutable {
      const bool done = guarded(log_, job->heavy);
      post([done, job = std::move(job)] {
        if (done && job->then) job->then();
      });
    });
  }

  std::unique_ptr<Timer> after(std::int64_t milliseconds, std::function<void()> run) override {
    auto state = std::make_shared<AsioTimer::State>(context_);
    state->run = std::move(run);
    state->timer.expires_after(std::chrono::milliseconds(std::max<std::int64_t>(milliseconds, 0)));
    state->timer.async_wait([this, state](Failure failure) {
      const std::function<void()> due = std::exchange(state->run, nullptr);
      if (!failure && due) guarded(log_, due);
    });
    return std::make_unique<AsioTimer>(std::move(state));
  }

  std::int64_t now() const override { return os::now_milliseconds(); }

  std::unique_ptr<Watch> watch(os::Descriptor descriptor) override {
    return std::make_unique<AsioWatch>(context_, log_, std::move(descriptor));
  }

  void hear_signals(std::function<void(int)> heard) override {
    signals_.emplace(context_.get_executor());
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
      Failure ignored;  // a signal that cannot be caught keeps what it does
      static_cast<void>(signals_->add(number, ignored));
    }
    heard_ = std::move(heard);
    await_signal();
  }

  void run() override {
    const auto busy = asio::make_work_guard(context_);
    context_.run();
    signals_.reset();
    pool_.join();
    context_.restart();
    context_.poll();
  }

  void quit() override { context_.stop(); }

 private:
  void run_posted() {
    std::vector<std::function<void()>> all;
    {
      const std::scoped_lock lock(mutex_);
      all.swap(posted_);
    }
    for (std::function<void()>& work : all) {
      guarded(log_, work);
      work = nullptr;
    }
  }

  void await_signal() {
    signals_->async_wait([this](Failure failure, int number) {
      if (failure) return;
      guarded(log_, [&] { heard_(number); });
      if (signals_) await_signal();
    });
  }

  // The context ends last: what it still holds may look at the log, and nothing else here.
  Log log_;
  asio::io_context context_{1};
  std::optional<asio::basic_signal_set<Executor>> signals_;
  std::function<void(int)> heard_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // GUARDED_BY(mutex_); in their order
  bool over_ = false;                          // GUARDED_BY(mutex_)
  asio::thread_pool pool_;
};

}  // namespace

std::unique_ptr<EventLoop> EventLoop::make(unsigned workers, Log log) {
  return std::make_unique<AsioLoop>(workers, std::move(log));
}

}  // namespace tollgate::server
