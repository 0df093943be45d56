// One policy said in a client's own words: flags, files, and what of it the client then holds.
// clients.cc is the table of clients; each has a file of its own that fills in a Compiled.
// SAFETY: a client may only ever run unasked what the gate allows whatever the input is; all else
// it refuses, or puts to the gate.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "policy/policy_set.h"

namespace tollgate::native {

// Who makes a rule hold under a client, the surest first.
enum class Holder : std::uint8_t {
  kNative,    // the client by itself, whether or not the gate is there
  kSandbox,   // the client's own sandbox
  kHook,      // the gate, where the client asks it
  kWithheld,  // of an allow: the client does not get it, so that it refuses or asks
  kNone,      // nobody
};
std::string_view name(Holder holder);

enum class Strength : std::uint8_t {
  kHard,  // the client's program refuses
  kSoft,  // the model is asked to
};
std::string_view name(Strength strength);

// What the client does with a call of a tool.
enum class Standing : std::uint8_t {
  kDenied,  // refuses it: the gate denies whatever the input is
  kJudged,  // it depends on the input
  kOpen,    // runs it: the gate allows whatever the input is
};
std::string_view name(Standing standing);

struct ToolLine {
  std::string native;
  std::string canonical;
  ToolKind kind = ToolKind::kOther;
  Standing standing = Standing::kDenied;
  std::string why;

  bool operator==(const ToolLine&) const = default;
};

// One rule, or one of the grounds that need no rule, and who makes it hold.
struct RuleLine {
  std::string rule;  // as written, or the name of the ground
  std::string list;  // allow, ask, deny, or "built-in"
  std::string where;
  Holder holder = Holder::kNone;
  std::string note;

  bool operator==(const RuleLine&) const = default;
};

struct File {
  std::string name;   // in the directory that --out names
  std::string place;  // where the client looks for it
  std::string text;

  bool operator==(const File&) const = default;
};

struct Compiled {
  std::string client;
  std::string agent;
  Strength strength = Strength::kSoft;
  bool asks_gate = false;  // the client asks the gate by itself, and refuses without an answer
  std::string how;         // one sentence: what carries the policy
  std::string failing;     // one sentence: what happens when the gate does not answer
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<File> files;
  std::vector<ToolLine> tools;
  std::vector<RuleLine> rules;
  std::vector<std::string> warnings;

  bool operator==(const Compiled&) const = default;
};

// Lists of tools on a command line: one argument for each, or all in one with commas between.
enum class Style : std::uint8_t { kEach, kComma };

// Whether the client's hook is registered. Where a hook can refuse and not open, the client lets
// through what the hook then judges.
enum class Hook : std::uint8_t { kNone, kRegistered };

// What the gate says to one shell command now.
struct Probe {
  Verdict verdict = Verdict::kDeny;
  bool touches_paths = true;  // what it says may change with the files that are there
};

struct Request {
  const PolicySet& set;
  const AgentPolicy& agent;
  std::string root;       // the workspace, absolute
  std::string home;       // absolute
  std::string directory;  // where the files will lie; flags name them so
  std::string gate = "http://127.0.0.1:1615";
  json::Value servers;  // the agent's mcpServers, as written
  Style style = Style::kEach;
  Hook hook = Hook::kNone;
  std::function<Probe(const std::string& command)> probe;  // without it nothing is allowed by text
};

struct Client {
  std::string_view name;
  std::string_view provider;  // whose tool names it has
  std::string_view program;   // what is started
  std::string_view summary;
  Result<Compiled> (*compile)(const Client& client, const Request& request);
};

std::span<const Client> clients();
const Client* client_named(std::string_view name);

// Error: bad-native, where the client would drop what was made.
Result<Compiled> compile(const Client& client, const Request& request);

}  // namespace tollgate::native
