// Counts people.
// The quorums are the decision's own values; its text is for people to read.
// SAFETY: what makes no sense as a quorum is met by nobody.
#include "approvals/quorum.h"

#include <algorithm>
#include <set>

namespace tollgate::approvals {
namespace {

constexpr int kNobody = 1'000'000'000;  // more people than there are to ask

bool counts_for(const store::Vote& vote, const Quorum& quorum,
                const std::vector<std::string>& makers) {
  if (vote.person.empty()) return false;
  if (quorum.any > 1 && std::ranges::find(makers, vote.person) != makers.end()) return false;
  return quorum.of.empty() || std::ranges::any_of(vote.roles, [&](const std::string& role) {
           return std::ranges::find(quorum.of, role) != quorum.of.end();
         });
}

bool is_met(std::span<const store::Vote> votes, const Quorum& quorum,
            const std::vector<std::string>& makers) {
  std::set<std::string> people;
  for (const store::Vote& vote : votes)
    if (vote.allow && counts_for(vote, quorum, makers)) people.insert(vote.person);
  return people.size() >= static_cast<std::size_t>(quorum.any);
}

}  // namespace

std::vector<Quorum> quorums_of(const Decision& decision) {
  if (decision.quorums.empty() && decision.approve.empty()) return {Quorum{}};
  const bool readable = std::ranges::all_of(
      decision.quorums, [](const Quorum& one) { return one.any >= 1 && one.deny >= 1; });
  if (decision.quorums.empty() || !readable)
    return {Quorum{.any = kNobody, .of = {}, .deny = 1, .within_ms = 0, .expires_ms = 0}};
  return decision.quorums;
}

bool needs_several(const std::vector<Quorum>& quorums) {
  return std::ranges::any_of(quorums, [](const Quorum& one) { return one.any > 1; }) ||
         quorums.size() > 1;
}

bool counts(const store::Vote& vote, const std::vector<Quorum>& quorums,
            const std::vector<std::string>& makers) {
  return std::ranges::any_of(
      quorums, [&](const Quorum& quorum) { return counts_for(vote, quorum, makers); });
}

Standing standing_of(std::span<const store::Vote> votes, const std::vector<Quorum>& quorums,
                     const std::vector<std::string>& makers) {
  std::set<std::string> against;
  for (const store::Vote& vote : votes)
    if (!vote.allow) against.insert(vote.person);
  for (const Quorum& quorum : quorums)
    if (against.size() >= static_cast<std::size_t>(quorum.deny)) return Standing::kDenied;
  const bool met = !quorums.empty() && std::ranges::all_of(quorums, [&](const Quorum& quorum) {
    return is_met(votes, quorum, makers);
  });
  return met ? Standing::kApproved : Standing::kOpen;
}

store::Millis shortest_use(const std::vector<Quorum>& quorums) {
  store::Millis shortest = 0;
  for (const Quorum& quorum : quorums)
    if (quorum.expires_ms > 0 && (shortest == 0 || quorum.expires_ms < shortest))
      shortest = quorum.expires_ms;
  return shortest;
}

}  // namespace tollgate::approvals
