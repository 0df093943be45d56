// Backtracks to the last star only, so the work is at most the product of the two lengths.
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

// One step of a pattern: how many of its bytes it takes, and whether it takes the letter.
struct Step {
  std::size_t size = 0;
  bool takes = false;
};

Step bracket(std::string_view pattern, char letter) {
  std::size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool in = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) return {i + 1, in != negated};
    if (pattern.substr(i).starts_with("[:") || pattern.substr(i).starts_with("[."))
      return {0, false};
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const char low = pattern[i++];
    char high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      high = pattern[i + 1] == '\\' && i + 2 < pattern.size() ? pattern[i + 2] : pattern[i + 1];
      i += pattern[i + 1] == '\\' ? 3 : 2;
    }
    in = in || (low <= letter && letter <= high);
  }
  return {0, false};  // no end: the bracket is a letter
}

Step step(std::string_view pattern, char letter) {
  if (pattern[0] == '?') return {1, true};
  if (pattern[0] == '\\' && pattern.size() > 1) return {2, pattern[1] == letter};
  if (pattern[0] == '[')
    if (const Step found = bracket(pattern, letter); found.size > 0) return found;
  return {1, pattern[0] == letter};
}

}  // namespace

bool shell_pattern_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = pattern.npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
      continue;
    }
    if (p < pattern.size()) {
      const Step one = step(pattern.substr(p), text[t]);
      if (one.takes) {
        p += one.size;
        ++t;
        continue;
      }
    }
    if (star == pattern.npos) return false;
    p = star + 1;
    t = ++from;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string pattern_of(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (std::string_view("*?[]\\").find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

std::string letters_of(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    out += pattern[i];
  }
  return out;
}

}  // namespace tollgate
