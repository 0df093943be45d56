// Threads for what is heavy or may hang, and the queue before them.
// Work is taken one by one, so that nothing waits behind what hangs; but a thread is woken for
// several at once, because waking one costs as much as the work itself.
// INVARIANT: all that was added is run, also what was still queued when join() came.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tollgate::server {

struct Work {
  std::function<void()> heavy;
  std::function<void()> then;
};

class Workers {
 public:
  // `run` is called on a thread of the pool with each piece of work.
  using Run = std::function<void(Work)>;

  // Throws where the system has no room for the threads.
  Workers(unsigned count, Run run);
  ~Workers() { join(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Takes all of it; `work` is empty afterwards.
  void add(std::vector<Work>& work);
  bool has_queue() const { return queued_ > 0; }
  // Wakes one more where nothing was taken since the last time, though something is queued: those
  // that are awake may hang. Whoever adds work calls it once a while.
  void look_after();
  // Waits until everything is done; nothing may be added afterwards.
  void join();

 private:
  void live();
  // Gives how many have to be notified. REQUIRES: the lock.
  std::size_t call(std::size_t wanted);

  Run run_;
  std::mutex mutex_;
  std::condition_variable called_;
  std::deque<Work> queue_;     // GUARDED_BY(mutex_)
  std::size_t idle_ = 0;       // GUARDED_BY(mutex_): asleep, and not called
  std::size_t calls_ = 0;      // GUARDED_BY(mutex_): called, and not awake yet
  std::size_t taken_ = 0;      // GUARDED_BY(mutex_): so far
  std::size_t last_seen_ = 0;  // GUARDED_BY(mutex_): of taken_
  bool over_ = false;          // GUARDED_BY(mutex_)
  std::atomic<std::size_t> queued_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace tollgate::server
