// Whether an agent could give the answers that this approver gives, said as it is.
// SAFETY: where it cannot be told, it is not prevented.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "server/exchange.h"

namespace tollgate::server {

// {"prevented", "why"}. `own` are the addresses of this machine.
json::Value self_approval_value(const Peer& peer, const std::vector<std::string>& own);

}  // namespace tollgate::server
