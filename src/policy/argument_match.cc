// Argument rules against a tool's input: named values, never JSON as text.
// A value that is not there or of another shape cannot satisfy an allow, and leaves a deny or ask
// in doubt, which counts as ask.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "policy/dotted_name.h"
#include "policy/glob.h"
#include "policy/match.h"

namespace tollgate {
namespace {

enum class Odd { kNo, kEmptySegment, kYes };

// The size of `scheme:/` where a value begins with `scheme://`: those two slashes are the URL's
// own. A single letter is a drive and no scheme.
std::size_t scheme_size(std::string_view value) {
  const auto is_letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  const auto is_further = [](char c) { return (c >= '0' && c <= '9') || c == '+' || c == '-'; };
  std::size_t end = 0;
  while (end < value.size() && (is_letter(value[end]) || (end > 0 && is_further(value[end]))))
    ++end;
  return end > 1 && value.substr(end).starts_with("://") ? end + 2 : 0;
}

bool is_encoded(std::string_view value, std::size_t percent) {
  return percent + 2 < value.size() && value[percent + 1] == '2' &&
         (lower(value[percent + 2]) == 'e' || lower(value[percent + 2]) == 'f');
}

Odd oddness(std::string_view value) {
  Odd odd = Odd::kNo;
  std::size_t segment = scheme_size(value);
  const std::size_t first = segment;
  for (std::size_t i = 0; i <= value.size(); ++i) {
    const char c = i < value.size() ? value[i] : '/';
    if (c == '\\' || (c == '%' && is_encoded(value, i))) return Odd::kYes;
    if (c != '/' || i < first) continue;
    const std::size_t size = i - segment;
    if (size == 1 && value[segment] == '.') return Odd::kYes;
    if (size == 2 && value[segment] == '.' && value[segment + 1] == '.') return Odd::kYes;
    if (size == 0 && i > first && i < value.size()) odd = Odd::kEmptySegment;
    segment = i + 1;
  }
  return odd;
}

enum class Of { kEvery, kAny };

Match text_matches(std::string_view pattern, std::string_view value, Of of) {
  const bool matches = value_glob(pattern, value);
  const Match plain = matches ? Match::kYes : Match::kNo;
  if (pattern.find('/') == pattern.npos) return plain;
  std::string_view path = value;
  // Where the pattern spells a URL too, an empty authority (`file:///x`) is as it should be.
  if (pattern.find("://") != pattern.npos)
    if (const std::size_t scheme = scheme_size(value); scheme > 0) path.remove_prefix(scheme + 1);
  const Odd odd = oddness(path);
  if (odd == Odd::kNo) return plain;
  // A reader that keeps empty segments sees the value as it is written.
  return odd == Odd::kEmptySegment && of == Of::kAny && matches ? Match::kYes : Match::kMaybe;
}

std::optional<Match> value_matches(const json::Value& value, std::string_view path,
                                   std::string_view pattern, Of of);

// An element without the value leaves an array in doubt; an array of only such has none.
std::optional<Match> array_matches(const json::Value& value, std::string_view path,
                                   std::string_view pattern, Of of) {
  if (value.items().empty()) return Match::kNo;
  Match result = of == Of::kEvery ? Match::kYes : Match::kNo;
  bool present = false;
  for (const json::Value& item : value.items()) {
    const std::optional<Match> found = value_matches(item, path, pattern, of);
    present |= found.has_value();
    const Match one = found.value_or(Match::kMaybe);
    result = of == Of::kEvery ? std::min(result, one) : std::max(result, one);
  }
  return present ? std::optional(result) : std::nullopt;
}

// The values at a dotted path below `value`, met by `pattern`; nothing when there is none.
// LIMIT: recursion is bounded by the depth that the JSON reader accepts.
std::optional<Match> value_matches(const json::Value& value, std::string_view path,
                                   std::string_view pattern, Of of) {
  if (value.is_array()) return array_matches(value, path, pattern, of);
  if (!path.empty()) {
    std::optional<Match> result;
    each_reading(value, path, [&](const json::Value& member, std::string_view rest) {
      const std::optional<Match> one = value_matches(member, rest, pattern, of);
      if (!one) return;
      const Match before = result.value_or(*one);
      result = of == Of::kEvery ? std::min(before, *one) : std::max(before, *one);
    });
    return result;
  }
  switch (value.kind()) {
    case json::Kind::kString:
      return text_matches(pattern, value.as_string(), of);
    case json::Kind::kNumber:
      return text_matches(pattern, value.number_text(), of);
    case json::Kind::kBool:
      return text_matches(pattern, value.as_bool() ? "true" : "false", of);
    default:
      return Match::kMaybe;
  }
}

Match all_match(std::string_view packed, const json::Value& input, Of of) {
  Match result = Match::kYes;
  while (!packed.empty() && result != Match::kNo) {
    const std::size_t name_end = packed.find('\0');
    const std::size_t pattern_end = packed.find('\0', name_end + 1);
    if (name_end == packed.npos || pattern_end == packed.npos) return Match::kMaybe;
    const std::string_view name = packed.substr(0, name_end);
    const std::string_view pattern = packed.substr(name_end + 1, pattern_end - name_end - 1);
    result = std::min(result, value_matches(input, name, pattern, of).value_or(Match::kMaybe));
    packed.remove_prefix(pattern_end + 1);
  }
  return result;
}

}  // namespace

bool has_odd_segments(std::string_view value) { return oddness(value) != Odd::kNo; }

Match arguments_hit(std::string_view packed, const json::Value& input) {
  return all_match(packed, input, Of::kAny);
}

bool arguments_cover(std::string_view packed, const json::Value& input) {
  return all_match(packed, input, Of::kEvery) == Match::kYes;
}

}  // namespace tollgate
