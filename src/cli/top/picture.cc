#include "cli/top/picture.h"

#include <utility>

#include "explain/layout.h"

namespace tollgate::cli::top {

std::string plain(const Line& line) {
  std::string out;
  for (const Piece& piece : line) out += piece.text;
  return out;
}

std::size_t columns_of(const Line& line) {
  std::size_t count = 0;
  for (const Piece& piece : line) count += columns(piece.text);
  return count;
}

void add(Line& line, std::string text, Style style) {
  if (text.empty()) return;
  if (!line.empty() && line.back().style == style)
    line.back().text += text;
  else
    line.push_back({std::move(text), style});
}

Line fitted(const Line& line, std::size_t width) {
  if (columns_of(line) <= width) return line;
  Line out;
  std::size_t taken = 0;
  for (const Piece& piece : line) {
    for (std::size_t at = 0; at < piece.text.size();) {
      const std::size_t size = character_size(piece.text, at);
      const std::string character = piece.text.substr(at, size);
      const std::size_t wide = columns(character);
      if (taken + wide + 1 > width) {
        if (width > 0) add(out, "…", Style::kFaint);
        return out;
      }
      add(out, character, piece.style);
      taken += wide;
      at += size;
    }
  }
  return out;
}

Line spread(const Line& left, const Line& right, std::size_t width) {
  const std::size_t taken = columns_of(right);
  if (taken >= width) return fitted(right, width);
  Line out = fitted(left, width - taken - (taken > 0 ? 1 : 0));
  add(out, std::string(width - taken - columns_of(out), ' '));
  for (const Piece& piece : right) add(out, piece.text, piece.style);
  return out;
}

}  // namespace tollgate::cli::top
