// Layout for people. Widths are what terminals take: the table of wide characters is Unicode's, as
// far as people write them in commands.
// Text that is not UTF-8 is shown byte by byte.
#include "explain/layout.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace tollgate {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

constexpr char kDigits[] = "0123456789abcdef";

// REQUIRES: one valid character.
char32_t point_of(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first;
  char32_t point = first & (0x7Fu >> character.size());
  for (const char c : character.substr(1))
    point = point << 6 | (static_cast<unsigned char>(c) & 63);
  return point;
}

struct Range {
  char32_t first, last;
};

// East Asian wide characters and pictures.
constexpr std::array kWide = std::to_array<Range>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},
    {0x26D4, 0x26D4},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F567}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D7}, {0x1F6EB, 0x1F6FC}, {0x1F7E0, 0x1F7EB}, {0x1F90C, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
});

// Marks that stand on the character before them.
constexpr std::array kCombining = std::to_array<Range>({
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x0591, 0x05BD},
    {0x0610, 0x061A},
    {0x064B, 0x065F},
    {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},
    {0x20D0, 0x20FF},
    {0x3099, 0x309A},
    {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F},
});

bool is_in(char32_t point, std::span<const Range> ranges) {
  const auto range = std::ranges::lower_bound(ranges, point, {}, &Range::last);
  return range != ranges.end() && range->first <= point;
}

}  // namespace

std::string spelled(std::string_view character) {
  if (!is_valid_utf8(character)) {
    std::string out;
    for (const char c : character) {
      const auto byte = static_cast<unsigned char>(c);
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return out;
  }
  const char32_t point = point_of(character);
  if (point < 0x80) return {'\\', 'x', kDigits[point >> 4], kDigits[point & 15]};
  std::string out = point > 0xFFFF ? "\\U" : "\\u";
  for (int shift = point > 0xFFFF ? 28 : 12; shift >= 0; shift -= 4)
    out += kDigits[point >> shift & 15];
  return out;
}

std::size_t character_size(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  while (size < 4 && at + size < text.size() && continues_character(text[at + size])) ++size;
  return is_valid_utf8(text.substr(at, size)) ? size : 1;
}

std::string visible(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = text.substr(i, character_size(text, i));
    if (character == "\n")
      out += "\\n";
    else if (character == "\t")
      out += ' ';
    else if (!is_valid_utf8(character) || has_hidden_characters(character))
      out += spelled(character);
    else
      out += character;
    i += character.size();
  }
  return out;
}

std::string visible_start(std::string_view text, std::size_t most) {
  if (text.size() <= most) return visible(text);
  std::size_t end = most;
  while (end > 0 && continues_character(text[end])) --end;
  return visible(text.substr(0, end)) + "… (" + std::to_string(text.size() - end) + " bytes more)";
}

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = text.substr(i, character_size(text, i));
    i += character.size();
    const char32_t point = is_valid_utf8(character) ? point_of(character) : 0;
    if (!is_in(point, kCombining)) count += is_in(point, kWide) ? 2 : 1;
  }
  return count;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string_view word : split(text, ' ')) {
    std::string& line = lines.back();
    const bool fits = columns(line) + 1 + columns(word) <= width;
    if (line.empty() || fits)
      line += (line.empty() ? "" : " ") + std::string(word);
    else
      lines.emplace_back(word);
  }
  return lines;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t has = columns(text);
  if (has < width) text.append(width - has, ' ');
  return text;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    if (widths.size() < row.size()) widths.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i + 1 < row.size() ? padded(row[i], widths[i]) + "  " : row[i];
    line.resize(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string near_path(const std::string& path, const std::string& directory) {
  if (directory.size() < 2 || !path.starts_with(directory + "/")) return path;
  return path.substr(directory.size() + 1);
}

Diagnostic near_path(Diagnostic diagnostic, const std::string& directory) {
  diagnostic.error.where.file = near_path(diagnostic.error.where.file, directory);
  return diagnostic;
}

std::string Paint::in(std::string_view code, std::string_view text) const {
  if (!color_) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Paint::verdict(Verdict verdict, std::string_view text) const {
  constexpr std::string_view kCodes[] = {"1;32", "1;33", "1;31"};  // green, yellow, red
  return in(kCodes[static_cast<std::size_t>(verdict)], text);
}

std::string Paint::heading(std::string_view text) const { return in("1", text); }
std::string Paint::faint(std::string_view text) const { return in("2", text); }
std::string Paint::caret(std::string_view text) const { return in("1;33", text); }

}  // namespace tollgate
