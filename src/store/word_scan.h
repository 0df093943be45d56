// What words_of() gives for a call's record, read from its text without a tree of values.
// It knows the order in which records are written; whatever else it meets it leaves to words_of().
// INVARIANT: where it gives words, they are those of words_of() for the same text, letter for
// letter: the index of words takes out only what was put in.
// LIMIT: a text that is no JSON is not always noticed; the store's own rows all are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tollgate::store {

std::optional<std::string> scanned_words(std::string_view record);

}  // namespace tollgate::store
