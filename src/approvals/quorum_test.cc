// Quorums: taken from a decision, met by people and not by credentials.
#include "approvals/quorum.h"

#include <gtest/gtest.h>

namespace tollgate::approvals {
namespace {

TEST(Quorum, IsTheDecisionsOwn) {
  const Quorum nobody{.any = 1'000'000'000}, leads{.any = 2, .of = {"on call", "a, b] c"}};
  struct Case {
    std::string_view name;
    std::string approve;
    std::vector<Quorum> given, want;
  };
  const Case kCases[] = {
      {"nothing is one person", "", {}, {Quorum{}}},
      {"roles with blanks and signs are roles", format_quorum(leads), {leads}, {leads}},
      {"two of them", "shown", {leads, Quorum{}}, {leads, Quorum{}}},
      {"the text alone is met by nobody", "{any: 1, deny: 1}", {}, {nobody}},
      {"a quorum of nobody is met by nobody", "", {Quorum{.any = 0}}, {nobody}},
      {"so is one that no denial ends", "", {leads, Quorum{.deny = 0}}, {nobody}},
      {"so is a list that begins in the middle", "", {Quorum{.or_else = true}}, {nobody}},
  };
  for (const Case& one : kCases) {
    Decision decision;
    decision.approve = one.approve;
    decision.quorums = one.given;
    EXPECT_EQ(quorums_of(decision), one.want) << one.name;
  }
}

store::Vote vote(const std::string& person, bool allow, std::vector<std::string> roles = {}) {
  static int credential = 0;
  return {.approver = "c" + std::to_string(++credential),
          .person = person,
          .allow = allow,
          .roles = std::move(roles),
          .maker = person == "olga"};
}

store::Vote at(store::Millis when, store::Vote vote) {
  vote.at = when;
  return vote;
}

TEST(Quorum, CountsPeople) {
  const Quorum one, two{.any = 2}, two_leads{.any = 2, .of = {"lead"}}, lead{.of = {"lead"}},
      security{.of = {"security"}}, on_call{.of = {"on call"}},
      two_against{.any = 1, .of = {}, .deny = 2}, or_security{.of = {"security"}, .or_else = true};
  struct Case {
    std::string_view name;
    std::vector<Quorum> quorums;
    std::vector<store::Vote> votes;
    Standing want;
  };
  const Case kCases[] = {
      {"nobody", {one}, {}, Standing::kOpen},
      {"one yes", {one}, {vote("ann", true)}, Standing::kApproved},
      {"one no", {one}, {vote("ann", false)}, Standing::kDenied},
      {"no quorum at all approves nothing", {}, {vote("ann", true)}, Standing::kOpen},
      {"two credentials of one person",
       {two},
       {vote("ann", true), vote("ann", true)},
       Standing::kOpen},
      {"two people", {two}, {vote("ann", true), vote("bob", true)}, Standing::kApproved},
      {"who made the session is not one of two",
       {two},
       {vote("ann", true), vote("olga", true)},
       Standing::kOpen},
      {"who made the session is one", {one}, {vote("olga", true)}, Standing::kApproved},
      {"a vote without a person", {one}, {vote("", true)}, Standing::kOpen},
      {"one lead of two",
       {two_leads},
       {vote("ann", true, {"lead"}), vote("bob", true, {"dev"})},
       Standing::kOpen},
      {"two leads",
       {two_leads},
       {vote("ann", true, {"lead"}), vote("bob", true, {"x", "lead"})},
       Standing::kApproved},
      {"a role with a blank",
       {on_call},
       {vote("ann", true, {"on", "call"}), vote("bob", true, {"on call"})},
       Standing::kApproved},
      {"half of such a role is none",
       {on_call},
       {vote("ann", true, {"on", "call"})},
       Standing::kOpen},
      {"each of two rules must be met",
       {lead, security},
       {vote("ann", true, {"lead"})},
       Standing::kOpen},
      {"one person with both roles meets both",
       {lead, security},
       {vote("ann", true, {"lead", "security"})},
       Standing::kApproved},
      {"the fewest denials of any rule count",
       {one, two_against},
       {vote("ann", false)},
       Standing::kDenied},
      {"one denial of two",
       {two_against},
       {vote("ann", false), vote("ann", false)},
       Standing::kOpen},
      {"of two thresholds the second is met",
       {two_leads, or_security},
       {vote("ann", true, {"lead"}), vote("bob", true, {"security"})},
       Standing::kApproved},
      {"neither of two thresholds is met by people of both",
       {two_leads, Quorum{.any = 2, .of = {"security"}, .or_else = true}},
       {vote("ann", true, {"lead"}), vote("bob", true, {"security"})},
       Standing::kOpen},
      {"one of two thresholds does not meet the next rule",
       {two_leads, or_security, on_call},
       {vote("bob", true, {"security"})},
       Standing::kOpen},
      {"who made the session is not the one of a role",
       {lead},
       {vote("olga", true, {"lead"})},
       Standing::kOpen},
      {"a denial beats a quorum that is met",
       {one},
       {vote("ann", true), vote("bob", false)},
       Standing::kDenied},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(standing_of(each.votes, each.quorums, {}), each.want) << each.name;
}

// Begun at 1,000 and put once more at 5,000.
constexpr Begun kBegun{.first = 1'000, .again = 5'000};

TEST(Quorum, CountsVotesInTheirTime) {
  const Quorum leads{.any = 2, .of = {"lead"}, .within_ms = 3'000};
  const Quorum others{.of = {"security"}, .within_ms = 9'000, .after_ms = 2'000, .or_else = true};
  struct Case {
    std::string_view name;
    std::vector<store::Vote> votes;
    Standing want;
  };
  const auto ann = vote("ann", true, {"lead"}), bob = vote("bob", true, {"lead"}),
             eve = vote("eve", true, {"security"});
  const Case kCases[] = {
      {"both in time", {at(1'000, ann), at(7'999, bob)}, Standing::kApproved},
      {"one at the end", {at(1'000, ann), at(8'000, bob)}, Standing::kOpen},
      {"one between both times, when it was too late",
       {at(1'000, ann), at(4'500, bob)},
       Standing::kOpen},
      {"others before they are asked", {at(2'999, eve)}, Standing::kOpen},
      {"others once they are asked", {at(3'000, eve)}, Standing::kApproved},
      {"others after the first have had their time", {at(13'999, eve)}, Standing::kApproved},
      {"others after their own time", {at(14'000, eve)}, Standing::kOpen},
      {"a denial at any time", {at(99'000, vote("zoe", false))}, Standing::kDenied},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(standing_of(each.votes, {leads, others}, kBegun), each.want) << each.name;
}

TEST(Quorum, SaysWhenAVoteCountsAndWhatItAdds) {
  const Quorum leads{.any = 2, .of = {"lead"}};
  const Quorum others{.of = {"security"}, .within_ms = 9'000, .after_ms = 2'000, .or_else = true};
  const std::vector<Quorum> both{leads, others};
  const auto eve = at(1'500, vote("eve", true, {"security"}));
  EXPECT_FALSE(counts(eve, both, kBegun));
  EXPECT_EQ(counts_from(eve, both, kBegun), 3'000);
  EXPECT_EQ(counts_from(at(1'500, vote("zoe", true)), both, kBegun), 0) << "never";
  const auto ann = at(1'500, vote("ann", true, {"lead", "security"}));
  EXPECT_TRUE(adds(ann, {}, both, kBegun));
  EXPECT_FALSE(adds(at(1'600, ann), std::vector{ann}, both, kBegun)) << "the same once more";
  EXPECT_TRUE(adds(at(3'000, ann), std::vector{ann}, both, kBegun)) << "now for the others as well";
  EXPECT_EQ(next_opening(both, kBegun, 0), 3'000);
  EXPECT_EQ(next_opening(both, kBegun, 3'000), 0) << "told";
}

TEST(Quorum, TellsHowFarItIs) {
  const std::vector<Quorum> rule{{.any = 2, .of = {"lead"}, .expires_ms = 7},
                                 {.any = 1, .of = {"security"}, .expires_ms = 5, .or_else = true},
                                 {.any = 1, .of = {}, .expires_ms = 9}};
  std::vector<store::Vote> votes{vote("ann", true, {"lead"}), vote("zoe", false)};
  const std::vector<Progress> progress = progress_of(votes, by_rule(rule)[0], {});
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress[0].agreed, std::vector<std::string>{"ann"});
  EXPECT_EQ(progress[0].missing, 1);
  EXPECT_EQ(progress[1].missing, 1);
  EXPECT_EQ(people_against(votes), std::vector<std::string>{"zoe"});
  EXPECT_EQ(denials_needed(rule), 1);
  EXPECT_EQ(time_of_use(votes, rule, {}), 9) << "only the second rule is met";
  votes.push_back(vote("bob", true, {"lead"}));
  EXPECT_EQ(time_of_use(votes, rule, {}), 7) << "the threshold that was met says it";
  votes.push_back(vote("eve", true, {"security"}));
  EXPECT_EQ(time_of_use(votes, rule, {}), 7) << "the first of two that are met";
}

}  // namespace
}  // namespace tollgate::approvals
