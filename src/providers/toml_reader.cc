// Lines, keys, lists and inline tables. Strings and words are in toml_value.cc.
#include "providers/toml_reader.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace tollgate::providers {
namespace {

constexpr int kMostDepth = 64;  // LIMIT: of lists and tables inside each other

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

bool TomlReader::fail(std::string message) {
  if (mistake_.empty()) mistake_ = std::move(message);
  return false;
}

bool TomlReader::take(char c) {
  if (ended() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void TomlReader::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
}

bool TomlReader::skip_comment() {
  if (peek() != '#') return true;
  for (; !ended() && peek() != '\n'; ++at_) {
    const auto c = static_cast<unsigned char>(peek());
    const bool ends = c == '\r' && peek(1) == '\n';
    if (!ends && (c == 0x7f || (c < 0x20 && c != '\t')))
      return fail("a comment holds a control character");
  }
  return true;
}

bool TomlReader::skip_lines() {
  for (;;) {
    skip_blanks();
    if (!skip_comment()) return false;
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    if (!take('\n')) return true;
  }
}

bool TomlReader::next_line() {
  if (mistake_.empty()) skip_lines();
  return !ended() || !mistake_.empty();
}

TomlStatement TomlReader::statement() {
  TomlStatement out;
  out.at = at_;
  out.begin = text_.substr(0, at_).rfind('\n') + 1;
  if (!mistake_.empty()) return out;
  if (take('[')) {
    const bool list = take('[');
    out.kind = list ? TomlKind::kTables : TomlKind::kTable;
    skip_blanks();
    if (!key(out.path)) return out;
    if (!take(']') || (list && !take(']'))) {
      fail("a header is expected to end with `" + std::string(list ? "]]" : "]") + "`");
      return out;
    }
  } else {
    if (!key(out.path)) return out;
    if (!take('=')) {
      fail("`=` is expected behind a key");
      return out;
    }
    skip_blanks();
    Read read;
    if (!value(read, 0)) return out;
    out.is_string = read.is_string;
    out.text = std::move(read.text);
  }
  skip_blanks();
  if (!skip_comment()) return out;
  if (peek() == '\r' && peek(1) == '\n') ++at_;
  if (!ended() && !take('\n')) fail("nothing more is expected on this line");
  out.end = at_;
  return out;
}

bool TomlReader::key(std::vector<std::string>& path) {
  for (;;) {
    skip_blanks();
    std::string part;
    if (!key_part(part)) return false;
    path.push_back(std::move(part));
    skip_blanks();
    if (!take('.')) return true;
  }
}

bool TomlReader::key_part(std::string& part) {
  if (peek() == '"') return basic(part);
  if (peek() == '\'') return literal(part);
  const std::size_t begin = at_;
  while (!ended() && is_bare(peek())) ++at_;
  part = std::string(text_.substr(begin, at_ - begin));
  return !part.empty() || fail("a key is expected");
}

bool TomlReader::value(Read& read, int depth) {
  if (depth > kMostDepth) return fail("lists and tables are nested too deep");
  const std::size_t begin = at_;
  const char c = peek();
  bool fine = false;
  if (c == '"' || c == '\'') {
    read.is_string = true;
    return text_value(read.text);
  }
  if (c == '[')
    fine = list(depth);
  else if (c == '{')
    fine = inline_table(depth);
  else
    fine = word(read.text);
  read.text = std::string(text_.substr(begin, at_ - begin));
  return fine;
}

bool TomlReader::list(int depth) {
  for (++at_;;) {
    if (!skip_lines()) return false;
    if (take(']')) return true;
    Read item;
    if (!value(item, depth + 1) || !skip_lines()) return false;
    if (take(']')) return true;
    if (!take(',')) return fail("`,` or `]` is expected in a list");
  }
}

bool TomlReader::inline_table(int depth) {
  std::set<std::string> seen;
  ++at_;
  skip_blanks();
  if (take('}')) return true;
  for (;;) {
    std::vector<std::string> path;
    skip_blanks();
    const std::size_t begin = at_;
    if (!key(path)) return false;
    if (!seen.insert(join(path, "\n")).second) {
      at_ = begin;
      return fail("`" + join(path, ".") + "` is there already");
    }
    if (!take('=')) return fail("`=` is expected behind a key");
    skip_blanks();
    Read item;
    if (!value(item, depth + 1)) return false;
    skip_blanks();
    if (take('}')) return true;
    if (!take(',')) return fail("`,` or `}` is expected in a table");
  }
}

}  // namespace tollgate::providers
