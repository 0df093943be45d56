// Quorums: read from a decision's text, met by people and not by credentials.
#include "approvals/quorum.h"

#include <gtest/gtest.h>

namespace tollgate::approvals {
namespace {

std::string text_of(const std::vector<Quorum>& quorums) {
  std::string text;
  for (const Quorum& one : quorums) {
    text += (text.empty() ? "" : " | ") + std::to_string(one.any) + " of";
    for (const std::string& role : one.of) text += " " + role;
    text += " deny " + std::to_string(one.deny) + " within " + std::to_string(one.within_ms) +
            " expires " + std::to_string(one.expires_ms);
  }
  return text;
}

TEST(Quorum, IsReadFromTheDecision) {
  constexpr std::string_view kNobody = "1000000000 of deny 1 within 0 expires 0";
  struct Case {
    std::string_view name, text, want;
  };
  constexpr Case kCases[] = {
      {"nothing is one person", "", "1 of deny 1 within 0 expires 0"},
      {"the shortest", "{any: 2, deny: 1}", "2 of deny 1 within 0 expires 0"},
      {"all of it", "{any: 2, of: [lead, security], deny: 3, within: 600000ms, expires: 300000ms}",
       "2 of lead security deny 3 within 600000 expires 300000"},
      {"two of them", "{any: 1, of: [a], deny: 1} and {any: 2, deny: 2}",
       "1 of a deny 1 within 0 expires 0 | 2 of deny 2 within 0 expires 0"},
      {"no number", "{any: two, deny: 1}", kNobody},
      {"nobody at all", "{any: 0, deny: 1}", kNobody},
      {"a negative number", "{any: -1, deny: 1}", kNobody},
      {"more than a number holds", "{any: 99999999999999999999, deny: 1}", kNobody},
      {"cut off", "{any: 1, of: [lead", kNobody},
      {"a second one that cannot be read", "{any: 1, deny: 1} and nonsense", kNobody},
      {"something behind it", "{any: 1, deny: 1} or nobody", kNobody},
  };
  for (const Case& one : kCases) {
    Decision decision;
    decision.approve = std::string(one.text);
    EXPECT_EQ(text_of(quorums_of(decision)), one.want) << one.name;
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
      security{.of = {"security"}}, two_against{.any = 1, .of = {}, .deny = 2};
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
