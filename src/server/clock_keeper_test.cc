// The daemon's clock over steps and restarts: what waits is not moved, and what is set is told.
#include "server/clock_keeper.h"

#include <gtest/gtest.h>

#include "store/memory_store.h"

namespace tollgate::server {
namespace {

constexpr Millis kHour = 3'600'000;
using Waits = ClockKeeper::Waits;

struct Keeping {
  explicit Keeping(const os::ClockLook& start) : clocks(start), keeper(clocks, store, {}) {
    keeper.restore({}, start, "this boot");
  }

  std::vector<std::pair<std::string, std::string>> settings() {
    return store.load(0, 0).value().settings;
  }

  store::MemoryStore store;
  os::TwoClocks clocks;
  ClockKeeper keeper;
};

TEST(ClockKeeper, ASetClockMovesNothingThatWaits) {
  Keeping here({.day = 1'000'000, .boot = 500});
  const os::ClockLook later{.day = 1'000'000 + kHour, .boot = 1'500};
  here.keeper.tick(Waits::kSomething, later);
  EXPECT_NEAR(static_cast<double>(here.clocks.now(later)), 1'001'000, 2);
  here.keeper.tick(Waits::kSomething, later);
  ASSERT_EQ(here.store.all_audit().size(), 1u) << "it is told once";
  EXPECT_EQ(here.store.all_audit()[0].kind, "clock");
  here.keeper.tick(Waits::kNothing, later);
  EXPECT_EQ(here.clocks.now(later), later.day) << "with nothing left the day counts";
}

TEST(ClockKeeper, ARestartGoesOnWhereSomethingWaits) {
  struct Case {
    std::string_view name, boot;
    Millis passed;  // by the machine's own clock
    bool want;      // it goes on; otherwise the day counts
  };
  constexpr Case kCases[] = {
      {"the same start of the machine", "this boot", 5'000, true},
      {"the machine started anew", "another boot", 5'000, false},
      {"it cannot be told", "", 5'000, false},
      {"its own clock is behind", "this boot", -100, false},
  };
  for (const Case& each : kCases) {
    Keeping before({.day = 1'000'000, .boot = 500});
    before.keeper.tick(Waits::kSomething, {.day = 1'000'000, .boot = 500});
    ASSERT_EQ(before.settings().size(), 1u);
    const os::ClockLook now{.day = 1'000'000 - kHour, .boot = 500 + each.passed};
    os::TwoClocks clocks(now);
    ClockKeeper keeper(clocks, before.store, {});
    keeper.restore(before.settings(), now, std::string(each.boot));
    EXPECT_EQ(clocks.now(now), each.want ? 1'000'000 + each.passed : now.day) << each.name;
  }
}

TEST(ClockKeeper, KeepsNothingWhereNothingWaits) {
  Keeping here({.day = 1'000'000, .boot = 500});
  here.keeper.tick(Waits::kSomething, {.day = 1'000'250, .boot = 750});
  EXPECT_EQ(here.settings().size(), 1u);
  here.keeper.tick(Waits::kNothing, {.day = 1'000'500, .boot = 1'000});
  EXPECT_TRUE(here.settings().empty());
  EXPECT_TRUE(here.store.all_audit().empty());
  here.keeper.restore({{"clock", "no JSON"}}, {.day = 7, .boot = 2'000}, "this boot");
  EXPECT_EQ(here.clocks.now({.day = 0, .boot = 1'000}), 1'000'500) << "what cannot be read is not";
}

}  // namespace
}  // namespace tollgate::server
