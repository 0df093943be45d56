// How many people of which roles must agree before a question is answered.
// Rules say it (`approve:`), a decision carries it to whoever counts the votes.
// INVARIANT: what format_quorums() writes, parse_quorums() reads back equal; the compiled policy
// holds the text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// One threshold, approve: {any: 2, of: [lead, security], deny: 1, within: 10m, expires: 5m}. A rule
// may have a list of them, which stand side by side: whichever is met first settles it.
struct Quorum {
  int any = 1;
  std::vector<std::string> of;  // roles; empty: everybody counts
  int deny = 1;
  std::int64_t within_ms = 0;   // 0: as long as the question stands
  std::int64_t expires_ms = 0;  // 0: used at once
  std::int64_t after_ms = 0;    // votes count from then on: others are asked after a time
  std::string name = {};        // the author's word for it, for people
  bool or_else = false;         // stands beside the one before it: either of them is enough

  bool operator==(const Quorum&) const = default;
};

// All thresholds of one rule: any of them settles it.
using Thresholds = std::span<const Quorum>;

// LIMIT: thresholds of one rule; a person has to read them all.
inline constexpr std::size_t kMaxThresholds = 8;

// The rules' thresholds in a list that has those of several rules; each rule must be met.
std::vector<Thresholds> by_rule(std::span<const Quorum> quorums);

// Adds the thresholds of a rule, unless they are there.
void add_rule(std::vector<Quorum>& quorums, Thresholds thresholds);

// How long a question may stand for a rule, 0 where no threshold says.
std::int64_t longest_within(Thresholds thresholds);

// On one line, as people read it: {any: 2, of: [lead, "on call"], deny: 1, within: 600000ms}
std::string format_quorum(const Quorum& quorum);
// The same of a rule; as a list where it has several thresholds.
std::string format_quorums(Thresholds thresholds);

// Nothing for any other text, and where `any` or `deny` is not at least 1 or a time is negative.
std::optional<std::vector<Quorum>> parse_quorums(std::string_view text);

}  // namespace tollgate
