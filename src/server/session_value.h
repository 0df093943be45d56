// A session as people's screens have it, and how screens learn what becomes of sessions.
// Changes of rows are told by the book as they happen; a state also changes with time, with
// questions and with freezes, and is compared with what it was.
// SAFETY: it has the session's id, so that only people may get it.
#pragma once

#include <map>
#include <string>

#include "json/value.h"
#include "store/rows.h"

namespace tollgate::server {

struct Daemon;

json::Value session_value(Daemon& daemon, const store::Session& session);

// The state of each session that has not ended, by its id.
using SessionStates = std::map<std::string, std::string>;
SessionStates session_states(Daemon& daemon);

// Tells screens of those whose state is another than before; gives what they are now.
SessionStates tell_changed_states(Daemon& daemon, const SessionStates& before);

}  // namespace tollgate::server
