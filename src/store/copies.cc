// Copying by SQLite's own means, and the exchange of one file for another.
// A copy is made under a name of its own, checked, and only then gets the name that was wanted.
// INVARIANT: a write-ahead log never lies beside a database that it does not belong to.
#include "store/copies.h"

#include <utility>

#include "os/files.h"
#include "os/moves.h"
#include "os/supervisor.h"
#include "store/database_file.h"
#include "store/migrations.h"
#include "store/sqlite_store.h"

namespace tollgate::store {
namespace {

constexpr std::string_view kMostProblems = "PRAGMA integrity_check(20)";

Error refused(const std::string& path, const std::string& why, std::string hint) {
  return {.code = "store-unavailable",
          .message = "cannot use `" + path + "`: " + why,
          .hint = std::move(hint),
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

bool is_there(const std::string& path) {
  const Result<os::Stamp> stamp = os::link_stamp_of(path);
  return !stamp || stamp->exists;
}

// SAFETY: only what is a store of ours is read on.
Result<Database> open_to_read(const std::string& path) {
  if (!is_there(path))
    return Fail(refused(path, "there is no such file", "check the name, or the data directory"));
  Result<Database> database = Database::open(path, {});
  if (!database) return database;
  if (Result<void> set = database->run("PRAGMA query_only = ON"); !set) return Fail(set.error());
  if (Result<void> ours = check_file(*database, path); !ours) return Fail(ours.error());
  const Result<std::int64_t> version = database->integer("PRAGMA user_version");
  if (!version) return Fail(version.error());
  if (*version == 0)
    return Fail(refused(path, "it is no store of this program", "name a copy that it has made"));
  return database;
}

// What SQLite finds, "ok" left out.
Result<std::vector<std::string>> integrity_of(Database& database) {
  std::vector<std::string> problems;
  Query query(database, kMostProblems, std::span<const Argument>());
  for (;;) {
    const Result<bool> more = query.next();
    if (!more) return Fail(more.error());
    if (!*more) return problems;
    if (query.text(0) != "ok") problems.emplace_back(query.text(0));
  }
}

Result<void> read_condition(Database& database, Condition& condition) {
  const Result<std::int64_t> version = database.integer("PRAGMA user_version");
  if (!version) return Fail(version.error());
  condition.version = *version;
  Result<std::vector<std::string>> problems = integrity_of(database);
  if (!problems) return Fail(problems.error());
  condition.problems = std::move(*problems);
  const Result<std::int64_t> last =
      database.integer("SELECT last FROM numbers WHERE name = 'audit'");
  if (!last) return Fail(last.error());
  condition.records = *last;
  const Result<std::int64_t> newest = database.integer("SELECT max(number) FROM audit");
  if (!newest) return Fail(newest.error());
  if (*newest > *last)
    condition.problems.push_back("record " + std::to_string(*newest) +
                                 " is newer than the last number that was given");
  return {};
}

// Damage that keeps it from being read to its end is a problem like the others.
Condition examined(Database& database) {
  Condition condition;
  if (const Result<void> read = read_condition(database, condition); !read)
    condition.problems.push_back(read.error().message);
  return condition;
}

void remove_with_log(const std::string& path) {
  for (const char* end : {"", "-wal", "-shm", "-journal"})
    static_cast<void>(os::remove_file(path + end));
}

// A whole copy under that name, which is one file and nothing beside it.
Result<Condition> copy(const std::string& from, const std::string& to) {
  remove_with_log(to);
  Result<Database> source = open_to_read(from);
  if (!source) return Fail(source.error());
  if (const Result<bool> made = os::write_once(to, ""); !made) return Fail(made.error());
  Result<Database> target = Database::open(to, {});
  if (!target) return Fail(target.error());
  if (Result<void> copied = source->copy_to(*target); !copied) return Fail(copied.error());
  const Result<std::string> mode = target->text("PRAGMA journal_mode = DELETE");
  if (!mode) return Fail(mode.error());
  Condition condition = examined(*target);
  if (condition.problems.empty()) return condition;
  return Fail(refused(from, condition.problems.front(), "use a copy that is whole"));
}

// A copy under a name of its own, gone again unless it was used.
class Draft {
 public:
  explicit Draft(std::string path) : path_(std::move(path)) {}
  ~Draft() { remove_with_log(path_); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const std::string& path() const& { return path_; }

 private:
  std::string path_;
};

// What was written last goes from the log into the file, where the file is sound enough for that.
void fold_log(const std::string& path) {
  Result<Database> database = Database::open(path, {});
  if (database) static_cast<void>(database->run("PRAGMA wal_checkpoint(TRUNCATE)"));
}

Result<void> note_in_record(const std::string& draft, const Restoring& wanted,
                            const Condition& condition, const std::string& aside) {
  Result<std::unique_ptr<Store>> store = open_sqlite(draft);
  if (!store) return Fail(store.error());
  AuditRow row;
  row.at = wanted.now;
  row.kind = "restore";
  row.origin = "cli";
  row.record = json::Value::object({{"uid", json::Value::integer(wanted.uid)},
                                    {"from", json::Value::string(wanted.from)},
                                    {"records", json::Value::integer(condition.records)},
                                    {"version", json::Value::integer(condition.version)}});
  if (!aside.empty()) {
    const Result<Condition> replaced = condition_of(aside);
    row.record.set("replaced", json::Value::string(aside));
    if (replaced) row.record.set("replacedRecords", json::Value::integer(replaced->records));
  }
  return submit_and_wait(**store, {AppendAudit{std::move(row)}});
}

// The store keeps a second name, and its log goes there: only a damaged one still has a log.
Result<std::string> put_aside(const Restoring& wanted) {
  if (!is_there(wanted.path)) return std::string();
  fold_log(wanted.path);
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string aside = wanted.path + ".replaced-" + std::to_string(wanted.now + attempt);
    const Result<bool> named = os::name_also(wanted.path, aside);
    if (!named) return Fail(named.error());
    if (*named) return aside;
  }
  return Fail(refused(wanted.path, "no name is free to keep it under",
                      "remove what earlier restores have left beside it"));
}

Result<void> exchange(const std::string& draft, const std::string& path, const std::string& aside) {
  if (!aside.empty() && is_there(path + "-wal"))
    if (Result<void> moved = os::move_over(path + "-wal", aside + "-wal"); !moved) return moved;
  if (is_there(draft + "-wal"))
    return Fail(refused(draft, "its log was not taken into it", "check the disk, and try again"));
  for (const char* end : {"-wal", "-shm"})
    if (Result<void> gone = os::remove_file(path + end); !gone) return gone;
  return os::move_over(draft, path);
}

}  // namespace

Result<Condition> condition_of(const std::string& path) {
  Result<Database> database = open_to_read(path);
  if (!database) return Fail(database.error());
  return examined(*database);
}

Result<Condition> back_up(const std::string& path, const std::string& to) {
  const auto taken = [&to] {
    return Fail(Error{.code = "file-exists",
                      .message = "`" + to + "` is there already",
                      .hint = "name another file, or remove it first",
                      .where = {}});
  };
  if (is_there(to)) return taken();
  const Draft draft(to + ".new-" + std::to_string(os::process_id()));
  Result<Condition> copied = copy(path, draft.path());
  if (!copied) return copied;
  const Result<bool> named = os::name_also(draft.path(), to);
  if (!named) return Fail(named.error());
  return *named ? copied : Result<Condition>(taken());
}

Result<Restored> restore(const Restoring& wanted) {
  const std::string directory = wanted.path.substr(0, wanted.path.rfind('/'));
  if (Result<void> made = os::make_private_directory(directory); !made) return Fail(made.error());
  const Result<std::optional<os::Descriptor>> lock = os::lock_file(wanted.lock);
  if (!lock) return Fail(lock.error());
  if (!*lock)
    return Fail(refused(wanted.path, "a daemon uses it", "stop the daemon first, then restore"));
  const Draft draft(wanted.path + ".restoring");
  Restored restored;
  Result<Condition> copied = copy(wanted.from, draft.path());
  if (!copied) return Fail(copied.error());
  Result<std::string> aside = put_aside(wanted);
  if (!aside) return Fail(aside.error());
  restored.aside = std::move(*aside);
  Result<void> done = note_in_record(draft.path(), wanted, *copied, restored.aside);
  if (done) fold_log(draft.path());
  if (done) done = exchange(draft.path(), wanted.path, restored.aside);
  if (!done) return Fail(done.error());
  const Result<Condition> now = condition_of(wanted.path);
  if (!now) return Fail(now.error());
  restored.condition = *now;
  return restored;
}

}  // namespace tollgate::store
