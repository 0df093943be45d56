// Grants: for whom they hold, how they end.
#include "approvals/grants.h"

#include <gtest/gtest.h>

#include "approvals/scripted_store.h"

namespace tollgate::approvals {
namespace {

using store::Scope;

store::Grant grant(std::string id, Scope scope, std::string session = "", std::string agent = "") {
  store::Grant one;
  one.id = std::move(id);
  one.rule = "Bash(make)";
  one.scope = scope;
  one.session = std::move(session);
  one.agent = std::move(agent);
  one.root = "/w";
  one.created = 100;
  return one;
}

store::Session session(std::string id, std::string agent) {
  store::Session one;
  one.id = std::move(id);
  one.agent = std::move(agent);
  return one;
}

std::string ids(const std::vector<store::Grant>& grants) {
  std::string text;
  for (const store::Grant& one : grants) text += (text.empty() ? "" : " ") + one.id;
  return text;
}

class Grants : public testing::Test {
 protected:
  void settle(bool working = true) {
    do queue.run();
    while (kept.answer_one(working));
  }

  ScriptedStore kept;
  PostQueue queue;
  GrantBook book{kept, queue.post()};
};

TEST_F(Grants, HoldForTheirScope) {
  store::Grant short_lived = grant("short", Scope::kEveryone);
  short_lived.expires = 500;
  store::Grant revoked = grant("revoked", Scope::kEveryone);
  revoked.revoked = 200;
  book.restore({grant("once", Scope::kOnce, "s1", "a"),
                grant("session", Scope::kSession, "s1", "a"),
                grant("agent", Scope::kAgent, "", "a"), grant("everyone", Scope::kEveryone),
                grant("nobody's", Scope::kSession), short_lived, revoked});
  struct Case {
    std::string_view name, session, agent;
    store::Millis now;
    std::string_view want;
  };
  constexpr Case kCases[] = {
      {"its own session", "s1", "a", 499, "session agent everyone short"},
      {"another session of the agent", "s2", "a", 499, "agent everyone short"},
      {"another agent", "s2", "b", 499, "everyone short"},
      {"the session's id with another agent", "s1", "b", 499, "everyone short"},
      {"a session without an id", "", "", 499, "everyone short"},
      {"after one has expired", "s2", "b", 500, "everyone"},
  };
  for (const Case& one : kCases)
    EXPECT_EQ(
        ids(book.for_session(session(std::string(one.session), std::string(one.agent)), one.now)),
        one.want)
        << one.name;
  EXPECT_EQ(book.all(0).front().root, "/w");
}

TEST_F(Grants, ARevocationIsKeptBeforeItCounts) {
  book.learn(grant("g", Scope::kEveryone));
  std::vector<std::string> heard;
  const auto done = [&](const Result<store::Grant>& result) {
    heard.push_back(result ? result->revoked_by : result.error().code);
  };
  const std::uint64_t before = book.revision();
  book.revoke("g", "ann", 200, done);
  settle(false);
  EXPECT_EQ(ids(book.all(200)), "g");
  EXPECT_EQ(book.revision(), before);
  book.revoke("g", "ann", 200, done);
  settle();
  EXPECT_EQ(ids(book.all(200)), "");
  EXPECT_NE(book.revision(), before);
  book.revoke("g", "ann", 200, done);
  EXPECT_EQ(heard, (std::vector<std::string>{"store-unavailable", "ann", "unknown-grant"}));
  EXPECT_EQ(kept.all_grants.at("g").revoked, 200);
  ASSERT_EQ(kept.rows.size(), 1u);
  EXPECT_EQ(kept.rows[0].kind, "grant");
  EXPECT_EQ(kept.rows[0].by, "ann");
}

TEST_F(Grants, ThoseOfASessionDieWithIt) {
  book.learn(grant("of s1", Scope::kSession, "s1", "a"));
  book.learn(grant("of s2", Scope::kSession, "s2", "a"));
  book.learn(grant("of a", Scope::kAgent, "s1", "a"));
  book.learn(grant("of a", Scope::kEveryone));  // an id that is known changes nothing
  const std::uint64_t before = book.revision();
  book.end_session("s1");
  EXPECT_EQ(ids(book.all(200)), "of s2 of a");
  EXPECT_EQ(book.revision(), before + 1);
  settle();
  EXPECT_NE(kept.all_grants.at("of s1").revoked, 0) << "it is not there after the next start";
}

TEST_F(Grants, ExpiryChangesTheRevision) {
  store::Grant one = grant("g", Scope::kEveryone);
  one.expires = 500;
  book.learn(one);
  const std::uint64_t before = book.revision();
  book.tick(499);
  EXPECT_EQ(book.revision(), before);
  book.tick(500);
  EXPECT_EQ(book.revision(), before + 1);
}

}  // namespace
}  // namespace tollgate::approvals
