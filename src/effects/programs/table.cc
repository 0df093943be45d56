// All rows, and the way from a program's name to its own.
// A new family is one file in rows/ and one line here.
#include <algorithm>
#include <array>

#include "effects/programs/arguments.h"

namespace tollgate {
namespace {

using Does = ProgramDoes;  // as the rows call it

constexpr ProgramRow kRows[] = {
#include "effects/programs/rows/all.inc"
};

constexpr std::string_view first_word(std::string_view name) {
  return name.substr(0, name.find(' '));
}

// How many names all rows have together: `a|b c` has two.
constexpr std::size_t count_names() {
  std::size_t count = 0;
  for (const ProgramRow& row : kRows)
    count += 1 + static_cast<std::size_t>(std::ranges::count(first_word(row.name), '|'));
  return count;
}

struct Named {
  std::string_view name;
  const ProgramRow* row = nullptr;
};

constexpr std::size_t kBuckets = 2048;

constexpr std::size_t bucket_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash ^ (hash >> 15)) % kBuckets;
}

// Every name with its row, gathered in buckets; in a bucket the rows of one name stand together,
// as they are written.
struct Index {
  std::array<std::uint32_t, kBuckets + 1> begins{};
  std::array<std::string_view, count_names()> names{};
  std::array<const ProgramRow*, count_names()> rows{};
  std::array<std::uint32_t, count_names()> ends{};  // behind the last row of the same name
};

constexpr Index make_index() {
  std::array<Named, count_names()> all{};
  std::size_t count = 0;
  Index index;
  for (const ProgramRow& row : kRows) {
    std::string_view names = first_word(row.name);
    while (true) {
      const std::size_t bar = names.find('|');
      all[count++] = {names.substr(0, bar), &row};
      ++index.begins[bucket_of(names.substr(0, bar)) + 1];
      if (bar == names.npos) break;
      names.remove_prefix(bar + 1);
    }
  }
  for (std::size_t i = 0; i < kBuckets; ++i) index.begins[i + 1] += index.begins[i];
  std::array<std::uint32_t, kBuckets> filled{};
  for (const Named& one : all) {
    const std::size_t bucket = bucket_of(one.name);
    std::size_t at = index.begins[bucket] + filled[bucket]++;
    // Behind the last of its own name.
    while (at > index.begins[bucket] && index.names[at - 1] > one.name) {
      index.names[at] = index.names[at - 1];
      index.rows[at] = index.rows[at - 1];
      --at;
    }
    index.names[at] = one.name;
    index.rows[at] = one.row;
  }
  for (std::size_t i = count; i-- > 0;) {
    const bool last = i + 1 == count || index.names[i + 1] != index.names[i];
    index.ends[i] = last ? static_cast<std::uint32_t>(i + 1) : index.ends[i + 1];
  }
  return index;
}

constexpr Index kIndex = make_index();

constexpr bool is_starred(std::string_view name) { return name.find('*') != name.npos; }

constexpr auto make_starred() {
  constexpr auto kCount = static_cast<std::size_t>(std::ranges::count_if(kIndex.names, is_starred));
  std::array<std::string_view, kCount> starred{};
  std::ranges::copy_if(kIndex.names, starred.begin(), is_starred);
  return starred;
}
constexpr auto kStarred = make_starred();

constexpr std::uint16_t short_hash(std::string_view word) {
  std::uint32_t hash = 2166136261u;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  const auto folded = static_cast<std::uint16_t>(hash ^ (hash >> 16));
  return folded == 0 ? std::uint16_t{1} : folded;
}

constexpr RowShape make_shape(const ProgramRow& row) {
  RowShape shape;
  shape.words = static_cast<std::uint8_t>(1 + std::ranges::count(row.name, ' '));
  shape.head = row.operands == "sub" || row.operands.starts_with("sub ");
  if (shape.words == 1) return shape;
  const std::string_view rest = row.name.substr(row.name.find(' ') + 1);
  const std::string_view second = rest.substr(0, rest.find(' '));
  if (second.find_first_of("|*") == second.npos) shape.second = short_hash(second);
  return shape;
}

// Beside the rows and small, because a program with many rows is gone through from end to end.
constexpr auto kShapes = [] {
  std::array<RowShape, std::size(kRows)> shapes{};
  std::ranges::transform(kRows, shapes.begin(), make_shape);
  return shapes;
}();

static_assert(count_names() <= kMostPlaces);

ProgramRows named(std::string_view name) {
  const std::size_t bucket = bucket_of(name);
  for (std::uint32_t at = kIndex.begins[bucket]; at < kIndex.begins[bucket + 1];
       at = kIndex.ends[at])
    if (kIndex.names[at] == name)
      return {std::span(kIndex.rows).subspan(at, kIndex.ends[at] - at), at};
  return {};
}

// Each star stands for any letters.
bool stars_fit(std::string_view pattern, std::string_view word) {
  std::size_t star = pattern.find('*');
  if (!word.starts_with(pattern.substr(0, star))) return false;
  word.remove_prefix(star);
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == pattern.npos) return word.ends_with(pattern);
    const std::size_t at = word.find(pattern.substr(0, star));
    if (at == word.npos) return false;
    word.remove_prefix(at + star);
  }
}

}  // namespace

bool name_fits(std::string_view pattern, std::string_view word) {
  while (true) {
    const std::size_t bar = pattern.find('|');
    const std::string_view one = pattern.substr(0, bar);
    if (one.find('*') == one.npos ? one == word : stars_fit(one, word)) return true;
    if (bar == pattern.npos) return false;
    pattern.remove_prefix(bar + 1);
  }
}

std::span<const ProgramRow> all_rows() { return kRows; }

RowShape shape_of(const ProgramRow& row) {
  return kShapes[static_cast<std::size_t>(&row - std::begin(kRows))];
}

std::uint16_t second_word_hash(std::string_view word) { return short_hash(word); }

ProgramRows rows_of(std::string_view program) {
  if (const ProgramRows found = named(program); !found.rows.empty()) return found;
  if (program.empty()) return {};
  for (const std::string_view starred : kStarred)
    if ((starred[0] == program[0] || starred[0] == '*') && stars_fit(starred, program))
      return named(starred);
  return {};
}

}  // namespace tollgate
