// Lists are gathered in memory, ordered as their table is, and written one behind the other.
// Most columns have few names in a span, so that a row costs a byte or two of each list.
#include "store/postings.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace tollgate::store {
namespace {

using Key = std::pair<std::size_t, std::int64_t>;  // field, name

std::map<Key, std::vector<std::int64_t>> lists_of(std::int64_t first,
                                                  std::span<const IndexedRow> rows) {
  std::map<Key, std::vector<std::int64_t>> lists;
  for (std::size_t field = 0; field < kAuditFields; ++field) {
    // Neighbours mostly have the same name.
    std::int64_t last_name = 0;
    std::vector<std::int64_t>* list = nullptr;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t name = rows[i].names[field];
      if (name == 0) continue;
      if (name != last_name) list = &lists[{field, name}];
      last_name = name;
      list->push_back(first + static_cast<std::int64_t>(i));
    }
  }
  return lists;
}

Result<std::vector<IndexedRow>> rows_from(Database& database, std::int64_t first) {
  std::vector<IndexedRow> rows;
  Query query(database,
              "SELECT number, at, kind, session, agent, tool, verdict, rule, question FROM audit "
              "WHERE number >= ? ORDER BY number LIMIT ?",
              {first, kSpanRows});
  while (std::ssize(rows) < kSpanRows) {
    Result<bool> there = query.next();
    if (!there) return Fail(std::move(there).error());
    if (!*there) return rows;
    IndexedRow row;
    row.at = query.integer(1);
    for (std::size_t i = 0; i < kAuditFields; ++i)
      row.names[i] = query.integer(static_cast<int>(i) + 2);
    // In the place of rows that were removed stand some without names.
    const std::int64_t place = std::min(query.integer(0) - first, kSpanRows);
    rows.resize(static_cast<std::size_t>(place), {.at = row.at});
    if (place < kSpanRows) rows.push_back(row);
  }
  return rows;
}

}  // namespace

Result<std::int64_t> listed_to(Database& database) {
  return database.integer("SELECT last FROM numbers WHERE name = 'listed'");
}

Result<void> list_span(Database& database, std::int64_t first, std::span<const IndexedRow> rows) {
  for (const auto& [key, numbers] : lists_of(first, rows)) {
    const std::string bytes = packed(numbers, numbers.front());
    Result<void> put = database.run(
        "INSERT INTO postings VALUES (?, ?, ?, ?)",
        {static_cast<std::int64_t>(key.first), key.second, numbers.front(), Argument::blob(bytes)});
    if (!put) return put;
  }
  const auto [earliest, latest] = std::ranges::minmax(rows, {}, &IndexedRow::at);
  const std::int64_t last = first + std::ssize(rows) - 1;
  if (Result<void> put = database.run("INSERT INTO spans VALUES (?, ?, ?, ?)",
                                      {first, last, earliest.at, latest.at});
      !put)
    return put;
  return database.run("UPDATE numbers SET last = ? WHERE name = 'listed'", {last});
}

Result<void> list_all(Database& database) {
  for (;;) {
    const Result<std::int64_t> listed = listed_to(database);
    if (!listed) return Fail(listed.error());
    const Result<std::vector<IndexedRow>> rows = rows_from(database, *listed + 1);
    if (!rows) return Fail(rows.error());
    if (std::ssize(*rows) < kSpanRows) return {};
    if (Result<void> put = list_span(database, *listed + 1, *rows); !put) return put;
  }
}

std::string packed(std::span<const std::int64_t> numbers, std::int64_t first) {
  std::string bytes;
  for (const std::int64_t number : numbers) {
    auto step = static_cast<std::uint64_t>(number - std::exchange(first, number));
    for (; step >= 128; step >>= 7) bytes += static_cast<char>(step | 128);
    bytes += static_cast<char>(step);
  }
  return bytes;
}

std::optional<std::vector<std::int64_t>> unpacked(std::string_view bytes, std::int64_t first) {
  std::vector<std::int64_t> numbers;
  std::uint64_t step = 0;
  int shift = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (shift > 56) return std::nullopt;
    step |= std::uint64_t{byte & 127u} << shift;
    shift += 7;
    if (byte >= 128) continue;
    if (step == 0 && !numbers.empty()) return std::nullopt;
    first = std::bit_cast<std::int64_t>(std::bit_cast<std::uint64_t>(first) + step);
    numbers.push_back(first);
    step = 0;
    shift = 0;
  }
  if (shift != 0 || numbers.empty()) return std::nullopt;
  return numbers;
}

}  // namespace tollgate::store
