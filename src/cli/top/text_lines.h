// Somebody's text as lines of the screen: whole, folded to the width, made visible.
// What hides or steers is shown by its number, and so is, in code, what passes for another
// character. LIMIT: none; a megabyte is many lines, and the screen shows a window of them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/top/picture.h"

namespace tollgate::cli::top {

// In commands and paths look-alikes and odd blanks matter; in prose they are typography.
enum class Manner { kCode, kProse };

// Where a line that is too long is broken: prose between words; of code every column counts.
enum class Breaks { kAnywhere, kBetweenWords };

// A part of the text, in bytes, with a style of its own. The last that covers a byte counts.
struct Mark {
  std::size_t begin = 0;
  std::size_t end = 0;
  Style style = Style::kPlain;
};

struct TextOptions {
  std::size_t width = 80;
  Style style = Style::kPlain;
  Manner manner = Manner::kCode;
  Breaks breaks = Breaks::kAnywhere;
  std::vector<Mark> marks;
  Line first;  // before the first line of the text
  Line rest;   // before every other
};

// At least one line.
std::vector<Line> text_lines(std::string_view text, const TextOptions& options);

// One line of text, however wide; newlines are shown as \n.
Line painted(std::string_view text, Style style, Manner manner = Manner::kCode);

}  // namespace tollgate::cli::top
