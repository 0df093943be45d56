// Argument rules against a tool's input: named values, never JSON as text.
// A value that is not there or of another shape cannot satisfy an allow, and leaves a deny or ask
// in doubt, which counts as ask.
#include <algorithm>

#include "base/text.h"
#include "policy/glob.h"
#include "policy/match.h"

namespace tollgate {
namespace {

Match text_matches(std::string_view pattern, std::string_view value) {
  const bool odd = pattern.find('/') != pattern.npos && has_odd_segments(value);
  if (odd) return Match::kMaybe;
  return value_glob(pattern, value) ? Match::kYes : Match::kNo;
}

enum class Of { kEvery, kAny };

// The value at a dotted path below `value`, met by `pattern`.
// LIMIT: recursion is bounded by the depth that the JSON reader accepts.
Match value_matches(const json::Value& value, std::string_view path, std::string_view pattern,
                    Of of) {
  if (value.is_array()) {
    if (value.items().empty()) return Match::kNo;
    Match result = of == Of::kEvery ? Match::kYes : Match::kNo;
    for (const json::Value& item : value.items()) {
      const Match one = value_matches(item, path, pattern, of);
      result = of == Of::kEvery ? std::min(result, one) : std::max(result, one);
    }
    return result;
  }
  if (!path.empty()) {
    if (const json::Value* member = value.find(path))
      return value_matches(*member, {}, pattern, of);
    const std::size_t dot = path.find('.');
    const json::Value* member = dot == path.npos ? nullptr : value.find(path.substr(0, dot));
    return member ? value_matches(*member, path.substr(dot + 1), pattern, of) : Match::kMaybe;
  }
  switch (value.kind()) {
    case json::Kind::kString: return text_matches(pattern, value.as_string());
    case json::Kind::kNumber: return text_matches(pattern, value.number_text());
    case json::Kind::kBool: return text_matches(pattern, value.as_bool() ? "true" : "false");
    default: return Match::kMaybe;
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
    result = std::min(result, value_matches(input, name, pattern, of));
    packed.remove_prefix(pattern_end + 1);
  }
  return result;
}

}  // namespace

bool has_odd_segments(std::string_view value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\') return true;
    if (value[i] == '%' && i + 2 < value.size() && value[i + 1] == '2' &&
        (lower(value[i + 2]) == 'e' || lower(value[i + 2]) == 'f'))
      return true;
  }
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t slash = std::min(value.find('/', at), value.size());
    const std::string_view segment = value.substr(at, slash - at);
    if (segment == "." || segment == "..") return true;
    at = slash + 1;
  }
  return false;
}

Match arguments_hit(std::string_view packed, const json::Value& input) {
  return all_match(packed, input, Of::kAny);
}

bool arguments_cover(std::string_view packed, const json::Value& input) {
  return all_match(packed, input, Of::kEvery) == Match::kYes;
}

}  // namespace tollgate
