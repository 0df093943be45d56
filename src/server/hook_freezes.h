// What is frozen, as hooks are told: agents, and the sessions of clients that ask by a hook.
// A session that was made here asks the daemon for every call and needs no telling.
// SAFETY: whoever changes a freeze writes this anew before it is acknowledged.
#pragma once

#include "approvals/sessions.h"
#include "hook/freeze.h"

namespace tollgate::server {

inline hook::Freezes hook_freezes(const approvals::SessionBook& sessions) {
  hook::Freezes out = sessions.freezes();
  for (const store::Session& each : sessions.all())
    if (each.frozen && each.ended == 0 && !each.client_session.empty())
      out[hook::session_key(each.provider, each.client_session)] = "an operator";
  return out;
}

}  // namespace tollgate::server
