// A whole decision about a long text takes work in proportion to its length, whatever is in it.
// Work is counted in bytes that are allocated: no clock is asked.
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/allocations.h"
#include "core/test_call.h"
#include "effects/effects.h"
#include "gate/decide.h"
#include "tests/limits/big_texts.h"

namespace tollgate {
namespace {

struct Cost {
  std::uint64_t bytes = 0;  // allocated in all
  std::int64_t peak = 0;    // held at one time
  Verdict verdict = Verdict::kAllow;
};

Cost cost_of(const Policy& policy, std::string text) {
  const ToolCall call = bash(std::move(text));
  bench::reset_peak();
  const bench::Allocations before = bench::allocations();
  const Effects effects = effects_of(call, {}, "/home/u");
  const Decision decision = decide(policy, call, effects, {});
  const bench::Allocations after = bench::allocations();
  return {after.bytes - before.bytes, after.peak - before.held, decision.verdict};
}

TEST(BigTexts, TwiceTheTextIsTwiceTheWork) {
  constexpr std::size_t kSize = 60'000;
  constexpr double kGrowth = 2.3;
  constexpr std::uint64_t kBlur = 4'000'000;  // lists that double
  const Policy policy = compile(built_in_policy());
  for (const BigText& each : big_texts()) {
    const Cost half = cost_of(policy, each.text(kSize));
    const Cost whole = cost_of(policy, each.text(2 * kSize));
    EXPECT_LE(static_cast<double>(whole.bytes), kGrowth * static_cast<double>(half.bytes) + kBlur)
        << each.name;
    EXPECT_LE(static_cast<double>(whole.peak), kGrowth * static_cast<double>(half.peak) + kBlur)
        << each.name;
    EXPECT_NE(whole.verdict, Verdict::kAllow) << each.name;
  }
}

// Deny rules apply to all that is written: what is not followed to its end is denied as a whole.
TEST(BigTexts, WhatIsNotFollowedIsDenied) {
  const Policy policy = compile(built_in_policy());
  std::string text;
  while (text.size() < 200'000) text += "ls src\n";
  EXPECT_EQ(cost_of(policy, text).verdict, Verdict::kDeny);
  // A long script that is written out, and loops that go on for long, are only asked about.
  EXPECT_EQ(cost_of(policy, text.substr(0, 20'000)).verdict, Verdict::kAsk);
  std::string loops = "for a in 1 2 3 4 5 6 7 8 9; do ";
  for (int i = 0; i < 5; ++i) loops += "for b in 1 2 3 4 5 6 7 8 9; do ";
  loops += "ls $a;";
  for (int i = 0; i < 6; ++i) loops += " done;";
  EXPECT_EQ(cost_of(policy, loops).verdict, Verdict::kAsk);
  // The first round of each is followed for itself.
  std::string nested;
  for (int i = 0; i < 20; ++i) nested += "while read -r x; do cd \"$x\"; ";
  nested += "ls;";
  for (int i = 0; i < 20; ++i) nested += " done;";
  EXPECT_EQ(cost_of(policy, nested).verdict, Verdict::kAsk);
}

}  // namespace
}  // namespace tollgate
