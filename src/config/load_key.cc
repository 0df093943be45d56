// Where a configuration is, and what tells one loading from another.
// Nothing here reads a configuration, so that a program without YAML can ask for its snapshot.
#include <algorithm>

#include "config/agentic_environment.h"
#include "config/loader.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

void add_part(std::string& key, std::string_view name, std::string_view value) {
  key += std::string(name) + "=" + std::to_string(value.size()) + ":" + std::string(value) + "\n";
}

}  // namespace

std::vector<std::string> agentic_variables(const os::Environment& environment) {
  std::vector<std::string> names;
  const os::Environment::Variables& all = environment.variables();
  for (auto each = all.lower_bound(kAgenticPrefix); each != all.end(); ++each) {
    if (!each->first.starts_with(kAgenticPrefix)) break;
    if (!each->second.empty()) names.push_back(each->first);
  }
  return names;
}

std::string user_file(const os::Environment& environment, const std::string& home) {
  const std::optional<std::string> given = environment.get_filled("XDG_CONFIG_HOME");
  if (given && given->starts_with('/')) return *given + "/tollgate/tollgate.yaml";
  return home.empty() ? "" : home + "/.config/tollgate/tollgate.yaml";
}

std::string default_data_dir(const os::Environment& environment, const std::string& home) {
  const std::optional<std::string> given = environment.get_filled("XDG_STATE_HOME");
  if (given && given->starts_with('/')) return *given + "/tollgate";
  return home + "/.local/state/tollgate";
}

std::string load_key(const LoadOptions& options) {
  const os::Environment environment =
      options.environment != nullptr ? *options.environment : os::Environment();
  std::string key;
  add_part(key, "config", options.config_file);
  add_part(key, "managed", options.managed_file);
  std::string cwd = options.cwd;
  add_part(key, "cwd", cwd);
  if (!cwd.starts_with('/')) cwd = os::current_directory().value_or("") + "/" + cwd;
  // Links on the way may come to lead elsewhere, and then other files are found.
  const std::string home = os::home_directory(environment).value_or("");
  add_part(key, "from", cwd);
  add_part(key, "real-cwd", os::real_path(cwd).path);
  add_part(key, "real-home", os::real_path(home).path);
  add_part(key, "data", options.data_dir);
  add_part(key, "agent", options.agent);
  add_part(key, "yolo", options.yolo ? "1" : "0");
  add_part(key, "project", options.project_files ? "1" : "0");
  add_part(key, "tools-given", options.has_allowed_tools ? "1" : "0");
  for (const std::string& tool : options.allowed_tools) add_part(key, "tool", tool);
  for (std::string_view name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    add_part(key, name, environment.get(name).value_or(""));
  for (const std::string& name : agentic_variables(environment))
    add_part(key, name, environment.get(name).value_or(""));
  return key;
}

bool may_use_snapshot(const LoadOptions& options) {
  if (options.config_text) return false;
  if (options.managed_file.empty()) return true;
  const Result<os::Stamp> managed = os::stamp_of(options.managed_file);
  return managed && (!managed->exists || managed->uid == os::effective_uid());
}

}  // namespace tollgate::config
