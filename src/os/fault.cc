// The seam for fault injection: plans nest, the innermost one that knows the call decides.
// Used by tests only; no program makes a plan or a sweep.
// INVARIANT: plans die in the reverse order of their making, as locals do.
#include "os/fault.h"

#include <utility>

namespace tollgate::os {

FaultPlan::FaultPlan(std::string call, int error, int skip)
    : call_(std::move(call)), error_(error), skip_(skip), outer_(detail::fault_plan) {
  detail::fault_plan = this;
}

FaultPlan::~FaultPlan() { detail::fault_plan = outer_; }

bool FaultPlan::strikes(std::string_view call) {
  if (call != call_) return outer_ != nullptr && outer_->strikes(call);
  if (seen_++ < skip_) return false;
  errno = error_;
  return true;
}

FaultSweep::FaultSweep(int point, int error, Lasting lasting)
    : point_(point), error_(error), lasting_(lasting) {
  detail::fault_sweep = this;
}

FaultSweep::~FaultSweep() { detail::fault_sweep = nullptr; }

int FaultSweep::seen() const {
  const std::lock_guard guard(lock_);
  return seen_;
}

std::string FaultSweep::struck() const {
  const std::lock_guard guard(lock_);
  return struck_;
}

bool FaultSweep::strikes(std::string_view call) {
  const std::lock_guard guard(lock_);
  const int number = seen_++;
  const bool mine =
      point_ != kNone && (lasting_ == Lasting::kOnce ? number == point_ : number >= point_);
  if (!mine) return false;
  if (struck_.empty()) struck_ = call;
  errno = error_;
  return true;
}

}  // namespace tollgate::os
