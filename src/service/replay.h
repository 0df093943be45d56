// A call of the record judged once more: by another policy, or by the one of today.
// The call, its effects and the look are those of then; nothing is looked at and nobody is asked.
// Pure, as decide() is.
#pragma once

#include "core/audit_log.h"
#include "gate/decide.h"

namespace tollgate {

struct Replay {
  Verdict then =
      Verdict::kDeny;  // what the policy came to; before a person's answer stands the ask
  Decision now;

  bool changed() const { return now.verdict != then; }
};

Replay replay(const AuditRecord& record, const Policy& policy, const DecideOptions& options);

// What the policy itself came to.
Verdict policy_verdict(const Decision& decision);

}  // namespace tollgate
