// What went wrong, where, and what to do about it.
// Every room reports failure as a value of this type; only cli/ and apps/ turn it into text.
// All four parts are always set where they can be: a person and a model act on the hint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// A place in a text file. Lines and columns count from 1; 0 means there is no such place.
struct Position {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, as editors that count bytes do
  std::uint32_t width = 1;   // how many columns the caret underlines
  std::string text;          // the whole source line, for showing

  bool operator==(const Position&) const = default;
};

struct Error {
  std::string code;     // stable, from error_codes.inc
  std::string message;  // one line, lower case, no full stop
  std::string hint;     // what to do
  Position where;

  bool operator==(const Error&) const = default;
};

enum class Severity { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  Error error;

  bool operator==(const Diagnostic&) const = default;
};

// `file:line:column: error[code]: message`, the line, a caret, the hint. Ends with a newline.
std::string render(const Error& error, Severity severity = Severity::kError);
std::string render(const Diagnostic& diagnostic);

// "file:line:column", "file:line" or "file", whatever is known.
std::string place_name(const Position& where);

// Sorts by file, line, column, then code, so that reports read top to bottom.
void sort_by_place(std::vector<Diagnostic>& diagnostics);

// True when any of them is an error.
bool has_errors(const std::vector<Diagnostic>& diagnostics);

// The stable codes, in alphabetical order; docs/errors/ has a page for each.
struct ErrorCode {
  std::string_view code;
  std::string_view meaning;
};
const std::vector<ErrorCode>& error_codes();

}  // namespace tollgate
