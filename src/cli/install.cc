// `tollgate install`: registers the hook with a client, in the client's own settings.
// What is registered names hook, policy, agent and data absolutely; see providers/command.h.
// SAFETY: a policy that does not load is not registered: it would deny every call.
#include <array>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "config/loader.h"
#include "explain/layout.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 8> kOptions = {{
    {"user", "", "in the user's own settings; this is so unless told"},
    {"project", "", "in the settings of the current directory"},
    {"plugin", "DIR", "as a plugin in a directory of its own (claude)"},
    {"agent", "NAME", "judge as this agent of the configuration"},
    {"config", "FILE", "judge by this configuration instead of the user's"},
    {"data", "DIR", "keep records, snapshots and backups here"},
    {"yes", "", "do not ask: you have read the difference"},
    {"json", "", "what was done, as JSON"},
}};

// The configuration that will be named. Error: file-missing.
Result<std::string> policy_file(const Arguments& arguments, const Context& context) {
  std::string file;
  if (arguments.has("config")) {
    Result<std::string> named = absolute_here(arguments.get("config"));
    if (!named) return named;
    file = std::move(*named);
  } else {
    Result<std::string> home = os::home_directory(context.environment);
    if (!home) return home;
    file = config::user_file(context.environment, *home);
  }
  const Result<os::Stamp> stamp = os::stamp_of(file);
  if (!stamp) return Fail(stamp.error());
  if (stamp->exists) return file;
  return Fail(error_of("file-missing", "there is no configuration at `" + file + "`",
                       "write one with `tollgate init`, or name one with `--config`"));
}

// False when the policy would deny everything; says why.
bool policy_loads(const providers::HookCommand& command, const Arguments& arguments,
                  Context& context) {
  Result<config::LoadOptions> options = load_options_of(arguments, context);
  if (!options) return complain(context, options.error()) == kDone;
  options->config_file = command.config;
  options->data_dir = command.data;
  options->project_files = false;
  const config::Loaded loaded = config::load(*options);
  if (!loaded.set.broken) return true;
  for (const Diagnostic& each : loaded.diagnostics)
    if (each.severity == Severity::kError) complain(context, each.error);
  return false;
}

Result<providers::HookCommand> command_for(const providers::Provider& client,
                                           const Arguments& arguments, const Context& context) {
  providers::HookCommand command;
  command.client = std::string(client.name);
  command.agent = arguments.get("agent");
  struct Part {
    std::string* place;
    Result<std::string> value;
  };
  Part parts[] = {{&command.program, hook_program(context)},
                  {&command.config, policy_file(arguments, context)},
                  {&command.data, data_dir_of(arguments, context)}};
  for (Part& part : parts) {
    if (!part.value) return Fail(std::move(part.value).error());
    *part.place = std::move(*part.value);
    // Settings are UTF-8: another path would be registered as one that is not there.
    if (!is_valid_utf8(*part.place))
      return Fail(error_of("bad-usage", "the path `" + visible(*part.place) + "` is not UTF-8",
                           "clients cannot be told such a path: use another"));
  }
  return command;
}

std::string installed_text(const providers::Provider& client, const providers::Scene& scene,
                           const std::vector<providers::Change>& changes,
                           const std::string& data_dir) {
  std::string text = std::string(client.title) + " is registered";
  for (const providers::Change& change : changes)
    if (change.original_existed)
      text += "\nwhat " + visible(change.path) + " said before is kept in " +
              visible(providers::backup_of(change, data_dir));
  if (!scene.plugin.empty()) text += "\nstart it with `--plugin-dir " + visible(scene.plugin) + "`";
  return text + "\nnote: " + std::string(client.note) +
         "\n`tollgate doctor` tells whether the hook answers";
}

int install(const providers::Provider& client, const providers::HookCommand& command,
            const Arguments& arguments, Context& context) {
  const Result<providers::Scope> scope = scope_of(arguments);
  if (!scope) return complain(context, scope.error(), kUsedWrongly);
  const Result<providers::Scene> scene = scene_of(arguments, context);
  if (!scene) return complain(context, scene.error());
  const auto targets = client.targets(*scene, *scope, command);
  if (!targets) return complain(context, targets.error(), kUsedWrongly);
  const auto changes = providers::plan_install(*targets, command.data);
  if (!changes) return complain(context, changes.error());
  if (changes->empty())
    return say_outcome(client, "unchanged", *changes,
                       std::string(client.title) + " is registered already; nothing to change",
                       arguments, context);
  if (!arguments.has("json")) show(*changes, context);
  const std::string question = "register Tollgate with " + std::string(client.title) + "?";
  if (const Result<void> agreed = agreement(arguments, question, context); !agreed)
    return complain(context, agreed.error());
  if (const Result<void> applied = providers::apply_install(*changes, command.data); !applied)
    return complain(context, applied.error());
  return say_outcome(client, "installed", *changes,
                     installed_text(client, *scene, *changes, command.data), arguments, context);
}

}  // namespace

const Shape kInstallShape = {
    .usage =
        "CLIENT [--user|--project|--plugin DIR] [--agent NAME] [--config FILE] [--data DIR] "
        "[--yes]",
    .about =
        "Registers Tollgate's hook with a client: claude, codex, copilot, cursor, gemini, kimi,\n"
        "kiro, opencode or q. Shows what would change in the client's settings and asks first;\n"
        "without a terminal and without --yes nothing is changed. The rest of the settings stays\n"
        "as it is, and what they said before is kept. The gate denies this command to agents.",
    .options = kOptions,
    .least_words = 1,
    .most_words = 1,
    .examples =
        "tollgate install claude\n"
        "tollgate install codex --agent backend --yes\n"
        "tollgate install claude --plugin ~/tollgate-plugin",
};

int run_install(const Arguments& arguments, Context& context) {
  const auto client = client_named(arguments.words[0]);
  if (!client) return complain(context, client.error(), kUsedWrongly);
  const Result<providers::HookCommand> command = command_for(**client, arguments, context);
  if (!command) return complain(context, command.error());
  if (!policy_loads(*command, arguments, context)) return kFailed;
  return install(**client, *command, arguments, context);
}

}  // namespace tollgate::cli
