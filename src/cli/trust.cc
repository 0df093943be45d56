// `tollgate trust`: a person reads a project's configuration and pins exactly those bytes.
// The file is read once: what is shown, checked and pinned is the same text.
// SAFETY: without a terminal or --yes nothing is pinned; the gate denies this command to agents.
#include "config/trust.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/project_file.h"
#include "config/layers.h"
#include "explain/difference.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 3> kOptions = {{
    {"yes", "", "do not ask: you have read the file"},
    {"forget", "", "trust it no longer"},
    {"json", "", "what was done, as JSON"},
}};

// The file named, or the one project file that holds for this directory.
Result<std::string> target_of(const Arguments& arguments, const std::string& home) {
  if (!arguments.words.empty()) return absolute_here(arguments.words[0]);
  Result<std::string> here = absolute_here("");
  if (!here) return here;
  const config::Files files = config::find_files({.managed_file = "",
                                                  .user_file = "",
                                                  .named = false,
                                                  .cwd = *here,
                                                  .home = home,
                                                  .project_files = true});
  if (files.present.size() == 1) return files.present[0].path;
  if (files.present.empty())
    return Fail(error_of("file-missing", "there is no project configuration here",
                         "name the file: tollgate trust FILE"));
  return Fail(error_of("bad-usage", "there is more than one project configuration here",
                       "name one: " + files.present[0].path + " or " + files.present[1].path));
}

// What would make loading deny everything once the file is trusted.
std::vector<Diagnostic> errors_in(const std::string& path, const std::string& text,
                                  const std::string& home, const Context& context) {
  const std::string above[] = {context.managed_file, config::user_file(context.environment, home)};
  std::vector<Diagnostic> found = read_project_file(text, path, home, above).diagnostics;
  std::erase_if(found, [](const Diagnostic& each) { return each.severity != Severity::kError; });
  return found;
}

int say(const std::string& path, std::string_view outcome, std::string text,
        const Arguments& arguments, Context& context) {
  if (arguments.has("json"))
    text =
        json::write(json::Value::object({{"file", json::Value::string(path)},
                                         {"outcome", json::Value::string(std::string(outcome))}}));
  context.console.out(text + "\n");
  return kDone;
}

int forget(const std::string& path, config::TrustStore& store, const Arguments& arguments,
           Context& context) {
  if (!store.forget(path))
    return say(path, "unchanged", visible(path) + " was not trusted", arguments, context);
  if (const Result<void> saved = store.save(); !saved) return complain(context, saved.error());
  return say(path, "forgotten", visible(path) + " is no longer trusted", arguments, context);
}

int pin(const std::string& path, const std::string& home, config::TrustStore& store,
        const Arguments& arguments, Context& context) {
  Result<std::string> text = os::read_file(path, config::kMaxProjectBytes);
  if (!text) return complain(context, text.error());
  if (const std::vector<Diagnostic> found = errors_in(path, *text, home, context); !found.empty()) {
    for (const Diagnostic& each : found) complain(context, each.error);
    return kFailed;
  }
  if (store.check(path, *text) == config::Trust::kPinned)
    return say(path, "unchanged", visible(path) + " is trusted as it is", arguments, context);
  if (!arguments.has("json"))
    context.console.out(visible(path) + "\n" + difference(store.pinned(path).value_or(""), *text));
  const bool agreed =
      arguments.has("yes") ||
      (context.console.is_interactive() && person_agrees("trust " + visible(path) + "?", context));
  if (!agreed && !context.console.is_interactive())
    return complain(context,
                    error_of("needs-person", "trusting a file needs a person's yes",
                             "run this in a terminal, or give `--yes` when you have read "
                             "the file; an agent is denied this command by the gate itself"));
  if (!agreed)
    return complain(context, error_of("needs-person", "nothing was trusted",
                                      "answer `y` when the file may be trusted"));
  if (const Result<void> pinned = store.pin(path, std::move(*text)); !pinned)
    return complain(context, pinned.error());
  if (const Result<void> saved = store.save(); !saved) return complain(context, saved.error());
  return say(path, "trusted", visible(path) + " is trusted as shown", arguments, context);
}

}  // namespace

const Shape kTrustShape = {
    .usage = "[--yes] [FILE]\n--forget [FILE]",
    .about =
        "Shows what a project's configuration says, or how it changed since you trusted it, and\n"
        "pins exactly those bytes when you agree. Until then only its deny and ask rules count.\n"
        "Needs a terminal, or --yes. The gate denies this command to agents.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 1,
    .examples =
        "tollgate trust\n"
        "tollgate trust --forget ../old/tollgate.yaml",
};

int run_trust(const Arguments& arguments, Context& context) {
  const Result<std::string> home = os::home_directory(context.environment);
  if (!home) return complain(context, home.error());
  const Result<std::string> path = target_of(arguments, *home);
  if (!path)
    return complain(context, path.error(),
                    path.error().code == "bad-usage" ? kUsedWrongly : kFailed);
  Result<config::TrustStore> store =
      config::TrustStore::open(config::default_data_dir(context.environment, *home));
  if (!store) return complain(context, store.error());
  return arguments.has("forget") ? forget(*path, *store, arguments, context)
                                 : pin(*path, *home, *store, arguments, context);
}

}  // namespace tollgate::cli
