// Copies of the database: made while others write to it, looked through, and put back.
// Used by `tollgate db`; the daemon itself makes none.
// SAFETY: nothing gets its name before it is whole and on the disk, and nothing is put in the place
// of a store that a daemon uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/rows.h"

namespace tollgate::store {

// What there is to say of a database.
struct Condition {
  std::int64_t version = 0;           // of its tables
  std::int64_t records = 0;           // number of the newest one
  std::vector<std::string> problems;  // what is wrong with it, in SQLite's words and ours

  bool operator==(const Condition&) const = default;
};

// Looks through all of it, beside whoever uses it. Error: store-unavailable where it cannot be
// opened or is no store of ours; what is damaged is a problem.
Result<Condition> condition_of(const std::string& path);

// Copies `path` as it is at this moment to `to` (0600). Errors: store-unavailable, file-exists,
// file-unwritable.
Result<Condition> back_up(const std::string& path, const std::string& to);

struct Restoring {
  std::string from;       // a copy
  std::string path;       // the store, as an absolute path
  std::string lock;       // the file that a daemon holds locked while it runs
  std::uint32_t uid = 0;  // the system's user who does it, which proves no person
  Millis now = 0;
};

struct Restored {
  Condition condition;
  std::string aside;  // where the store lies that was there before, "" where there was none
};

// Puts a copy in the place of the store, brings it to this version, and says so in its record.
// Errors: store-unavailable, also where a daemon uses it; file-unwritable.
Result<Restored> restore(const Restoring& wanted);

}  // namespace tollgate::store
