// What the configuration says beyond the policy: addresses, store, people, isolation.
// Parsed and checked here, used by the daemon, the launcher and the sandbox.
// Only the user's and the managed file set these; a project file that tries is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace tollgate::config {

struct Listen {
  std::string host = "127.0.0.1";
  std::uint16_t port = 1615;
  bool operator==(const Listen&) const = default;
};

struct Tls {
  std::string cert;  // absolute paths
  std::string key;
  bool operator==(const Tls&) const = default;
};

struct ApproverEntry {
  std::string name;
  std::string person;  // a quorum counts these
  std::vector<std::string> roles;
  bool operator==(const ApproverEntry&) const = default;
};

struct Sandbox {
  bool required = true;           // `isolation: required`; false is `preferred`
  std::int64_t memory_bytes = 0;  // 0: no limit
  int pids = 0;
  double cpu = 0;
  bool unix_sockets = false;
  bool operator==(const Sandbox&) const = default;
};

// What an agent's entry says that is not policy.
struct AgentEntry {
  std::string name;
  std::optional<Sandbox> sandbox;  // nothing: none
  std::string remote;
  std::vector<std::string> delegate;
  json::Value servers;  // mcpServers, as written
  bool operator==(const AgentEntry&) const = default;
};

// Where heads of the record's chain are put, besides the store.
struct AnchorPlaces {
  bool journal = true;  // the system's, where there is one
  std::string file;     // absolute; "" for none
  std::string notify;   // the name of a webhook; "" for none
  std::int64_t every_ms = 60'000;
  bool operator==(const AnchorPlaces&) const = default;
};

struct Settings {
  Listen listen;
  std::string public_url;
  std::optional<Tls> tls;
  std::int64_t permission_timeout_ms = 30'000;  // 0: wait
  std::string store = "sqlite";                 // or postgres://…
  std::vector<std::string> redact;
  std::int64_t retention_ms = 90LL * 24 * 3600 * 1000;  // 0: for ever
  AnchorPlaces anchor;
  std::vector<ApproverEntry> approvers;
  std::vector<json::Value> notify;
  std::vector<AgentEntry> agents;
  std::vector<std::string> said;  // names of the settings that some file gave

  bool operator==(const Settings&) const = default;
};

}  // namespace tollgate::config
