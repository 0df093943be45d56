// Checks the keys, reads the statement, resolves it, then looks up zones and tries examples.
// The steps and their order are the loader's.
// SAFETY: every error of these steps would deny all once the file is found, so all are told.
#include "cli/project_file.h"

#include <algorithm>
#include <utility>

#include "config/examples.h"
#include "config/resolve.h"
#include "config/statement.h"
#include "config/yaml.h"
#include "config/zones.h"
#include "effects/effects.h"
#include "os/files.h"
#include "os/paths.h"

namespace tollgate::cli {
namespace {

struct Opened {
  config::Document document;
  config::FileKind kind = config::FileKind::kUser;
};

std::vector<Opened> open_all(const std::string& text, const std::string& path,
                             std::span<const std::string> above, std::vector<Diagnostic>& out) {
  std::vector<Opened> files;
  std::vector<Diagnostic> theirs;
  for (const std::string& file : above)
    if (Result<std::string> read = os::read_file(file, config::kMaxFileBytes))
      files.push_back({config::read_yaml(std::move(*read), file, theirs), config::FileKind::kUser});
  files.push_back({config::read_yaml(text, path, out), project_kind(path)});
  config::check_fields(files.back().document, files.back().kind, out);
  return files;
}

config::ResolveInput statements_of(const std::vector<Opened>& files, const std::string& home,
                                   std::vector<Diagnostic>& out) {
  config::ResolveInput input;
  for (const Opened& each : files)
    if (each.kind == config::FileKind::kUser)
      for (ToolDeclaration& tool : config::read_tools(each.document))
        input.tools.push_back(std::move(tool));
  for (const Opened& each : files) {
    const bool project = each.kind != config::FileKind::kUser;
    const config::ReadContext context{
        .source = project ? ConfigSource::kProject : ConfigSource::kUser,
        .kind = each.kind,
        .directory = os::absolute(each.document.file() + "/..", "/"),
        .home = home,
        .tools = input.tools};
    input.statements.push_back(config::read_statement(each.document, context, out));
    input.statements.back().trusted = project;
  }
  return input;
}

void look_up_zones(const PolicySet& set, std::vector<Diagnostic>& out) {
  for (const Rule& rule : set.rules) {
    if (!rule.hours) continue;
    Result<Zone> zone = config::load_zone(rule.hours->zone);
    if (zone) continue;
    Error error = std::move(zone).error();
    error.where = rule.where;
    out.push_back({Severity::kError, std::move(error)});
  }
}

}  // namespace

config::FileKind project_kind(std::string_view path) {
  return path.ends_with("/.agentic/config.yaml") ? config::FileKind::kAgentic
                                                 : config::FileKind::kProject;
}

ProjectFile read_project_file(const std::string& text, const std::string& path,
                              const std::string& home, std::span<const std::string> above) {
  ProjectFile out;
  const std::vector<Opened> files = open_all(text, path, above, out.diagnostics);
  // What was not checked to its end is not read.
  if (out.diagnostics.size() < config::kMaxErrors) {
    out.set = config::resolve(statements_of(files, home, out.diagnostics), out.diagnostics);
    std::erase_if(out.set.rules, [&](const Rule& rule) { return rule.where.file != path; });
    look_up_zones(out.set, out.diagnostics);
    config::try_examples(
        out.set,
        [&](const ToolCall& call, std::span<const ToolDeclaration> declared) {
          return effects_of(call, declared, home);
        },
        out.diagnostics);
  }
  std::erase_if(out.diagnostics, [&](const Diagnostic& each) {
    return !each.error.where.file.empty() && each.error.where.file != path;
  });
  sort_by_place(out.diagnostics);
  const auto repeated = std::unique(out.diagnostics.begin(), out.diagnostics.end());
  out.diagnostics.erase(repeated, out.diagnostics.end());
  return out;
}

}  // namespace tollgate::cli
