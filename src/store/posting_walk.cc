// A step is a lookup in the lists' table, and most steps need none: the list is at hand.
#include "store/posting_walk.h"

#include <algorithm>
#include <utility>

namespace tollgate::store {
namespace {

Error unreadable() {
  return {.code = "store-unavailable",
          .message = "a row of the table `postings` cannot be read",
          .hint = "put back a good copy of the database",
          .where = {}};
}

// The list that could hold `from`: none that begins behind it does, and none before this one.
constexpr std::string_view kAtOrBefore =
    "SELECT first, numbers FROM postings WHERE field = ? AND name = ? AND first <= ? "
    "ORDER BY first DESC LIMIT 1";
constexpr std::string_view kAfter =
    "SELECT first, numbers FROM postings WHERE field = ? AND name = ? AND first > ? "
    "ORDER BY first LIMIT 1";
constexpr std::string_view kSpanDown =
    "SELECT min(last, ?1) FROM spans WHERE first <= ?1 AND latest >= ?2 AND earliest < ?3 "
    "ORDER BY first DESC LIMIT 1";
constexpr std::string_view kSpanUp =
    "SELECT max(first, ?1) FROM spans WHERE first > ?1 - ?4 AND last >= ?1 AND latest >= ?2 "
    "AND earliest < ?3 ORDER BY first LIMIT 1";

}  // namespace

void PostingWalk::want(AuditField field, std::int64_t name) {
  cursors_.push_back({.field = field, .name = name, .numbers = {}});
}

void PostingWalk::want_time(Millis since, Millis until) {
  timed_ = since != 0 || until != 0;
  if (since != 0) since_ = since;
  if (until != 0) until_ = until;
}

Result<std::int64_t> PostingWalk::next(std::int64_t from) {
  for (;;) {
    const std::int64_t asked = from;
    if (timed_) {
      Result<std::int64_t> found = next_in_time(from);
      if (!found || *found == 0) return found;
      from = *found;
    }
    for (Cursor& cursor : cursors_) {
      Result<std::int64_t> found = next_of(cursor, from);
      if (!found || *found == 0) return found;
      from = *found;
    }
    // Nobody moved on: all stand at the same row.
    if (from == asked) return from;
  }
}

Result<std::int64_t> PostingWalk::next_of(Cursor& cursor, std::int64_t from) {
  std::vector<std::int64_t>& numbers = cursor.numbers;
  const bool here = !numbers.empty() && numbers.front() <= from && from <= numbers.back();
  if (!here) {
    const Result<bool> before = load(cursor, kAtOrBefore, from);
    if (!before) return Fail(before.error());
    if (newest_first() && !*before) return 0;
    if (!newest_first() && (!*before || numbers.back() < from)) {
      const Result<bool> after = load(cursor, kAfter, from);
      if (!after) return Fail(after.error());
      return *after ? numbers.front() : 0;
    }
  }
  if (newest_first()) return *std::prev(std::ranges::upper_bound(numbers, from));
  return *std::ranges::lower_bound(numbers, from);
}

Result<bool> PostingWalk::load(Cursor& cursor, std::string_view sql, std::int64_t from) {
  Query query(database_, sql, {static_cast<std::int64_t>(cursor.field), cursor.name, from});
  Result<bool> there = query.next();
  if (!there || !*there) return there;
  std::optional<std::vector<std::int64_t>> numbers = unpacked(query.blob(1), query.integer(0));
  if (!numbers) return Fail(unreadable());
  cursor.numbers = std::move(*numbers);
  return true;
}

Result<std::int64_t> PostingWalk::next_in_time(std::int64_t from) {
  if (newest_first()) return database_.integer(kSpanDown, {from, since_, until_});
  return database_.integer(kSpanUp, {from, since_, until_, kSpanRows});
}

}  // namespace tollgate::store
