// Warnings about rules that are well formed and probably not what their author wants.
// Shadowed: another rule of the same or a stricter list already says all that this one says.
// Broad: an allow that hands over more than its text suggests.
// Expired: a rule whose time is over at `now`, in seconds since 1970.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "policy/policy_set.h"

namespace tollgate {

std::vector<Diagnostic> lint(const PolicySet& set, std::int64_t now = 0);

}  // namespace tollgate
