// What the levels of a chain come to together, and who settles what they ask.
// Pure: each level was judged by itself, by judge_at().
// SAFETY: a deny of any level is final; a person's answer settles the whole chain, a parent's agent
// only what its own level allows outright.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/decision.h"
#include "service/level.h"

namespace tollgate {

// LIMIT: how many sessions may stand above one another. The whole of a longer chain is denied.
inline constexpr std::size_t kMaxLevels = 8;

// Whose word is missing, from the easiest to get to the hardest.
enum class Needs : std::uint8_t {
  kNothing,  // it is allowed or denied
  kParent,   // the agent of a session above, by tool
  kPerson,
};

// What stands above the last level.
enum class Above : std::uint8_t {
  kNobody,   // the chain is whole
  kUnknown,  // somebody else knows: what the last level would leave to its parent stays an ask
};

struct ChainOutcome {
  Decision decision;
  Needs needs = Needs::kNothing;
  std::size_t parent = 0;  // of kParent: the level whose agent may answer
};

// Whether the level above the one with this decision must be judged too.
bool goes_up(const Level& level, const Decision& decision);

// Nobody is to be asked any more: a deny for the reasons that it has.
void turn_into_deny(Decision& ask);

// `decisions` are those of the first levels, from the asking one up to the first that does not go
// up or denies. REQUIRES: at least one, and no more than there are levels.
ChainOutcome chain_outcome(const std::vector<Level>& levels,
                           const std::vector<const Decision*>& decisions, Above above);

}  // namespace tollgate
