// A client's TOML file as text: its statements and where they stand, so that it can be edited.
// TOML 1.0, values as far as the installer needs them: strings are read, the rest is checked and
// kept as it stands.
// A file that this refuses is left alone, because its client would not read it either.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::providers {

enum class TomlKind {
  kTable,   // [a.b]
  kTables,  // [[a.b]]
  kPair,    // a.b = value
};

inline constexpr std::size_t kNoTable = static_cast<std::size_t>(-1);

struct TomlStatement {
  TomlKind kind = TomlKind::kPair;
  std::vector<std::string> path;  // of a pair: without its table's
  std::size_t begin = 0;          // of the line it begins on
  std::size_t end = 0;            // behind the line it ends on, newline included
  std::size_t at = 0;             // of its first character
  std::size_t table = kNoTable;   // the header that a pair stands under
  bool is_string = false;         // of a pair
  std::string text;               // what the string says, or the value as it is written
};

struct TomlText {
  std::string text;
  std::vector<TomlStatement> statements;

  // The pair called `key` under the header at `table`.
  const TomlStatement* pair(std::size_t table, std::string_view key) const&;
};

// Error: toml-syntax, with the place in `file`.
Result<TomlText> read_toml(std::string text, const std::string& file);

// A string as TOML writes it, on one line.
std::string toml_string(std::string_view text);

}  // namespace tollgate::providers
