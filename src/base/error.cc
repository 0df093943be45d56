// How errors look to people, and the list of their codes.
// The only place that knows the layout: place, code, message, source line, caret, hint.
// What a file or a call contains is shown but never obeyed: control characters are made visible.
#include "base/error.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace tollgate {
namespace {

// LIMIT: a longer source line is cut around the place, so that the caret stays on the screen.
constexpr std::size_t kShownBytes = 160;
constexpr std::size_t kShownBefore = 60;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// How many bytes of `text` at `at` a terminal might obey or hide; 0 for an ordinary character.
std::size_t unprintable_length(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  while (at + size < text.size() && continues_character(text[at + size])) ++size;
  return has_hidden_characters(text.substr(at, size)) ? size : 0;
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

// Prose on its way to a terminal. A newline goes on, indented, below the first line.
std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') {
      out += "\n  ";
      ++i;
    } else if (std::size_t bad = unprintable_length(text, i); bad > 0) {
      append_escaped(out, text.substr(i, bad));
      i += bad;
    } else {
      out += text[i++];
      while (i < text.size() && continues_character(text[i])) out += text[i++];
    }
  }
  return out;
}

struct Excerpt {
  std::string line;
  std::string padding;  // as wide as what stands before the caret; tabs stay tabs
  std::size_t carets = 1;
};

std::size_t character_start(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && continues_character(text[at])) --at;
  return at;
}

Excerpt excerpt_of(const Position& where) {
  std::string_view text = where.text;
  text = text.substr(0, text.find_first_of("\r\n"));
  const std::size_t column = where.column == 0 ? 0 : where.column - 1;
  const std::size_t caret = std::min(column, text.size());
  const std::size_t last = std::min(caret + std::max<std::size_t>(where.width, 1), text.size());

  std::size_t from = 0;
  std::size_t to = text.size();
  if (text.size() > kShownBytes) {
    from = character_start(text, caret > kShownBefore ? caret - kShownBefore : 0);
    to = character_start(text, std::min(from + kShownBytes, text.size()));
  }

  Excerpt shown;
  if (from > 0) {
    shown.line = "...";
    shown.padding = "   ";
  }
  std::size_t carets = 0;
  for (std::size_t i = from; i < to;) {
    std::size_t size = 1;
    while (i + size < to && continues_character(text[i + size])) ++size;
    const std::string_view character = text.substr(i, size);
    const bool hidden = has_hidden_characters(character);
    shown.line += hidden ? std::string_view("?") : character;
    if (i < caret) shown.padding += character == "\t" ? '\t' : ' ';
    if (i >= caret && i < last) ++carets;
    i += size;
  }
  if (to < text.size()) shown.line += "...";
  shown.carets = std::max<std::size_t>(carets, 1);
  return shown;
}

}  // namespace

std::string place_name(const Position& where) {
  std::string place = where.file;
  if (where.line == 0) return place;
  if (!place.empty()) place += ':';
  place += std::to_string(where.line);
  if (where.column > 0) place += ':' + std::to_string(where.column);
  return place;
}

std::string render(const Error& error, Severity severity) {
  std::string out = printable(place_name(error.where));
  if (!out.empty()) out += ": ";
  out += severity == Severity::kError ? "error[" : "warning[";
  out += error.code + "]: " + printable(error.message) + '\n';
  if (error.where.line > 0 && !error.where.text.empty()) {
    const Excerpt shown = excerpt_of(error.where);
    out += "  " + shown.line + '\n';
    if (error.where.column > 0) out += "  " + shown.padding + std::string(shown.carets, '^') + '\n';
  }
  if (!error.hint.empty()) out += "  hint: " + printable(error.hint) + '\n';
  return out;
}

std::string render(const Diagnostic& diagnostic) {
  return render(diagnostic.error, diagnostic.severity);
}

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.error.where.file, d.error.where.line, d.error.where.column, d.error.code);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

const std::vector<ErrorCode>& error_codes() {
  static const std::vector<ErrorCode> codes = {
#include "base/error_codes.inc"
  };
  return codes;
}

}  // namespace tollgate
