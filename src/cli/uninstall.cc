// `tollgate uninstall`: takes Tollgate's entries out of a client's settings.
// Where nothing else has changed since the install, the file gets its old bytes back.
#include <array>

#include "cli/commands.h"
#include "cli/registration.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 6> kOptions = {{
    {"user", "", "in the user's own settings; this is so unless told"},
    {"project", "", "in the settings of the current directory"},
    {"plugin", "DIR", "the plugin in this directory (claude)"},
    {"data", "DIR", "where the install kept its backups"},
    {"yes", "", "do not ask: you have read the difference"},
    {"json", "", "what was done, as JSON"},
}};

}  // namespace

const Shape kUninstallShape = {
    .usage = "CLIENT [--user|--project|--plugin DIR] [--data DIR] [--yes]",
    .about =
        "Takes Tollgate's entries out of a client's settings. A file that nobody has changed\n"
        "since the install gets its old bytes back; from any other only our entries go. Shows\n"
        "the difference and asks first. The gate denies this command to agents.",
    .options = kOptions,
    .least_words = 1,
    .most_words = 1,
    .examples =
        "tollgate uninstall claude\n"
        "tollgate uninstall gemini --project --yes",
};

int run_uninstall(const Arguments& arguments, Context& context) {
  const auto client = client_named(arguments.words[0]);
  if (!client) return complain(context, client.error(), kUsedWrongly);
  const Result<providers::Scope> scope = scope_of(arguments);
  if (!scope) return complain(context, scope.error(), kUsedWrongly);
  const Result<providers::Scene> scene = scene_of(arguments, context);
  if (!scene) return complain(context, scene.error());
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  const auto targets = (*client)->targets(*scene, *scope, {});
  if (!targets) return complain(context, targets.error(), kUsedWrongly);
  const auto changes = providers::plan_uninstall(*targets, *data);
  if (!changes) return complain(context, changes.error());
  const std::string title((*client)->title);
  if (changes->empty())
    return say_outcome(**client, "unchanged", *changes,
                       title + " is not registered here; nothing to change", arguments, context);
  if (!arguments.has("json")) show(*changes, context);
  if (const Result<void> agreed =
          agreement(arguments, "take Tollgate out of " + title + "?", context);
      !agreed)
    return complain(context, agreed.error());
  if (const Result<void> applied = providers::apply_uninstall(*changes, *data); !applied)
    return complain(context, applied.error());
  return say_outcome(**client, "uninstalled", *changes, title + " is no longer registered",
                     arguments, context);
}

}  // namespace tollgate::cli
