// What a pattern of file names gives away without a look at any file.
// files.cc reads trees by these; a pattern is never matched here.
// SAFETY: both answers may say too much, never too little: nothing means "it cannot be told".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// Where a pattern can begin to find things: its path up to the first part that is no plain name.
// Nothing where alternatives or `..` further on could lead elsewhere.
std::optional<std::string> pattern_start(std::string_view pattern);

// The files that a pattern names outright: `.env`, `**/.env`, each of `{a,b}.pem`. Of a pattern
// with other wildcards only what looks like a secret's name is given, without the wildcards; a
// star stays where nothing but an ending is left. Nothing where there are too many alternatives.
std::optional<std::vector<std::string>> names_in(std::string_view pattern);

}  // namespace tollgate
