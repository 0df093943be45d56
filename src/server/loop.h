// The daemon's own thread: whatever is posted runs on it, one after another.
// The transport's loop is the real one; tests have one with a clock of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tollgate::server {

// Ends when it is destroyed; then it does not run. REQUIRES: its loop outlives it.
class Timer {
 public:
  virtual ~Timer() = default;
};

class Loop {
 public:
  virtual ~Loop() = default;

  // From any thread.
  virtual void post(std::function<void()> work) = 0;
  // Heavy or slow work on a thread of a pool; `then` runs on the loop. From the loop's thread.
  virtual void work(std::function<void()> heavy, std::function<void()> then) = 0;
  // From the loop's thread.
  virtual std::unique_ptr<Timer> after(std::int64_t milliseconds, std::function<void()> run) = 0;
  virtual std::int64_t now() const = 0;  // milliseconds since 1970
  // How far the time of day is ahead of now(): somebody set it while something waits.
  virtual std::int64_t step() const { return 0; }
};

}  // namespace tollgate::server
