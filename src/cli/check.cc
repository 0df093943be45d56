// `tollgate check` and `tollgate lint`: every error and warning of configuration files.
// Each file is judged by itself, as the user's or as the project's that its name and place make
// it; what other files say is not looked at.
// Examples in rules are tried, and rules that are probably a mistake are warned about.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/project_file.h"
#include "config/fields.h"
#include "config/loader.h"
#include "effects/effects.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "policy/lint.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 4> kOptions = {{
    {"strict", "", "warnings fail as well"},
    {"project", "", "check as a project's file, which may set less"},
    {"user", "", "check as the user's own file, whatever its name"},
    {"json", "", "the findings as JSON"},
}};

struct Checked {
  std::string file;
  std::vector<Diagnostic> diagnostics;
  std::size_t rules = 0;

  bool has(Severity severity) const {
    return std::ranges::any_of(diagnostics,
                               [&](const Diagnostic& each) { return each.severity == severity; });
  }
};

// Rules that somebody wrote; what a block or a preset adds has no place in the file.
std::size_t written_rules(const PolicySet& set) {
  std::set<std::string> places;
  for (const Rule& rule : set.rules)
    if (rule.where.line > 0) places.insert(place_name(rule.where));
  return places.size();
}

void add_findings(const PolicySet& set, Checked& out) {
  std::vector<Diagnostic> found = lint(set, os::now_seconds());
  out.diagnostics.insert(out.diagnostics.end(), found.begin(), found.end());
}

void check_project(const std::string& path, const Context& context, Checked& out) {
  Result<std::string> text = os::read_file(path, config::kMaxProjectBytes);
  if (!text) {
    out.diagnostics.push_back({Severity::kError, std::move(text).error()});
    return;
  }
  const std::string home = os::home_directory(context.environment).value_or("/");
  ProjectFile file = read_project_file(*text, path, home, {});
  out.diagnostics = std::move(file.diagnostics);
  out.rules = written_rules(file.set);
  if (!out.has(Severity::kError)) add_findings(file.set, out);
}

void check_whole(const std::string& path, const Context& context, Checked& out) {
  os::Environment::Variables variables;
  const std::string home = os::home_directory(context.environment).value_or("/");
  variables["HOME"] = home;
  const os::Environment environment(std::move(variables));
  config::LoadOptions options;
  options.config_file = path;
  options.managed_file = "";
  options.environment = &environment;
  options.project_files = false;
  options.read_effects = [&](const ToolCall& call, std::span<const ToolDeclaration> declared) {
    return effects_of(call, declared, home);
  };
  config::Loaded loaded = config::load(options);
  out.diagnostics = std::move(loaded.diagnostics);
  out.rules = written_rules(loaded.set);
  if (!loaded.set.broken) add_findings(loaded.set, out);
}

// Whether loading finds the file as a project's: by its name, unless it is the user's or the
// managed one.
bool is_found_as_project(const std::string& path, const Context& context) {
  const std::string_view name = base_name(path);
  if (project_kind(path) == config::FileKind::kAgentic) return true;
  if (name != "tollgate.yaml" && name != ".tollgate.yaml") return false;
  const std::string home = os::home_directory(context.environment).value_or("");
  const auto is = [real = os::real_path(path).path, &path](const std::string& other) {
    return !other.empty() && (other == path || os::real_path(other).path == real);
  };
  return !is(context.managed_file) && !is(config::user_file(context.environment, home));
}

bool as_project(const std::string& path, const Arguments& arguments, const Context& context) {
  if (arguments.has("user")) return false;
  return arguments.has("project") || is_found_as_project(path, context);
}

Checked check_file(const std::string& file, const Arguments& arguments, const Context& context) {
  Checked out;
  out.file = file;
  Result<std::string> path = absolute_here(file);
  if (!path) {
    out.diagnostics.push_back({Severity::kError, std::move(path).error()});
    return out;
  }
  if (as_project(*path, arguments, context))
    check_project(*path, context, out);
  else
    check_whole(*path, context, out);
  // Places are shown as the file was named.
  for (Diagnostic& each : out.diagnostics) {
    if (each.error.where.file == *path) each.error.where.file = file;
    if (const std::size_t at = each.error.message.find(*path); at != std::string::npos)
      each.error.message.replace(at, path->size(), file);
  }
  sort_by_place(out.diagnostics);
  const auto repeated = std::unique(out.diagnostics.begin(), out.diagnostics.end());
  out.diagnostics.erase(repeated, out.diagnostics.end());
  return out;
}

