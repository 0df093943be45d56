// The target of a request: a path in decoded pieces and what was asked behind the question mark.
// The transport and the tests' exchanges both come through here, so routes see one spelling.
// SAFETY: a target that two readers could take for different paths is refused, never cleaned.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tollgate::server {

// LIMIT: our own paths have at most six segments and a session id.
inline constexpr std::size_t kMostTargetBytes = 8u << 10;
inline constexpr std::size_t kMostSegments = 32;

struct Target {
  std::vector<std::string> segments;  // "/api/x" and "/api/x/" are {"api", "x"}
  std::vector<std::pair<std::string, std::string>> query;  // in the order they stand

  bool operator==(const Target&) const = default;
};

// Nothing for other forms than a path, for broken percent-encoding, control characters, invalid
// UTF-8, empty, `.` and `..` segments, and an encoded slash or backslash in a segment.
std::optional<Target> target_of(std::string_view text);

}  // namespace tollgate::server
