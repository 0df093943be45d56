// Sessions: made under their parents, changed by people, ended with all below, frozen.
#include "approvals/sessions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "approvals/digest.h"
#include "approvals/scripted_store.h"
#include "os/fault.h"

namespace tollgate::approvals {
namespace {

class Sessions : public testing::Test {
 protected:
  void settle(bool working = true) {
    do queue.run();
    while (kept.answer_one(working));
  }
  SessionBook::Done hear() {
    return [this](const Result<store::Session>& result) {
      heard.push_back(result ? "ok" : result.error().code);
      if (result) last = *result;
    };
  }
  store::Session opened(const NewSession& wanted = {}) {
    book->open(wanted, now, hear());
    settle();
    return last;
  }
  store::Session child(const std::string& parent, const std::string& name) {
    last = {};
    book->open_child(parent, name, "reviewer", now, hear());
    settle();
    return last;
  }
  void crash() {
    book.reset();
    queue.clear();
    kept.batches.clear();
    book.emplace(kept, queue.post());
    const store::Kept all = *kept.load(now, 0);
    book->restore(all.sessions);
    book->restore_freezes(all.settings);
  }
  using Texts = std::vector<std::string>;

  store::Millis now = 1'000'000;
  ScriptedStore kept;
  PostQueue queue;
  std::optional<SessionBook> book{std::in_place, kept, queue.post()};
  Texts heard;
  store::Session last;
};

TEST_F(Sessions, AreKeptBeforeAnybodyHearsOfThem) {
  book->open({.agent = "a", .made_by = "olga"}, now, hear());
  queue.run();
  EXPECT_TRUE(heard.empty());
  settle();
  EXPECT_EQ(heard, Texts{"ok"});
  EXPECT_EQ(last.id.size(), 64u);
  EXPECT_EQ(kept.sessions.at(last.id), last);
  EXPECT_EQ(kept.rows.at(0).kind, "session");
  EXPECT_EQ(kept.rows.at(0).by, "olga");
  EXPECT_NE(opened().id, opened().id);
  EXPECT_EQ(book->find(last.id, now), last);
}

TEST_F(Sessions, AreNotMadeWhereSomethingFails) {
  book->open({}, now, hear());
  settle(false);
  book->open({.parent = "nobody"}, now, hear());
  {
    const os::FaultPlan plan("getrandom", ENOSYS);
    book->open({}, now, hear());
  }
  EXPECT_EQ(heard, (Texts{"store-unavailable", "unknown-session", "random-unavailable"}));
  EXPECT_TRUE(book->all().empty());
}

TEST_F(Sessions, StandUnderTheirParentsAtMostEightDeep) {
  std::string top = opened({.agent = "top"}).id, parent = top;
  for (std::size_t depth = 2; depth <= kMaxDepth; ++depth)
    parent = opened({.agent = "a" + std::to_string(depth), .parent = parent}).id;
  EXPECT_EQ(book->chain(parent).size(), kMaxDepth);
  EXPECT_EQ(book->chain(parent).back().id, top);
  EXPECT_EQ(book->below(top).size(), kMaxDepth);
  heard.clear();
  opened({.parent = parent});
  child(parent, "x");
  EXPECT_EQ(heard, (Texts{"chain-too-deep", "chain-too-deep"}));
}

TEST_F(Sessions, EndWithAllBelowThem) {
  const std::string top = opened().id, middle = opened({.parent = top}).id,
                    low = child(middle, "x").id, other = opened().id;
  book->end(top, "ann", now + 5, hear());
  settle(false);
  EXPECT_EQ(heard.back(), "store-unavailable");
  EXPECT_EQ(book->chain(low).size(), 3u);
  book->end(top, "ann", now + 5, hear());
  settle();
  for (const std::string& id : {top, middle, low}) {
    EXPECT_FALSE(book->find(id, now)) << id;
    EXPECT_TRUE(book->chain(id).empty()) << id;
    EXPECT_EQ(kept.sessions.at(id).ended, now + 5) << id;
  }
  EXPECT_TRUE(book->find(other, now));
  EXPECT_EQ(book->all().size(), 1u);
  book->end(top, "ann", now, hear());
  EXPECT_EQ(heard.back(), "unknown-session");
}

TEST_F(Sessions, ThatEndedAreKeptForADayTheLastFirst) {
  const std::string top = opened().id, low = child(top, "x").id, other = opened().id;
  EXPECT_TRUE(book->ended(now).empty());
  book->end(other, "ann", now, hear());
  settle();
  book->end(top, "ann", now + 5, hear());
  settle();
  Texts ids;
  for (const store::Session& session : book->ended(now + 5)) ids.push_back(session.id);
  EXPECT_EQ(ids, (Texts{low, top, other}));
  EXPECT_EQ(book->ended(now + kEndedKept).size(), 2u);
  EXPECT_TRUE(book->ended(now + 5 + kEndedKept).empty());
  for (std::size_t i = 0; i < kMaxEnded; ++i) {
    book->end(opened().id, "ann", now + 6, hear());
    settle();
  }
  EXPECT_EQ(book->ended(now + 6).size(), kMaxEnded);
}

TEST_F(Sessions, AreToldOfWhenTheyAreOpenedChangedAndEnded) {
  Texts told;
  book->watch([&](const store::Session& session) {
    told.push_back(session.agent + (session.ended != 0 ? " ended" : "") +
                   (session.frozen ? " frozen" : "") + session.child_type);
  });
  const std::string top = opened({.agent = "a"}).id;
  child(top, "x");
  book->change(top, {.mode = {}, .answer = {}, .frozen = true}, "ann", now, hear());
  settle(false);
  book->change(top, {.mode = {}, .answer = {}, .frozen = true}, "ann", now, hear());
  settle();
  book->end(top, "ann", now, hear());
  settle();
  opened({.agent = "b", .lifetime = 10});
  now += 10;
  book->tick(now);
  settle();
  EXPECT_EQ(told, (Texts{"a", "areviewer", "a frozen", "a ended frozen", "a endedreviewer", "b",
                         "b ended"}));
}

TEST_F(Sessions, AreFoundByTheirHandlesForPeopleAlone) {
  const std::string top = opened().id, low = child(top, "x").id;
  for (const std::string& id : {top, low}) {
    EXPECT_EQ(handle_of(id).size(), 10u);
    EXPECT_EQ(book->id_of(handle_of(id)).value(), id);
    EXPECT_EQ(book->id_of(id).value(), id);
    EXPECT_FALSE(book->find(handle_of(id), now));
    EXPECT_EQ(book->live(handle_of(id), now), nullptr);
  }
  EXPECT_NE(handle_of(top), handle_of(low));
  EXPECT_EQ(book->id_of("0000000000").error().code, "unknown-session");
  EXPECT_EQ(book->id_of("").error().code, "unknown-session");
  book->end(top, "ann", now, hear());
  settle();
  EXPECT_EQ(book->id_of(handle_of(top)).error().code, "unknown-session");
}

TEST_F(Sessions, TwoWithOneHandleAreNeitherOfThem) {
  // Found by trying: the digests of these begin alike.
  ASSERT_EQ(handle_of("s2217717"), handle_of("s3334116"));
  store::Session one, two;
  one.id = "s2217717";
  two.id = "s3334116";
  book->restore({one, two});
  EXPECT_EQ(book->id_of("30ddbfbfb3").error().code, "ambiguous-session");
  EXPECT_EQ(book->id_of("s3334116").value(), "s3334116");
}

// The client names its sub-agents, and can try names until a handle is another session's.
TEST_F(Sessions, AChildWhoseHandleIsTakenIsNotOpened) {
  ASSERT_EQ(handle_of("p.631551"), handle_of("p.1134488"));
  for (const bool at_once : {true, false}) {
    book.emplace(kept, queue.post());
    store::Session parent;
    parent.id = "p";
    book->restore({parent});
    heard.clear();
    book->open_child("p", "631551", "", now, hear());
    if (!at_once) settle();
    book->open_child("p", "1134488", "", now, hear());
    settle();
    EXPECT_EQ(book->id_of(handle_of("p.631551")).value(), "p.631551") << at_once;
    std::ranges::sort(heard);
    EXPECT_EQ(heard, (Texts{"ambiguous-session", "ok"})) << at_once;
  }
}

TEST_F(Sessions, AChildThatIsOpenedWhileItsParentEndsEndsToo) {
  for (const bool child_first : {true, false}) {
    const std::string top = opened().id;
    if (child_first) book->open({.parent = top}, now, hear());
    book->end(top, "ann", now, hear());
    if (!child_first) book->open({.parent = top}, now, hear());
    settle();
    EXPECT_TRUE(book->all().empty()) << child_first;
    for (const auto& [id, session] : kept.sessions) EXPECT_NE(session.ended, 0) << child_first;
  }
  EXPECT_EQ(heard, (Texts{"ok", "ok", "ok", "ok", "ok", "unknown-session"}));
}

TEST_F(Sessions, ASubAgentNeverHasMoreThanItsParent) {
  const std::string top = opened({.agent = "a",
                                  .cwd = "/w",
                                  .mode = Mode::kAutonomous,
                                  .from_operator = true,
                                  .made_by = "olga"})
                              .id;
  const store::Session sub = child(top, "x1");
  EXPECT_EQ(sub.id, top + ".x1");
  EXPECT_EQ(sub.parent, top);
  EXPECT_EQ(sub.agent, "a");
  EXPECT_EQ(sub.cwd, "/w");
  EXPECT_EQ(sub.child_type, "reviewer");
  EXPECT_EQ(sub.made_by, "olga") << "who made the parent does not count for the child either";
  EXPECT_FALSE(sub.mode);
  EXPECT_FALSE(sub.answer);
  EXPECT_FALSE(sub.from_operator);
  const std::size_t before = kept.submitted;
  EXPECT_EQ(child(top, "x1").id, sub.id) << "one that is known is given back";
  EXPECT_EQ(kept.submitted, before);
  book->end(sub.id, "ann", now, hear());
  settle();
  EXPECT_EQ(child(top, "x1").id, "") << "one that was ended stays so";
  EXPECT_EQ(heard.back(), "unknown-session");
}

TEST_F(Sessions, TheNameOfASubAgentCannotLookLikeAnotherOne) {
  const std::string top = opened().id;
  const std::string grand = child(child(top, "a").id, "b").id;
  for (const std::string name : {"a.b", "", "../x", "\n"}) {
    const std::string id = child(top, name).id;
    EXPECT_NE(id, grand) << name;
    EXPECT_EQ(id.find('.', top.size() + 1), std::string::npos) << name;
    EXPECT_EQ(book->chain(id).size(), 2u) << name;
  }
}

TEST_F(Sessions, TwoWhoAskForTheSameAtOnceGetTheSame) {
  const std::string top = opened().id;
  heard.clear();
  book->open_child(top, "x", "t", now, hear());
  book->open_child(top, "x", "t", now, hear());
  book->open_client({.provider = "claude", .client_session = "c"}, now, hear());
  book->open_client({.provider = "claude", .client_session = "c"}, now, hear());
  settle();
  EXPECT_EQ(heard, (Texts{"ok", "ok", "ok", "ok"}));
  EXPECT_EQ(book->all().size(), 3u);
}

TEST_F(Sessions, AClientsOwnSessionStandsForOneOfOurs) {
  const auto client = [&](NewSession wanted) {
    book->open_client(std::move(wanted), now, hear());
    settle();
    return last;
  };
  const store::Session first = client({.agent = "a",
                                       .parent = "somebody",
                                       .provider = "claude",
                                       .cwd = "/w",
                                       .mode = Mode::kAutonomous,
                                       .from_operator = true,
                                       .made_by = "olga",
                                       .client_session = "c"});
  EXPECT_EQ(first.parent, "");
  EXPECT_FALSE(first.mode) << "nobody has shown a credential";
  EXPECT_FALSE(first.from_operator);
  const NewSession same{.agent = "a", .provider = "claude", .cwd = "/x", .client_session = "c"};
  EXPECT_EQ(client(same), first) << "its base never follows a call";
  EXPECT_NE(client({.agent = "b", .provider = "claude", .client_session = "c"}).id, first.id);
  EXPECT_NE(client({.agent = "a", .provider = "codex", .client_session = "c"}).id, first.id);
  crash();
  EXPECT_EQ(client(same).id, first.id);
  book->end(first.id, "ann", now, hear());
  settle();
  EXPECT_NE(client(same).id, first.id);
  const store::Session by_operator =
      opened({.agent = "a", .provider = "claude", .from_operator = true, .client_session = "d"});
  EXPECT_NE(client({.agent = "a", .provider = "claude", .client_session = "d"}).id, by_operator.id);
}

TEST_F(Sessions, ChangesAreKeptOneAfterAnother) {
  const std::string id = opened().id;
  book->change(id, {.mode = Mode::kPlan}, "ann", now, hear());
  book->change(id, {.frozen = true}, "ann", now, hear());
  EXPECT_FALSE(book->find(id, now)->mode) << "not before it is kept";
  kept.answer_one(false);
  settle();
  EXPECT_EQ(heard, (Texts{"ok", "store-unavailable", "ok"}));
  EXPECT_FALSE(book->find(id, now)->mode) << "what was lost does not come along with the next";
  EXPECT_TRUE(book->find(id, now)->frozen);
  EXPECT_EQ(kept.rows.back().by, "ann");
  book->change(id, {.mode = std::optional<Mode>(), .answer = Answerer::kNo}, "ann", now, hear());
  settle();
  EXPECT_EQ(last.answer, Answerer::kNo);
  book->change("nobody", {}, "ann", now, hear());
  EXPECT_EQ(heard.back(), "unknown-session");
}

TEST_F(Sessions, LiveAsLongAsTheyAreUsed) {
  const std::string top = opened({.lifetime = 1'000}).id, sub = child(top, "x").id;
  EXPECT_EQ(book->find(sub, now)->expires, now + 1'000);
  now += 999;
  ASSERT_TRUE(book->find(sub, now)) << "a child's call keeps its parents alive";
  book->tick(now);
  settle();
  crash();
  now += 999;
  EXPECT_TRUE(book->find(top, now)) << "also over a crash";
  now += 1'000;
  EXPECT_FALSE(book->find(top, now));
  EXPECT_FALSE(book->find(sub, now));
  book->tick(now);
  settle();
  EXPECT_NE(kept.sessions.at(top).ended, 0);
  EXPECT_NE(kept.sessions.at(sub).ended, 0);
  EXPECT_TRUE(book->all().empty());
  now += 900'000'000;
  EXPECT_TRUE(book->find(opened({.lifetime = 0}).id, now + 900'000'000'000));
}

TEST_F(Sessions, FreezesHoldForAllBelow) {
  const std::string top = opened({.agent = "a"}).id, sub = opened({.agent = "b", .parent = top}).id,
                    other = opened({.agent = "c"}).id;
  Texts frozen;
  const auto done = [&](const Result<void>& result) {
    frozen.push_back(result ? "ok" : result.error().code);
  };
  EXPECT_EQ(book->frozen(sub), "");
  EXPECT_EQ(book->frozen("nobody"), "the session has ended");
  book->freeze("a", true, "ann", now, done);
  settle(false);
  EXPECT_EQ(book->frozen(sub), "");
  book->freeze("a", true, "ann", now, done);
  settle();
  EXPECT_EQ(book->frozen(top), "agent `a` was frozen by ann");
  EXPECT_EQ(book->frozen(sub), "agent `a` was frozen by ann");
  EXPECT_EQ(book->frozen(other), "");
  EXPECT_EQ(kept.rows.back().kind, "freeze");
  book->freeze("", true, "bob", now, done);
  settle();
  crash();
  EXPECT_EQ(book->frozen(other), "everything was frozen by bob");
  book->freeze("", false, "bob", now, done);
  book->freeze("a", false, "bob", now, done);
  settle();
  EXPECT_EQ(book->frozen(sub), "");
  book->change(top, {.frozen = true}, "ann", now, hear());
  settle();
  EXPECT_EQ(book->frozen(top), "the session is frozen");
  EXPECT_EQ(book->frozen(sub), "a session above it is frozen");
  EXPECT_EQ(frozen, (Texts{"store-unavailable", "ok", "ok", "ok", "ok"}));
}

TEST_F(Sessions, RememberCallsForAWhile) {
  const std::string id = opened().id;
  book->note_call("nobody", "c", {}, now);
  EXPECT_FALSE(book->call_seen("nobody", "c"));
  book->note_call(id, "c", {.session = "one", .cwd = "/w"}, now);
  book->note_call(id, "c", {.session = "two", .cwd = "/x"}, now);
  EXPECT_EQ(book->call_seen(id, "c")->session, "two") << "the newest";
  book->note_call(id, "huge", {.cwd = std::string(100'000, 'x')}, now);
  EXPECT_FALSE(book->call_seen(id, "huge"));
  for (std::size_t i = 0; i < kMaxNotedCalls; ++i)
    book->note_call(id, "n" + std::to_string(i), {}, now);
  EXPECT_FALSE(book->call_seen(id, "c"));
  EXPECT_TRUE(book->call_seen(id, "n0"));
  book->tick(now + kCallKept);
  EXPECT_FALSE(book->call_seen(id, "n0"));
}

TEST_F(Sessions, ASessionHasOnlySoManyBelowIt) {
  const std::string top = opened().id;
  for (std::size_t i = 0; i < kMaxChildren; ++i) child(top, "x" + std::to_string(i));
  child(top, "one-more");
  EXPECT_EQ(heard.back(), "too-many-sessions");
}

}  // namespace
}  // namespace tollgate::approvals
