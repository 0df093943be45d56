// The daemon's time: not moved by whoever sets the clock, and not lost either.
#include "os/two_clocks.h"

#include <gtest/gtest.h>

namespace tollgate::os {
namespace {

constexpr std::int64_t kHour = 3'600'000;

TEST(TwoClocks, ASetClockChangesNoWait) {
  struct Case {
    std::string_view name;
    std::int64_t day, boot;  // what passed on each
    std::int64_t want;       // and on the daemon's own
  };
  constexpr Case kCases[] = {
      {"both go alike", 5'000, 5'000, 5'000},
      {"set an hour ahead", 5'000 + kHour, 5'000, 5'000},
      {"set an hour back", 5'000 - kHour, 5'000, 5'000},
      {"the machine slept, and both have gone on", 8 * kHour, 8 * kHour, 8 * kHour},
      {"set back while it slept", 0, 8 * kHour, 8 * kHour},
  };
  for (const Case& each : kCases) {
    const TwoClocks clocks({.day = 1'000'000, .boot = 70'000});
    const ClockLook later{.day = 1'000'000 + each.day, .boot = 70'000 + each.boot};
    EXPECT_EQ(clocks.now(later) - 1'000'000, each.want) << each.name;
    EXPECT_EQ(clocks.step(later), each.day - each.want) << each.name;
  }
}

TEST(TwoClocks, AClockThatIsSlewedIsFollowedAndOneThatIsSetIsNot) {
  TwoClocks clocks({.day = 0, .boot = 0});
  ClockLook look;
  for (int i = 0; i < 4 * 3'600; ++i) {  // an hour of looks, by which the day gains 500 ppm
    look.boot += 250;
    look.day = look.boot + look.boot / 2'000;
    clocks.follow(look);
  }
  EXPECT_LE(std::abs(clocks.step(look)), 1);
  look.day += kHour;
  for (int i = 0; i < 4 * 60; ++i) {
    look.boot += 250;
    look.day += 250;
    clocks.follow(look);
  }
  EXPECT_GE(clocks.step(look), kHour - 1'100) << "a minute of following is a second at most";
}

TEST(TwoClocks, LooksAtOddTimesGainNothing) {
  TwoClocks clocks({.day = 0, .boot = 0});
  for (int i = 1; i <= 5'000; ++i) clocks.follow({.day = kHour, .boot = i});
  EXPECT_LE(clocks.now({.day = kHour, .boot = 5'000}), 5'005);
  clocks.follow({.day = kHour, .boot = 4'000});
  EXPECT_GE(clocks.now({.day = kHour, .boot = 5'000}), 5'000)
      << "a clock that went back is no time";
}

TEST(TwoClocks, TheDayIsTakenOverAtOnceWhereThatIsAsked) {
  TwoClocks clocks({.day = 0, .boot = 0});
  clocks.adopt({.day = kHour, .boot = 10});
  EXPECT_EQ(clocks.now({.day = 7, .boot = 20}), kHour + 10);
}

TEST(TwoClocks, GoesOnAfterARestartAsIfNoClockWasSet) {
  const TwoClocks clocks(5'000, {.day = 0, .boot = 70'000});
  EXPECT_EQ(clocks.now({.day = 0, .boot = 71'000}), 6'000);
}

TEST(TwoClocks, BothAreThere) {
  const ClockLook look = look_at_clocks();
  EXPECT_GT(look.day, 1'600'000'000'000);
  EXPECT_GT(look.boot, 0);
  EXPECT_EQ(boot_name().size(), 36u);
}

}  // namespace
}  // namespace tollgate::os
