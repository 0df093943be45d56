// Layout for people. Widths are counted in characters; wide characters count as one.
#include "cli/layout.h"

#include <algorithm>

#include "base/text.h"

namespace tollgate::cli {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string escaped(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t size = 1;
    while (i + size < text.size() && continues_character(text[i + size])) ++size;
    const std::string_view character = text.substr(i, size);
    if (character == "\n")
      out += "\\n";
    else if (character == "\t")
      out += ' ';
    else if (!is_valid_utf8(character) || has_hidden_characters(character))
      out += escaped(character);
    else
      out += character;
    i += size;
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
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
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

}  // namespace tollgate::cli
