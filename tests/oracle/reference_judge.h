// The order of judgement written down as plainly as it can be: every rule is asked about every
// effect, nothing is indexed, nothing is cut short. Slow on purpose; decide() must agree with it.
// It shares with decide() only the matcher of a single rule, which has tests of its own.
#pragma once

#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"
#include "gate/decide.h"
#include "policy/policy_set.h"

namespace tollgate::oracle {

Verdict reference_verdict(const PolicySet& set, const ToolCall& call, const Effects& effects,
                          const Situation& situation, const DecideOptions& options);

}  // namespace tollgate::oracle
