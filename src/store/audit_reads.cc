// A search of the audit: the listed rows by their lists, the tail row by row, in one order.
// Both are of one transaction, so that no row is missed or given twice while others write.
// SAFETY: a row that cannot be read ends the search with an error; it is never left out.
#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "store/chain.h"
#include "store/posting_walk.h"
#include "store/reads.h"
#include "store/record_text.h"
#include "store/row_codec.h"
#include "store/words.h"

namespace tollgate::store {
namespace {

Error unreadable() {
  return {.code = "store-unavailable",
          .message = "a row of the table `audit` cannot be read",
          .hint = "put back a good copy of the database",
          .where = {}};
}

// Texts by number, each read once a search.
class Texts {
 public:
  Texts(Database& database, std::string_view sql) : database_(database), sql_(sql) {}

  // Nothing: there is none, or it could not be read.
  std::optional<std::string_view> of(std::int64_t number) {
    const auto known = texts_.find(number);
    if (known != texts_.end()) return known->second;
    Query query(database_, sql_, {number});
    const Result<bool> there = query.next();
    if (!there || !*there) return std::nullopt;
    return texts_.emplace(number, query.text(0)).first->second;
  }

 private:
  Database& database_;
  const std::string_view sql_;
  std::unordered_map<std::int64_t, std::string> texts_;
};

constexpr std::string_view kNewestFirst =
    "SELECT * FROM audit WHERE number > ? AND number < ? ORDER BY number DESC";
constexpr std::string_view kOldestFirst =
    "SELECT * FROM audit WHERE number > ? AND number < ? ORDER BY number";

constexpr std::string_view kWordsDown =
    "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? AND rowid < ? ORDER BY rowid DESC";
constexpr std::string_view kWordsUp =
    "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? AND rowid < ? ORDER BY rowid";

// LIMIT: rows one behind the other without the words that are looked for; so many cost about as
// much as asking the index once.
constexpr std::size_t kMostMisses = 24;
constexpr std::size_t kEndless = SIZE_MAX;

class Search {
 public:
  Search(Database& database, const AuditQuery& query)
      : database_(database),
        query_(query),
        order_(query.oldest_first ? Order::kOldestFirst : Order::kNewestFirst),
        walk_(database, order_),
        names_(database, "SELECT text FROM names WHERE id = ?"),
        parts_(database, "SELECT text FROM parts WHERE id = ?") {}

  Result<std::vector<AuditRow>> rows() {
    Result<void> done = find();
    if (!done) return Fail(std::move(done).error());
    return std::move(found_);
  }

 private:
  Result<void> find() {
    const Result<bool> possible = resolve();
    if (!possible) return Fail(possible.error());
    if (!*possible || full()) return {};
    const std::int64_t low = query_.after;
    const std::int64_t high = query_.before == 0 ? INT64_MAX : query_.before;
    const std::optional<std::string> words =
        query_.grep.empty() ? std::nullopt : words_query(query_.grep);
    if (!words) return look_through(low, high);
    const Result<Numbers> numbers = read_numbers(database_);
    if (!numbers) return Fail(numbers.error());
    const std::int64_t behind = std::max(low, numbers->worded);
    const std::int64_t indexed = std::min(high, numbers->worded + 1);
    if (order_ == Order::kNewestFirst) {
      if (Result<void> done = look_through(behind, high); !done) return done;
      return look_or_ask(*words, low, indexed);
    }
    if (Result<void> done = look_or_ask(*words, low, indexed); !done) return done;
    return look_through(behind, high);
  }

  // What many rows have is found faster by looking than by asking for all rows that have it.
  Result<void> look_or_ask(const std::string& words, std::int64_t low, std::int64_t high) {
    patience_ = kMostMisses;
    Result<void> looked = look_through(low, high);
    const bool left = patience_ == 0;
    patience_ = kEndless;
    if (!looked || !left) return looked;
    if (order_ == Order::kNewestFirst) return by_words(words, low, reached_);
    return by_words(words, reached_, high);
  }

  // Rows between the bounds, neither included, by the lists where there are any.
  Result<void> look_through(std::int64_t low, std::int64_t high) {
    if (full() || low >= high) return {};
    if (!conditions_) return scan(low, high);
    const Result<std::int64_t> listed = listed_to(database_);
    if (!listed) return Fail(listed.error());
    const std::int64_t tail = std::max(low, *listed);
    const std::int64_t lists = std::min(high, *listed + 1);
    if (order_ == Order::kNewestFirst) {
      if (Result<void> done = scan(tail, high); !done) return done;
      return by_lists(low, lists);
    }
    if (Result<void> done = by_lists(low, lists); !done) return done;
    return scan(tail, high);
  }

  // The names of the search as numbers. False: one stands nowhere, so no row fits.
  Result<bool> resolve() {
    const std::array<const std::string*, kAuditFields> texts{
        &query_.kind,    &query_.session, &query_.agent,   &query_.tool,
        &query_.verdict, &query_.rule,    &query_.question};
    walk_.want_time(query_.since, query_.until);
    conditions_ = query_.since != 0 || query_.until != 0;
    for (std::size_t i = 0; i < kAuditFields; ++i) {
      if (texts[i]->empty()) continue;
      const Result<std::int64_t> name =
          database_.integer("SELECT id FROM names WHERE text = ?", {*texts[i]});
      if (!name) return Fail(name.error());
      if (*name == 0) return false;
      wanted_[i] = *name;
      walk_.want(static_cast<AuditField>(i), *name);
      conditions_ = true;
    }
    return true;
  }

