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
