// Known, else in the table, else put there.
// A part is found by a hash of its text and compared whole: it may be as long as it likes.
// LIMIT: what is known here is dropped when it is too much; the tables still have it.
#include "store/interned.h"

#include <bit>

#include "base/text.h"
#include "store/refusals.h"

namespace tollgate::store {
namespace {

constexpr std::size_t kMostNames = 16'384;
constexpr std::size_t kMostParts = 4'096;

// The number that `find` gives, or else that `put` makes; both take the same arguments.
Result<std::int64_t> found_or_put(Database& database, std::string_view find, std::string_view put,
                                  const std::vector<Argument>& arguments) {
  Result<std::int64_t> number = database.integer(find, arguments);
  if (!number || *number != 0) return number;
  return database.integer(put, arguments);
}

}  // namespace

Result<std::int64_t> Interned::name(Database& database, const std::string& text) {
  if (text.empty()) return 0;
  const auto known = names_.find(text);
  if (known != names_.end()) return known->second;
  Result<std::int64_t> number =
      found_or_put(database, "SELECT id FROM names WHERE text = ?",
                   "INSERT INTO names (text) VALUES (?) RETURNING id", {text});
  if (!number) return number;
  if (names_.size() >= kMostNames) names_.clear();
  names_.emplace(text, *number);
  return number;
}

Result<std::int64_t> Interned::name_in(Database& database, std::size_t column,
                                       const std::string& text) {
  if (column >= last_.size()) last_.resize(column + 1);
  Name& last = last_[column];
  if (text == last.text) return last.number;
  Result<std::int64_t> number = name(database, text);
  if (number) last = {text, *number};
  return number;
}

Result<const Interned::Part*> Interned::part(Database& database,
                                             const std::shared_ptr<const std::string>& text) {
  const auto known = parts_.find(text.get());
  if (known != parts_.end()) return &known->second;
  const std::optional<Digest> digest = sha256(*text);
  if (!digest) return Fail(no_digest());
  const auto hash = std::bit_cast<std::int64_t>(hash_of(*text));
  Result<std::int64_t> number =
      found_or_put(database, "SELECT id FROM parts WHERE hash = ?1 AND text = ?2",
                   "INSERT INTO parts (hash, text) VALUES (?, ?) RETURNING id", {hash, *text});
  if (!number) return Fail(std::move(number).error());
  if (parts_.size() >= kMostParts) parts_.clear();
  return &parts_.insert_or_assign(text.get(), Part{text, *number, *digest}).first->second;
}

void Interned::forget() {
  names_.clear();
  last_.clear();
  parts_.clear();
}

}  // namespace tollgate::store
