// Breakers in what is asked about: who was not shown one has not answered it.
#pragma once

#include <algorithm>
#include <vector>

#include "core/decision.h"

namespace tollgate {

// Whether a breaker stands among the first that does not among the others.
inline bool adds_breaker(const std::vector<Reason>& reasons, const std::vector<Reason>& to) {
  return std::ranges::any_of(reasons, [&](const Reason& reason) {
    return reason.kind == ReasonKind::kBreaker &&
           std::ranges::none_of(to, [&](const Reason& known) {
             return known.kind == ReasonKind::kBreaker && known.rule == reason.rule;
           });
  });
}

}  // namespace tollgate
