// Makes chosen system calls fail, so that tests can walk every failure path.
// Every wrapper in this room asks fails() before the real call; without a plan that is one test.
// Thread-local: a plan touches only the test that made it, and ends with its scope.
#pragma once

#include <cerrno>
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

namespace detail {

inline thread_local FaultPlan* fault_plan = nullptr;

// True when the plan wants this call to fail; errno is set then.
inline bool fails(std::string_view call) {
  return fault_plan != nullptr && fault_plan->strikes(call);
}

}  // namespace detail

}  // namespace tollgate::os
