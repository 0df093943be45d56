#include "service/readings.h"

#include <algorithm>
#include <utility>

namespace tollgate {
namespace {

// Whether something speaks of just this call: not the want of a rule, a list that lacks the tool,
// or the mode.
bool is_spoken(const Reason& reason) {
  switch (reason.kind) {
    case ReasonKind::kCeiling:
    case ReasonKind::kMode:
    case ReasonKind::kDefault:
      return false;
    default:
      return reason.verdict != Verdict::kAllow;
  }
}

bool is_spoken_against(const Decision& decision) {
  return decision.verdict != Verdict::kAllow && std::ranges::any_of(decision.reasons, is_spoken);
}

}  // namespace

AuditRecord stricter(AuditRecord a, AuditRecord b) {
  const bool same = a.decision.verdict == b.decision.verdict;
  // Of two asks the one that wants several people.
  const bool more = same && a.decision.approve.empty() && !b.decision.approve.empty();
  return b.decision.verdict > a.decision.verdict || more ? std::move(b) : std::move(a);
}

AuditRecord settled(AuditRecord plain, std::vector<AuditRecord> readings) {
  const bool stands =
      plain.decision.verdict == Verdict::kAllow || is_spoken_against(plain.decision);
  if (!stands) {
    plain = std::move(readings.back());
    readings.pop_back();
  }
  for (AuditRecord& reading : readings)
    if (!stands || is_spoken_against(reading.decision))
      plain = stricter(std::move(plain), std::move(reading));
  return plain;
}

}  // namespace tollgate
