// Hours of a rule: judged by both clocks, when a call comes and again when an answer is used.
#include "policy/hours.h"

#include <gtest/gtest.h>

#include "os/clock.h"
#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

constexpr std::int64_t kHour = 3'600;

// A window from an hour ago for half a day, whatever the time is.
std::string hours_around_now() {
  const std::int64_t minute = os::now_seconds() / 60 % 1'440;
  Hours hours{.days = 0x7f, .from = 0, .to = 0, .zone = "UTC"};
  hours.from = static_cast<std::uint16_t>((minute + 1'440 - 60) % 1'440);
  hours.to = static_cast<std::uint16_t>((hours.from + 720) % 1'440);
  return format_hours(hours);
}

TEST(HoursOverAnAnswer, AreNotReachedBySettingAClock) {
  struct Case {
    std::string_view name;
    std::int64_t set_by_hours;  // while the question was open
    Verdict want;
  };
  constexpr Case kCases[] = {
      {"nobody set it", 0, Verdict::kAllow},
      {"set ahead, into the window", 4, Verdict::kDeny},
      {"set back within it", -3, Verdict::kAllow},
      {"set back, into the window", -12, Verdict::kDeny},
  };
  for (const Case& each : kCases) {
    TestDaemon daemon("version: 1\nrules: {ask: [{rule: \"Bash(ship *)\", hours: \"" +
                      hours_around_now() + "\"}]}\n");
    const std::string id = daemon.ask_shell("ship it");
    ASSERT_NE(id, "") << each.name;
    daemon.loop.set_by = each.set_by_hours * kHour * 1'000;
    ASSERT_EQ(daemon.post_as(daemon.ann, "/api/permissions/" + id + "/approve", "{}").status, 200);
    ASSERT_EQ(daemon.outcomes.size(), 1u) << each.name;
    EXPECT_EQ(daemon.outcomes[0].record.decision.verdict, each.want) << each.name;
  }
}

// While something waits; otherwise the daemon's clock is the time of day.
TEST(HoursOfACall, AreNotReachedBySettingAClock) {
  struct Case {
    std::string_view name, command;
    std::int64_t set_by_hours;
    bool asks;
  };
  constexpr Case kCases[] = {
      {"an allow rule, nobody set the clock", "make all", 0, false},
      {"set ahead, into the window of an allow rule", "make all", 4, true},
      {"set within it", "make all", -3, false},
      {"an ask rule, nobody set the clock", "ship it", 0, true},
      {"set ahead, into the window of an ask rule", "ship it", 4, false},
  };
  for (const Case& each : kCases) {
    TestDaemon daemon("version: 1\nrules: {allow: [{rule: \"Bash(make *)\", hours: \"" +
                      hours_around_now() + "\"}], ask: [{rule: \"Bash(ship *)\", hours: \"" +
                      hours_around_now() + "\"}]}\n");
    daemon.loop.set_by = each.set_by_hours * kHour * 1'000;
    EXPECT_NE(daemon.ask_shell(std::string(each.command)).empty(), each.asks) << each.name;
    const bool denied = !each.asks && each.command == "ship it";
    if (each.asks) continue;
    ASSERT_EQ(daemon.outcomes.size(), 1u) << each.name;
    EXPECT_EQ(daemon.outcomes[0].record.decision.verdict, denied ? Verdict::kDeny : Verdict::kAllow)
        << each.name;
  }
}

}  // namespace
}  // namespace tollgate::server
