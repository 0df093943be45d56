// The policy that holds where nobody wrote one: role developer, mode default, and the blocked
// paths that apply everywhere.
#include "policy/policy_set.h"
#include "policy/roles.h"

namespace tollgate {
namespace {

constexpr std::string_view kBlockedPaths[] = {"//etc/passwd", "//etc/shadow", "~/.ssh/*",
                                              "~/.aws/*", "~/.config/gh/*"};

}  // namespace

PolicySet built_in_policy() {
  PolicySet set;
  AgentPolicy agent{.role = "developer"};
  agent.ceiling.from = "role developer";
  for (const BuiltInRole& role : built_in_roles()) {
    if (role.name != "developer") continue;
    for (std::string_view word : role.allowed_tools)
      if (Result<ToolPart> part = parse_tool_part(Verdict::kAllow, word, {}))
        agent.ceiling.entries.push_back({std::move(*part), std::string(word)});
  }
  set.agents.push_back(std::move(agent));
  const Position where{.file = "built-in"};
  for (std::string_view path : kBlockedPaths) {
    for (std::string_view tool : {"Read", "Edit"}) {
      const std::string text = std::string(tool) + "(" + std::string(path) + ")";
      Result<Rule> rule = parse_rule(Verdict::kDeny, text, where);
      if (!rule) continue;
      rule->source = ConfigSource::kDefault;
      rule->reason =
          "the path is blocked; only a workspace block with its own blockedPaths opens it";
      set.rules.push_back(std::move(*rule));
    }
  }
  return set;
}

}  // namespace tollgate