  // Also where looking row by row is given up.
  bool full() const { return found_.size() >= query_.limit || patience_ == 0; }

  // Every row between the bounds, neither included.
  Result<void> scan(std::int64_t low, std::int64_t high) {
    if (full() || low >= high) return {};
    Query query(database_, order_ == Order::kNewestFirst ? kNewestFirst : kOldestFirst,
                {low, high});
    while (!full()) {
      Result<bool> there = query.next();
      if (!there) return Fail(std::move(there).error());
      if (!*there) return {};
      if (Result<void> taken = take(query); !taken) return taken;
    }
    return {};
  }

  // What has the words, and of that what fits the lists.
  Result<void> by_words(const std::string& words, std::int64_t low, std::int64_t high) {
    if (full() || low >= high) return {};
    const Result<std::int64_t> listed = listed_to(database_);
    if (!listed) return Fail(listed.error());
    Query found(database_, order_ == Order::kNewestFirst ? kWordsDown : kWordsUp,
                {words, low, high});
    while (!full()) {
      const Result<bool> there = found.next();
      if (!there) return Fail(there.error());
      if (!*there) return {};
      const std::int64_t number = found.integer(0);
      if (conditions_ && number <= *listed) {
        const Result<std::int64_t> next = walk_.next(number);
        if (!next) return Fail(next.error());
        if (*next != number) continue;
      }
      if (Result<void> taken = take_row(number); !taken) return taken;
    }
    return {};
  }

  Result<void> take_row(std::int64_t number) {
    Query query(database_, "SELECT * FROM audit WHERE number = ?", {number});
    const Result<bool> there = query.next();
    if (!there) return Fail(there.error());
    return *there ? take(query) : Result<void>();
  }

  Result<void> by_lists(std::int64_t low, std::int64_t high) {
    if (low >= high) return {};
    const std::int64_t step = order_ == Order::kNewestFirst ? -1 : 1;
    for (std::int64_t from = step < 0 ? high - 1 : low + 1; low < from && from < high && !full();
         from += step) {
      const Result<std::int64_t> number = walk_.next(from);
      if (!number) return Fail(number.error());
      if (*number <= low || *number >= high) return {};
      from = *number;
      if (Result<void> taken = take_row(from); !taken) return taken;
    }
    return {};
  }

  // Keeps the row that the query stands at, if it fits.
  Result<void> take(const Query& query) {
    const Millis at = query.integer(1);
    reached_ = query.integer(0);
    if ((query_.since != 0 && at < query_.since) || (query_.until != 0 && at >= query_.until))
      return {};
    for (std::size_t i = 0; i < kAuditFields; ++i)
      if (wanted_[i] != 0 && query.integer(static_cast<int>(i) + 2) != wanted_[i]) return {};
    text_.clear();
    if (!expand(query.text(11), [this](std::int64_t part) { return parts_.of(part); }, text_))
      return Fail(unreadable());
    std::optional<json::Value> record = value_from(text_);
    if (!record) return Fail(unreadable());
    if (!query_.grep.empty() && words_of(*record).find(query_.grep) == std::string::npos) {
      if (patience_ != kEndless) --patience_;
      return {};
    }
    if (patience_ != kEndless) patience_ = kMostMisses;
    return keep(query, at, record);
  }

  Result<void> keep(const Query& query, Millis at, std::optional<json::Value>& record) {
    AuditRow& row = found_.emplace_back();
    row.number = query.integer(0);
    row.at = at;
    row.record = std::move(*record);
    std::string* const texts[] = {&row.kind, &row.session,  &row.agent, &row.tool,  &row.verdict,
                                  &row.rule, &row.question, &row.by,    &row.origin};
    int column = 2;
    for (std::string* const text : texts) {
      const std::int64_t number = query.integer(column++);
      if (number == 0) continue;
      const std::optional<std::string_view> name = names_.of(number);
      if (!name) return Fail(unreadable());
      *text = *name;
    }
    return {};
  }

  Database& database_;
  const AuditQuery& query_;
  const Order order_;
  PostingWalk walk_;
  Texts names_;
  Texts parts_;
  std::array<std::int64_t, kAuditFields> wanted_{};
  bool conditions_ = false;          // any that the lists can answer
  std::size_t patience_ = kEndless;  // rows without the words, until looking is given up
  std::int64_t reached_ = 0;         // the row that was looked at last
  std::string text_;                 // of the row at hand
  std::vector<AuditRow> found_;
};

}  // namespace

Result<std::vector<AuditRow>> read_audit(Database& database, const AuditQuery& query) {
  if (Result<void> begun = database.run("BEGIN"); !begun) return Fail(std::move(begun).error());
  Result<std::vector<AuditRow>> rows = Search(database, query).rows();
  if (database.in_transaction()) static_cast<void>(database.run("ROLLBACK"));
  return rows;
}

}  // namespace tollgate::store
