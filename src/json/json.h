// JSON text to Value and back, with bounds.
// parse() refuses what two readers could understand differently: duplicate keys, invalid UTF-8,
// byte order marks, anything after the value. write() gives text that parse() reads back equal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace tollgate::json {

// LIMIT: a tool call is small; a megabyte of JSON nested 64 deep is already an attack or a mistake.
struct Limits {
  std::size_t max_bytes = 4u << 20;
  std::size_t max_depth = 64;
};

// Errors: json-syntax, json-too-large, json-too-deep, json-duplicate-key, json-invalid-utf8; the
// place is the line and column in `text`.
Result<Value> parse(std::string_view text, Limits limits = {});

std::string write(const Value& value);         // one line, members in their order
std::string write_pretty(const Value& value);  // two-space indents, ends with a newline
std::string canonical(const Value& value);     // one line, members sorted by key (RFC 8785 order)

// A string as a JSON string literal, quotes included.
std::string quote(std::string_view text);

// One text for one number: 1, 1.0 and 1e0 are "1". Takes a JSON number literal.
std::string canonical_number(std::string_view literal);

}  // namespace tollgate::json
