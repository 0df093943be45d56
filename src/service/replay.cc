#include "service/replay.h"

namespace tollgate {

Verdict policy_verdict(const Decision& decision) {
  const bool answered = !decision.reasons.empty() &&
                        decision.reasons.front().kind == ReasonKind::kAnswerer &&
                        decision.reasons.front().source.starts_with("question ");
  return answered ? Verdict::kAsk : decision.verdict;
}

Replay replay(const AuditRecord& record, const Policy& policy, const DecideOptions& options) {
  return {.then = policy_verdict(record.decision),
          .now = decide(policy, record.call, record.effects, record.situation, options)};
}

}  // namespace tollgate
