// An explanation for the page: what `tollgate explain` prints, as plain text.
#pragma once

#include <optional>
#include <string>

#include "core/audit_log.h"
#include "core/mode.h"
#include "policy/policy.h"

namespace tollgate::server {

// `policy` gives declared tools and the agent's settings; nothing: the record alone is told.
std::string explained(const AuditRecord& record, const Policy* policy,
                      std::optional<Mode> mode = std::nullopt);

}  // namespace tollgate::server
