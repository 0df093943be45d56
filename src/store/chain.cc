// Reading goes row by row; parts are read once and kept with their digests.
// LIMIT: an older file is chained in one transaction, some hundred thousand rows a second.
#include "store/chain.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "os/clock.h"
#include "store/apply.h"
#include "store/reads.h"
#include "store/record_text.h"
#include "store/refusals.h"
#include "store/words.h"

namespace tollgate::store {
namespace {

using Shared = std::shared_ptr<const SharedPiece>;

// LIMIT: parts held at once; whoever reads on reads them again.
constexpr std::size_t kMostParts = 16'384;

// Makes rows of what a query over the table gives.
class RowReader {
 public:
  explicit RowReader(Database& database) : database_(database) {}

  LoggedRow row(const Query& query) {
    LoggedRow row;
    row.number = query.integer(0);
    row.at = query.integer(1);
    for (std::size_t i = 0; i < kLinkNames; ++i) {
      const std::int64_t number = query.integer(static_cast<int>(i) + 2);
      if (number == 0) continue;
      if (const std::string* name = name_of(number); name != nullptr)
        row.names[i] = *name;
      else
        row.problem = "the store has no name of the number " + std::to_string(number);
    }
    const bool whole = for_pieces(
        query.text(11),
        [&](std::string_view own) {
          if (!own.empty()) row.pieces.push_back({std::string(own), nullptr});
        },
        [&](std::int64_t number) {
          row.pieces.push_back({{}, part_of(number)});
          return row.pieces.back().shared != nullptr;
        });
    if (!whole) row.problem = "a part of its text is missing";
    const std::optional<Digest> digest = digest_of_bytes(query.blob(12));
    if (digest)
      row.digest = *digest;
    else
      row.problem = "it has no digest";
    return row;
  }

 private:
  const std::string* name_of(std::int64_t number) {
    if (const auto known = names_.find(number); known != names_.end()) return &known->second;
    Query query(database_, "SELECT text FROM names WHERE id = ?", {number});
    const Result<bool> there = query.next();
    if (!there || !*there) return nullptr;
    if (names_.size() >= kMostParts) names_.clear();
    return &names_.emplace(number, query.text(0)).first->second;
  }

  Shared part_of(std::int64_t number) {
    if (const auto known = parts_.find(number); known != parts_.end()) return known->second;
    Query query(database_, "SELECT text FROM parts WHERE id = ?", {number});
    const Result<bool> there = query.next();
    if (!there || !*there) return nullptr;
    const std::optional<Digest> digest = sha256(query.text(0));
    if (!digest) return nullptr;
    if (parts_.size() >= kMostParts) parts_.clear();
    Shared part =
        std::make_shared<const SharedPiece>(SharedPiece{std::string(query.text(0)), *digest});
    parts_.emplace(number, part);
    return part;
  }