json::Value diagnostic_json(const Diagnostic& diagnostic) {
  const Error& error = diagnostic.error;
  const auto text = [](std::string_view from) { return json::Value::string(std::string(from)); };
  return json::Value::object(
      {{"severity", text(diagnostic.severity == Severity::kError ? "error" : "warning")},
       {"code", text(error.code)},
       {"message", text(error.message)},
       {"hint", text(error.hint)},
       {"file", text(error.where.file)},
       {"line", json::Value::integer(error.where.line)},
       {"column", json::Value::integer(error.where.column)}});
}

std::string as_json(const std::vector<Checked>& files) {
  json::Value list = json::Value::array();
  for (const Checked& checked : files) {
    json::Value found = json::Value::array();
    for (const Diagnostic& each : checked.diagnostics) found.push(diagnostic_json(each));
    list.push(json::Value::object(
        {{"file", json::Value::string(checked.file)},
         {"ok", json::Value::boolean(!checked.has(Severity::kError))},
         {"rules", json::Value::integer(static_cast<std::int64_t>(checked.rules))},
         {"diagnostics", std::move(found)}}));
  }
  return json::write_pretty(json::Value::object({{"files", std::move(list)}}));
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

enum class Strictness { kErrorsFail, kWarningsFail };

int check_files(const Arguments& arguments, Context& context, Strictness strictness) {
  if (arguments.has("user") && arguments.has("project"))
    return complain(context,
                    {.code = "bad-usage",
                     .message = "a file cannot be checked as the user's and as a project's at once",
                     .hint = "give `--user` or `--project`, not both",
                     .where = {}},
                    kUsedWrongly);
  std::vector<Checked> files;
  bool failed = false;
  for (const std::string& file : arguments.words) {
    files.push_back(check_file(file, arguments, context));
    failed = failed || files.back().has(Severity::kError) ||
             (strictness == Strictness::kWarningsFail && files.back().has(Severity::kWarning));
  }
  if (arguments.has("json")) {
    context.console.out(as_json(files));
    return failed ? kFailed : kDone;
  }
  for (const Checked& checked : files) {
    for (const Diagnostic& each : checked.diagnostics) context.console.out(render(each));
    if (!checked.has(Severity::kError))
      context.console.out(checked.file + ": ok, " + counted(checked.rules, "rule") + "\n");
  }
  return failed ? kFailed : kDone;
}

}  // namespace

const Shape kCheckShape = {
    .usage = "[OPTION…] FILE…",
    .about =
        "Reports every error and warning of each configuration file, with its place and a hint.\n"
        "A tollgate.yaml, .tollgate.yaml or .agentic/config.yaml that is neither your own nor the\n"
        "managed one is checked as a project's. The exit status is 1 when there is an error, else "
        "0.",
    .options = kOptions,
    .least_words = 1,
    .most_words = kManyWords,
    .examples =
        "tollgate check tollgate.yaml\n"
        "tollgate check --strict */tollgate.yaml\n"
        "tollgate check --user dotfiles/tollgate.yaml",
};

const Shape kLintShape = {
    .usage = "[OPTION…] FILE…",
    .about =
        "Like `tollgate check`, and warnings fail: rules that another rule covers, and rules that\n"
        "allow more than they seem to. The exit status is 1 when there is anything to say.",
    .options = std::span(kOptions).subspan(1),
    .least_words = 1,
    .most_words = kManyWords,
    .examples =
        "tollgate lint tollgate.yaml\n"
        "tollgate lint --json tollgate.yaml",
};

int run_check(const Arguments& arguments, Context& context) {
  return check_files(arguments, context,
                     arguments.has("strict") ? Strictness::kWarningsFail : Strictness::kErrorsFail);
}

int run_lint(const Arguments& arguments, Context& context) {
  return check_files(arguments, context, Strictness::kWarningsFail);
}

}  // namespace tollgate::cli
