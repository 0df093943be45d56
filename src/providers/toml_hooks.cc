#include "providers/toml_hooks.h"

#include <algorithm>

#include "base/text.h"

namespace tollgate::providers {
namespace {

// Where the pairs of the header end: comments behind the last one belong to what follows.
std::size_t end_of(const TomlText& document, std::size_t header) {
  std::size_t end = document.statements[header].end;
  for (const TomlStatement& each : document.statements)
    if (each.kind == TomlKind::kPair && each.table == header) end = std::max(end, each.end);
  return end;
}

bool is_blank_line(std::string_view text, std::size_t begin, std::size_t end) {
  return trim(text.substr(begin, end - begin)).empty();
}

}  // namespace

std::string without_blocks(const TomlText& document, std::span<const std::size_t> headers) {
  std::string text = document.text;
  std::vector<std::size_t> sorted(headers.begin(), headers.end());
  std::ranges::sort(sorted, std::greater<>());
  for (const std::size_t header : sorted) {
    std::size_t begin = document.statements[header].begin;
    const std::size_t end = end_of(document, header);
    if (begin > 0) {
      const std::size_t line = begin < 2 ? 0 : text.rfind('\n', begin - 2) + 1;
      if (is_blank_line(text, line, begin)) begin = line;
    }
    text.erase(begin, end - begin);
  }
  return text;
}

std::string with_block(std::string text, const std::string& block) {
  const bool windows = text.find("\r\n") != text.npos;
  const std::string newline = windows ? "\r\n" : "\n";
  if (!text.empty() && !text.ends_with('\n')) text += newline;
  if (!trim(text).empty()) text += newline;
  for (const char c : block) {
    if (c == '\n' && windows) text += '\r';
    text += c;
  }
  return text;
}

bool begins_with(const std::vector<std::string>& path, std::span<const std::string_view> start) {
  return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

std::vector<std::string> full_path(const TomlText& document, const TomlStatement& pair) {
  std::vector<std::string> path;
  if (pair.table != kNoTable) path = document.statements[pair.table].path;
  path.insert(path.end(), pair.path.begin(), pair.path.end());
  return path;
}

}  // namespace tollgate::providers
