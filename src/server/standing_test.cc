// What a call is judged by is what holds when it comes, however much of it was kept from the last.
#include "server/standing.h"

#include <gtest/gtest.h>

#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

constexpr const char* kPolicy =
    "version: 1\n"
    "rules:\n"
    "  allow:\n"
    "    - Bash(make *)\n";

// What the gate says to a call now; nobody is asked.
std::string_view verdict(TestDaemon& gate, const std::string& command) {
  Arrival arrival;
  arrival.session = gate.bot;
  arrival.call.native_tool = arrival.call.tool = "Bash";
  arrival.call.input = json::Value::object({{"command", text_value(command)}});
  arrival.origin = "test";
  arrival.wait = false;
  EXPECT_TRUE(gate.gate.settle(std::move(arrival),
                               [&](const Outcome& outcome) { gate.outcomes.push_back(outcome); }));
  gate.loop.run();
  return name(gate.outcomes.back().record.decision.verdict);
}

store::Grant grant_for(const TestDaemon& gate, Millis expires) {
  store::Grant grant;
  grant.id = "g1";
  grant.rule = "Bash(npm install left-pad)";
  grant.scope = store::Scope::kSession;
  grant.session = gate.bot;
  grant.created = gate.loop.now();
  grant.expires = expires;
  return grant;
}

TEST(Standing, IsKeptWhileNothingChanges) {
  TestDaemon gate(kPolicy);
  Standings standings(gate.sessions, gate.grants);
  const auto first = standings.of(gate.bot, gate.loop.now());
  ASSERT_EQ(first->chain().size(), 1u);
  EXPECT_EQ(standings.of(gate.bot, gate.loop.now() + 1), first);
  const Levels levels = first->levels(gate.policies(), Detail::kVerdict);
  EXPECT_EQ(first->levels(gate.policies(), Detail::kVerdict), levels);
  EXPECT_NE(first->levels(gate.policies(), Detail::kFull), levels);
}

TEST(Standing, APolicyHoldsFromTheNextCallOn) {
  TestDaemon gate(kPolicy);
  EXPECT_EQ(verdict(gate, "make test"), "allow");
  gate.directory.write("config/tollgate.yaml", "version: 1\nrules: {deny: [Bash(make *)]}\n");
  ASSERT_FALSE(gate.policies().refresh(Policies::Which::kChanged).empty());
  EXPECT_EQ(verdict(gate, "make test"), "deny");
}

TEST(Standing, APolicyThatIsNoLongerKeptIsReadAgain) {
  TestDaemon gate(kPolicy);
  EXPECT_EQ(verdict(gate, "make test"), "allow");
  // So many others that its files are not looked at any more.
  for (int i = 0; i < 300; ++i) gate.policies().at("/nowhere/" + std::to_string(i), "");
  gate.directory.write("config/tollgate.yaml", "version: 1\nrules: {deny: [Bash(make *)]}\n");
  EXPECT_EQ(verdict(gate, "make test"), "deny");
}

TEST(Standing, AGrantHoldsFromItsAnswerToItsEnd) {
  TestDaemon gate(kPolicy);
  const std::string command = "npm install left-pad";
  EXPECT_EQ(verdict(gate, command), "ask");
  gate.grants.learn(grant_for(gate, gate.loop.now() + 1'000));
  EXPECT_EQ(verdict(gate, command), "allow");
  gate.loop.advance(999);
  EXPECT_EQ(verdict(gate, command), "allow");
  gate.loop.advance(1);
  EXPECT_EQ(verdict(gate, command), "ask") << "before anybody has looked for what has run out";
}

TEST(Standing, ARevokedGrantIsGone) {
  TestDaemon gate(kPolicy);
  const std::string command = "npm install left-pad";
  gate.grants.learn(grant_for(gate, 0));
  EXPECT_EQ(verdict(gate, command), "allow");
  gate.grants.revoke("g1", "Ann", gate.loop.now(), [](const auto&) {});
  gate.loop.run();
  EXPECT_EQ(verdict(gate, command), "ask");
}

TEST(Standing, AChangedSessionIsJudgedAsItIsNow) {
  TestDaemon gate(kPolicy);
  EXPECT_EQ(verdict(gate, "touch file"), "ask");
  gate.sessions.change(gate.bot, {.mode = Mode::kAcceptEdits}, "Olga", gate.loop.now(),
                       [](const auto&) {});
  gate.loop.run();
  EXPECT_EQ(verdict(gate, "touch file"), "allow");
  gate.sessions.change(gate.bot, {.mode = Mode::kPlan}, "Olga", gate.loop.now(),
                       [](const auto&) {});
  gate.loop.run();
  EXPECT_EQ(verdict(gate, "touch file"), "deny");
  gate.sessions.end(gate.bot, "Olga", gate.loop.now(), [](const auto&) {});
  gate.loop.run();
  Standings standings(gate.sessions, gate.grants);
  EXPECT_TRUE(standings.of(gate.bot, gate.loop.now())->chain().empty());
}

}  // namespace
}  // namespace tollgate::server
