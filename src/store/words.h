// Searching the audit for words: what of a row is searched, and an index over it that is filled
// behind. A text is found wherever it stands, in the middle of a word too, letter for letter.
// Rows are written without it; the writer fills it when it has nothing else to do, and a search
// looks through what is not in it yet row by row, so that nothing is missed.
// INVARIANT: rows up to the mark `worded` are in the index, with exactly the text of words_of().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "store/sqlite.h"

namespace tollgate::store {

// Of a call: the texts of its input, the agent's reason, and the reasons of the decision with their
// rules. Of anything else: all its texts. Each on lines of its own.
std::string words_of(const json::Value& record);

// LIMIT: of one row; a search looks no further into a record than this.
inline constexpr std::size_t kMostWords = 64u << 10;

// How many letters the index needs to find anything.
inline constexpr std::size_t kLeastLetters = 3;

// The text as the index is asked for it; nothing where it cannot be.
std::optional<std::string> words_query(std::string_view text);

// Takes rows in as long as it goes on, and one at least, and moves the mark behind them. Gives
// whether it was stopped. REQUIRES: a transaction.
Result<bool> word_rows(Database& database, const std::function<bool()>& goes_on);

// Rows go into the index in pieces, and each search asks every piece. This brings all pieces into
// one, a part at a time. Gives whether there is more to do. REQUIRES: a transaction.
enum class Gathering : std::uint8_t { kBegin, kGoOn };
Result<bool> gather_words(Database& database, Gathering stage);
// Whether so many rows came since all were in one piece that it is worth its time.
Result<bool> words_are_scattered(Database& database);

// Takes rows out that are about to be removed. REQUIRES: a transaction.
Result<void> unword(Database& database, std::int64_t first, std::int64_t last);

}  // namespace tollgate::store
