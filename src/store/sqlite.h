// SQLite as this room uses it: one connection, statements that are kept, errors as values.
// The only header that knows the library; nothing here knows the tables.
// One thread at a time. INVARIANT: a query is reset when it goes, so that no lock outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tollgate::store {

// One value for a `?`. Text is not copied: it must live until the query is done.
struct Argument {
  enum class Kind : std::uint8_t { kInteger, kText, kBlob, kNull } kind = Kind::kNull;
  std::int64_t integer = 0;
  std::string_view text;

  Argument(std::int64_t value) : kind(Kind::kInteger), integer(value) {}     // NOLINT: a value
  Argument(std::string_view value) : kind(Kind::kText), text(value) {}       // NOLINT: a value
  Argument(const std::string& value) : Argument(std::string_view(value)) {}  // NOLINT: a value
  Argument(const char*) = delete;

  static Argument blob(std::string_view bytes) {
    Argument argument(bytes);
    argument.kind = Kind::kBlob;
    return argument;
  }
};

// Finds texts in a map without making a string.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

class Database {
 public:
  struct Options {
    int busy_ms = 2'000;  // how long to wait for a lock that another process has
    std::string vfs;      // SQLite's way to the files; "" for its own. Tests bring one that fails
  };

  // REQUIRES: the file is there. Error: store-unavailable, as for everything below.
  static Result<Database> open(const std::string& path, const Options& options);

  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Several statements without arguments; what they give is left.
  Result<void> script(const std::string& sql);
  // One statement to its end; it is kept for the next time.
  Result<void> run(std::string_view sql, const std::vector<Argument>& arguments = {});
  Result<void> run_with(std::string_view sql, std::span<const Argument> arguments);
  Result<std::int64_t> integer(std::string_view sql, const std::vector<Argument>& arguments = {});
  Result<std::string> text(std::string_view sql);

  // All of it, as it is at this moment, in the place of what the other has.
  Result<void> copy_to(Database& other);

  std::int64_t changes() const;      // rows that the last statement changed
  std::int64_t all_changes() const;  // rows that were changed since it was opened, also in tables
                                     // of its own that an index has
  bool in_transaction() const;       // false also where a failure ended it

  // Of the last failure: that the whole database is in trouble, and not just what one statement
  // wanted; and that another connection may do better.
  bool in_trouble() const;
  bool must_reopen() const;

 private:
  friend class Query;
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  Error failure(std::string_view doing);
  Result<sqlite3_stmt*> statement(std::string_view sql);
  void end_idle_statements();
  void close();

  sqlite3* handle_ = nullptr;
  std::string path_;
  std::unordered_map<std::string, sqlite3_stmt*, TextHash, std::equal_to<>> statements_;
  int last_code_ = 0;
};

// A statement that gives rows. It lives shorter than its database and than its arguments.
class Query {
 public:
  Query(Database& database, std::string_view sql, std::span<const Argument> arguments);
  Query(Database& database, std::string_view sql, const std::vector<Argument>& arguments)
      : Query(database, sql, std::span<const Argument>(arguments)) {}
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // True: there is a row. False: there is no more.
  Result<bool> next();

  std::int64_t integer(int column) const;
  std::string_view text(int column) const&;  // until next(); "" for NULL
  std::string_view blob(int column) const&;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  std::optional<Error> problem_;
};

}  // namespace tollgate::store
