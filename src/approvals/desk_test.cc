// Questions at the desk: joined, answered, expired, cancelled, and what a failing store changes.
// The store answers when a test says so, and the clock is a number.
#include "approvals/desk.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "approvals/scripted_store.h"
#include "os/fault.h"

namespace tollgate::approvals {
namespace {

using store::QuestionState;
using store::Scope;

constexpr Millis kStart = 1'000'000;

std::string_view state_name(QuestionState state) {
  constexpr std::string_view kNames[] = {"pending", "approved", "denied", "expired", "cancelled"};
  return kNames[static_cast<std::size_t>(state)];
}

Question question_of(const std::string& call_id, const std::string& command = "make",
                     const std::string& session = "s1", const std::string& approve = "") {
  Question question;
  question.session = session;
  question.agent = "backend";
  ToolCall& call = question.asked.call;
  call.id = call_id;
  call.session = session;
  call.agent = "backend";
  call.tool = "Bash";
  call.cwd = "/w";
  call.input = json::Value::object({{"command", json::Value::string(command)}});
  question.asked.decision.verdict = Verdict::kAsk;
  question.asked.decision.approve = approve;
  question.digest = digest_of(call);
  question.expires = kStart + 30'000;
  return question;
}

// A call without an id, whose question waits as long as it takes.
Question without_id() {
  Question question = question_of("");
  question.expires = 0;
  return question;
}

Principal person(const std::string& name, std::vector<std::string> roles = {}) {
  return {.approver = name + "-phone",
          .person = name,
          .roles = std::move(roles),
          .via = "page",
          .session = {}};
}

AnswerRequest yes() { return {.allow = true}; }
AnswerRequest no(std::string reason = "") { return {.allow = false, .reason = std::move(reason)}; }

class DeskTest : public testing::Test {
 protected:
  DeskTest() { start(); }

