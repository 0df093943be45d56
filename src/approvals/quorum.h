// How many people must say yes, who of them counts and when, and whether a question is settled.
// Pure: votes, thresholds and the question's times come in, the standing comes out.
// SAFETY: people are counted and not credentials; what cannot be read can only be denied.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decision.h"
#include "core/quorum.h"
#include "store/rows.h"

namespace tollgate::approvals {

// When a question was put, and when it was put once more: thresholds open by the one and close by
// the other.
struct Begun {
  store::Millis first = 0;
  store::Millis again = 0;

  bool operator==(const Begun&) const = default;
};
Begun begun_of(const store::Question& question);

// When votes for a threshold begin to count, and when they cease to: 0 for not before the question
// ends.
store::Millis opening_of(const Quorum& threshold, const Begun& begun);
store::Millis closing_of(const Quorum& threshold, const Begun& begun);

// The next moment at which others are asked as well, after `told`; 0 for none.
store::Millis next_opening(std::span<const Quorum> quorums, const Begun& begun, store::Millis told);

// What the rules that decided want, see by_rule(). One of any person where no rule says more. A
// decision that shows a quorum and carries none has one that nobody meets.
std::vector<Quorum> quorums_of(const Decision& decision);

// True where it may take more than one person's yes.
bool needs_several(const std::vector<Quorum>& quorums);

// Whether a threshold says who or how many, and not times alone: whoever made the session does not
// count for it.
bool leaves_out_makers(const Quorum& threshold);
bool leave_out_makers(const std::vector<Quorum>& quorums);

// Whether an allow of this vote counts for one of the thresholds at least.
bool counts(const store::Vote& vote, const std::vector<Quorum>& quorums, const Begun& begun);
// Whether it counts for one that none of the person's votes before it counts for.
bool adds(const store::Vote& vote, std::span<const store::Vote> before,
          const std::vector<Quorum>& quorums, const Begun& begun);
// When the vote would count, if somebody waited: 0 for never.
store::Millis counts_from(const store::Vote& vote, const std::vector<Quorum>& quorums,
                          const Begun& begun);

enum class Standing : std::uint8_t { kOpen, kApproved, kDenied };
Standing standing_of(std::span<const store::Vote> votes, const std::vector<Quorum>& quorums,
                     const Begun& begun);

// How far each threshold is.
struct Progress {
  Quorum threshold;
  std::vector<std::string> agreed;  // people, in the order of their votes
  int missing = 0;
  bool is_met() const { return missing == 0; }
};
std::vector<Progress> progress_of(std::span<const store::Vote> votes, Thresholds thresholds,
                                  const Begun& begun);
// The people who are against it, and how many of them end it.
std::vector<std::string> people_against(std::span<const store::Vote> votes);
int denials_needed(const std::vector<Quorum>& quorums);

// How long an approval may be used: of the thresholds that were met, one a rule, the shortest time;
// 0 where none says.
store::Millis time_of_use(std::span<const store::Vote> votes, const std::vector<Quorum>& quorums,
                          const Begun& begun);

}  // namespace tollgate::approvals
