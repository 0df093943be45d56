#include "store/record_file.h"

#include <utility>

#include "os/files.h"
#include "os/system_error.h"
#include "store/chain.h"
#include "store/migrations.h"
#include "store/reads.h"

namespace tollgate::store {

struct RecordFile::Inside {
  Database database;
  RecordState state;
  Digest before;
};

namespace {

Error older(const std::string& path) {
  return {.code = "store-unavailable",
          .message = "cannot use `" + path + "`: it is of an earlier version and has no chain yet",
          .hint = "start the daemon once, which brings it over",
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

}  // namespace

RecordFile::RecordFile(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
RecordFile::RecordFile(RecordFile&& other) noexcept = default;
RecordFile& RecordFile::operator=(RecordFile&& other) noexcept = default;
RecordFile::~RecordFile() = default;

Result<RecordFile> RecordFile::open(const std::string& path) {
  const Result<os::Stamp> stamp = os::stamp_of(path);
  if (!stamp) return Fail(stamp.error());
  if (!stamp->exists) return Fail(os::system_error("file-missing", "open", path, ENOENT));
  Result<Database> database = Database::open(path, {});
  if (!database) return Fail(std::move(database).error());
  auto inside = std::make_unique<Inside>(Inside{std::move(*database), {}, {}});
  Database& from = inside->database;
  Result<void> ready = from.run("PRAGMA query_only = ON");
  if (ready) ready = check_file(from, path);
  if (!ready) return Fail(std::move(ready).error());
  const Result<std::int64_t> version = from.integer("PRAGMA user_version");
  if (!version) return Fail(version.error());
  if (*version != newest_version()) return Fail(older(path));
  // All that follows is of one moment; it ends with the connection.
  if (ready = from.run("BEGIN"); !ready) return Fail(std::move(ready).error());
  const Result<ChainBegin> begin = begin_of_chain(from);
  if (!begin) return Fail(begin.error());
  Result<RecordState> state = read_record_state(from);
  if (!state) return Fail(std::move(state).error());
  inside->state = std::move(*state);
  inside->before = begin->before;
  return RecordFile(std::move(inside));
}

const RecordState& RecordFile::state() const& { return inside_->state; }
const Digest& RecordFile::before() const& { return inside_->before; }

Result<void> RecordFile::each(std::int64_t first, std::int64_t last,
                              const std::function<Result<bool>(LoggedRow&)>& take) {
  return each_logged_row(inside_->database, first, last, take);
}

Result<Digest> RecordFile::before_row(std::int64_t number) {
  if (number <= inside_->state.first) return inside_->before;
  return digest_at(inside_->database, number - 1);
}

Result<MarkSpool> RecordFile::spool_mark(const std::string& file) {
  return read_spool_mark(inside_->database, file);
}

}  // namespace tollgate::store
