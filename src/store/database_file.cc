// Owner, permissions and identity of the database's files, and how a connection is set up.
// What is not ours is refused before anything is written to it.
// INVARIANT: nothing here opens the database other than by SQLite: closing it would drop its locks.
#include "store/database_file.h"

#include <utility>

#include "os/files.h"
#include "os/user.h"
#include "store/migrations.h"

namespace tollgate::store {
namespace {

constexpr std::uint32_t kOthers = 077;
constexpr std::uint32_t kOthersWrite = 022;

Error refused(const std::string& path, const std::string& why, std::string hint) {
  return {.code = "store-unavailable",
          .message = "cannot use `" + path + "`: " + why,
          .hint = std::move(hint),
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

std::unexpected<Error> unavailable(Error error) {
  error.code = "store-unavailable";
  return Fail(std::move(error));
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<void> check_private(const std::string& path, std::uint32_t forbidden) {
  const Result<os::Stamp> stamp = os::link_stamp_of(path);
  if (!stamp) return unavailable(stamp.error());
  if (!stamp->is_regular() && !stamp->is_directory())
    return Fail(refused(path, "it is no regular file", "name a regular file"));
  if (stamp->uid != os::effective_uid())
    return Fail(refused(path, "it belongs to somebody else", "use a directory of your own"));
  if ((stamp->mode & forbidden) != 0)
    return Fail(
        refused(path, "others may use it", "take away what others may do: chmod go= " + path));
  return {};
}

constexpr std::string_view kSetUp[] = {
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cell_size_check = ON",
    "PRAGMA secure_delete = ON",         // what was hidden or removed is not left in free pages
    "PRAGMA wal_autocheckpoint = 4000",  // pages: 16 MB of log, then it goes into the file
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA cache_size = -1024",  // KB; what is asked for more than once is cached above
};

Result<void> set_up(Database& database, const std::string& path) {
  const Result<std::string> mode = database.text("PRAGMA journal_mode = WAL");
  if (!mode) return Fail(mode.error());
  if (*mode != "wal")
    return Fail(refused(path, "its file system cannot hold a write-ahead log",
                        "use a directory on a local disk"));
  for (const std::string_view sql : kSetUp)
    if (Result<void> set = database.run(sql); !set) return set;
  return migrate(database, path);
}

}  // namespace

Result<Database> DatabaseFile::open_for_writing() {
  if (Result<void> ready = prepare(); !ready) return Fail(std::move(ready).error());
  Result<Database> database = Database::open(path_, options_);
  if (!database) return database;
  Result<void> fit = check_file(*database, path_);
  if (fit) fit = set_up(*database, path_);
  if (fit) fit = note_identity();
  if (!fit) return Fail(std::move(fit).error());
  return database;
}

Result<Database> DatabaseFile::open_for_reading() {
  if (Result<void> same = check_place(); !same) return Fail(std::move(same).error());
  Result<Database> database = Database::open(path_, options_);
  if (!database) return database;
  if (Result<void> set = database->run("PRAGMA query_only = ON"); !set)
    return Fail(std::move(set).error());
  return database;
}

Result<void> DatabaseFile::prepare() {
  bool known = false;
  {
    const std::lock_guard guard(lock_);
    known = file_ != Identity{};
  }
  if (known) {
    // SAFETY: never a new file in the place of the one that the daemon began with.
    if (Result<void> same = check_place(); !same) return same;
  } else {
    const std::string directory = directory_of(path_);
    if (Result<void> made = os::make_private_directory(directory); !made)
      return unavailable(made.error());
    if (Result<void> safe = check_private(directory + "/.", kOthersWrite); !safe) return safe;
    const Result<os::Stamp> there = os::link_stamp_of(path_);
    if (!there) return unavailable(there.error());
    if (!there->exists)
      if (const Result<bool> made = os::write_once(path_, ""); !made)
        return unavailable(made.error());
  }
  return check_private(path_, kOthers);
}

Result<DatabaseFile::Identity> DatabaseFile::identity_of(const std::string& path) const {
  const Result<os::Stamp> stamp = os::link_stamp_of(path);
  if (!stamp) return unavailable(stamp.error());
  return Identity{stamp->device, stamp->inode};
}

Result<void> DatabaseFile::note_identity() {
  const Result<Identity> file = identity_of(path_);
  if (!file) return Fail(file.error());
  const Result<Identity> log = identity_of(path_ + "-wal");
  if (!log) return Fail(log.error());
  const std::lock_guard guard(lock_);
  file_ = *file;
  log_ = *log;
  return {};
}

Result<void> DatabaseFile::check_place() {
  const Result<Identity> now = identity_of(path_);
  if (!now) return Fail(now.error());
  const std::lock_guard guard(lock_);
  if (*now == file_) return {};
  return Fail(refused(path_, "it was moved, removed or replaced while it was in use",
                      "put the file back, or start the daemon again"));
}

Result<void> DatabaseFile::check_place_and_log() {
  if (Result<void> same = check_place(); !same) return same;
  const std::string log = path_ + "-wal";
  const Result<Identity> now = identity_of(log);
  if (!now) return Fail(now.error());
  const std::lock_guard guard(lock_);
  if (*now == log_) return {};
  return Fail(refused(log, "it was moved, removed or replaced while it was in use",
                      "put the file back, or start the daemon again"));
}

}  // namespace tollgate::store