  Database& database_;
  std::unordered_map<std::int64_t, std::string> names_;
  std::unordered_map<std::int64_t, Shared> parts_;
};

Result<void> set_digest(Database& database, std::int64_t number, const Digest& digest) {
  return database.run("UPDATE audit SET digest = ? WHERE number = ?",
                      {Argument::blob(digest.view()), number});
}

AuditRow chain_row(Millis at, std::string kind, std::vector<json::Value::Member> members) {
  AuditRow row;
  row.at = at;
  row.kind = std::move(kind);
  row.origin = "daemon";
  row.record = json::Value::object(std::move(members));
  return row;
}

}  // namespace

Result<Digest> digest_at(Database& database, std::int64_t number) {
  Query query(database, "SELECT digest FROM audit WHERE number <= ? ORDER BY number DESC LIMIT 1",
              {number});
  const Result<bool> there = query.next();
  if (!there) return Fail(there.error());
  const std::optional<Digest> digest = *there ? digest_of_bytes(query.blob(0)) : std::nullopt;
  // SAFETY: a link to nothing shows as a fault for ever, and the record goes on.
  return digest.value_or(Digest{});
}

Result<Numbers> read_numbers(Database& database) {
  Numbers out;
  Query query(database, "SELECT name, last FROM numbers", std::span<const Argument>());
  for (;;) {
    const Result<bool> there = query.next();
    if (!there) return Fail(there.error());
    if (!*there) return out;
    const std::string_view name = query.text(0);
    if (name == "audit") out.last = query.integer(1);
    if (name == "listed") out.listed = query.integer(1);
    if (name == "swept") out.swept = query.integer(1);
    if (name == "worded") out.worded = query.integer(1);
  }
}

Result<ChainBegin> begin_of_chain(Database& database) {
  Query query(database, "SELECT store, first, before FROM chain", std::span<const Argument>());
  const Result<bool> there = query.next();
  if (!there) return Fail(there.error());
  ChainBegin out;
  if (*there) {
    out.store = query.text(0);
    out.first = query.integer(1);
    out.before = digest_of_bytes(query.blob(2)).value_or(Digest{});
  }
  if (out.first > 1) return out;
  const std::optional<Digest> genesis = genesis_of(out.store);
  if (!genesis) return Fail(no_digest());
  out.before = *genesis;
  return out;
}

Result<Digest> head_of_chain(Database& database) {
  const Result<std::int64_t> last = database.integer("SELECT max(number) FROM audit");
  if (!last) return Fail(last.error());
  if (*last != 0) return digest_at(database, *last);
  const Result<ChainBegin> begin = begin_of_chain(database);
  if (!begin) return Fail(begin.error());
  return begin->before;
}

Result<RecordState> read_record_state(Database& database) {
  const Result<ChainBegin> begin = begin_of_chain(database);
  if (!begin) return Fail(begin.error());
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  const Result<Digest> head = head_of_chain(database);
  if (!head) return Fail(head.error());
  RecordState state{.store = begin->store,
                    .first = begin->first,
                    .last = numbers->last,
                    .head = *head,
                    .worded = numbers->worded};
  if (state.worded >= state.last) return state;
  const Result<std::int64_t> since = database.integer(
      "SELECT at FROM audit WHERE number > ? ORDER BY number LIMIT 1", {state.worded});
  if (!since) return Fail(since.error());
  state.waiting_since = *since;
  return state;
}

Result<void> each_logged_row(Database& database, std::int64_t first, std::int64_t last,
                             const std::function<Result<bool>(LoggedRow&)>& take) {
  RowReader reader(database);
  Query query(database, "SELECT * FROM audit WHERE number >= ? AND number <= ? ORDER BY number",
              {first, last});
  for (;;) {
    const Result<bool> there = query.next();
    if (!there) return Fail(there.error());
    if (!*there) return {};
    LoggedRow row = reader.row(query);
    const Result<bool> more = take(row);
    if (!more) return Fail(more.error());
    if (!*more) return {};
  }
}

Result<void> chain_what_came(Database& database) {
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  if (numbers->last == 0) return {};
  const Result<ChainBegin> begin = begin_of_chain(database);
  if (!begin) return Fail(begin.error());
  Digest head = begin->before;
  Result<void> done = each_logged_row(database, 0, INT64_MAX, [&](LoggedRow& row) -> Result<bool> {
    const std::optional<Digest> digest = link_of(head, row);
    if (!digest) return Fail(no_digest());
    head = *digest;
    if (Result<void> set = set_digest(database, row.number, head); !set)
      return Fail(std::move(set).error());
    return true;
  });
  if (!done) return done;
  Applier applier(database);
  if (done = applier.begin(); !done) return done;
  std::vector<Change> batch;
  batch.emplace_back(AppendAudit{chain_row(
      os::now_milliseconds(), "chain",
      {{"act", json::Value::string("chained")}, {"last", json::Value::integer(numbers->last)}})});
  if (done = applier.apply(batch); !done) return done;
  return applier.end();
}

namespace {

constexpr std::string_view kAllNames =
    "SELECT kind, session, agent, tool, verdict, rule, question, \"by\", origin, record FROM audit "
    "WHERE number > ?";

struct Used {
  std::unordered_set<std::int64_t> names;
  std::unordered_set<std::int64_t> parts;
};

Result<Used> used_behind(Database& database, std::int64_t number) {
  Used used;
  Query query(database, kAllNames, {number});
  for (;;) {
    const Result<bool> there = query.next();
    if (!there) return Fail(there.error());
    if (!*there) return used;
    for (int i = 0; i < static_cast<int>(kLinkNames); ++i) used.names.insert(query.integer(i));
    for_pieces(
        query.text(static_cast<int>(kLinkNames)), [](std::string_view) {},
        [&](std::int64_t part) {
          used.parts.insert(part);
          return true;
        });
  }
}

Result<std::vector<std::int64_t>> others(Database& database, std::string_view sql,
                                         const std::unordered_set<std::int64_t>& used) {
  std::vector<std::int64_t> out;
  Query query(database, sql, std::span<const Argument>());
  for (;;) {
    const Result<bool> there = query.next();
    if (!there) return Fail(there.error());
    if (!*there) return out;
    if (!used.contains(query.integer(0))) out.push_back(query.integer(0));
  }
}

}  // namespace

Result<ForgetTexts> idle_texts(Database& database) {
  if (Result<void> begun = database.run("BEGIN"); !begun) return Fail(std::move(begun).error());
  const auto found = [&]() -> Result<ForgetTexts> {
    const Result<Numbers> numbers = read_numbers(database);
    if (!numbers) return Fail(numbers.error());
    const Result<Used> used = used_behind(database, 0);
    if (!used) return Fail(used.error());
    Result<std::vector<std::int64_t>> names = others(database, "SELECT id FROM names", used->names);
    if (!names) return Fail(std::move(names).error());
    Result<std::vector<std::int64_t>> parts = others(database, "SELECT id FROM parts", used->parts);
    if (!parts) return Fail(std::move(parts).error());
    return ForgetTexts{
        .names = std::move(*names), .parts = std::move(*parts), .seen = numbers->last};
  };
  Result<ForgetTexts> out = found();
  if (database.in_transaction()) static_cast<void>(database.run("ROLLBACK"));
  return out;
}

Result<void> forget_texts(Database& database, const ForgetTexts& change) {
  const Result<Used> used = used_behind(database, change.seen);
  if (!used) return Fail(used.error());
  Result<void> done = database.run("UPDATE numbers SET last = last + 1 WHERE name = 'swept'");
  for (const std::int64_t name : change.names)
    if (done && !used->names.contains(name))
      done = database.run("DELETE FROM names WHERE id = ?", {name});
  for (const std::int64_t part : change.parts)
    if (done && !used->parts.contains(part))
      done = database.run("DELETE FROM parts WHERE id = ?", {part});
  return done;
}

Result<std::optional<AuditRow>> remove_oldest(Database& database, const RemoveAudit& change) {
  const Result<ChainBegin> begin = begin_of_chain(database);
  if (!begin) return Fail(begin.error());
  // Whole spans, from the first on, none of which has a row that is to stay.
  const std::int64_t end = begin->first + static_cast<std::int64_t>(change.most) - 1;
  const Result<std::int64_t> last = database.integer(
      "SELECT max(last) FROM spans WHERE last <= ?1 AND last < "
      "ifnull((SELECT min(first) FROM spans WHERE latest >= ?2), ?3)",
      {end, change.before, INT64_MAX});
  if (!last) return Fail(last.error());
  if (*last < begin->first) return std::optional<AuditRow>();
  const Result<Digest> digest = digest_at(database, *last);
  if (!digest) return Fail(digest.error());
  const std::vector<Argument> upto{*last};
  if (Result<void> unworded = unword(database, begin->first, *last); !unworded)
    return Fail(std::move(unworded).error());
  Result<void> done = database.run("DELETE FROM audit WHERE number <= ?", upto);
  const std::int64_t rows = database.changes();
  if (done) done = database.run("DELETE FROM postings WHERE first <= ?", upto);
  if (done) done = database.run("DELETE FROM spans WHERE last <= ?", upto);
  if (done)
    done = database.run("UPDATE chain SET first = ?, before = ?",
                        {*last + 1, Argument::blob(digest->view())});
  if (!done) return Fail(std::move(done).error());
  return chain_row(change.at, "retention",
                   {{"act", json::Value::string("removed")},
                    {"first", json::Value::integer(begin->first)},
                    {"last", json::Value::integer(*last)},
                    {"rows", json::Value::integer(rows)},
                    {"before", json::Value::integer(change.before)},
                    {"digest", json::Value::string(text_of(*digest))}});
}

}  // namespace tollgate::store
