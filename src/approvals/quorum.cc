// Counts people.
// The thresholds are the decision's own values; its text is for people to read.
// SAFETY: what makes no sense as a threshold is met by nobody.
#include "approvals/quorum.h"

#include <algorithm>
#include <charconv>

namespace tollgate::approvals {
namespace {

using store::Millis;
using store::Vote;

constexpr int kNobody = 1'000'000'000;  // more people than there are to ask

bool has_role(const Vote& vote, const Quorum& threshold) {
  return threshold.of.empty() || std::ranges::any_of(vote.roles, [&](const std::string& role) {
           return std::ranges::find(threshold.of, role) != threshold.of.end();
         });
}

// Whoever gave it, at any time.
bool is_asked(const Vote& vote, const Quorum& threshold) {
  if (vote.person.empty() || (vote.maker && leaves_out_makers(threshold))) return false;
  return has_role(vote, threshold);
}

bool counts_for(const Vote& vote, const Quorum& threshold, const Begun& begun) {
  // A vote counts or not by the time in which it was given: putting the question once more changes
  // nothing about it.
  const Begun then{.first = begun.first,
                   .again = vote.at >= begun.again ? begun.again : begun.first};
  const Millis closes = closing_of(threshold, then);
  // One without a time before it counts from the beginning, whatever a clock said then.
  const bool opened = threshold.after_ms == 0 || vote.at >= opening_of(threshold, begun);
  return is_asked(vote, threshold) && opened && (closes == 0 || vote.at < closes);
}

Progress progress_of(std::span<const Vote> votes, const Quorum& threshold, const Begun& begun) {
  Progress out{.threshold = threshold, .agreed = {}, .missing = threshold.any};
  for (const Vote& vote : votes) {
    if (!vote.allow || !counts_for(vote, threshold, begun)) continue;
    if (std::ranges::find(out.agreed, vote.person) == out.agreed.end())
      out.agreed.push_back(vote.person);
  }
  out.missing = std::max(0, threshold.any - static_cast<int>(out.agreed.size()));
  return out;
}

}  // namespace

Begun begun_of(const store::Question& question) {
  Begun out{.first = question.created, .again = question.created};
  const json::Value* again = question.context.find("escalated");
  const std::string text = again == nullptr ? "" : again->number_text();
  std::from_chars(text.data(), text.data() + text.size(), out.again);
  return out;
}

Millis opening_of(const Quorum& threshold, const Begun& begun) {
  return begun.first + threshold.after_ms;
}

Millis closing_of(const Quorum& threshold, const Begun& begun) {
  return threshold.within_ms == 0 ? 0 : begun.again + threshold.within_ms;
}

Millis next_opening(std::span<const Quorum> quorums, const Begun& begun, Millis told) {
  Millis next = 0;
  for (const Quorum& each : quorums) {
    const Millis opens = opening_of(each, begun);
    if (each.after_ms > 0 && opens > told && (next == 0 || opens < next)) next = opens;
  }
  return next;
}

std::vector<Quorum> quorums_of(const Decision& decision) {
  if (decision.quorums.empty() && decision.approve.empty()) return {Quorum{}};
  const bool readable = !decision.quorums.empty() && !decision.quorums.front().or_else &&
                        std::ranges::all_of(decision.quorums, [](const Quorum& one) {
                          return one.any >= 1 && one.deny >= 1;
                        });
  if (!readable)
    return {Quorum{.any = kNobody, .of = {}, .deny = 1, .within_ms = 0, .expires_ms = 0}};
  return decision.quorums;
}

bool needs_several(const std::vector<Quorum>& quorums) {
  return std::ranges::any_of(quorums, [](const Quorum& one) { return one.any > 1; }) ||
         quorums.size() > 1;
}

bool leaves_out_makers(const Quorum& threshold) {
  return threshold.any > 1 || !threshold.of.empty();
}

bool leave_out_makers(const std::vector<Quorum>& quorums) {
  return std::ranges::any_of(quorums, leaves_out_makers);
}

bool counts(const Vote& vote, const std::vector<Quorum>& quorums, const Begun& begun) {
  return std::ranges::any_of(
      quorums, [&](const Quorum& threshold) { return counts_for(vote, threshold, begun); });
}

bool adds(const Vote& vote, std::span<const Vote> before, const std::vector<Quorum>& quorums,
          const Begun& begun) {
  return std::ranges::any_of(quorums, [&](const Quorum& threshold) {
    return counts_for(vote, threshold, begun) &&
           std::ranges::none_of(before, [&](const Vote& other) {
             return other.person == vote.person && other.allow &&
                    counts_for(other, threshold, begun);
           });
  });
}

Millis counts_from(const Vote& vote, const std::vector<Quorum>& quorums, const Begun& begun) {
  Millis first = 0;
  for (const Quorum& threshold : quorums) {
    const Millis opens = opening_of(threshold, begun);
    if (is_asked(vote, threshold) && opens > vote.at && (first == 0 || opens < first))
      first = opens;
  }
  return first;
}

Standing standing_of(std::span<const Vote> votes, const std::vector<Quorum>& quorums,
                     const Begun& begun) {
  const std::size_t against = people_against(votes).size();
  if (!quorums.empty() && against >= static_cast<std::size_t>(denials_needed(quorums)))
    return Standing::kDenied;
  const std::vector<Thresholds> rules = by_rule(quorums);
  const bool met = !rules.empty() && std::ranges::all_of(rules, [&](Thresholds rule) {
    return std::ranges::any_of(progress_of(votes, rule, begun), &Progress::is_met);
  });
  return met ? Standing::kApproved : Standing::kOpen;
}

std::vector<Progress> progress_of(std::span<const Vote> votes, Thresholds thresholds,
                                  const Begun& begun) {
  std::vector<Progress> out;
  out.reserve(thresholds.size());
  for (const Quorum& threshold : thresholds) out.push_back(progress_of(votes, threshold, begun));
  return out;
}

std::vector<std::string> people_against(std::span<const Vote> votes) {
  std::vector<std::string> out;
  for (const Vote& vote : votes)
    if (!vote.allow && std::ranges::find(out, vote.person) == out.end()) out.push_back(vote.person);
  return out;
}

int denials_needed(const std::vector<Quorum>& quorums) {
  int fewest = kNobody;
  for (const Quorum& threshold : quorums) fewest = std::min(fewest, threshold.deny);
  return fewest;
}

Millis time_of_use(std::span<const Vote> votes, const std::vector<Quorum>& quorums,
                   const Begun& begun) {
  Millis shortest = 0;
  for (const Thresholds rule : by_rule(quorums)) {
    const std::vector<Progress> progress = progress_of(votes, rule, begun);
    const auto met = std::ranges::find_if(progress, &Progress::is_met);
    const Millis use = met == progress.end() ? 0 : met->threshold.expires_ms;
    if (use > 0 && (shortest == 0 || use < shortest)) shortest = use;
  }
  return shortest;
}

}  // namespace tollgate::approvals
