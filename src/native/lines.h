// The lines of a report: every rule of the agent, and the grounds that need no rule.
// A client says who holds each; what it does not say is held by nobody.
#pragma once

#include <functional>
#include <string>

#include "native/plan.h"

namespace tollgate::native {

struct Held {
  Holder holder = Holder::kNone;
  std::string note;
};

// Who holds what no rule says: the weakest link decides each.
struct Grounds {
  Held ceiling;      // tools that are not the agent's
  Held beyond;       // what its tools do that needs a tool which it has not: a shell that writes
  Held unlisted;     // tools of the client that no table knows
  Held sensitive;    // reading private keys, .env files and their like
  Held guarded;      // changing .git, start-up files and their like
  Held breakers;     // recursive deletes, lost work, leaking secrets
  Held hosts;        // allowedHosts and allowNetwork
  Held unspoken;     // what no rule speaks of is asked about
  Held gate_itself;  // the gate's own files and commands
};

void add_rules(Compiled& out, const Plan& plan, const std::function<Held(const Rule&)>& held);
void add_grounds(Compiled& out, const Plan& plan, const Grounds& grounds);

// All grounds alike.
Grounds grounds_by(Holder holder, std::string note);

}  // namespace tollgate::native
