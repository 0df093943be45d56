// `tollgate fmt`: rewrites configuration files in the one layout.
// A file that cannot be read as a configuration is left as it is, and the errors are said.
// A link stays a link: what it leads to is rewritten.
#include "config/fmt.h"

#include <array>
#include <utility>

#include "cli/commands.h"
#include "cli/local_gate.h"
#include "config/yaml.h"
#include "json/json.h"
#include "os/files.h"
#include "os/paths.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 3> kOptions = {{
    {"check", "", "change nothing; fail when a file would change"},
    {"stdin", "", "read standard input, write standard output"},
    {"json", "", "what was done, as JSON"},
}};

enum class Outcome { kSame, kChanged, kBroken };

struct Formatted {
  std::string file;
  Outcome outcome = Outcome::kBroken;
};

Result<Outcome> format_file(const std::string& file, bool only_check) {
  Result<std::string> path = absolute_here(file);
  if (!path) return Fail(std::move(path).error());
  Result<os::FileText> read = os::read_stamped(*path, config::kMaxFileBytes);
  if (!read) return Fail(std::move(read).error());
  Result<std::string> formatted = config::format_config(read->text, file);
  if (!formatted) return Fail(std::move(formatted).error());
  if (*formatted == read->text) return Outcome::kSame;
  if (only_check) return Outcome::kChanged;
  const os::RealPath real = os::real_path(*path);
  const std::string& target = real.path.empty() ? *path : real.path;
  Result<void> written = os::write_atomically(target, *formatted, read->stamp.mode & 0777);
  if (!written) return Fail(std::move(written).error());
  return Outcome::kChanged;
}

int format_stdin(bool only_check, Context& context) {
  const Result<std::string> text = read_all(context.console, config::kMaxFileBytes);
  if (!text) return complain(context, text.error());
  const Result<std::string> formatted = config::format_config(*text, "standard input");
  if (!formatted) return complain(context, formatted.error());
  if (only_check) return *formatted == *text ? kDone : kFailed;
  context.console.out(*formatted);
  return kDone;
}

std::string as_json(const std::vector<Formatted>& files) {
  constexpr std::string_view kOutcomes[] = {"same", "changed", "broken"};
  json::Value list = json::Value::array();
  for (const Formatted& each : files)
    list.push(json::Value::object(
        {{"file", json::Value::string(each.file)},
         {"outcome",
          json::Value::string(std::string(kOutcomes[static_cast<std::size_t>(each.outcome)]))}}));
  return json::write_pretty(json::Value::object({{"files", std::move(list)}}));
}

}  // namespace

const Shape kFmtShape = {
    .usage = "[--check] FILE…\n[--check] --stdin",
    .about =
        "Gives configuration files one layout; comments stay, and so does the meaning.\n"
        "Files that changed are named. With --check nothing is written, and the exit status\n"
        "is 1 when a file would change.",
    .options = kOptions,
    .least_words = 0,
    .most_words = kManyWords,
    .examples =
        "tollgate fmt tollgate.yaml\n"
        "tollgate fmt --check */tollgate.yaml\n"
        "tollgate fmt --stdin < draft.yaml",
};

int run_fmt(const Arguments& arguments, Context& context) {
  const bool only_check = arguments.has("check");
  if (arguments.has("stdin") != arguments.words.empty())
    return complain(context,
                    {.code = "bad-usage",
                     .message = arguments.words.empty() ? "there is no file to format"
                                                        : "`--stdin` takes no files",
                     .hint = "name files, or give `--stdin` alone",
                     .where = {}},
                    kUsedWrongly);
  if (arguments.has("stdin")) return format_stdin(only_check, context);
  std::vector<Formatted> files;
  bool failed = false;
  for (const std::string& file : arguments.words) {
    const Result<Outcome> outcome = format_file(file, only_check);
    if (!outcome) complain(context, outcome.error());
    files.push_back({file, outcome ? *outcome : Outcome::kBroken});
    const bool changed = files.back().outcome == Outcome::kChanged;
    failed = failed || !outcome || (only_check && changed);
    if (changed && !arguments.has("json")) context.console.out(file + "\n");
  }
  if (arguments.has("json")) context.console.out(as_json(files));
  return failed ? kFailed : kDone;
}

}  // namespace tollgate::cli
