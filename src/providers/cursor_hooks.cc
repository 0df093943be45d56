// Cursor: hooks.json, one list an event. Which shell runs the command is not documented.
#include "providers/clients.h"
#include "providers/json_hooks.h"

namespace tollgate::providers {

Targets cursor_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  using json::Value;
  if (scope == Scope::kPlugin) return no_such_scope("Cursor", "it reads hooks.json only");
  JsonHooks hooks{
      .path = (scope == Scope::kProject ? scene.project : scene.home) + "/.cursor/hooks.json",
      .form = JsonForm::kPlain,
      .entries = {},
      .members = {{"version", Value::integer(1)}}};
  for (const std::string_view event :
       {"beforeShellExecution", "beforeMCPExecution", "beforeReadFile"})
    hooks.entries.push_back(
        {{"hooks", std::string(event)},
         Value::object({{"command", Value::string(command_line(command, Shell::kAny))}})});
  return std::vector<Target>{json_target(hooks)};
}

}  // namespace tollgate::providers
