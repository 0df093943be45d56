// The store in one SQLite file.
// One thread writes and commits what is waiting together; reads go on beside it.
// SAFETY: when it cannot write, everything that waits hears so; it goes on when the cause is gone.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace tollgate::store {

struct SqliteOptions {
  std::chrono::milliseconds group_delay{2};       // how long a grouped batch waits for others
  std::size_t max_group = 4'096;                  // batches in one commit
  std::size_t max_waiting = 262'144;              // LIMIT: batches beyond are refused, not gathered
  std::chrono::milliseconds busy_timeout{2'000};  // for a lock that another process has
  std::size_t max_readers = 4;                    // connections that read at the same time
  std::string vfs;  // SQLite's way to the files, "" for its own; tests bring one that fails
};

// Makes the file (0600) and its directory (0700) where they are missing, and brings an older file
// to this version. Error: store-unavailable, also for a file of another program, of a newer
// version, or that others may read or write.
Result<std::unique_ptr<Store>> open_sqlite(const std::string& path,
                                           const SqliteOptions& options = {});

}  // namespace tollgate::store
