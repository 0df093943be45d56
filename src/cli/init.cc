// `tollgate init`: writes a first configuration, ready to be changed.
// Without a file it is the user's own, where role, preset and mode may be set.
// A file that is there is never overwritten unasked.
#include <array>

#include "cli/commands.h"
#include "cli/local_gate.h"
#include "config/loader.h"
#include "config/starter.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 3> kOptions = {{
    {"preset", "NAME", "read-only, development (unless told), security-audit or full-access"},
    {"force", "", "overwrite the file when it is there"},
    {"json", "", "what was written, as JSON"},
}};

Result<std::string> target_of(const Arguments& arguments, const Context& context) {
  if (!arguments.words.empty()) return absolute_here(arguments.words[0]);
  const Result<std::string> home = os::home_directory(context.environment);
  if (!home) return home;
  return config::user_file(context.environment, *home);
}

Result<void> write_starter(const std::string& path, const std::string& text, bool force) {
  const Result<os::Stamp> stamp = os::link_stamp_of(path);
  if (!stamp) return Fail(stamp.error());
  if (stamp->exists && !force)
    return Fail({.code = "file-exists",
                 .message = "`" + path + "` is there already",
                 .hint = "name another file, or overwrite it with `--force`",
                 .where = {}});
  const std::string directory = path.substr(0, path.rfind('/'));
  if (Result<void> made = os::make_private_directory(directory.empty() ? "/" : directory); !made)
    return made;
  return os::write_atomically(path, text, 0644);
}

}  // namespace

const Shape kInitShape = {
    .usage = "[--preset NAME] [--force] [FILE]",
    .about =
        "Writes a short configuration with comments, to be changed by hand. Without FILE it is\n"
        "the user's own, $XDG_CONFIG_HOME/tollgate/tollgate.yaml.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 1,
    .examples =
        "tollgate init\n"
        "tollgate init --preset read-only audit.yaml",
};

int run_init(const Arguments& arguments, Context& context) {
  const std::string preset = arguments.has("preset") ? arguments.get("preset") : "development";
  const Result<std::string> text = config::starter_config(preset);
  if (!text) return complain(context, text.error(), kUsedWrongly);
  const Result<std::string> path = target_of(arguments, context);
  if (!path) return complain(context, path.error());
  if (const Result<void> written = write_starter(*path, *text, arguments.has("force")); !written)
    return complain(context, written.error());
  if (arguments.has("json")) {
    context.console.out(
        json::write(json::Value::object(
            {{"file", json::Value::string(*path)}, {"preset", json::Value::string(preset)}})) +
        "\n");
    return kDone;
  }
  const std::string shown = arguments.words.empty() ? *path : arguments.words[0];
  context.console.out("wrote " + visible(shown) + " (preset " + preset +
                      "); `tollgate check` tells whether your changes to it are sound\n");
  return kDone;
}

}  // namespace tollgate::cli
