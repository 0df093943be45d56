// Whoever settles an ask: people, the parent session, or a fixed answer.
// service/ calls it when the gate says ask; approvals/ and the terminal implement it.
// What comes back is a whole decision, with a reason that says who answered.
#pragma once

#include "core/decision.h"
#include "core/tool_call.h"

namespace tollgate {

class Approver {
 public:
  virtual ~Approver() = default;

  // Allow or deny once settled; still ask when nobody could settle it here.
  // REQUIRES: a decision whose verdict is ask.
  virtual Decision ask(const ToolCall& call, const Decision& decision) = 0;
};

}  // namespace tollgate
