// The seam for fault injection: plans nest, the innermost one that knows the call decides.
// Used by tests only; no program makes a plan.
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

}  // namespace tollgate::os
