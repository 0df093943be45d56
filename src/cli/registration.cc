#include "cli/registration.h"

#include "base/edit_distance.h"
#include "base/text.h"
#include "cli/local_gate.h"
#include "config/loader.h"
#include "explain/difference.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::cli {
Result<const providers::Provider*> client_named(const std::string& name) {
  if (const providers::Provider* found = providers::provider_named(name)) return found;
  std::vector<std::string_view> known;
  for (const providers::Provider& each : providers::providers()) known.push_back(each.name);
  return Fail(error_of("bad-usage", "unknown client `" + shortened(name) + "`",
                       did_you_mean(name, "clients", known)));
}

Result<std::string> hook_program(const Context& context) {
  const std::string real = os::real_path(context.program).path;
  for (const std::string& program : {real, context.program}) {
    const std::size_t slash = program.rfind('/');
    if (slash == program.npos) continue;
    std::string hook = program.substr(0, slash + 1) + "tollgate-hook";
    if (const Result<os::Stamp> stamp = os::stamp_of(hook);
        stamp && stamp->is_regular() && (stamp->mode & 0100) != 0)
      return hook;
  }
  return Fail(error_of("program-unstartable", "there is no program `tollgate-hook` beside this one",
                       "install both programs into the same directory"));
}

Result<providers::Scope> scope_of(const Arguments& arguments) {
  const int named = arguments.has("user") + arguments.has("project") + arguments.has("plugin");
  if (named > 1)
    return Fail(error_of("bad-usage", "more than one place is named",
                         "give one of `--user`, `--project` and `--plugin DIR`"));
  if (arguments.has("project")) return providers::Scope::kProject;
  return arguments.has("plugin") ? providers::Scope::kPlugin : providers::Scope::kUser;
}

Result<providers::Scene> scene_of(const Arguments& arguments, const Context& context) {
  Result<std::string> home = os::home_directory(context.environment);
  if (!home) return Fail(std::move(home).error());
  Result<std::string> here = absolute_here("");
  if (!here) return Fail(std::move(here).error());
  std::string plugin;
  if (arguments.has("plugin")) {
    Result<std::string> named = absolute_here(arguments.get("plugin"));
    if (!named) return Fail(std::move(named).error());
    plugin = std::move(*named);
  }
  return providers::Scene{.home = std::move(*home),
                          .project = std::move(*here),
                          .plugin = std::move(plugin),
                          .environment = context.environment};
}

Result<std::string> data_dir_of(const Arguments& arguments, const Context& context) {
  if (arguments.has("data")) return absolute_here(arguments.get("data"));
  Result<std::string> home = os::home_directory(context.environment);
  if (!home) return home;
  return config::default_data_dir(context.environment, *home);
}

void show(const std::vector<providers::Change>& changes, Context& context) {
  for (const providers::Change& change : changes) {
    std::string head = visible(change.path);
    if (change.file != change.path) head += " (a link to " + visible(change.file) + ")";
    if (!change.existed) head += " (new)";
    if (!change.stays) head += " (goes away)";
    context.console.out(head + "\n" + difference(change.before, change.after));
  }
}

Result<void> agreement(const Arguments& arguments, const std::string& question, Context& context) {
  if (arguments.has("yes")) return {};
  if (!context.console.is_interactive())
    return Fail(error_of("needs-person", "nothing was changed: this needs a person's yes",
                         "run it in a terminal, or give `--yes` when you have read the "
                         "difference; an agent is denied this command by the gate itself"));
  if (person_agrees(question, context)) return {};
  return Fail(error_of("needs-person", "nothing was changed", "answer `y` to change the files"));
}

int say_outcome(const providers::Provider& client, std::string_view outcome,
                const std::vector<providers::Change>& changes, const std::string& text,
                const Arguments& arguments, Context& context) {
  if (!arguments.has("json")) {
    context.console.out(text + "\n");
    return kDone;
  }
  json::Value files = json::Value::array();
  for (const providers::Change& change : changes) files.push(json::Value::string(change.path));
  context.console.out(
      json::write(json::Value::object({{"client", json::Value::string(std::string(client.name))},
                                       {"outcome", json::Value::string(std::string(outcome))},
                                       {"files", std::move(files)}})) +
      "\n");
  return kDone;
}

}  // namespace tollgate::cli
