// Reading rows back: columns that are changed alone count, not their twins in the JSON.
// Searches are put together of fixed texts; what somebody sent is only ever an argument.
#include "store/reads.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "store/names.h"
#include "store/row_codec.h"

namespace tollgate::store {
namespace {

Error unreadable(std::string_view table) {
  return {.code = "store-unavailable",
          .message = "a row of the table `" + std::string(table) + "` cannot be read",
          .hint = "put back a good copy of the database",
          .where = {}};
}

// Every row of the query, each made by `make`, which gives an optional.
template <class Row, class Make>
Result<std::vector<Row>> rows(Database& database, std::string_view table, std::string_view sql,
                              const std::vector<Argument>& arguments, Make make) {
  std::vector<Row> all;
  Query query(database, sql, arguments);
  for (;;) {
    Result<bool> there = query.next();
    if (!there) return Fail(std::move(there).error());
    if (!*there) return all;
    std::optional<Row> row = make(query);
    if (!row) return Fail(unreadable(table));
    all.push_back(std::move(*row));
  }
}

std::optional<Session> session_of(const Query& query) {
  std::optional<Session> session = session_from(query.text(0));
  if (session) session->seen = query.integer(1);
  return session;
}
std::optional<Question> question_of(const Query& query) { return question_from(query.text(0)); }
std::optional<Grant> grant_of(const Query& query) { return grant_from(query.text(0)); }
std::optional<Credential> credential_of(const Query& query) {
  return credential_from(query.text(0));
}

std::optional<Login> login_of(const Query& query) {
  const auto kind = value_named<Login::Kind>(query.text(1));
  if (!kind) return std::nullopt;
  return Login{.digest = std::string(query.text(0)),
               .kind = *kind,
               .credential = std::string(query.text(2)),
               .created = query.integer(3),
               .expires = query.integer(4),
               .used = query.integer(5)};
}

using Setting = std::pair<std::string, std::string>;
std::optional<Setting> setting_of(const Query& query) {
  return Setting(query.text(0), query.text(1));
}

template <class T>
bool keep(Result<std::vector<T>> read, std::vector<T>& into, Result<void>& outcome) {
  if (!read) {
    outcome = Fail(std::move(read).error());
    return false;
  }
  into = std::move(*read);
  return true;
}

constexpr std::string_view kSessions =
    "WITH RECURSIVE wanted(id) AS (SELECT id FROM sessions WHERE ended = 0 UNION "
    "SELECT sessions.parent FROM sessions JOIN wanted ON sessions.id = wanted.id) "
    "SELECT row, seen FROM sessions WHERE id IN wanted ORDER BY created, id";
constexpr std::string_view kQuestions =
    "SELECT row FROM questions WHERE state = 'pending' OR settled > ? ORDER BY created, id";
constexpr std::string_view kGrants =
    "SELECT row FROM grants WHERE revoked = 0 AND (expires = 0 OR expires > ?) "
    "ORDER BY created, id";

Result<Kept> read_kept_now(Database& database, Millis now, Millis recent) {
  Kept kept;
  Result<void> outcome;
  const bool whole =
      keep(rows<Session>(database, "sessions", kSessions, {}, session_of), kept.sessions,
           outcome) &&
      keep(rows<Question>(database, "questions", kQuestions, {now - recent}, question_of),
           kept.questions, outcome) &&
      keep(rows<Grant>(database, "grants", kGrants, {now}, grant_of), kept.grants, outcome) &&
      keep(rows<Credential>(database, "credentials", "SELECT row FROM credentials ORDER BY name",
                            {}, credential_of),
           kept.credentials, outcome) &&
      keep(rows<Login>(database, "logins", "SELECT * FROM logins ORDER BY digest", {}, login_of),
           kept.logins, outcome) &&
      keep(rows<Setting>(database, "settings", "SELECT * FROM settings ORDER BY name", {},
                         setting_of),
           kept.settings, outcome);
  if (!whole) return Fail(std::move(outcome).error());
  return kept;
}

// LIMIT: SQLite counts in signed numbers.
std::int64_t bound(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, INT64_MAX));
}

// Conditions that all must hold, each with its argument.
class Conditions {
 public:
  void add(std::string_view condition, Argument argument) {
    sql_ += sql_.empty() ? " WHERE " : " AND ";
    sql_ += condition;
    arguments_.push_back(argument);
  }
  void equal(std::string_view condition, const std::string& text) {
    if (!text.empty()) add(condition, text);
  }
  void also(Argument argument) { arguments_.push_back(argument); }

  const std::string& sql() const& { return sql_; }
  const std::vector<Argument>& arguments() const& { return arguments_; }

 private:
  std::string sql_;
  std::vector<Argument> arguments_;
};

}  // namespace

Result<Kept> read_kept(Database& database, Millis now, Millis recent) {
  if (Result<void> begun = database.run("BEGIN"); !begun) return Fail(std::move(begun).error());
  Result<Kept> kept = read_kept_now(database, now, recent);
  if (database.in_transaction()) static_cast<void>(database.run("ROLLBACK"));
  return kept;
}

Result<std::vector<Question>> read_questions(Database& database, const QuestionQuery& query) {
  Conditions where;
  where.add(query.state ? "state = ?" : "state <> ?",
            name_in_list(query.state.value_or(QuestionState::kPending)));
  where.equal("session = ?", query.session);
  where.also(bound(query.limit));
  const std::string sql =
      "SELECT row FROM questions" + where.sql() + " ORDER BY created DESC, id DESC LIMIT ?";
  return rows<Question>(database, "questions", sql, where.arguments(), question_of);
}

Result<std::optional<Question>> read_question(Database& database, const std::string& id) {
  Result<std::vector<Question>> found = rows<Question>(
      database, "questions", "SELECT row FROM questions WHERE id = ?", {id}, question_of);
  if (!found) return Fail(std::move(found).error());
  if (found->empty()) return std::optional<Question>();
  return std::optional<Question>(std::move(found->front()));
}

Result<std::vector<Grant>> read_grants(Database& database) {
  return rows<Grant>(database, "grants", "SELECT row FROM grants ORDER BY created, id", {},
                     grant_of);
}

Result<MarkSpool> read_spool_mark(Database& database, const std::string& file) {
  MarkSpool mark{.file = file};
  Query query(database, "SELECT device, inode, offset, tail FROM spools WHERE file = ?", {file});
  Result<bool> there = query.next();
  if (!there) return Fail(std::move(there).error());
  if (!*there) return mark;
  std::uint64_t* const members[] = {&mark.device, &mark.inode, &mark.offset, &mark.tail};
  for (int i = 0; i < 4; ++i) *members[i] = std::bit_cast<std::uint64_t>(query.integer(i));
  return mark;
}

}  // namespace tollgate::store
