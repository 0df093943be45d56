// One row a client: its programs, the files that its hooks stand in, and how they are edited.
// To add a client: a file <client>_hooks.cc, a row in provider.cc, a table in its test.
// Edits are text to text and look at no file; install.h reads and writes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/environment.h"
#include "providers/command.h"

namespace tollgate::providers {

enum class Scope {
  kUser,     // the user's own settings
  kProject,  // those of one directory
  kPlugin,   // files of a plugin, in a directory of their own
};

// Where a client's files are looked for.
struct Scene {
  std::string home;
  std::string project;  // absolute; of kProject
  std::string plugin;   // absolute; of kPlugin
  const os::Environment& environment;
};

// A command of ours that a file registers.
struct Registered {
  std::string event;
  std::string command;  // as `sh -c` takes it
  int seconds = 0;      // after which the client gives up; 0: the file does not say

  bool operator==(const Registered&) const = default;
};

// A file of a client. Each edit takes the whole text, "" for a file that is not there.
struct Target {
  std::string path;
  std::function<Result<std::string>(const std::string&)> put;   // with our entries as they must be
  std::function<Result<std::string>(const std::string&)> drop;  // without them; "" for no file
  std::function<Result<std::vector<Registered>>(const std::string&)> find;
};

struct Provider {
  std::string_view name;
  std::string_view title;
  std::span<const std::string_view> programs;  // as PATH has them
  // The files of a scope. Error: bad-usage where the client has no such scope.
  Result<std::vector<Target>> (*targets)(const Scene&, Scope, const HookCommand&);
  std::string_view note;  // what the user has to know after an install
};

std::span<const Provider> providers();

// Nothing where there is no such client.
const Provider* provider_named(std::string_view name);

// Error: bad-usage; for a client that has no such scope.
std::unexpected<Error> no_such_scope(std::string_view title, std::string_view why);

// The value of a variable that names a directory, or `otherwise`.
std::string directory_from(const Scene& scene, std::string_view variable,
                           const std::string& otherwise);

}  // namespace tollgate::providers
