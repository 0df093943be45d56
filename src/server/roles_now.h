// The roles that a credential has today.
// It was made with some; the configuration may have taken them away since.
// SAFETY: nothing here adds a role: what a credential was not made with it never gets.
#pragma once

#include <string>
#include <vector>

#include "server/routes.h"

namespace tollgate::server {

// A device has no role that none of its person's own credentials has any more.
std::vector<std::string> roles_now(const Daemon& daemon, const store::Credential& credential);

}  // namespace tollgate::server
