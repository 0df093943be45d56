// Kiro CLI and Amazon Q: hooks stand in agents, so every agent gets one; without any there is one
// of ours. Kiro 3 reads hook files as well.
// LIMIT: the built-in default agent has no file and so no hook; docs/install.md says what to do.
#include <algorithm>

#include "os/paths.h"
#include "providers/clients.h"
#include "providers/json_hooks.h"

namespace tollgate::providers {
namespace {

using json::Value;

constexpr std::size_t kMostAgents = 1000;  // LIMIT: files in the directory
constexpr std::string_view kOwnAgent = "tollgate.json";

JsonHooks agent_file(std::string path, const HookCommand& command) {
  const Value item =
      Value::object({{"matcher", Value::string("*")},
                     {"command", Value::string(command_line(command, Shell::kPosix))},
                     {"timeout_ms", Value::integer(kHookSeconds * 1000)}});
  return {.path = std::move(path),
          .form = JsonForm::kPlain,
          .entries = {{{"hooks", "preToolUse"}, item}},
          .members = {}};
}

Result<std::vector<Target>> agents_in(const std::string& directory, const HookCommand& command) {
  std::vector<std::string> names =
      os::names_in(directory, kMostAgents).value_or(std::vector<std::string>());
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".json"); });
  std::ranges::sort(names);
  if (names.empty()) names.push_back(std::string(kOwnAgent));
  std::vector<Target> targets;
  for (const std::string& name : names) {
    JsonHooks hooks = agent_file(directory + "/" + name, command);
    if (name == kOwnAgent)
      hooks.members = {
          {"name", Value::string("tollgate")},
          {"description", Value::string("Every tool, each call judged by Tollgate first.")},
          {"tools", Value::array({Value::string("*")})}};
    targets.push_back(json_target(hooks));
  }
  return targets;
}

}  // namespace

Targets kiro_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope == Scope::kPlugin) return no_such_scope("Kiro CLI", "its hooks stand in agents");
  const std::string directory = (scope == Scope::kProject ? scene.project : scene.home) + "/.kiro";
  Targets targets = agents_in(directory + "/agents", command);
  if (!targets) return targets;
  const Value item = Value::object(
      {{"name", Value::string("tollgate")},
       {"trigger", Value::string("PreToolUse")},
       {"matcher", Value::string(".*")},
       {"action",
        Value::object({{"type", Value::string("command")},
                       {"command", Value::string(command_line(command, Shell::kPosix))}})},
       {"timeout", Value::integer(kHookSeconds)},
       {"enabled", Value::boolean(true)}});
  targets->push_back(json_target({.path = directory + "/hooks/tollgate.json",
                                  .form = JsonForm::kPlain,
                                  .entries = {{{"hooks"}, item}},
                                  .members = {{"version", Value::string("v1")}}}));
  return targets;
}

Targets q_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope == Scope::kPlugin) return no_such_scope("Amazon Q", "its hooks stand in agents");
  return agents_in(scope == Scope::kProject ? scene.project + "/.amazonq/cli-agents"
                                            : scene.home + "/.aws/amazonq/cli-agents",
                   command);
}

}  // namespace tollgate::providers
