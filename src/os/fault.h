// Makes chosen system calls fail, so that tests can walk every failure path.
// Every wrapper in this room asks fails() before the real call; without a plan that is two tests.
// A plan is for one call by its name and touches only the thread that made it; a sweep is for the
// whole process and for one of all calls, by its number. Both end with their scope.
#pragma once

#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>
#include <string_view>

namespace tollgate::os {

// While it lives, the call named `call` fails with `error` after `skip` successes.
class FaultPlan {
 public:
  FaultPlan(std::string call, int error, int skip = 0);
  ~FaultPlan();
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  int seen() const { return seen_; }  // how often the call was about to be made
  bool strikes(std::string_view call);

 private:
  std::string call_;
  int error_;
  int skip_;
  int seen_ = 0;
  FaultPlan* outer_;
};

// While it lives, calls are counted from 0, whoever makes them, and the one of number `point` fails
// with `error`; kOnwards: so do all behind it. REQUIRES: one at a time, and no thread is in a call
// when it ends.
class FaultSweep {
 public:
  enum class Lasting { kOnce, kOnwards };
  static constexpr int kNone = -1;  // none fails: they are counted

  FaultSweep(int point, int error, Lasting lasting = Lasting::kOnce);
  ~FaultSweep();
  FaultSweep(const FaultSweep&) = delete;
  FaultSweep& operator=(const FaultSweep&) = delete;

  int seen() const;
  std::string struck() const;  // name of the first call that failed, "" for none
  bool strikes(std::string_view call);

 private:
  const int point_;
  const int error_;
  const Lasting lasting_;
  mutable std::mutex lock_;  // guards both below
  int seen_ = 0;
  std::string struck_;
};

namespace detail {

inline thread_local FaultPlan* fault_plan = nullptr;
inline std::atomic<FaultSweep*> fault_sweep = nullptr;

// True when a plan or a sweep wants this call to fail; errno is set then.
inline bool fails(std::string_view call) {
  if (fault_plan != nullptr && fault_plan->strikes(call)) return true;
  FaultSweep* const sweep = fault_sweep.load(std::memory_order_relaxed);
  return sweep != nullptr && sweep->strikes(call);
}

}  // namespace detail

}  // namespace tollgate::os
