// The loading of a configuration from start to end.
// Tools are read from all files first, because rules are parsed with them.
// SAFETY: stamps are taken before the bytes are read, so a change meanwhile makes them stale.
#include "config/loader.h"

#include <algorithm>

#include "config/agentic_environment.h"
#include "config/examples.h"
#include "config/layers.h"
#include "config/notify.h"
#include "config/trust.h"
#include "config/zones.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

struct OpenFile {
  ConfigFile file;
  Document document;
  bool trusted = false;
};

class Loader {
 public:
  explicit Loader(const LoadOptions& options)
      : options_(options),
        environment_(options.environment != nullptr ? *options.environment : os::Environment()) {}

  Loaded run();

 private:
  void places();
  void open_all(const Files& files);
  void open(const ConfigFile& file, const std::optional<TrustStore>& trust);
  void check_owner(const std::string& path, const os::Stamp& stamp);
  void check_directory(const std::string& file);
  bool check_trust(const ConfigFile& file, const std::string& text, const TrustStore& trust);
  std::optional<TrustStore> trust_store();
  void missing_pins(const Files& files, const TrustStore& trust);
  ResolveInput statements();
  void zones();
  void finish();
  void error(Error error) { loaded_.diagnostics.push_back({Severity::kError, std::move(error)}); }

  const LoadOptions& options_;
  os::Environment environment_;
  Loaded loaded_;
  std::string home_, cwd_;
  std::vector<OpenFile> files_;
};

Position in_file(const std::string& file) {
  return {.file = file, .line = 0, .column = 0, .width = 1, .text = {}};
}

void Loader::places() {
  if (Result<std::string> home = os::home_directory(environment_); home)
    home_ = std::move(*home);
  else if (options_.config_file.empty() || options_.data_dir.empty())
    error(std::move(home).error());
  std::string current = options_.cwd;
  if (!current.starts_with('/')) {
    if (Result<std::string> found = os::current_directory(); found)
      current = *found + "/" + current;
    else
      error(std::move(found).error());
  }
  // After a link `..` leads to where the link's target lies, which only a look can tell.
  if (current.find("..") != std::string::npos)
    if (std::string found = os::real_path(current).path; !found.empty()) current = std::move(found);
  cwd_ = current.starts_with('/') ? os::absolute(current, "/") : current;
  loaded_.data_dir =
      options_.data_dir.empty() ? default_data_dir(environment_, home_) : options_.data_dir;
}

std::optional<TrustStore> Loader::trust_store() {
  const std::string file = TrustStore::file_in(loaded_.data_dir);
  if (Result<os::Stamp> stamp = os::stamp_of(file); stamp)
    loaded_.sources.push_back({file, *stamp, SourceKind::kPolicy});
  Result<TrustStore> trust = TrustStore::open(loaded_.data_dir);
  if (trust) return std::move(*trust);
  error(std::move(trust).error());
  return std::nullopt;
}

void Loader::check_owner(const std::string& path, const os::Stamp& stamp) {
  if (std::optional<Error> unsafe = unsafe_policy(path, stamp)) error(std::move(*unsafe));
}

// SAFETY: who can write to the directory can put another file in the place of the right one, or
// one where there is none yet.
void Loader::check_directory(const std::string& file) {
  if (file.empty()) return;
  const std::string directory = os::absolute(file + "/..", "/");
  const Result<os::Stamp> stamp = os::stamp_of(directory);
  if (!stamp) return error(stamp.error());
  loaded_.sources.push_back({directory, *stamp, SourceKind::kHolder});
  if (stamp->exists) check_owner(directory, *stamp);
}

bool Loader::check_trust(const ConfigFile& file, const std::string& text, const TrustStore& trust) {
  const Trust found = trust.check(file.path, text);
  if (found == Trust::kChanged)
    loaded_.diagnostics.push_back(
        {Severity::kWarning,
         {.code = "trust-changed",
          .message = "`" + file.path + "` has changed since you trusted it",
          .hint = "look at the difference with `tollgate trust " + file.path + "`",
          .where = in_file(file.path)}});
  return found == Trust::kPinned;
}

void Loader::open(const ConfigFile& file, const std::optional<TrustStore>& trust) {
  if (file.named && options_.config_text) {
    OpenFile given;
    given.file = file;
    given.document = read_yaml(*options_.config_text, file.path, loaded_.diagnostics);
    check_fields(given.document, file.kind, loaded_.diagnostics);
    files_.push_back(std::move(given));
    return;
  }
  const std::size_t limit = file.kind == FileKind::kUser ? kMaxFileBytes : kMaxProjectBytes;
  Result<os::FileText> read = os::read_stamped(file.path, limit);
  if (!read) {
    Result<os::Stamp> stamp = os::stamp_of(file.path);
    loaded_.sources.push_back({file.path, stamp ? *stamp : os::Stamp{}, SourceKind::kPolicy});
    return error(std::move(read).error());
  }
  loaded_.sources.push_back({file.path, read->stamp, SourceKind::kPolicy});
  OpenFile opened;
  opened.file = file;
  if (file.kind == FileKind::kUser)
    check_owner(file.path, read->stamp);
  else
    opened.trusted = trust && check_trust(file, read->text, *trust);
  const std::size_t before = loaded_.diagnostics.size();
  opened.document = read_yaml(std::move(read->text), file.path, loaded_.diagnostics);
  check_fields(opened.document, file.kind, loaded_.diagnostics);
  // What was not checked to its end is not read: the policy is broken by now.
  if (loaded_.diagnostics.size() - before < kMaxErrors) files_.push_back(std::move(opened));
}

