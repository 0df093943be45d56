// How old rows count as over steps of the clock, restarts and time off: never older than measured.
#include "server/age_clock.h"

#include <gtest/gtest.h>

namespace tollgate::server {
namespace {

constexpr Millis kHour = 3'600'000, kDay = 24 * kHour, kKeep = 90 * kDay;
constexpr Millis kBegin = 1'700'000'000'000;

struct Look {
  Millis day;   // what the daemon's clock says, from the begin
  Millis boot;  // what the machine has measured
};
struct Case {
  std::string_view name;
  std::vector<Look> looks;
  Millis want;  // the last one's, from the begin
};
const Case kCases[] = {
    {"a clock that nobody sets", {{kHour, kHour}, {kDay, kDay}}, kDay},
    {"one that is slewed", {{kDay + 60'000, kDay}}, kDay + 60'000},
    {"a step forward makes nothing old", {{100 * kDay, 1'000}}, 1'001},
    {"nor do several", {{kDay, 0}, {100 * kDay, 0}, {200 * kDay, kHour}}, kHour + 3'600},
    {"nor one there and back and there again",
     {{99 * kDay, 0}, {0, 0}, {99 * kDay, kHour}},
     kHour + 3'600},
    {"a step back is followed", {{-kDay, 0}}, -kDay},
    {"and forward again is a step", {{-kDay, 0}, {0, kHour}}, -kDay + kHour + 3'600},
    {"it is level again when all from before the step is of age",
     {{100 * kDay, 0}, {190 * kDay + kHour, 90 * kDay + kHour}},
     190 * kDay + kHour},
    {"and not before", {{100 * kDay, 0}, {189 * kDay, 89 * kDay}}, 89 * kDay + 89 * kDay / 1'000},
    {"each step is made up for by itself",
     {{100 * kDay, 0}, {250 * kDay, 50 * kDay}, {300 * kDay, 100 * kDay}},
     200 * kDay + 100 * kDay / 1'000},
    {"many small steps are none that counts", {{1'900, 0}, {3'800, 0}, {5'700, 0}}, 0},
};

TEST(AgeClock, NeverGoesFasterThanTheMachineMeasures) {
  for (const Case& each : kCases) {
    AgeClock clock;
    clock.restore({}, {.now = kBegin, .boot = 5'000, .name = "this"});
    Millis got = 0;
    for (const Look& look : each.looks)
      got = clock.look(kBegin + look.day, 5'000 + look.boot, kKeep) - kBegin;
    EXPECT_EQ(got, each.want) << each.name;
  }
}

// Eight hours a day for three years: rows of the last ninety measured days stay, and no more.
TEST(AgeClock, AMachineThatIsOffEachNightKeepsRowsSoMuchLonger) {
  AgeClock clock;
  Millis now = kBegin, got = 0;
  std::pair<std::string, std::string> kept;
  for (int day = 0; day < 3 * 365; ++day) {
    clock = AgeClock();
    std::vector<std::pair<std::string, std::string>> settings;
    if (day > 0) settings.push_back(kept);
    clock.restore(settings, {.now = now, .boot = 1'000, .name = "boot " + std::to_string(day)});
    got = clock.look(now, 1'000, kKeep);
    now += 8 * kHour;
    got = clock.look(now, 1'000 + 8 * kHour, kKeep);
    kept = clock.kept();
    now += 16 * kHour;
  }
  const Millis behind = now - 16 * kHour - got;
  EXPECT_GT(behind, 170 * kDay);
  EXPECT_LT(behind, 181 * kDay);
}

struct Restart {
  std::string_view name, boot;
  Look look;
  Millis want;
};
constexpr Restart kRestarts[] = {
    {"the same start of the machine counts", "this", {10 * kDay, 10 * kDay}, 10 * kDay},
    {"a step meanwhile does not", "this", {500 * kDay, kHour}, kHour + 3'600},
    {"time off does not", "another", {3 * kDay, 0}, 0},
    {"a start that has no name does not", "", {3 * kDay, 3 * kDay}, 0},
};

TEST(AgeClock, GoesOnOverARestart) {
  for (const Restart& each : kRestarts) {
    AgeClock before;
    before.restore({}, {.now = kBegin, .boot = 5'000, .name = "this"});
    before.look(kBegin, 5'000, kKeep);
    ASSERT_TRUE(before.is_due());
    const auto kept = before.kept();
    EXPECT_FALSE(before.is_due());
    AgeClock clock;
    const Millis now = kBegin + each.look.day, boot = 5'000 + each.look.boot;
    clock.restore({kept}, {.now = now, .boot = boot, .name = std::string(each.boot)});
    EXPECT_EQ(clock.look(now, boot, kKeep) - kBegin, each.want) << each.name;
  }
}

TEST(AgeClock, WithoutAnythingKeptTimeSinceTheNewestRowDoesNotCount) {
  AgeClock clock;
  clock.restore({{"ageClock", "no JSON"}},
                {.now = kBegin, .boot = 0, .name = "this", .newest = kBegin - kDay});
  EXPECT_EQ(clock.look(kBegin, 0, kKeep), kBegin - kDay);
}

}  // namespace
}  // namespace tollgate::server
