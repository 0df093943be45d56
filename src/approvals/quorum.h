// How many people must say yes, who of them counts, and whether a question is settled by now.
// Pure: votes, quorums and the makers of the session come in, the standing comes out.
// SAFETY: people are counted and not credentials; what cannot be read can only be denied.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/decision.h"
#include "core/quorum.h"
#include "store/rows.h"

namespace tollgate::approvals {

// What the rules that decided want; each of them must be met. One of any person where no rule says
// more. A decision that shows a quorum and carries none has one that nobody meets.
std::vector<Quorum> quorums_of(const Decision& decision);

// True where it may take more than one person's yes.
bool needs_several(const std::vector<Quorum>& quorums);

// Whether an allow of this vote counts for one of the quorums at least. `makers` are the people who
// made the session or one above it: they count for no quorum of several.
bool counts(const store::Vote& vote, const std::vector<Quorum>& quorums,
            const std::vector<std::string>& makers);

enum class Standing : std::uint8_t { kOpen, kApproved, kDenied };
Standing standing_of(std::span<const store::Vote> votes, const std::vector<Quorum>& quorums,
                     const std::vector<std::string>& makers);

// The shortest time that one of them lets an approval be used; 0 where none says.
store::Millis shortest_use(const std::vector<Quorum>& quorums);

}  // namespace tollgate::approvals
