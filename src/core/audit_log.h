// Where the record of every call is kept.
// A record holds all that a decision rested on, so that it can be judged again or explained.
// SAFETY: a call whose record could not be kept is denied by whoever called append().
#pragma once

#include "base/result.h"
#include "core/decision.h"
#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"

namespace tollgate {

struct AuditRecord {
  ToolCall call;
  Effects effects;
  Situation situation;
  Decision decision;

  bool operator==(const AuditRecord&) const = default;
};

class AuditLog {
 public:
  virtual ~AuditLog() = default;

  // Returns once the record is as safe as this log can make it. Error: audit-unavailable.
  virtual Result<void> append(const AuditRecord& record) = 0;
};

}  // namespace tollgate
