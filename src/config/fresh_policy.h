// The compiled policy, where it is fresh; reading the files is another program's work.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/loader.h"
#include "policy/policy.h"

namespace tollgate::config {

// Nothing where there is no snapshot for these options, or a file has changed since.
std::optional<Policy> fresh_policy(const LoadOptions& options,
                                   PolicyCheck check = PolicyCheck::kWhole);

// Where the snapshot for these options lies, whose load_key() is `key`; "" when there is no place
// for one.
std::string snapshot_file(const LoadOptions& options, std::string_view key);

}  // namespace tollgate::config
