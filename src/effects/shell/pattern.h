// Shell patterns against text: `*`, `?`, `[…]`, and letters behind a backslash.
// For what parameter expansion cuts off a value that is known; file names are matched elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

bool shell_pattern_matches(std::string_view pattern, std::string_view text);

// The text as a pattern that matches only itself.
std::string pattern_of(std::string_view text);
// The letters of a pattern without its backslashes: what the word is when nothing matches.
std::string letters_of(std::string_view pattern);

}  // namespace tollgate
