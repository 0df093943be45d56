// What is frozen, as hooks learn of it: one file in the data directory, written by the daemon.
// A hook settles most calls without the daemon; a freeze must hold for those as well.
// SAFETY: no file is no freeze; a file that cannot be read freezes everything.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "core/tool_call.h"

namespace tollgate::hook {

// By agent, "" for everything, or by a client's session: who froze it.
using Freezes = std::map<std::string, std::string>;
// The key of a client's session; no agent has such a name.
std::string session_key(const std::string& provider, const std::string& session);

// Makes the file say just this; none at all where nothing is frozen.
Result<void> write_freezes(const std::string& data_dir, const Freezes& freezes);

// Why this call of a client may not happen now, "" where it may.
std::string frozen_in(const std::string& data_dir, const ToolCall& call);

}  // namespace tollgate::hook
