// Questions at the desk: joined, expired, cancelled, restored, and what a failing store changes.
#include "approvals/desk.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "approvals/desk_fixture.h"
#include "os/fault.h"

namespace tollgate::approvals {
namespace {

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

TEST_F(DeskTest, OneThatWasToldToRetryIsFollowedByTheSameCallWithAnotherId) {
  struct Case {
    std::string_view name;
    std::function<void(const Ticket&)> before;  // the retry
    std::string command;                        // of the retry
    bool want_joined;
    Texts want_told;
  };
  const Case kCases[] = {
      {"an open question is joined", [](const Ticket&) {}, "make", true, {}},
      {"an approval is given",
       [this](const Ticket& t) { answered(t.question, yes(), person("ann")); },
       "make",
       true,
       {"approved ann"}},
      {"a denial is given",
       [this](const Ticket& t) { answered(t.question, no(), person("ann")); },
       "make",
       true,
       {"denied ann"}},
      {"another call joins nothing", [](const Ticket&) {}, "make all", false, {}},
      {"an approval is not for after another call",
       [this](const Ticket& t) {
         answered(t.question, yes(), person("ann"));
         desk->note_other_call("s1", "another digest");
       },
       "make",
       false,
       {}},
      {"an open question is also for after another call",
       [this](const Ticket&) { desk->note_other_call("s1", "another digest"); },
       "make",
       true,
       {}},
      {"what ran out is asked anew",
       [this](const Ticket&) {
         now += 30'001;
         desk->tick(now);
         settle();
       },
       "make",
       false,
       {}},
  };
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    now = kStart;
    start();
    told.clear();
    const Ticket first = asked(question_of("c1"));
    desk->leave_to_retry(first, now);
    settle();
    one.before(first);
    Question again = question_of("c2", one.command);
    again.expires = now + 30'000;
    const Ticket retry = asked(std::move(again));
    EXPECT_EQ(retry.joined, one.want_joined);
    EXPECT_EQ(told, one.want_told);
    if (one.want_joined) {
      EXPECT_EQ(desk->find(first.question)->asked.call.id, "c2");
    }
  }
}

TEST_F(DeskTest, OneApprovalIsForOneRetry) {
  const Ticket first = asked(question_of("c1"));
  desk->leave_to_retry(first, now);
  settle();
  const Ticket second = asked(question_of("c2"));
  EXPECT_TRUE(second.joined);
  EXPECT_FALSE(asked(question_of("c3")).joined) << "somebody waits for it already";
  EXPECT_FALSE(asked(question_of("c1")).joined) << "it is no longer the question of that call";
  answered(first.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
  desk->delivered(first.question, now);
  settle();
  EXPECT_FALSE(asked(question_of("c4")).joined) << "it has been used";
  EXPECT_TRUE(asked(question_of("c2")).joined) << "the same id gets the same answer";
}

TEST_F(DeskTest, OneThatOnlyLeftIsFollowedByItsOwnIdAlone) {
  const Ticket first = asked(question_of("c1"));
  desk->leave(first, now);
  settle();
  EXPECT_FALSE(asked(question_of("c2")).joined);
  EXPECT_TRUE(asked(question_of("c1")).joined);
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

TEST_F(DeskTest, AClockThatGoesBackIsBelievedWhileThereIsNothing) {
  desk->tick(now + 3'600'000);
  const Ticket alone = asked(question_of("c1"));
  desk->tick(now);
  settle();
  EXPECT_EQ(state(alone.question), "pending") << "it has its whole time by the clock as it is now";
  desk->tick(now + 60'000);
  settle();
  EXPECT_EQ(state(alone.question), "expired");
  const Ticket behind = asked(question_of("c2"));
  settle();
  EXPECT_NE(state(behind.question), "pending") << "while there is something time does not go back";
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

TEST_F(DeskTest, AfterACrashTheSameCallTakesItsQuestionWithAnyId) {
  const Ticket first = asked(question_of("c1"));
  crash();
  const Ticket retry = asked(question_of("c2"));
  EXPECT_EQ(retry.question, first.question);
  EXPECT_FALSE(asked(question_of("c3")).joined) << "one question is for one call";
  EXPECT_FALSE(asked(question_of("c1")).joined) << "it is no longer the question of that call";
  answered(first.question, yes(), person("ann"));
  EXPECT_EQ(told, Texts{"approved ann"});
  crash();
  told.clear();
  EXPECT_NE(asked(question_of("c5")).question, first.question)
      << "an answer may have been heard before a crash";
  EXPECT_TRUE(asked(question_of("c2")).joined) << "the new id is kept";
}

TEST_F(DeskTest, ARetryThatTheGateReadsOtherwiseIsAQuestionOfItsOwn) {
  const auto read_as = [](const std::string& id, const std::string& reading) {
    Question question = question_of(id);
    question.expires = 0;
    question.context = json::Value::object({{"reading", json::Value::string(reading)}});
    return question;
  };
  struct Case {
    std::string_view name;
    std::function<void(const Ticket&)> before;
    std::string id;  // of the retry
    bool joins_same, joins_other;
  };
  const Case kCases[] = {
      {"while it is open", [&](const Ticket& first) { desk->leave(first, now); }, "c1", true,
       false},
      {"with another id after it was told to retry",
       [&](const Ticket& first) { desk->leave_to_retry(first, now); }, "c2", true, false},
      {"after a yes", [&](const Ticket& first) { answered(first.question, yes(), person("ann")); },
       "c1", true, false},
      {"after a yes that nobody heard",
       [&](const Ticket& first) {
         desk->leave_to_retry(first, now);
         answered(first.question, yes(), person("ann"));
       },
       "c2", true, false},
      {"after a no", [&](const Ticket& first) { answered(first.question, no(), person("ann")); },
       "c1", true, true},
      {"after a restart", [&](const Ticket&) { crash(); }, "c1", true, false},
  };
  for (const Case& one : kCases)
    for (const bool same : {true, false}) {
      kept = ScriptedStore();
      start();
      const Ticket first = asked(read_as("c1", "in the workspace"));
      one.before(first);
      settle();
      const Ticket again = asked(read_as(one.id, same ? "in the workspace" : "guarded"));
      EXPECT_EQ(again.joined, same ? one.joins_same : one.joins_other) << one.name << same;
    }
}

TEST_F(DeskTest, WhatGoesOnUnderItsParentIsAQuestionOfItsOwn) {
  const Ticket first = asked(question_of("c1"));
  now += 30'000;
  desk->tick(now);
  settle();
  ASSERT_EQ(state(first.question), "expired");
  Question next = question_of("c1");
  next.expires = now + 30'000;
  next.context = json::Value::object({{"forwarded", json::Value::object({})}});
  const Ticket second = asked(next);
  EXPECT_FALSE(second.joined);
  EXPECT_EQ(asked(next).question, second.question) << "of two that go on there is one question";
  EXPECT_EQ(asked(question_of("c1")).question, second.question) << "a retry joins it, too";
}

TEST_F(DeskTest, AQuestionIsPutOnceMoreAndSaysSo) {
  timeout = [](const Question& question, Millis at) {
    Question next = question;
    next.context = json::Value::object({{"escalated", json::Value::integer(at)}});
    next.expires = at + 30'000;
    const bool before = question.context.find("escalated") != nullptr;
    return before ? std::nullopt : std::optional(next);
  };
  const Ticket ticket = asked(question_of("c1"));
  now += 30'000;
  desk->tick(now);
  settle();
  EXPECT_EQ(state(ticket.question), "pending");
  EXPECT_NE(desk->find(ticket.question)->context.find("escalated"), nullptr);
  crash();
  ASSERT_TRUE(asked(question_of("c1")).joined);
  now += 30'000;
  desk->tick(now);
  settle();
  EXPECT_EQ(told, Texts{"expired timeout"}) << "the second time is the last, after a crash too";
  EXPECT_EQ(desk->find(ticket.question)->settlement.reason, "nobody answered in time, twice");
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
