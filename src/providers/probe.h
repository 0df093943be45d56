// Calls that are fed through a hook as it is registered, and what the client would make of the
// answer.
// Pure: whoever runs the command is elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tollgate::providers {

struct Probe {
  std::string_view name;
  std::string payload;
  bool must_block = false;
};

// A harmless call, one that the gate denies whatever the policy says, and one that is no call.
std::vector<Probe> probes_for(std::string_view client, const std::string& cwd);

enum class Outcome {
  kRuns,    // the tool would run
  kAsks,    // the client would ask its user, or refuse where there is none
  kBlocks,  // the tool would not run
  kOpen,    // no answer that the client heeds: it would go on as if there were no hook
};

struct Heard {
  Outcome outcome = Outcome::kOpen;
  std::string reason;

  bool operator==(const Heard&) const = default;
};

// What the client makes of a hook that ended like this.
Heard heard_by_client(std::string_view client, int status, const std::string& out,
                      const std::string& err);

}  // namespace tollgate::providers
