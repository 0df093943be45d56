// The people who have had a say in a call already: they do not count in its quorum.
// Whoever made the session or one above it, and whoever taught a grant that covers a part of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "approvals/grants.h"
#include "approvals/sessions.h"
#include "store/rows.h"

namespace tollgate::server {

// Nothing where the session is not known any more.
std::optional<std::vector<std::string>> makers_of(const store::Question& question,
                                                  const approvals::SessionBook& sessions,
                                                  const approvals::GrantBook& grants,
                                                  store::Millis now);

}  // namespace tollgate::server
