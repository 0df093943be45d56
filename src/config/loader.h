// Finds the configuration, checks who wrote it, reads it, layers it.
// The one door of this room: everything that judges by files starts here.
// SAFETY: any error leaves `set.broken`, which denies every call with that error as the reason.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/resolve.h"
#include "config/settings.h"
#include "config/source.h"
#include "core/effect.h"
#include "core/tool_call.h"
#include "os/environment.h"
#include "policy/policy_set.h"

namespace tollgate::config {

struct LoadOptions {
  std::string config_file;  // --config; replaces the user's file and must exist
  std::optional<std::string>
      config_text;  // what config_file says; then no file of that name is read
  std::string managed_file = "/etc/tollgate/tollgate.yaml";  // "" for none
  std::string cwd;                                           // "" is the current directory
  std::string data_dir;                                      // "" is $XDG_STATE_HOME/tollgate
  const os::Environment* environment = nullptr;              // nothing: an empty one
  // For the examples in rules; without it they are not tried.
  std::function<Effects(const ToolCall&, std::span<const ToolDeclaration>)> read_effects;
  std::string agent;                       // --agent; must be configured
  std::vector<std::string> allowed_tools;  // --allowed-tools, each time it was given
  bool has_allowed_tools = false;          // told apart from an empty list
  bool yolo = false;
  bool project_files = true;  // false: `check FILE` looks at that file alone
};

struct Loaded {
  PolicySet set;
  Settings settings;
  std::vector<Diagnostic> diagnostics;  // sorted by place
  std::vector<SourceStamp> sources;     // every file consulted, absent ones too
  std::string data_dir;
};

Loaded load(const LoadOptions& options);

// Everything besides files that load() depends on, as one text: the snapshot's key.
std::string load_key(const LoadOptions& options);

// False where a managed file of another owner stands: a snapshot that the user can write must not
// speak for it, and a forged one would simply not name it.
bool may_use_snapshot(const LoadOptions& options);

// Where things are by the XDG rules.
std::string user_file(const os::Environment& environment, const std::string& home);
std::string default_data_dir(const os::Environment& environment, const std::string& home);

}  // namespace tollgate::config
