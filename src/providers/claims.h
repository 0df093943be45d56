// What an agent can do that runs code of its own as the user, outside a sandbox: the gate judges
// calls, and this is no call. doctor says it, SECURITY.md and docs/threat-model.md say the same.
// INVARIANT: tools/check_docs holds the three to each other, so that none promises more.
#pragma once

#include <span>
#include <string_view>

namespace tollgate::providers {

struct Unheld {
  std::string_view attack;  // as the papers have it
  std::string_view needs;   // what does hold against it
};

std::span<const Unheld> unheld();

}  // namespace tollgate::providers
