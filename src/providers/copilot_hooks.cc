// Copilot CLI: a file of our own among its hook files.
#include "providers/clients.h"
#include "providers/json_hooks.h"

namespace tollgate::providers {

Targets copilot_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  using json::Value;
  if (scope == Scope::kPlugin) return no_such_scope("Copilot CLI", "it reads hook files only");
  const std::string directory =
      scope == Scope::kProject
          ? scene.project + "/.github/hooks"
          : directory_from(scene, "COPILOT_HOME", scene.home + "/.copilot") + "/hooks";
  JsonHooks hooks{.path = directory + "/tollgate.json",
                  .form = JsonForm::kPlain,
                  .entries = {},
                  .members = {{"version", Value::integer(1)}}};
  for (const std::string_view event : {"preToolUse", "permissionRequest"})
    hooks.entries.push_back(
        {{"hooks", std::string(event)},
         Value::object({{"type", Value::string("command")},
                        {"bash", Value::string(command_line(command, Shell::kPosixFlat))},
                        {"timeoutSec", Value::integer(kHookSeconds)}})});
  return std::vector<Target>{json_target(hooks)};
}

}  // namespace tollgate::providers
