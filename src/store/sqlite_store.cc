// The parts put together: the file, those who read, the one who writes.
// The writer is made last and goes first, because its last words may still read.
#include "store/sqlite_store.h"

#include <utility>

#include "store/chain.h"
#include "store/database_file.h"
#include "store/readers.h"
#include "store/reads.h"
#include "store/writer.h"

namespace tollgate::store {
namespace {

class SqliteStore : public Store {
 public:
  SqliteStore(std::unique_ptr<DatabaseFile> file, Database anchor, Database database,
              const SqliteOptions& options)
      : file_(std::move(file)),
        anchor_(std::move(anchor)),
        readers_(*file_, options.max_readers),
        writer_(*file_, std::move(database), options) {}

  void submit(std::vector<Change> batch, Durability durability, Done done) override {
    writer_.submit(std::move(batch), durability, std::move(done));
  }
  Result<Kept> load(Millis now, Millis recent) override {
    return readers_.with([&](Database& from) { return read_kept(from, now, recent); });
  }
  Result<std::vector<AuditRow>> audit(const AuditQuery& query) override {
    return readers_.with([&](Database& from) { return read_audit(from, query); });
  }
  Result<std::vector<Question>> questions(const QuestionQuery& query) override {
    return readers_.with([&](Database& from) { return read_questions(from, query); });
  }
  Result<std::optional<Question>> question(const std::string& id) override {
    return readers_.with([&](Database& from) { return read_question(from, id); });
  }
  Result<std::vector<Grant>> grants() override {
    return readers_.with([](Database& from) { return read_grants(from); });
  }
  Result<MarkSpool> spool_mark(const std::string& file) override {
    return readers_.with([&](Database& from) { return read_spool_mark(from, file); });
  }
  Result<std::size_t> compact() override {
    Result<ForgetTexts> idle = readers_.with([](Database& from) { return idle_texts(from); });
    if (!idle) return Fail(std::move(idle).error());
    const std::size_t count = idle->names.size() + idle->parts.size();
    if (count == 0) return count;
    std::vector<Change> batch;
    batch.emplace_back(std::move(*idle));
    if (Result<void> done = submit_and_wait(*this, std::move(batch)); !done)
      return Fail(std::move(done).error());
    return count;
  }
  Result<RecordState> record_state() override {
    return readers_.with([](Database& from) { return read_record_state(from); });
  }

 private:
  const std::unique_ptr<DatabaseFile> file_;
  // SAFETY: it never writes and is open to the end. The last connection that is closed leaves the
  // log to be read anew, and then a group whose commit failed halfway would come back to life.
  const Database anchor_;
  Readers readers_;
  Writer writer_;
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, const SqliteOptions& options) {
  auto file = std::make_unique<DatabaseFile>(
      path, Database::Options{.busy_ms = static_cast<int>(options.busy_timeout.count()),
                              .vfs = options.vfs});
  Result<Database> database = file->open_for_writing();
  if (!database) return Fail(std::move(database).error());
  Result<Database> anchor = file->open_for_reading();
  if (!anchor) return Fail(std::move(anchor).error());
  const Result<std::int64_t> read = anchor->integer("SELECT last FROM numbers");
  if (!read) return Fail(read.error());
  return std::make_unique<SqliteStore>(std::move(file), std::move(*anchor), std::move(*database),
                                       options);
}

}  // namespace tollgate::store
