// Claude Code: hooks in settings.json, or a plugin that brings them.
// A project's own entries go to settings.local.json, which is not shared: they name this machine.
#include "json/json.h"
#include "providers/clients.h"
#include "providers/json_hooks.h"

namespace tollgate::providers {
namespace {

using json::Value;

struct EventRow {
  std::string_view event;
  std::string_view matcher;  // "" where the event has none
};
constexpr EventRow kEvents[] = {
    {"PreToolUse", "*"}, {"PermissionRequest", "*"}, {"SessionStart", ""}, {"SubagentStart", ""}};

JsonHooks hooks_in(std::string path, const HookCommand& command) {
  JsonHooks hooks{.path = std::move(path), .form = JsonForm::kPlain, .entries = {}, .members = {}};
  for (const EventRow& row : kEvents) {
    Value group = Value::object();
    if (!row.matcher.empty()) group.set("matcher", Value::string(std::string(row.matcher)));
    group.set("hooks",
              Value::array({command_entry(command_line(command, Shell::kPosix), kHookSeconds)}));
    hooks.entries.push_back({{"hooks", std::string(row.event)}, std::move(group)});
  }
  return hooks;
}

JsonHooks only_members(std::string path, std::vector<Value::Member> members) {
  return {.path = std::move(path),
          .form = JsonForm::kPlain,
          .entries = {},
          .members = std::move(members)};
}

Value text(std::string_view value) { return Value::string(std::string(value)); }

std::vector<Target> plugin(const std::string& directory, const HookCommand& command) {
  constexpr std::string_view kAbout = "Every tool call is judged by Tollgate before it runs.";
  const Value entry = Value::object(
      {{"name", text("tollgate")}, {"source", text("./")}, {"description", text(kAbout)}});
  std::vector<Target> targets = {
      json_target(only_members(
          directory + "/.claude-plugin/plugin.json",
          {{"name", text("tollgate")}, {"version", text("1.0.0")}, {"description", text(kAbout)}})),
      json_target(only_members(directory + "/.claude-plugin/marketplace.json",
                               {{"name", text("tollgate")},
                                {"owner", Value::object({{"name", text("tollgate")}})},
                                {"plugins", Value::array({entry})}})),
      json_target(hooks_in(directory + "/hooks/hooks.json", command))};
  return targets;
}

}  // namespace

Targets claude_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope == Scope::kPlugin) return plugin(scene.plugin, command);
  const std::string path =
      scope == Scope::kProject
          ? scene.project + "/.claude/settings.local.json"
          : directory_from(scene, "CLAUDE_CONFIG_DIR", scene.home + "/.claude") + "/settings.json";
  return std::vector<Target>{json_target(hooks_in(path, command))};
}

}  // namespace tollgate::providers
