// What the dashboard shows, as values: lines of pieces, each piece with a meaning.
// The model makes them and the screen paints them; tests read them as plain text.
// INVARIANT: the text of a piece is visible text: nothing in it steers a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tollgate::cli::top {

enum class Style : std::uint8_t {
  kPlain,
  kFaint,
  kStrong,
  kTitle,     // the program's name and the view that is open
  kAllow,     // green
  kAsk,       // yellow
  kDeny,      // red
  kHidden,    // a character that hides or steers, by its number
  kAlike,     // a character that passes for another one, by its number
  kAdded,     // a line that an edit puts there
  kGone,      // a line that it takes away
  kKey,       // a key that can be pressed
  kAgent,     // the agent's words
  kCommand,   // a simple command of a shell text
  kDeciding,  // the part of it that decides
  kChosen,    // the row that the cursor is on
  kBanner,    // what must not be overlooked
};
inline constexpr std::size_t kStyles = 17;

struct Piece {
  std::string text;
  Style style = Style::kPlain;

  bool operator==(const Piece&) const = default;
};
using Line = std::vector<Piece>;

struct Size {
  int rows = 24;
  int columns = 80;

  bool operator==(const Size&) const = default;
};

struct Spot {
  int row = 0;
  int column = 0;

  bool operator==(const Spot&) const = default;
};

struct Picture {
  std::vector<Line> lines;
  std::optional<Spot> cursor;
};

// A line without its styles.
std::string plain(const Line& line);

std::size_t columns_of(const Line& line);

// Adds text, to the last piece where that has the same style.
void add(Line& line, std::string text, Style style = Style::kPlain);

// Cut to a width, with … at the end of what was cut.
Line fitted(const Line& line, std::size_t width);

// `left` and `right` at the two ends of a line; the left one gives way.
Line spread(const Line& left, const Line& right, std::size_t width);

}  // namespace tollgate::cli::top
