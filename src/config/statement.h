// What one file says, as values: nothing is merged, resolved or judged yet.
// The layering in resolve.cc works on these alone; documents are not needed after they were read.
// Every value keeps its place, so that a later complaint can point at it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/fields.h"
#include "config/settings.h"
#include "config/yaml.h"
#include "core/mode.h"
#include "core/tool_declaration.h"
#include "policy/rule.h"

namespace tollgate::config {

template <class T>
struct Said {
  T value{};
  Position where;
};

using Words = std::vector<Said<std::string>>;

struct BashPair {
  std::string command;
  std::string arguments;
  Position where;
  bool only_without_hosts = false;  // a built-in pair that a list of allowed hosts replaces
};

// The AGENTIC_* block.
struct WorkspaceText {
  bool present = false;
  Position where;
  std::optional<std::vector<BashPair>> blocked_bash;
  std::optional<Words> blocked_paths;
  std::optional<Said<bool>> allow_network;
  std::optional<Said<std::vector<std::string>>> allowed_hosts;
  std::optional<Said<bool>> outside_asks;
};

// The rights that a file's top, an agent, a role or a preset speaks of.
struct Bundle {
  std::string name;
  Position where;
  std::optional<Said<std::string>> extends;
  std::optional<Said<std::string>> role;
  std::optional<Said<std::string>> preset;
  std::optional<Said<Mode>> mode;
  std::optional<Said<Answerer>> answer;
  std::optional<Said<std::int64_t>> timeout_ms;
  std::optional<Said<Words>> allowed_tools;
  Words disallowed_tools;
  std::vector<Rule> rules;
  WorkspaceText workspace;
  std::string provider;
  std::string command;
  std::optional<std::string> path;  // absolute
  std::vector<std::string> roots;   // absolute
  std::vector<std::string> servers;
};

struct Statement {
  ConfigSource source = ConfigSource::kProject;
  FileKind kind = FileKind::kProject;
  bool trusted = false;  // of a project file: pinned by the user, byte for byte
  std::string file;
  Bundle top;
  std::vector<Bundle> roles;
  std::vector<Bundle> presets;
  std::vector<Bundle> agents;

  bool is_project() const { return kind != FileKind::kUser; }
};

struct ReadContext {
  ConfigSource source = ConfigSource::kUser;
  FileKind kind = FileKind::kUser;
  std::string directory;  // relative paths are relative to it
  std::string home;
  std::span<const ToolDeclaration> tools;
};

// The tools: block. Read first, because rules are parsed with it.
std::vector<ToolDeclaration> read_tools(const Document& document);

Statement read_statement(const Document& document, const ReadContext& context,
                         std::vector<Diagnostic>& out);

// Adds the file's settings to `settings`; what a more trusted file said before stays.
void read_settings(const Document& document, const ReadContext& context, Settings& settings);

json::Value json_of(const Node& node);

}  // namespace tollgate::config
