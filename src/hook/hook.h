// One call of a client's hook, from its payload to its answer.
// The small program `tollgate-hook` and `tollgate hook` both end here; they differ only in where
// the policy comes from.
// SAFETY: every failure is an answer that makes the client block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "config/loader.h"
#include "os/environment.h"
#include "policy/policy.h"
#include "protocol/dialect.h"

namespace tollgate::hook {

// What a registration fixes; nothing of it comes from the client's environment.
struct Registration {
  std::string_view provider;
  std::string config_file;  // "": the user's own
  std::string agent;
  std::string data_dir;  // "": the user's own
  bool sync = false;     // wait until the disk has the record
  // How long a daemon may take to settle a question, in milliseconds; 0 asks none.
  std::int64_t within = 0;
};

// Where a hook runs.
struct Place {
  const os::Environment& environment;
  std::string managed_file = "/etc/tollgate/tollgate.yaml";
  std::string program;  // the program itself; "" for the one that runs, found when it is needed
  // Told the reply while everything that led to it is still there, by a process that ends then: to
  // take it all apart would be for nobody. May return, and then the reply is given as well.
  std::function<void(const HookReply&)> at_reply = {};
};

// Nothing: the policy has to be read from its files, and whoever asks cannot do that.
using PolicySource = std::function<std::optional<Policy>(const config::LoadOptions&)>;

// Nothing where the source has no policy, or one that proved damaged. Then nothing was recorded
// either, but in the second case that the call was denied for it.
std::optional<HookReply> answer(std::string_view payload, const Registration& registration,
                                const Place& place, const PolicySource& source);

}  // namespace tollgate::hook
