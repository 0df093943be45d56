#include "service/readings.h"

#include <algorithm>
#include <utility>

#include "core/tool_table.h"

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

void join_settling(Decision& ask, const Decision& other) {
  if (ask.approve.empty() || other.approve.empty())
    ask.approve += other.approve;
  else if (ask.approve.find(other.approve) == ask.approve.npos)
    ask.approve += " and " + other.approve;
  for (const Thresholds rule : by_rule(other.quorums)) add_rule(ask.quorums, rule);
  ask.answer = tighter(ask.answer, other.answer);
  ask.on_timeout = tighter(ask.on_timeout, other.on_timeout);
  if (ask.within_ms == 0 || (other.within_ms != 0 && other.within_ms < ask.within_ms))
    ask.within_ms = other.within_ms;
}

AuditRecord stricter(AuditRecord a, AuditRecord b) {
  const bool same = a.decision.verdict == b.decision.verdict;
  // Of two asks the one that wants several people.
  const bool more = same && a.decision.approve.empty() && !b.decision.approve.empty();
  if (b.decision.verdict > a.decision.verdict || more) std::swap(a, b);
  if (!same || a.decision.verdict != Verdict::kAsk) return a;
  join_settling(a.decision, b.decision);
  // Whoever answers is shown what each of the two asks about.
  for (Reason& reason : b.decision.reasons)
    if (std::ranges::find(a.decision.reasons, reason) == a.decision.reasons.end())
      a.decision.reasons.push_back(std::move(reason));
  return a;
}

AuditRecord settled(AuditRecord plain, std::vector<Reading> readings) {
  const bool stands =
      plain.decision.verdict == Verdict::kAllow || is_spoken_against(plain.decision);
  const auto base = stands ? readings.end() : std::ranges::find(readings, true, &Reading::counts);
  if (base != readings.end()) {
    plain = std::move(base->record);
    readings.erase(base);
  }
  for (Reading& reading : readings)
    if ((reading.counts && !stands) || is_spoken_against(reading.record.decision))
      plain = stricter(std::move(plain), std::move(reading.record));
  return plain;
}

std::vector<bool> counting(const std::vector<std::string>& names,
                           const std::vector<std::string>& servers) {
  std::vector<bool> counts;
  for (const std::string& name : names)
    counts.push_back(std::ranges::find(servers, mcp_name(name).server) != servers.end());
  // None is known: then it may be any.
  if (std::ranges::find(counts, true) == counts.end()) counts.assign(names.size(), true);
  return counts;
}

}  // namespace tollgate
