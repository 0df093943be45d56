// Text as other formats want it: TOML, Starlark, regular expressions.
// Each gives a whole literal with its quotes, or an escaped piece where the name says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tollgate::native {

// Texts as values of JSON.
json::Value text(std::string_view value);
json::Value texts(const std::vector<std::string>& list);

// A basic string of TOML, which is a string of JSON, Starlark and YAML as well.
std::string quoted(std::string_view text);

// The text as a regular expression that matches it alone, in the dialects of JavaScript and Rust.
std::string regex_escaped(std::string_view text);
// The same, letters in either case.
std::string regex_folded(std::string_view text);

}  // namespace tollgate::native
