// Which tables there are, and how a file of an earlier version gets them.
// A version is one text of SQL, run in one transaction; texts are added and never changed.
// SAFETY: a file that is not ours or of a later version is refused and left as it is.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/sqlite.h"

namespace tollgate::store {

inline constexpr std::int64_t kApplicationId = 0x544f4c47;  // "TOLG"

std::int64_t newest_version();

// Error: store-unavailable.
Result<void> check_file(Database& database, const std::string& path);
Result<void> migrate(Database& database, const std::string& path);
// No further than a version: how tests make an older file.
Result<void> migrate_to(Database& database, std::int64_t wanted);

}  // namespace tollgate::store
