// How many people of which roles must agree before a question is answered.
// Rules say it (`approve:`), a decision carries it to whoever counts the votes.
// INVARIANT: what format_quorum() writes, parse_quorum() reads back equal; the compiled policy
// holds the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// approve: {any: 2, of: [lead, security], deny: 1, within: 10m, expires: 5m}
struct Quorum {
  int any = 1;
  std::vector<std::string> of;  // roles; empty: everybody counts
  int deny = 1;
  std::int64_t within_ms = 0;   // 0: the agent's permissionTimeout
  std::int64_t expires_ms = 0;  // 0: used at once

  bool operator==(const Quorum&) const = default;
};

// On one line, as people read it: {any: 2, of: [lead, "on call"], deny: 1, within: 600000ms}
std::string format_quorum(const Quorum& quorum);

// Nothing for any other text, and where `any` or `deny` is not at least 1 or a time is negative.
std::optional<Quorum> parse_quorum(std::string_view text);

}  // namespace tollgate
