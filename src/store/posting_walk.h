// Walks along the lists of postings.h: the next row number that all of a search's conditions fit.
// Each list is asked for its next number at or beyond where the others stand, and whole lists are
// jumped over, so that the rarest condition sets the pace.
// It lives shorter than its database. REQUIRES: one transaction from beginning to end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "store/postings.h"

namespace tollgate::store {

enum class Order : std::uint8_t { kNewestFirst, kOldestFirst };

class PostingWalk {
 public:
  PostingWalk(Database& database, Order order) : database_(database), order_(order) {}

  void want(AuditField field, std::int64_t name);
  // 0 for no bound.
  void want_time(Millis since, Millis until);

  // The first number at `from` or beyond it that may fit; 0 for none. Errors: store-unavailable.
  Result<std::int64_t> next(std::int64_t from);

 private:
  struct Cursor {
    AuditField field;
    std::int64_t name;
    std::vector<std::int64_t> numbers;  // the list it stands in, ascending
  };

  Result<std::int64_t> next_of(Cursor& cursor, std::int64_t from);
  Result<std::int64_t> next_in_time(std::int64_t from);
  Result<bool> load(Cursor& cursor, std::string_view sql, std::int64_t from);
  bool newest_first() const { return order_ == Order::kNewestFirst; }

  Database& database_;
  const Order order_;
  std::vector<Cursor> cursors_;
  Millis since_ = INT64_MIN;
  Millis until_ = INT64_MAX;
  bool timed_ = false;
};

}  // namespace tollgate::store
