// The decision: a call, what it would do, how the world stands; out comes the answer with reasons.
// Pure, total and order-free: the strictest match wins, whatever order rules and files come in.
// SAFETY: every path through it starts from deny or ask; allow is only ever earned.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "core/decision.h"
#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"
#include "policy/policy.h"

namespace tollgate {

enum class Detail {
  kVerdict,  // the verdict and what decided it
  kFull,     // also what else matched, suggestions, and what would change the answer
};

// A rule that a person taught the gate by an answer: one more allow rule, and a weak one. It never
// settles what a deny or ask rule, a breaker, a sensitive or a guarded place holds up, nor what is
// not known of a call.
struct Granted {
  Rule rule;         // of the allow list
  std::string id;    // reasons tell it, so that it can be found and revoked
  std::string root;  // the real path of the workspace root that it holds in; "": everywhere

  bool operator==(const Granted&) const = default;
};
using Grants = std::vector<Granted>;

struct DecideOptions {
  Detail detail = Detail::kVerdict;
  std::optional<Mode> mode;  // the session's or command line's; counts as the user layer
  Layer layer = Layer::kGate;
  std::optional<Answerer> answer;  // the operator's, for the session; counts as the user layer
  std::shared_ptr<const Grants> grants;  // those that hold for the session now; nothing: none
};

Decision decide(const Policy& policy, const ToolCall& call, const Effects& effects,
                const Situation& situation, const DecideOptions& options = {});

// The answer to what could not even be read as a call.
Decision deny_malformed(const Error& error, Layer layer = Layer::kGate);

}  // namespace tollgate
