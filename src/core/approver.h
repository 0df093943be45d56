// Whoever settles an ask: people, the parent session, or a fixed answer.
// service/ calls it when the gate says ask; approvals/ and the terminal implement it.
// What comes back is a whole decision, with a reason that says who answered.
#pragma once

#include <optional>

#include "core/decision.h"
#include "core/tool_call.h"

namespace tollgate {

struct Answer {
  Decision decision;                   // allow or deny once settled; ask when nobody could here
  std::optional<json::Value> changed;  // of an allow: what to run in place of the call's input
};

class Approver {
 public:
  virtual ~Approver() = default;

  // REQUIRES: a decision whose verdict is ask.
  virtual Answer ask(const ToolCall& call, const Decision& decision) = 0;
};

}  // namespace tollgate