void Loader::missing_pins(const Files& files, const TrustStore& trust) {
  for (const ConfigFile& file : files.absent) {
    if (!trust.pinned(file.path)) continue;
    error({.code = "trusted-file-missing",
           .message = "`" + file.path + "` is trusted but is no longer there",
           .hint = "restore it, or run `tollgate trust --forget " + file.path + "`",
           .where = in_file(file.path)});
  }
}

void Loader::open_all(const Files& files) {
  loaded_.sources.insert(loaded_.sources.end(), files.sources.begin(), files.sources.end());
  std::optional<TrustStore> trust;
  if (options_.project_files) trust = trust_store();
  for (const ConfigFile& file : files.present) open(file, trust);
  if (trust) missing_pins(files, *trust);
}

ResolveInput Loader::statements() {
  ResolveInput input;
  for (const OpenFile& each : files_)
    if (each.file.kind == FileKind::kUser)
      for (ToolDeclaration& tool : read_tools(each.document))
        input.tools.push_back(std::move(tool));
  for (const OpenFile& each : files_) {
    const std::string& path = each.file.path;
    const ReadContext context{.source = each.file.source,
                              .kind = each.file.kind,
                              .directory = os::absolute(path + "/..", cwd_),
                              .home = home_,
                              .tools = input.tools};
    input.statements.push_back(read_statement(each.document, context, loaded_.diagnostics));
    input.statements.back().trusted = each.trusted;
    if (each.file.kind != FileKind::kUser) continue;
    read_settings(each.document, context, loaded_.settings);
    const Node* settings = each.document.root().find("settings");
    if (settings != nullptr && settings->find("permissionTimeout") != nullptr &&
        input.timeout_source == ConfigSource::kDefault)
      input.timeout_source = each.file.source;
  }
  for (const OpenFile& each : files_)
    if (each.file.kind == FileKind::kUser)
      check_notify_rules(each.document, input.statements, loaded_.diagnostics);
  input.timeout_ms = loaded_.settings.permission_timeout_ms;
  input.environment = agentic_bundle(environment_, loaded_.diagnostics);
  input.overrides.agent = options_.agent;
  input.overrides.yolo = options_.yolo;
  if (options_.has_allowed_tools || !options_.allowed_tools.empty()) {
    input.overrides.allowed_tools.emplace();
    for (const std::string& tool : options_.allowed_tools)
      input.overrides.allowed_tools->push_back({tool, in_file("--allowed-tools")});
  }
  return input;
}

void Loader::zones() {
  for (const Rule& rule : loaded_.set.rules) {
    if (!rule.hours) continue;
    const std::string& name = rule.hours->zone;
    const auto known = std::find_if(loaded_.set.zones.begin(), loaded_.set.zones.end(),
                                    [&](const Zone& zone) { return zone.name == name; });
    if (known != loaded_.set.zones.end()) continue;
    Result<Zone> zone = load_zone(name);
    if (!zone) {
      Error problem = std::move(zone).error();
      problem.where = rule.where;
      error(std::move(problem));
      continue;
    }
    const std::string file = std::string(kZoneDirectory) + "/" + name;
    if (Result<os::Stamp> stamp = os::stamp_of(file); name != "UTC" && stamp)
      loaded_.sources.push_back({file, *stamp, SourceKind::kData});
    loaded_.set.zones.push_back(std::move(*zone));
  }
}

void Loader::finish() {
  if (loaded_.set.rules.size() > kMaxRules) {
    error({.code = "too-many-rules",
           .message = "the configuration has " + std::to_string(loaded_.set.rules.size()) +
                      " rules, more than the limit of " + std::to_string(kMaxRules),
           .hint = "merge rules with `*`",
           .where = {}});
    loaded_.set.rules.clear();  // SAFETY: nothing is judged by them: the policy is broken
  }
  std::vector<Diagnostic>& all = loaded_.diagnostics;
  sort_by_place(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const Diagnostic& each : all) {
    if (each.severity != Severity::kError) continue;
    loaded_.set.broken = each.error;
    break;
  }
}

Loaded Loader::run() {
  places();
  const bool named = !options_.config_file.empty();
  const Search search{.managed_file = options_.managed_file,
                      .user_file = named ? os::absolute(options_.config_file, cwd_)
                                         : user_file(environment_, home_),
                      .named = named,
                      .cwd = cwd_,
                      .home = home_,
                      .project_files = options_.project_files};
  check_directory(search.managed_file);
  if (!options_.config_text) check_directory(search.user_file);
  open_all(find_files(search));
  ResolveInput input = statements();
  const bool nothing = files_.empty() && !input.environment.workspace.present &&
                       !input.overrides.yolo && !input.overrides.allowed_tools &&
                       input.overrides.agent.empty();
  loaded_.set = nothing ? built_in_policy() : resolve(std::move(input), loaded_.diagnostics);
  zones();
  if (options_.read_effects) try_examples(loaded_.set, options_.read_effects, loaded_.diagnostics);
  finish();
  return std::move(loaded_);
}

}  // namespace

Loaded load(const LoadOptions& options) { return Loader(options).run(); }

}  // namespace tollgate::config
