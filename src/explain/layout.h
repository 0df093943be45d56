// How text looks on a screen: visible, aligned, coloured only where that is wanted.
// Everything that came from a call or a file passes through visible() on its way to people.
// Colour is a value decided once; without it every function gives plain text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "core/verdict.h"

namespace tollgate {

// Control, bidirectional and invisible characters as \uNNNN, bytes that are no text as \xNN, so
// that no text can steer a terminal. Newlines become \n, tabs a blank.
std::string visible(std::string_view text);

// The same, cut after `most` bytes with the count of what is left out.
std::string visible_start(std::string_view text, std::size_t most);

// One character by its number: \xNN, \uNNNN or \UNNNNNNNN; bytes that are no text as \xNN each.
std::string spelled(std::string_view character);

// How many columns visible text takes: wide characters two, combining ones none.
std::size_t columns(std::string_view text);

// How many bytes the character at `at` has; bytes that are no text are taken one by one.
std::size_t character_size(std::string_view text, std::size_t at);

// Visible text in lines of at most `width` columns, broken at blanks where there are any.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

std::string padded(std::string text, std::size_t width);

// Rows with every column but the last as wide as its widest cell; two blanks between, `indent`
// before each.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t indent = 0);

// A path as people in `directory` write it: without the directory in front when it lies inside.
std::string near_path(const std::string& path, const std::string& directory);
Diagnostic near_path(Diagnostic diagnostic, const std::string& directory);

class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}

  std::string verdict(Verdict verdict, std::string_view text) const;
  std::string heading(std::string_view text) const;
  std::string faint(std::string_view text) const;
  std::string caret(std::string_view text) const;

 private:
  std::string in(std::string_view code, std::string_view text) const;
  bool color_;
};

}  // namespace tollgate
