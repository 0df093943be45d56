// Which rows of the audit have a name in a column: lists of row numbers, one for each span of rows.
// Rows are written without any index; when enough have come, a span of them is listed at once. What
// is newer is the tail, which readers look through row by row.
// INVARIANT: a row is in the lists of its span or in the tail, never in both and never in neither:
// the lists and the mark that says how far they go are of one transaction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite.h"
#include "store/store.h"

namespace tollgate::store {

// The columns that are searched, by their place in IndexedRow. They stand in the database: add at
// the end, never change one.
enum class AuditField : std::uint8_t { kKind, kSession, kAgent, kTool, kVerdict, kRule, kQuestion };
inline constexpr std::size_t kAuditFields = 7;

// What the lists are made of.
struct IndexedRow {
  Millis at = 0;
  std::array<std::int64_t, kAuditFields> names{};  // 0: none
};

// LIMIT: rows in a span, and so the most that a reader looks through one by one.
inline constexpr std::int64_t kSpanRows = 256;

// How far the lists go.
Result<std::int64_t> listed_to(Database& database);

// Lists the rows first, first + 1 … and moves the mark behind them. REQUIRES: a transaction.
Result<void> list_span(Database& database, std::int64_t first, std::span<const IndexedRow> rows);

// Lists whatever whole spans the table has behind the mark. REQUIRES: a transaction.
Result<void> list_all(Database& database);

// Ascending numbers as differences, seven bits a byte.
std::string packed(std::span<const std::int64_t> numbers, std::int64_t first);
// Nothing where the bytes are no such list.
std::optional<std::vector<std::int64_t>> unpacked(std::string_view bytes, std::int64_t first);

}  // namespace tollgate::store
