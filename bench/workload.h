// The rules and the calls that every benchmark of deciding and loading works on.
// A set of n rules is the few that fit the calls and n minus these of a fixed pseudo-random stream,
// so that a smaller set is always part of a larger one and every run sees the same text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"
#include "core/verdict.h"
#include "policy/policy_set.h"

namespace tollgate::bench {

inline constexpr std::size_t kSizes[] = {10, 100, 1'000, 10'000};

struct RuleText {
  Verdict list = Verdict::kDeny;
  std::string text;
};

// REQUIRES: size is at least the number of fitting rules, which is below ten.
std::vector<RuleText> rule_texts(std::size_t size);

// A configuration file that says these rules.
std::string yaml_of(const std::vector<RuleText>& rules);

// The same as config/ would give, parsed here so that deciding can be measured without files.
PolicySet policy_set_of(const std::vector<RuleText>& rules);

struct CallCase {
  std::string_view name, tool, input;  // input is JSON
  Verdict want;
};
std::span<const CallCase> call_cases();

// A call with its effects and the look at a world in which every path is a plain file.
struct Asked {
  ToolCall call;
  Effects effects;
  Situation situation;
};
Asked ask(const CallCase& each);

// Rules and calls as JSON, for programs that are measured beside this one.
std::string workload_json();

}  // namespace tollgate::bench
