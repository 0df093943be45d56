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
  std::uint64_t peak = 0;   // held at one time
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

}  // namespace
}  // namespace tollgate
