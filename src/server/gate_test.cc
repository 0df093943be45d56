// A call on its way, and what is left of it once it has ended.
#include "server/gate.h"

#include <gtest/gtest.h>

#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

// A way in holds the journey, and its functions hold the way in.
struct Way {
  std::shared_ptr<Journey> journey;
  std::string question;
  int answers = 0;
};

std::shared_ptr<Way> begun(TestDaemon& gate, const std::string& command) {
  auto way = std::make_shared<Way>();
  Arrival arrival;
  arrival.session = gate.bot;
  arrival.call.id = "call-" + command;
  arrival.call.native_tool = arrival.call.tool = "Bash";
  arrival.call.input = json::Value::object({{"command", text_value(command)}});
  arrival.origin = "test";
  Result<std::shared_ptr<Journey>> journey = gate.gate.settle(
      std::move(arrival), [way](const Outcome&) { ++way->answers; },
      [way](const std::string& put) { way->question = put; });
  EXPECT_TRUE(journey);
  if (journey) way->journey = *journey;
  gate.loop.run();
  return way;
}

// What the gate says of a call, and how often it went to the pool for it.
struct Said {
  Verdict verdict = Verdict::kAsk;
  int works = 0;
};

Said said(TestDaemon& gate, json::Value input) {
  Said out;
  Arrival arrival;
  arrival.session = gate.bot;
  arrival.call.native_tool = arrival.call.tool = "Bash";
  arrival.call.input = std::move(input);
  arrival.origin = "test";
  arrival.wait = false;
  const int before = gate.loop.works;
  const auto journey = gate.gate.settle(std::move(arrival), [&](const Outcome& outcome) {
    out.verdict = outcome.record.decision.verdict;
  });
  EXPECT_TRUE(journey);
  gate.loop.run();
  out.works = gate.loop.works - before;
  return out;
}

Said said(TestDaemon& gate, const std::string& command) {
  return said(gate, json::Value::object({{"command", text_value(command)}}));
}

TEST(Gate, JudgesAtOnceWhatNeedsNoLookAndStillSeesEveryChange) {
  const std::string allows = "version: 1\nrules: {allow: ['Bash(make *)', 'Bash(true *)']}\n";
  TestDaemon gate(allows);
  EXPECT_EQ(said(gate, "true a").verdict, Verdict::kAllow);
  const Said again = said(gate, "true b");
  EXPECT_EQ(again.verdict, Verdict::kAllow);
  EXPECT_EQ(again.works, 0);
  EXPECT_EQ(said(gate, "true > file").works, 1) << "it names a path";
  EXPECT_EQ(said(gate, "npm install x").works, 1) << "people are asked";
  EXPECT_EQ(said(gate, "true " + std::string(600, 'a')).works, 1) << "it is long";
  json::Value many = json::Value::object({{"command", text_value("true")}});
  many.set("list", json::Value::array(std::vector<json::Value>(100)));
  EXPECT_EQ(said(gate, std::move(many)).works, 1) << "it has many parts";
  // Everything that may change the answer does so for the next call.
  gate.directory.write("config/tollgate.yaml", "version: 1\nrules: {deny: ['Bash(true *)']}\n");
  gate.policies().refresh(Policies::Which::kAll);
  EXPECT_EQ(said(gate, "true c").verdict, Verdict::kDeny);
  const Said denied = said(gate, "true d");
  EXPECT_EQ(denied.verdict, Verdict::kDeny);
  EXPECT_EQ(denied.works, 0);
  gate.sessions.freeze("", true, "test", gate.loop.now(), [](const Result<void>&) {});
  gate.loop.run();
  EXPECT_EQ(said(gate, "make x").verdict, Verdict::kDeny);
}

TEST(Trip, LetsGoOfWhoSentItOnceItHasEnded) {
  struct Case {
    std::string_view name, command;
    void (*end)(TestDaemon& gate, Way& way);
    int answers;
  };
  const Case cases[] = {
      {"allowed at once", "ls", [](TestDaemon&, Way&) {}, 1},
      {"answered by a person", "npm install left-pad",
       [](TestDaemon& gate, Way& way) {
         gate.post_as(gate.ann, "/api/permissions/" + way.question + "/deny", "{}");
       },
       1},
      {"the agent is gone", "npm install left-pad",
       [](TestDaemon&, Way& way) { way.journey->gone(); }, 0},
      {"the call was taken back", "npm install left-pad",
       [](TestDaemon&, Way& way) { way.journey->cancel("no matter"); }, 0},
  };
  for (const Case& each : cases) {
    TestDaemon gate;
    std::shared_ptr<Way> way = begun(gate, std::string(each.command));
    each.end(gate, *way);
    gate.loop.run();
    EXPECT_EQ(way->answers, each.answers) << each.name;
    EXPECT_EQ(way.use_count(), 1) << each.name;
    way->journey.reset();
  }
}

}  // namespace
}  // namespace tollgate::server
