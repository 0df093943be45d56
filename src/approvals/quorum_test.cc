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
  };
  for (const Case& one : kCases) {
    Decision decision;
    decision.approve = one.approve;
    decision.quorums = one.given;
    EXPECT_EQ(quorums_of(decision), one.want) << one.name;
  }
}

store::Vote vote(std::string person, bool allow, std::vector<std::string> roles = {}) {
  static int credential = 0;
  return {.approver = "c" + std::to_string(++credential),
          .person = std::move(person),
          .allow = allow,
          .roles = std::move(roles)};
}

TEST(Quorum, CountsPeople) {
  const Quorum one, two{.any = 2}, two_leads{.any = 2, .of = {"lead"}}, lead{.of = {"lead"}},
      security{.of = {"security"}}, on_call{.of = {"on call"}},
      two_against{.any = 1, .of = {}, .deny = 2};
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
      {"a denial beats a quorum that is met",
       {one},
       {vote("ann", true), vote("bob", false)},
       Standing::kDenied},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(standing_of(each.votes, each.quorums, {"olga"}), each.want) << each.name;
}

}  // namespace
}  // namespace tollgate::approvals
