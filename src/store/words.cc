// The index is SQLite's FTS5 over groups of three letters; it keeps no text of its own.
// It finds letters in either case, and whoever searches looks at the row once more.
#include "store/words.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

#include "base/text.h"
#include "store/chain.h"
#include "store/record_text.h"
#include "store/row_codec.h"
#include "store/word_scan.h"

namespace tollgate::store {
namespace {

// LIMIT: parts held at once; whoever reads on reads them again.
constexpr std::size_t kMostParts = 4'096;

void gather(const json::Value& value, std::string& out) {
  if (out.size() >= kMostWords) return;
  if (value.is_string()) {
    if (!out.empty()) out += '\n';
    out += value.as_string();
  }
  for (const json::Value& item : value.items()) gather(item, out);
  for (const auto& [name, member] : value.members()) gather(member, out);
}

void gather_member(const json::Value& object, std::string_view name, std::string& out) {
  if (const json::Value* member = object.find(name)) gather(*member, out);
}

std::string words_of_text(std::string_view text) {
  if (std::optional<std::string> words = scanned_words(text)) return std::move(*words);
  const std::optional<json::Value> record = value_from(text);
  return record ? words_of(*record) : std::string();
}

// The words of rows first … last in their order; none of one that cannot be read. `take` says
// whether to go on.
Result<void> each_row(
    Database& database, std::int64_t first, std::int64_t last,
    const std::function<Result<bool>(std::int64_t number, const std::string& words)>& take) {
  std::unordered_map<std::int64_t, std::string> parts;
  const PartOf part_of = [&](std::int64_t number) -> std::optional<std::string_view> {
    const auto known = parts.find(number);
    if (known != parts.end()) return known->second;
    Query part(database, "SELECT text FROM parts WHERE id = ?", {number});
    const Result<bool> there = part.next();
    if (!there || !*there) return std::nullopt;
    if (parts.size() >= kMostParts) parts.clear();
    return parts.emplace(number, part.text(0)).first->second;
  };
  const std::array<Argument, 2> bounds{first, last};
  Query query(database,
              "SELECT number, record FROM audit WHERE number >= ? AND number <= ? ORDER BY number",
              bounds);
  std::string text;
  for (;;) {
    const Result<bool> there = query.next();
    if (!there) return Fail(there.error());
    if (!*there) return {};
    text.clear();
    const bool whole = expand(query.text(1), part_of, text);
    const Result<bool> more = take(query.integer(0), whole ? words_of_text(text) : std::string());
    if (!more) return Fail(more.error());
    if (!*more) return {};
  }
}

}  // namespace

std::string words_of(const json::Value& record) {
  std::string out;
  const json::Value* call = record.find("call");
  const json::Value* decision = record.find("decision");
  if (call == nullptr || decision == nullptr) {
    gather(record, out);
  } else {
    gather_member(*call, "input", out);
    gather_member(*call, "stated_reason", out);
    const json::Value* reasons = decision->find("reasons");
    if (reasons != nullptr)
      for (const json::Value& reason : reasons->items()) {
        gather_member(reason, "rule", out);
        gather_member(reason, "text", out);
      }
  }
  if (out.size() > kMostWords)
    out.resize(valid_utf8_prefix(std::string_view(out).substr(0, kMostWords)));
  return out;
}

std::optional<std::string> words_query(std::string_view text) {
  const auto is_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  if (std::ranges::count_if(text, is_letter) < static_cast<std::ptrdiff_t>(kLeastLetters) ||
      text.find('\0') != text.npos || !is_valid_utf8(text))
    return std::nullopt;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Result<bool> word_rows(Database& database, const std::function<bool()>& goes_on) {
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  bool more = false;
  std::int64_t last = numbers->worded;
  const Result<void> done = each_row(
      database, numbers->worded + 1, INT64_MAX,
      [&](std::int64_t number, const std::string& words) -> Result<bool> {
        const std::array<Argument, 2> row{number, words};
        Result<void> put = database.run_with("INSERT INTO words (rowid, text) VALUES (?, ?)", row);
        if (!put) return Fail(std::move(put).error());
        last = number;
        more = !goes_on();
        return !more;
      });
  if (!done) return Fail(done.error());
  if (last == numbers->worded) return false;
  if (Result<void> kept = database.run("UPDATE numbers SET last = ? WHERE name = 'worded'", {last});
      !kept)
    return Fail(std::move(kept).error());
  return more;
}

namespace {

constexpr std::string_view kGathered = "SELECT last FROM numbers WHERE name = 'gathered'";

}  // namespace

Result<bool> words_are_scattered(Database& database) {
  // Each row is written anew three times on the way from one million to two.
  constexpr std::int64_t kLeast = 512, kPart = 4;
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  const Result<std::int64_t> gathered = database.integer(kGathered);
  if (!gathered) return Fail(gathered.error());
  return numbers->worded - *gathered >= std::max(kLeast, *gathered / kPart);
}

Result<bool> gather_words(Database& database, Gathering stage) {
  // LIMIT: pages of 4 KB, for which a call waits that comes meanwhile.
  constexpr std::int64_t kPages = 64;
  const std::int64_t before = database.all_changes();
  const std::int64_t pages = stage == Gathering::kBegin ? -kPages : kPages;
  if (Result<void> done =
          database.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", {pages});
      !done)
    return Fail(std::move(done).error());
  // The statement itself is one.
  if (database.all_changes() - before > 1) return true;
  const Result<void> kept = database.run(
      "INSERT OR REPLACE INTO numbers SELECT 'gathered', last FROM numbers WHERE name = 'worded'");
  if (!kept) return Fail(kept.error());
  return false;
}

Result<void> unword(Database& database, std::int64_t first, std::int64_t last) {
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  const Result<void> done = each_row(
      database, first, std::min(last, numbers->worded),
      [&](std::int64_t number, const std::string& words) -> Result<bool> {
        Result<void> taken = database.run(
            "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", {number, words});
        if (!taken) return Fail(std::move(taken).error());
        return true;
      });
  if (!done) return done;
  return database.run("UPDATE numbers SET last = max(last, ?) WHERE name = 'worded'", {last});
}

}  // namespace tollgate::store
