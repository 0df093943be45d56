// Gemini CLI: a hook in settings.json, whose time limit is in milliseconds, and a policy file.
// The policy guards the hook's own places natively, for the moment in which the hook fails.
// SAFETY: one priority above 999 and Gemini drops the whole policy file.
#include <algorithm>

#include "base/text.h"
#include "core/gate_verbs.h"
#include "providers/clients.h"
#include "providers/json_hooks.h"

namespace tollgate::providers {
namespace {

using json::Value;

constexpr std::string_view kPolicyStart =
    R"(# Written by Tollgate. `tollgate uninstall gemini` takes it away again.
# Whatever else is allowed: an agent does not change its own hook, nor the gate.

[[rule]]
toolName = ["write_file", "replace"]
argsPattern = '\.gemini/(settings\.json|policies/)|/tollgate(\.yaml|/)'
decision = "deny"
priority = 999
denyMessage = "Tollgate: an agent does not change the gate or its hook"

[[rule]]
toolName = "run_shell_command"
commandPrefix = [)";

constexpr std::string_view kPolicyEnd = R"(]
decision = "deny"
priority = 999
denyMessage = "Tollgate: an agent does not change the gate or its hook"
)";

// The commands that the gate itself denies, in front of whatever else stands there.
std::string policy() {
  std::vector<std::string> prefixes;
  for (const std::string_view verb : kHeldVerbs.names())
    prefixes.push_back("\"tollgate " + std::string(verb) + "\"");
  std::ranges::sort(prefixes);
  return std::string(kPolicyStart) + join(prefixes, ", ") + std::string(kPolicyEnd);
}

std::vector<Registered> nothing(const std::string&) { return {}; }

}  // namespace

Targets gemini_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope == Scope::kPlugin) return no_such_scope("Gemini CLI", "it has no plugins for hooks");
  const std::string directory =
      (scope == Scope::kProject ? scene.project : scene.home) + "/.gemini";
  const Value group = Value::object(
      {{"matcher", Value::string("*")},
       {"hooks",
        Value::array({command_entry(command_line(command, Shell::kPosix), kHookSeconds * 1000)})}});
  std::vector<Target> targets = {json_target({.path = directory + "/settings.json",
                                              .form = JsonForm::kWithComments,
                                              .entries = {{{"hooks", "BeforeTool"}, group}},
                                              .ticks = 1000,
                                              .members = {}})};
  // A workspace's policies are not read.
  if (scope == Scope::kUser)
    targets.push_back(whole_target(directory + "/policies/tollgate.toml", policy(),
                                   "# Written by Tollgate.", nothing));
  return targets;
}

}  // namespace tollgate::providers
