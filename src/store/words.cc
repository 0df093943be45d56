// The index is SQLite's FTS5 over groups of three letters; it keeps no text of its own.
// It finds letters in either case, and whoever searches looks at the row once more.
#include "store/words.h"

#include <algorithm>

#include "base/text.h"
#include "store/chain.h"
#include "store/row_codec.h"

namespace tollgate::store {
namespace {

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

std::string words_of_row(const LoggedRow& row) {
  const std::optional<json::Value> record = value_from(row.record());
  return record ? words_of(*record) : std::string();
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

Result<std::int64_t> word_rows(Database& database, std::int64_t most) {
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  std::int64_t taken = 0, last = numbers->worded;
  const Result<void> done = each_logged_row(
      database, numbers->worded + 1, INT64_MAX, [&](LoggedRow& row) -> Result<bool> {
        const std::string words = words_of_row(row);
        Result<void> put =
            database.run("INSERT INTO words (rowid, text) VALUES (?, ?)", {row.number, words});
        if (!put) return Fail(std::move(put).error());
        last = row.number;
        return ++taken < most;
      });
  if (!done) return Fail(done.error());
  if (taken == 0) return taken;
  if (Result<void> kept = database.run("UPDATE numbers SET last = ? WHERE name = 'worded'", {last});
      !kept)
    return Fail(std::move(kept).error());
  return taken;
}

Result<void> unword(Database& database, std::int64_t first, std::int64_t last) {
  const Result<Numbers> numbers = read_numbers(database);
  if (!numbers) return Fail(numbers.error());
  const Result<void> done = each_logged_row(
      database, first, std::min(last, numbers->worded), [&](LoggedRow& row) -> Result<bool> {
        const std::string words = words_of_row(row);
        Result<void> taken = database.run(
            "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", {row.number, words});
        if (!taken) return Fail(std::move(taken).error());
        return true;
      });
  if (!done) return done;
  return database.run("UPDATE numbers SET last = max(last, ?) WHERE name = 'worded'", {last});
}

}  // namespace tollgate::store
