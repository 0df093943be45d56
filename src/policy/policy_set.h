// Everything the configuration says, resolved: rules, agents, roles, declared tools.
// config/ builds it from files, environment and command line; compile() makes it fast to judge.
// INVARIANT: names were resolved and layers merged; nothing in here needs a second look.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/mode.h"
#include "core/tool_declaration.h"
#include "policy/rule.h"

namespace tollgate {

// A value together with who set it.
template <class T>
struct Setting {
  T value{};
  ConfigSource source = ConfigSource::kDefault;
  std::string where;  // file:line:column, "" for built-in

  bool operator==(const Setting&) const = default;
};

struct CeilingEntry {
  ToolPart tool;
  std::string text;  // as written

  bool operator==(const CeilingEntry&) const = default;
};

// One list of tools that somebody wrote.
struct CeilingList {
  std::vector<CeilingEntry> entries;
  ConfigSource source = ConfigSource::kDefault;
  std::string where;  // "" for built-in
  std::string from;   // "role reviewer", "allowedTools", "--allowed-tools", "preset read-only"

  bool operator==(const CeilingList&) const = default;
};

// Which tools an agent may use at all.
struct Ceiling {
  std::vector<CeilingEntry> entries;
  bool chosen = false;  // false: nobody chose a role, preset or list, so developer is assumed
  ConfigSource source = ConfigSource::kDefault;
  std::string where;
  std::string from;                // the list, or the least trusted of several
  std::vector<CeilingList> lists;  // what `entries` is the meeting of; empty: one list alone

  bool operator==(const Ceiling&) const = default;
};

// Hosts an agent may reach.
struct Network {
  bool allowed = true;             // allowNetwork
  bool limited = false;            // allowedHosts is set: any other host is outside
  bool outside_asks = false;       // `hosts: ask`: outside is ask and not deny
  std::vector<std::string> hosts;  // lower case; "*.x" for everything below x
  ConfigSource source = ConfigSource::kDefault;
  std::string where;

  bool operator==(const Network&) const = default;
};

struct AgentPolicy {
  std::string name;  // "" is the default agent
  std::string provider;
  std::string command;
  std::string path;                // absolute base directory, "" when the file names none
  std::vector<std::string> roots;  // absolute, besides path
  std::string role;
  std::string preset;
  Setting<Mode> mode{Mode::kDefault, ConfigSource::kDefault, ""};
  Mode mode_limit = Mode::kAutonomous;  // the tightest that a managed or project file names
  Setting<Answerer> answer{Answerer::kAsk, ConfigSource::kDefault, ""};
  Setting<std::int64_t> timeout_ms{kPermissionTimeoutMs, ConfigSource::kDefault, ""};
  Ceiling ceiling;
  std::vector<std::string> servers;  // names under mcpServers
  Network network;
  bool default_paths = true;  // the built-in blocked paths hold for it

  bool operator==(const AgentPolicy&) const = default;
};

struct PolicySet {
  std::vector<AgentPolicy> agents;  // the default agent is always among them, named ""
  std::vector<Rule> rules;          // of all layers and agents, disallowedTools among the denies
  std::vector<ToolDeclaration> tools;
  std::vector<Zone> zones;  // every zone that a rule's hours name
  // Not empty: the configuration is broken and every call is denied with this.
  std::optional<Error> broken;

  bool operator==(const PolicySet&) const = default;
};

// The policy without any file: role developer, mode default, no rules beyond the built-in
// blocked paths.
PolicySet built_in_policy();

// LIMIT: above this a policy is refused; it bounds memory and the snapshot's offsets.
inline constexpr std::size_t kMaxRules = 200'000;

}  // namespace tollgate
