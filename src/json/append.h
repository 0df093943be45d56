// JSON behind a text, for a writer that has no Value to write from.
// What write() gives for the same value, letter for letter.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tollgate::json {

void append(std::string& out, const Value& value);            // one line
void append_quoted(std::string& out, std::string_view text);  // a string literal

}  // namespace tollgate::json
