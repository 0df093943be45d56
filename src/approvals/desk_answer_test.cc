// Answers at the desk: who may give them, which one stands, and what comes of it.
#include <gtest/gtest.h>

#include "approvals/desk_fixture.h"
#include "approvals/desk_inside.h"

namespace tollgate::approvals {
namespace {

using DeskAnswers = DeskTest;

TEST_F(DeskAnswers, OfTwoAnswersInFlightTheFirstThatIsKeptStands) {
  struct Case {
    std::string_view name;
    bool first_is_kept;
    Texts want_answers, want_told;
  };
  const Case kCases[] = {
      {"the first is kept", true, {"approved", "already-answered"}, {"approved ann"}},
      {"the first is lost", false, {"store-unavailable", "denied"}, {"denied bob"}},
  };
  for (const Case& one : kCases) {
    told.clear();
    answers.clear();
    const Ticket ticket = asked(question_of(std::string(one.name)));
    answer(ticket.question, yes(), person("ann"));
    answer(ticket.question, no(), person("bob"));
    EXPECT_EQ(kept.batches.size(), 1u) << one.name;
    kept.answer_one(one.first_is_kept);
    settle();
    EXPECT_EQ(answers, one.want_answers) << one.name;
    EXPECT_EQ(told, one.want_told) << one.name;
  }
}

TEST_F(DeskAnswers, WhereTheStoreFailsTheAgentKeepsWaiting) {
  const Ticket ticket = asked(question_of("c1"));
  answer(ticket.question, yes(), person("ann"));
  settle(false);
  EXPECT_EQ(answers, Texts{"store-unavailable"});
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(state(ticket.question), "pending");
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
}

TEST_F(DeskAnswers, AnApprovalThatNobodyUsedInItsTimeIsVoid) {
  const std::string approve = "{any: 1, deny: 1, expires: 5000ms}";
  const Ticket ticket = asked(question_of("c1", "make", "s1", approve));
  desk->leave(ticket, now);
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(kept.all_questions.at(ticket.question).settlement.use_until, now + 5'000);
  now += 5'000;
  EXPECT_FALSE(asked(question_of("c1", "make", "s1", approve)).joined);
}

// The agent runs the call, and sends it again with its id when the approval is over.
TEST_F(DeskAnswers, AnApprovalThatWasUsedEndsInItsTimeToo) {
  const std::string approve = "{any: 1, deny: 1, expires: 5000ms}";
  const Ticket ticket = asked(question_of("c1", "make", "s1", approve));
  answered(ticket.question, yes(), person("ann"));
  desk->delivered(ticket.question, now);
  settle();
  now += 4'999;
  EXPECT_TRUE(asked(question_of("c1", "make", "s1", approve)).joined);
  now += 1;
  EXPECT_FALSE(asked(question_of("c1", "make", "s1", approve)).joined);
}

TEST_F(DeskAnswers, WhoMayAnswer) {
  constexpr std::string_view kTwo = "{any: 2, of: [lead, security], deny: 1}";
  constexpr std::string_view kBoth =
      "{any: 1, of: [lead], deny: 2} and {any: 1, of: [security], deny: 2}";
  struct Case {
    std::string_view name, approve;
    std::vector<std::pair<Principal, AnswerRequest>> votes;
    Texts want;
  };
  const auto agent = [](std::string session) {
    return Principal{
        .approver = {}, .person = {}, .roles = {}, .via = "mcp", .session = std::move(session)};
  };
  AnswerRequest always = yes();
  always.scope = Scope::kSession;
  AnswerRequest other_input = yes();
  other_input.changed = json::Value::object({});
  Principal phone = person("ann", {"lead"});
  phone.approver = "ann-laptop";
  const Case kCases[] = {
      {"one person", "", {{person("ann"), yes()}}, {"approved"}},
      {"one person against", "", {{person("ann"), no()}}, {"denied"}},
      {"who made the session, alone", "", {{person("olga"), yes()}}, {"approved"}},
      {"nobody", "", {{person(""), yes()}}, {"not-allowed-here"}},
      {"two people",
       kTwo,
       {{person("ann", {"lead"}), yes()}, {person("bob", {"security"}), yes()}},
       {"pending", "approved"}},
      {"one of two is against",
       kTwo,
       {{person("ann", {"lead"}), yes()}, {person("bob"), no()}},
       {"pending", "denied"}},
      {"a person counts once",
       kTwo,
       {{person("ann", {"lead"}), yes()}, {phone, yes()}},
       {"pending", "answer-not-counted"}},
      {"roles count", kTwo, {{person("ann", {"developer"}), yes()}}, {"answer-not-counted"}},
      {"who made the session does not count among several",
       kTwo,
       {{person("olga", {"lead"}), yes()}},
       {"answer-not-counted"}},
      {"who made the session may deny", kTwo, {{person("olga", {"lead"}), no()}}, {"denied"}},
      {"no rule is taught where several decide",
       kTwo,
       {{person("ann", {"lead"}), always}},
       {"grant-refused"}},
      {"no other input where several decide",
       kTwo,
       {{person("ann", {"lead"}), other_input}},
       {"input-refused"}},
      {"two rules want two sorts of people",
       kBoth,
       {{person("ann", {"lead"}), yes()},
        {person("bob", {"lead"}), yes()},
        {person("cleo", {"security"}), yes()}},
       {"pending", "pending", "approved"}},
      {"two denials", kBoth, {{person("ann"), no()}, {person("bob"), no()}}, {"pending", "denied"}},
      {"a quorum that cannot be read is met by nobody",
       "{any: two}",
       {{person("ann"), yes()}, {person("bob"), no()}},
       {"pending", "denied"}},
      {"who made the session is not the one of a role",
       "{any: 1, of: [lead], deny: 1}",
       {{person("olga", {"lead"}), yes()}, {person("ann", {"lead"}), yes()}},
       {"answer-not-counted", "approved"}},
      {"who made the session counts where only times are said",
       "{any: 1, deny: 1, within: 600000ms}",
       {{person("olga"), yes()}},
       {"approved"}},
      {"of two thresholds the first that is met",
       "[{any: 2, of: [lead], deny: 1}, {any: 1, of: [security], deny: 1}]",
       {{person("ann", {"lead"}), yes()}, {person("bob", {"security"}), yes()}},
       {"pending", "approved"}},
      {"others are not asked yet",
       "[{any: 2, of: [lead], deny: 1}, {any: 1, of: [security], deny: 1, after: 5000ms, within: "
       "9000ms}]",
       {{person("bob", {"security"}), yes()}, {person("bob", {"security"}), no()}},
       {"answer-not-counted", "denied"}},
      {"a parent's agent", "", {{agent("parent"), yes()}}, {"approved"}},
      {"another agent", "", {{agent("other"), yes()}}, {"not-your-question"}},
      {"the asking agent itself", "", {{agent("s1"), no()}}, {"not-your-question"}},
      {"an agent that wants always", "", {{agent("parent"), always}}, {"not-allowed-here"}},
      {"an agent where people are wanted",
       kTwo,
       {{agent("parent"), yes()}},
       {"answer-not-counted"}},
      {"an agent that denies where people are wanted", kTwo, {{agent("parent"), no()}}, {"denied"}},
  };
  for (const Case& one : kCases) {
    answers.clear();
    Question question = question_of(std::string(one.name), "make", "s1", std::string(one.approve));
    question.for_session = "parent";
    const Ticket ticket = asked(question);
    for (const auto& [by, request] : one.votes) answered(ticket.question, request, by);
    EXPECT_EQ(answers, one.want) << one.name;
    EXPECT_EQ(kept.all_questions.at(ticket.question), *desk->find(ticket.question)) << one.name;
    now += 1;
    desk->end_session("s1", now, "");
    settle();
  }
}

TEST_F(DeskAnswers, WhereItIsNotKnownWhoMadeTheSessionSeveralPeopleCannotApprove) {
  makers.reset();
  const Ticket ticket = asked(question_of("c1", "make", "s1", "{any: 2, deny: 1}"));
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(answers, Texts{"answer-not-counted"});
}

TEST_F(DeskAnswers, AfterATimeOthersAreAskedAsWell) {
  const std::string approve =
      "[{any: 2, of: [lead], deny: 1}, {any: 1, of: [security], deny: 1, after: 5000ms, within: "
      "9000ms}]";
  const Ticket ticket = asked(question_of("c1", "make", "s1", approve));
  const Principal both = person("ann", {"lead", "security"});
  answered(ticket.question, yes(), both);
  EXPECT_EQ(desk->next_deadline(), now + 5'000);
  for (const bool crashes : {false, true}) {
    if (crashes) crash();
    now += 5'000;
    notices.clear();
    desk->tick(now);
    settle();
    EXPECT_EQ(notices, crashes ? std::vector<Notice>{} : std::vector{Notice::kCreated})
        << "it is told once";
  }
  answered(ticket.question, yes(), both);
  EXPECT_EQ(answers, (Texts{"pending", "answer-not-counted"})) << "their time is over as well";
  desk->cancel(ticket, now, "");
  const Ticket second = asked(question_of("c2", "make all", "s1", approve));
  now += 5'000;
  answered(second.question, yes(), both);
  EXPECT_EQ(answers.back(), "approved") << "though nobody looked at the clock";
}

TEST_F(DeskAnswers, WhatWeighsMostNeedsTheTouchOfAKeyThatIsRegistered) {
  keyholders = {"kim"};
  struct Case {
    std::string_view name;
    std::string person;
    bool breaker;
    Scope scope;
    bool allow;
    std::string key, want;
  };
  const Case kCases[] = {
      {"once is for everybody", "kim", false, Scope::kOnce, true, "", "approved"},
      {"a session as well", "kim", false, Scope::kSession, true, "", "approved"},
      {"an agent is not", "kim", false, Scope::kAgent, true, "", "presence-required"},
      {"nor is everyone", "kim", false, Scope::kEveryone, true, "", "presence-required"},
      {"with a touch it is", "kim", false, Scope::kEveryone, true, "yubi", "approved"},
      {"a breaker once", "kim", true, Scope::kOnce, true, "", "presence-required"},
      {"a breaker with a touch", "kim", true, Scope::kOnce, true, "yubi", "approved"},
      {"a denial needs none", "kim", true, Scope::kOnce, false, "", "denied"},
      {"who has no key needs none", "ann", true, Scope::kAgent, true, "", "approved"},
  };
  for (const Case& each : kCases) {
    Question question = question_of(std::string(each.name));
    if (each.breaker)
      question.asked.decision.reasons.push_back(
          {.kind = ReasonKind::kBreaker, .verdict = Verdict::kAsk});
    const Ticket ticket = asked(question);
    Principal by = person(each.person);
    by.key = each.key;
    AnswerRequest request{.allow = each.allow, .scope = each.scope};
    answered(ticket.question, request, by);
    EXPECT_EQ(answers.back(), each.want) << each.name;
    const std::vector<store::Vote> votes = desk->find(ticket.question)->votes;
    EXPECT_EQ(votes.empty() ? "" : votes[0].key, each.key) << each.name;
  }
}

TEST_F(DeskAnswers, VotesStandOverACrash) {
  const Ticket ticket = asked(question_of("c1", "make", "s1", "{any: 2, of: [lead], deny: 1}"));
  answered(ticket.question, yes(), person("ann", {"lead"}));
  EXPECT_EQ(notices.back(), Notice::kVoted);
  crash();
  answered(ticket.question, yes(), person("ann", {"lead"}));
  answered(ticket.question, yes(), person("bob", {"lead"}));
  EXPECT_EQ(answers, (Texts{"pending", "answer-not-counted", "approved"}));
}

TEST_F(DeskAnswers, AGrantIsKeptWithItsAnswer) {
  const Ticket ticket = asked(question_of("c1"));
  AnswerRequest request = yes();
  request.scope = Scope::kAgent;
  request.grant = store::Grant{.rule = "Bash(make)", .scope = Scope::kAgent, .agent = "backend"};
  answered(ticket.question, request, person("ann"));
  ASSERT_EQ(kept.all_grants.size(), 1u);
  const store::Grant& grant = kept.all_grants.begin()->second;
  EXPECT_EQ(grant.author, "ann");
  EXPECT_EQ(grant.question, ticket.question);
  EXPECT_EQ(desk->find(ticket.question)->settlement.grant, grant.id);
  EXPECT_EQ(desk->find(ticket.question)->settlement.rule, "Bash(make)");
}

TEST_F(DeskAnswers, AnAnswerOfAnotherDaemonStands) {
  const Ticket ticket = asked(question_of("c1"));
  Question elsewhere = kept.all_questions.at(ticket.question);
  elsewhere.state = QuestionState::kDenied;
  elsewhere.settlement.by = "bob";
  elsewhere.settlement.at = now;
  kept.all_questions[ticket.question] = elsewhere;
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(answers, Texts{"already-answered"});
  EXPECT_EQ(told, Texts{"denied bob"});
  EXPECT_EQ(desk->pending_count(), 0u);
}

// Two rules want four people; nobody can tell any more.
TEST(DeskEntry, WhatCannotBeReadBackIsApprovedByNobody) {
  Entry entry;
  entry.packed.own = "no question";
  for (const bool unpacks : {false, true}) {
    if (unpacks) entry.unpack();
    const Question question = entry.whole();
    std::vector<store::Vote> votes;
    for (const std::string person : {"ann", "bob", "eve", "kim", "joe"})
      votes.push_back({.approver = person, .person = person, .allow = true});
    const std::vector<Quorum> quorums = quorums_of(question.asked.decision);
    EXPECT_EQ(standing_of(votes, quorums, begun_of(question)), Standing::kOpen);
    votes.back().allow = false;
    EXPECT_EQ(standing_of(votes, quorums, begun_of(question)), Standing::kDenied);
    EXPECT_EQ(question.asked.decision.reasons.at(0).kind, ReasonKind::kBreaker);
  }
}

}  // namespace
}  // namespace tollgate::approvals
