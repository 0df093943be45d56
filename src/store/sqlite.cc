// The library's calls, and what its codes mean to people.
// Statements are prepared once a connection and text; all are ended before it is closed.
// SAFETY: text is bound by length, so that a NUL inside cannot make one id look like another.
#include "store/sqlite.h"

#include <sqlite3.h>

#include <utility>

#include "os/system_error.h"

namespace tollgate::store {
namespace {

// LIMIT: searches differ in their texts, and each kept one costs some kilobytes.
constexpr std::size_t kMostStatements = 128;

std::string_view hint_for(int code) {
  switch (code) {
    case SQLITE_FULL:
      return "free some space; it goes on by itself";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "end the other program that has the file open; it goes on by itself";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "make the file and its directory writable for its owner; it goes on by itself";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "put back a good copy of the file, or move it away to begin anew";
    default:
      return "check the disk, the owner and the permissions; it goes on by itself";
  }
}

int bind(sqlite3_stmt* statement, int place, const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::kInteger:
      return sqlite3_bind_int64(statement, place, argument.integer);
    case Argument::Kind::kText:
      // An empty view may have no address at all, which SQLite would take for NULL.
      return sqlite3_bind_text64(statement, place,
                                 argument.text.empty() ? "" : argument.text.data(),
                                 argument.text.size(), SQLITE_STATIC, SQLITE_UTF8);
    case Argument::Kind::kBlob:
      return sqlite3_bind_blob64(statement, place,
                                 argument.text.empty() ? "" : argument.text.data(),
                                 argument.text.size(), SQLITE_STATIC);
    case Argument::Kind::kNull:
      break;
  }
  return sqlite3_bind_null(statement, place);
}

}  // namespace

Result<Database> Database::open(const std::string& path, const Options& options) {
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  // With a slash it is a path and never one of SQLite's own addresses.
  const std::string plain = path.find('/') == std::string::npos ? "./" + path : path;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(plain.c_str(), &handle, kFlags,
                                   options.vfs.empty() ? nullptr : options.vfs.c_str());
  Database database(handle, path);
  if (code != SQLITE_OK) return Fail(database.failure("open"));
  sqlite3_busy_timeout(handle, options.busy_ms);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

Database::Database(Database&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      path_(std::move(other.path_)),
      statements_(std::exchange(other.statements_, {})),
      last_code_(other.last_code_) {}

Database& Database::operator=(Database&& other) noexcept {
  if (this == &other) return *this;
  close();
  handle_ = std::exchange(other.handle_, nullptr);
  path_ = std::move(other.path_);
  statements_ = std::exchange(other.statements_, {});
  last_code_ = other.last_code_;
  return *this;
}

Database::~Database() { close(); }

void Database::close() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  statements_.clear();
  sqlite3_close(handle_);
  handle_ = nullptr;
}

Result<void> Database::script(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return Fail(failure("change"));
  return {};
}

Result<void> Database::run(std::string_view sql, const std::vector<Argument>& arguments) {
  return run_with(sql, arguments);
}

Result<void> Database::run_with(std::string_view sql, std::span<const Argument> arguments) {
  Query query(*this, sql, arguments);
  for (;;) {
    Result<bool> more = query.next();
    if (!more) return Fail(std::move(more).error());
    if (!*more) return {};
  }
}

Result<std::int64_t> Database::integer(std::string_view sql,
                                       const std::vector<Argument>& arguments) {
  Query query(*this, sql, arguments);
  Result<bool> there = query.next();
  if (!there) return Fail(std::move(there).error());
  return *there ? query.integer(0) : 0;
}

Result<std::string> Database::text(std::string_view sql) {
  Query query(*this, sql, std::span<const Argument>());
  Result<bool> there = query.next();
  if (!there) return Fail(std::move(there).error());
  return *there ? std::string(query.text(0)) : std::string();
}

Result<void> Database::copy_to(Database& other) {
  sqlite3_backup* copying = sqlite3_backup_init(other.handle_, "main", handle_, "main");
  if (copying == nullptr) return Fail(other.failure("write"));
  const int code = sqlite3_backup_step(copying, -1);
  const int ended = sqlite3_backup_finish(copying);
  if (code == SQLITE_DONE && ended == SQLITE_OK) return {};
  // The library gives the code to the other one, whichever failed.
  return Fail(other.failure("write"));
}

std::int64_t Database::changes() const { return sqlite3_changes64(handle_); }

std::int64_t Database::all_changes() const { return sqlite3_total_changes64(handle_); }

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

bool Database::in_trouble() const {
  return last_code_ != SQLITE_CONSTRAINT && last_code_ != SQLITE_TOOBIG &&
         last_code_ != SQLITE_MISMATCH;
}

bool Database::must_reopen() const {
  return last_code_ != SQLITE_OK && last_code_ != SQLITE_BUSY && last_code_ != SQLITE_FULL;
}

// What the library says of the last call, with the system's own words where it has them.
Error Database::failure(std::string_view doing) {
  const int code = handle_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(handle_) & 0xff;
  const int number = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  last_code_ = code;
  const bool of_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_PERM;
  if (of_system && number != 0) return os::system_error("store-unavailable", doing, path_, number);
  return {.code = "store-unavailable",
          .message = "cannot " + std::string(doing) + " `" + path_ + "`: " + sqlite3_errstr(code),
          .hint = std::string(hint_for(code)),
          .where = {.file = path_, .line = 0, .column = 0, .width = 1, .text = {}}};
}

Result<sqlite3_stmt*> Database::statement(std::string_view sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) return found->second;
  if (statements_.size() >= kMostStatements) end_idle_statements();
  sqlite3_stmt* made = nullptr;
  if (sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &made, nullptr) != SQLITE_OK)
    return Fail(failure("use"));
  statements_.emplace(sql, made);
  return made;
}

void Database::end_idle_statements() {
  std::erase_if(statements_, [](const auto& kept) {
    if (sqlite3_stmt_busy(kept.second) != 0) return false;
    sqlite3_finalize(kept.second);
    return true;
  });
}

Query::Query(Database& database, std::string_view sql, std::span<const Argument> arguments)
    : database_(database) {
  Result<sqlite3_stmt*> statement = database.statement(sql);
  if (!statement) {
    problem_ = std::move(statement).error();
    return;
  }
  statement_ = *statement;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (bind(statement_, static_cast<int>(i + 1), arguments[i]) != SQLITE_OK)
      problem_ = database.failure("use");
}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Result<bool> Query::next() {
  if (problem_) return Fail(*problem_);
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Fail(database_.failure(sqlite3_stmt_readonly(statement_) != 0 ? "read" : "write"));
}

std::int64_t Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Query::blob(int column) const& {
  const void* bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Query::text(int column) const& {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace tollgate::store