  void start() {
    DeskOptions options;
    options.makers = [this](const Question&) { return makers; };
    options.on_timeout = [this](const Question& question, Millis at) {
      return timeout ? timeout(question, at) : std::nullopt;
    };
    desk = std::make_unique<Desk>(kept, queue.post(), options);
    desk->listen([this](Notice notice, const Question&) { notices.push_back(notice); });
  }
  void crash() {
    desk.reset();
    queue.clear();
    kept.batches.clear();
    start();
    desk->restore(kept.load(now, 120'000)->questions, now);
  }
  // Lets the store and the desk come to rest.
  void settle(bool working = true) {
    do queue.run();
    while (kept.answer_one(working));
  }
  Result<Ticket> ask(Question question) {
    return desk->ask(std::move(question), now, [this](const Question& heard) {
      told.push_back(std::string(state_name(heard.state)) + " " + heard.settlement.by);
    });
  }
  Ticket asked(Question question) {
    const Result<Ticket> ticket = ask(std::move(question));
    EXPECT_TRUE(ticket);
    settle();
    return ticket.value_or(Ticket{});
  }
  void answer(const std::string& id, AnswerRequest request, const Principal& by) {
    desk->answer(id, std::move(request), by, now, [this](const Result<Question>& result) {
      answers.push_back(result ? std::string(state_name(result->state)) : result.error().code);
    });
  }
  void answered(const std::string& id, AnswerRequest request, const Principal& by) {
    answer(id, std::move(request), by);
    settle();
  }
  std::string state(const std::string& id) {
    const auto found = desk->find(id);
    return found ? std::string(state_name(found->state)) : "none";
  }
  using Texts = std::vector<std::string>;

  Millis now = kStart;
  ScriptedStore kept;
  PostQueue queue;
  std::optional<std::vector<std::string>> makers = std::vector<std::string>{"olga"};
  std::function<std::optional<Question>(const Question&, Millis)> timeout;
  std::unique_ptr<Desk> desk;
  Texts told, answers;
  std::vector<Notice> notices;
};

TEST_F(DeskTest, AnAnswerIsKeptBeforeAnybodyHearsOfIt) {
  const Result<Ticket> ticket = ask(question_of("c1"));
  ASSERT_TRUE(ticket);
  queue.run();
  EXPECT_EQ(desk->pending_count(), 0u) << "a question that is not kept is not shown";
  EXPECT_TRUE(notices.empty());
  ASSERT_EQ(kept.batches.size(), 1u);
  EXPECT_EQ(kept.batches.front().durability, store::Durability::kNow);
  settle();
  EXPECT_EQ(notices, std::vector{Notice::kCreated});
  ASSERT_EQ(desk->pending().size(), 1u);
  EXPECT_EQ(desk->pending()[0].id.size(), 32u);

  answer(ticket->question, yes(), person("ann"));
  queue.run();
  EXPECT_TRUE(told.empty());
  EXPECT_TRUE(answers.empty());
  EXPECT_EQ(state(ticket->question), "pending");
  ASSERT_EQ(kept.batches.size(), 1u);
  EXPECT_EQ(kept.batches.front().durability, store::Durability::kNow);
  settle();
  EXPECT_EQ(told, Texts{"approved ann"});
  EXPECT_EQ(answers, Texts{"approved"});
  EXPECT_EQ(notices.back(), Notice::kResolved);
  ASSERT_EQ(kept.rows.size(), 2u);
  EXPECT_EQ(kept.rows[0].kind, "question");
  EXPECT_EQ(kept.rows[1].kind, "answer");
  EXPECT_EQ(kept.rows[1].by, "ann");
  EXPECT_EQ(kept.rows[1].verdict, "allow");
  EXPECT_EQ(kept.rows[1].origin, "page");
  EXPECT_EQ(kept.all_questions.at(ticket->question).state, QuestionState::kApproved);
}

TEST_F(DeskTest, AQuestionThatCannotBeKeptIsDenied) {
  ASSERT_TRUE(ask(question_of("c1")));
  settle(false);
  EXPECT_EQ(told, Texts{"denied store-unavailable"});
  EXPECT_TRUE(notices.empty());
  EXPECT_EQ(desk->pending_count(), 0u);
  told.clear();
  asked(question_of("c1"));
  EXPECT_TRUE(told.empty()) << "the retry is a question of its own";
}

TEST_F(DeskTest, WithoutRandomBytesThereIsNoQuestion) {
  const os::FaultPlan plan("getrandom", ENOSYS);
  const Result<Ticket> ticket = ask(question_of("c1"));
  ASSERT_FALSE(ticket);
  EXPECT_EQ(ticket.error().code, "random-unavailable");
}

TEST_F(DeskTest, OfTwoAnswersInFlightTheFirstThatIsKeptStands) {
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

TEST_F(DeskTest, WhereTheStoreFailsTheAgentKeepsWaiting) {
  const Ticket ticket = asked(question_of("c1"));
  answer(ticket.question, yes(), person("ann"));
  settle(false);
  EXPECT_EQ(answers, Texts{"store-unavailable"});
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(state(ticket.question), "pending");
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
}

TEST_F(DeskTest, TheSameIdAndDigestGetTheSameAnswerFor120Seconds) {
  const Ticket first = asked(question_of("c1"));
  const Ticket second = asked(question_of("c1"));
  EXPECT_TRUE(second.joined);
  EXPECT_EQ(second.question, first.question);
  answered(first.question, yes(), person("ann"));
  EXPECT_EQ(told, (Texts{"approved ann", "approved ann"}));
  desk->delivered(first.question, now);
  settle();
  now += 119'999;
  told.clear();
  EXPECT_TRUE(asked(question_of("c1")).joined);
  EXPECT_EQ(told, Texts{"approved ann"}) << "spent, and the same call again";
  EXPECT_FALSE(asked(question_of("c1", "make install")).joined) << "another digest";
  EXPECT_FALSE(asked(question_of("c2")).joined) << "another id";
  EXPECT_FALSE(asked(question_of("c1", "make", "s2")).joined) << "another session";
  now += 1;
  EXPECT_FALSE(asked(question_of("c1")).joined);
}

TEST_F(DeskTest, WithoutAnIdAKeptAllowIsTakenOnce) {
  struct Case {
    std::string_view name;
    std::function<void(const Ticket&)> before;
    bool want;
  };
  const Case kCases[] = {
      {"nothing happened in between", [](const Ticket&) {}, true},
      {"it was taken before", [&](const Ticket&) { asked(without_id()); }, false},
      {"120 s are over", [&](const Ticket&) { now += 120'000; }, false},
      {"another call came",
       [&](const Ticket&) {
         desk->note_other_call("s1", digest_of(question_of("", "ls").asked.call));
       },
       false},
      {"another question was put", [&](const Ticket&) { asked(question_of("x", "ls")); }, false},
      {"the same call came by",
       [&](const Ticket&) { desk->note_other_call("s1", without_id().digest); }, true},
      {"another session's call came", [&](const Ticket&) { desk->note_other_call("s2", "d"); },
       true},
      {"the session ended", [&](const Ticket&) { desk->end_session("s1", now, "over"); }, false},
      {"a crash", [&](const Ticket&) { crash(); }, true},
      {"taken, and a crash before it was delivered",
       [&](const Ticket&) {
         asked(without_id());
         crash();
       },
       false},
  };
  for (const Case& one : kCases) {
    kept = ScriptedStore{};
    now = kStart;
    crash();
    const Ticket ticket = asked(without_id());
    desk->leave(ticket, now);
    answered(ticket.question, yes(), person("ann"));
    one.before(ticket);
    settle();
    told.clear();
    EXPECT_EQ(asked(without_id()).joined, one.want) << one.name;
    EXPECT_EQ(told, one.want ? Texts{"approved ann"} : Texts{}) << one.name;
  }
}

TEST_F(DeskTest, AnAnswerOnItsWayToACallWithoutAnIdIsForNoOther) {
  const Ticket first = asked(question_of(""));
  EXPECT_FALSE(asked(question_of("")).joined) << "the first one still waits";
  answered(first.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
  EXPECT_TRUE(kept.all_questions.at(first.question).spent) << "kept with the answer";
  EXPECT_NE(asked(question_of("")).question, first.question) << "neither delivered nor left";
  desk->leave(first, now);
  settle();
  EXPECT_FALSE(kept.all_questions.at(first.question).spent);
}

TEST_F(DeskTest, AnAnswerThatNeverArrivedIsForTheRetry) {
  const Ticket first = asked(question_of(""));
  answered(first.question, yes(), person("ann"));
  desk->leave(first, now);
  told.clear();
  const Ticket retry = asked(question_of(""));
  EXPECT_EQ(retry.question, first.question);
  EXPECT_EQ(told, Texts{"approved ann"});
  desk->delivered(retry.question, now);
  settle();
  EXPECT_FALSE(asked(question_of("")).joined);
}

TEST_F(DeskTest, AKeptAllowThatCannotBeSpentIsNotGiven) {
  const Ticket ticket = asked(question_of(""));
  desk->leave(ticket, now);
  answered(ticket.question, yes(), person("ann"));
  ASSERT_TRUE(ask(question_of("")));
  settle(false);
  EXPECT_EQ(told, Texts{"denied store-unavailable"});
  told.clear();
  asked(question_of(""));
  EXPECT_EQ(told, Texts{"approved ann"}) << "it is still there for the next try";
}

TEST_F(DeskTest, AnApprovalThatNobodyUsedInItsTimeIsVoid) {
  const std::string approve = "{any: 1, deny: 1, expires: 5000ms}";
  const Ticket ticket = asked(question_of("c1", "make", "s1", approve));
  desk->leave(ticket, now);
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(kept.all_questions.at(ticket.question).settlement.use_until, now + 5'000);
  now += 5'000;
  EXPECT_FALSE(asked(question_of("c1", "make", "s1", approve)).joined);
}

TEST_F(DeskTest, OneThatLeftIsNotCalledAndItsQuestionIsKeptFor60Seconds) {
  const Ticket ticket = asked(question_of("c1"));
  desk->leave(ticket, now);
  settle();
  EXPECT_EQ(desk->find(ticket.question)->gone, now);
  EXPECT_EQ(notices.back(), Notice::kGone);
  now += 20'000;
  const Ticket retry = asked(question_of("c1"));
  EXPECT_TRUE(retry.joined);
  EXPECT_EQ(desk->find(ticket.question)->gone, 0);
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
}

TEST_F(DeskTest, WhatEndsByItself) {
  struct Case {
    std::string_view name;
    Millis expires;
    bool leaves;
    Millis later;
    std::string_view want;
  };
  const Case kCases[] = {
      {"in time", 30'000, false, 29'999, "pending "},
      {"nobody answered in time", 30'000, false, 30'000, "expired timeout"},
      {"no time is set", 0, false, 900'000'000, "pending "},
      {"the agent is gone for less than a minute", 0, true, 59'999, "pending "},
      {"the agent is gone", 0, true, 60'000, "cancelled agent-gone"},
  };
  for (const Case& one : kCases) {
    Question question = question_of(std::string(one.name));
    question.expires = one.expires == 0 ? 0 : now + one.expires;
    const Ticket ticket = asked(question);
    if (one.leaves) desk->leave(ticket, now);
    settle();
    now += one.later;
    desk->tick(now);
    settle();
    const Question found = desk->find(ticket.question).value_or(Question{});
    EXPECT_EQ(std::string(state_name(found.state)) + " " + found.settlement.by, one.want)
        << one.name;
    EXPECT_EQ(kept.all_questions.at(ticket.question), found) << one.name;
  }
}

TEST_F(DeskTest, AnAnswerAfterTheTimeIsTooLateThoughNobodyLookedAtTheClock) {
  const Ticket ticket = asked(question_of("c1"));
  now += 30'000;
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(answers, Texts{"already-answered"});
  EXPECT_EQ(told, Texts{"expired timeout"});
}

TEST_F(DeskTest, AnEndThatCannotBeKeptIsTriedAgain) {
  const Ticket ticket = asked(question_of("c1"));
  now += 30'000;
  EXPECT_EQ(desk->next_deadline(), now);
  desk->tick(now);
  settle(false);
  EXPECT_EQ(state(ticket.question), "pending");
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(desk->next_deadline(), now + kTryAgain) << "not at once, and not never";
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(answers, Texts{"store-unavailable"});
  now += kTryAgain;
  desk->tick(now);
  settle();
  EXPECT_EQ(told, Texts{"expired timeout"});
}

TEST_F(DeskTest, AQuestionMayGoOnToSomebodyElseAfterItsTime) {
  timeout = [](const Question& question, Millis at) {
    Question next = question;
    next.for_session = "";
    next.expires = at + 10'000;
    return question.for_session.empty() ? std::nullopt : std::optional(next);
  };
  Question question = question_of("c1");
  question.for_session = "parent";
  const Ticket ticket = asked(question);
  EXPECT_EQ(desk->pending_for("parent").size(), 1u);
  now += 30'000;
  desk->tick(now);
  settle();
  EXPECT_EQ(state(ticket.question), "pending");
  EXPECT_TRUE(desk->pending_for("parent").empty());
  now += 10'000;
  desk->tick(now);
  settle();
  EXPECT_EQ(told, Texts{"expired timeout"});
}

TEST_F(DeskTest, CancellationEndsTheQuestionUnlessAnotherCallWaits) {
  const Ticket first = asked(question_of("c1"));
  const Ticket second = asked(question_of("c1"));
  desk->cancel(first, now, "the user pressed escape");
  settle();
  EXPECT_EQ(state(first.question), "pending");
  desk->cancel(second, now, "the user pressed escape");
  settle();
  EXPECT_EQ(state(first.question), "cancelled");
  EXPECT_TRUE(told.empty()) << "who cancels does not wait";
  EXPECT_FALSE(asked(question_of("c1")).joined) << "a cancelled question is no answer";
}

TEST_F(DeskTest, ACancellationWhileTheQuestionIsBeingKeptEndsItToo) {
  const Result<Ticket> ticket = ask(question_of("c1"));
  ASSERT_TRUE(ticket);
  desk->cancel(*ticket, now, "");
  settle();
  EXPECT_EQ(state(ticket->question), "cancelled");
}

TEST_F(DeskTest, ASessionThatEndsTakesItsQuestionsAlong) {
  const Ticket ended = asked(question_of("c1"));
  const Ticket other = asked(question_of("c1", "make", "s2"));
  desk->end_session("s1", now, "the session was frozen");
  settle(false);
  EXPECT_EQ(state(ended.question), "pending");
  answered(ended.question, yes(), person("ann"));
  EXPECT_NE(answers, Texts{"approved"}) << "it must end, kept or not";
  now += kTryAgain;
  desk->tick(now);
  settle();
  EXPECT_EQ(told, Texts{"cancelled session"});
  EXPECT_EQ(state(other.question), "pending");
}

TEST_F(DeskTest, TooManyQuestionsAreRefused) {
  for (std::size_t i = 0; i < kMaxPendingOfSession; ++i) asked(question_of(std::to_string(i)));
  const Result<Ticket> one_more = ask(question_of("one more"));
  ASSERT_FALSE(one_more);
  EXPECT_EQ(one_more.error().code, "too-many-questions");
  EXPECT_TRUE(ask(question_of("0"))) << "joining is no new question";
  settle();
  for (std::size_t i = kMaxPendingOfSession; i < kMaxPendingOfAgent; ++i)
    asked(question_of("c", "make", "t" + std::to_string(i)));
  EXPECT_EQ(ask(question_of("c", "make", "another session")).error().code, "too-many-questions");
  answered(desk->pending()[0].id, no(), person("ann"));
  EXPECT_TRUE(ask(question_of("one more"))) << "an answer makes room";
  settle();
}

TEST_F(DeskTest, WhoMayAnswer) {
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

TEST_F(DeskTest, WhereItIsNotKnownWhoMadeTheSessionSeveralPeopleCannotApprove) {
  makers.reset();
  const Ticket ticket = asked(question_of("c1", "make", "s1", "{any: 2, deny: 1}"));
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(answers, Texts{"answer-not-counted"});
}

TEST_F(DeskTest, VotesStandOverACrash) {
  const Ticket ticket = asked(question_of("c1", "make", "s1", "{any: 2, of: [lead], deny: 1}"));
  answered(ticket.question, yes(), person("ann", {"lead"}));
  EXPECT_EQ(notices.back(), Notice::kVoted);
  crash();
  answered(ticket.question, yes(), person("ann", {"lead"}));
  answered(ticket.question, yes(), person("bob", {"lead"}));
  EXPECT_EQ(answers, (Texts{"pending", "answer-not-counted", "approved"}));
}

TEST_F(DeskTest, AGrantIsKeptWithItsAnswer) {
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

TEST_F(DeskTest, WhatWasOpenIsOpenAfterACrash) {
  const Ticket ticket = asked(question_of("c1"));
  now += 1'000;
  crash();
  EXPECT_EQ(state(ticket.question), "pending");
  EXPECT_EQ(desk->find(ticket.question)->gone, now);
  EXPECT_TRUE(asked(question_of("c1")).joined);
  answered(ticket.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
  crash();
  told.clear();
  EXPECT_TRUE(asked(question_of("c1")).joined);
  EXPECT_EQ(told, Texts{"approved ann"}) << "the answer is there after another crash";
}

TEST_F(DeskTest, AnAnswerOfAnotherDaemonStands) {
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

TEST_F(DeskTest, WhatChangesByItselfIsWrittenTogether) {
  const Ticket ticket = asked(question_of("c1"));
  const std::size_t before = kept.submitted;
  desk->shown(ticket.question, now);
  desk->shown(ticket.question, now + 1);
  desk->leave(ticket, now);
  queue.run();
  ASSERT_EQ(kept.batches.size(), 1u);
  EXPECT_EQ(kept.batches.front().durability, store::Durability::kGrouped);
  settle();
  EXPECT_EQ(kept.submitted, before + 1);
  EXPECT_EQ(kept.all_questions.at(ticket.question).seen, now);
  EXPECT_EQ(notices, (std::vector{Notice::kCreated, Notice::kSeen, Notice::kGone}));
}

TEST_F(DeskTest, SettledQuestionsLeaveMemory) {
  const Ticket ticket = asked(question_of("c1"));
  answered(ticket.question, no(), person("ann"));
  EXPECT_EQ(desk->next_deadline(), now + 120'000);
  now += 120'000;
  desk->tick(now);
  EXPECT_EQ(state(ticket.question), "none");
  EXPECT_FALSE(desk->next_deadline());
}

TEST_F(DeskTest, OneWhoIsToldMayMakeAnotherLeave) {
  Ticket second;
  const Result<Ticket> first = desk->ask(question_of("c1"), now, [&](const Question&) {
    told.push_back("first");
    desk->leave(second, now);
  });
  ASSERT_TRUE(first);
  second = asked(question_of("c1"));
  answered(first->question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"first"});
}

TEST_F(DeskTest, ADeskThatIsGoneTellsNobody) {
  const Ticket ticket = asked(question_of("c1"));
  answer(ticket.question, yes(), person("ann"));
  answer(ticket.question, no(), person("bob"));
  desk.reset();
  settle();
  EXPECT_TRUE(told.empty());
  EXPECT_TRUE(answers.empty());
}

TEST(Digest, IsOverSessionAgentCwdToolAndCanonicalInput) {
  const ToolCall call = question_of("c1").asked.call;
  const auto changed = [&](auto change) {
    ToolCall other = call;
    change(other);
    return digest_of(other) != digest_of(call);
  };
  EXPECT_EQ(digest_of(call).size(), 64u);
  EXPECT_TRUE(changed([](ToolCall& c) { c.session = "s2"; }));
  EXPECT_TRUE(changed([](ToolCall& c) { c.agent = "x"; }));
  EXPECT_TRUE(changed([](ToolCall& c) { c.cwd = "/x"; }));
  EXPECT_TRUE(changed([](ToolCall& c) { c.tool = "Read"; }));
  EXPECT_TRUE(changed([](ToolCall& c) { c.input.set("x", json::Value()); }));
  EXPECT_TRUE(changed([](ToolCall& c) { c.session = "s", c.agent = "1backend"; }))
      << "what moves from one part to the next is another call";
  EXPECT_FALSE(changed([](ToolCall& c) { c.id = "another"; }));
  ToolCall ordered = call, turned = call;
  ordered.input = json::Value::object({{"a", json::Value()}, {"b", json::Value()}});
  turned.input = json::Value::object({{"b", json::Value()}, {"a", json::Value()}});
  EXPECT_EQ(digest_of(ordered), digest_of(turned));
}

}  // namespace
}  // namespace tollgate::approvals
