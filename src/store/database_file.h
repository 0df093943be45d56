// The file that the store lies in: made private, opened, and watched that it stays the one it was.
// May be used from any thread.
// SAFETY: a file that was moved or removed under us takes writes that nobody will ever read again;
// so it is looked at before every commit.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "base/result.h"
#include "store/sqlite.h"

namespace tollgate::store {

class DatabaseFile {
 public:
  DatabaseFile(std::string path, Database::Options options)
      : path_(std::move(path)), options_(std::move(options)) {}

  // Makes it where it is missing (the first time only) and brings it to this version.
  Result<Database> open_for_writing();
  // REQUIRES: it was opened for writing before.
  Result<Database> open_for_reading();

  // That it is where it was; of the writer also that its log is.
  Result<void> check_place();
  Result<void> check_place_and_log();

 private:
  struct Identity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    bool operator==(const Identity&) const = default;
  };
  Result<Identity> identity_of(const std::string& path) const;
  Result<void> prepare();
  Result<void> note_identity();

  const std::string path_;
  const Database::Options options_;
  std::mutex lock_;  // guards both below
  Identity file_;    // all 0 before it was opened first
  Identity log_;     // since the writer opened it last
};

}  // namespace tollgate::store
