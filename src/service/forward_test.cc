// A call that nobody answered in time and that a rule leaves to the parent then.
// Each level asks or allows by its own policy, for its own time.
#include <gtest/gtest.h>

#include <vector>

#include "core/test_call.h"
#include "service/passage.h"
#include "service/test_chain.h"

namespace tollgate {
namespace {

// How one level stands to a Write.
struct Stand {
  Verdict verdict = Verdict::kAsk;
  OnTimeout then = OnTimeout::kDeny;
  std::int64_t within_ms = 30'000;
  Answerer answer = Answerer::kAsk;
  bool delegated = false;
};

Level level_of(const Stand& stand, const std::string& agent) {
  PolicySet set = built_in_policy();
  set.agents.push_back(set.agents[0]);
  set.agents.back().name = agent;
  set.agents.back().timeout_ms.value = stand.within_ms;
  set.agents.back().answer.value = stand.answer;
  Result<Rule> rule = parse_rule(stand.verdict, "Write", {});
  EXPECT_TRUE(rule);
  if (stand.verdict == Verdict::kAsk) rule->on_timeout = stand.then;
  set.rules.push_back(*rule);
  return {.session = "s-" + agent,
          .agent = agent,
          .policy = std::make_shared<const Policy>(compile(set)),
          .options = {.plan = {.base = "/w", .home = "/home/u"}},
          .delegated = stand.delegated};
}

struct Case {
  std::string_view name;
  std::vector<Stand> levels;
  std::int64_t waited_ms = 30'000;
  bool goes_on = true;
  Verdict want = Verdict::kDeny;
  Needs needs = Needs::kNothing;
  std::string_view text = "nobody answered in time; ";  // the first reason begins so
};

constexpr Stand kForwards = {.then = OnTimeout::kForward};
constexpr Stand kAllows = {.verdict = Verdict::kAllow};

// NOLINTNEXTLINE(cert-err58-cpp)
const Case kCases[] = {
    {"a rule that does not say so", {{}, kAllows}, 30'000, false},
    {"a rule that puts it once more", {{.then = OnTimeout::kEscalate}, kAllows}, 30'000, false},
    {"before its time is over", {kForwards, kAllows}, 29'999, false},
    {"the parent allows it",
     {kForwards, kAllows},
     30'000,
     true,
     Verdict::kAllow,
     Needs::kNothing,
     "nobody answered in time; the answer was left to the parent, and agent `b` allows it"},
    {"there is no parent",
     {kForwards},
     30'000,
     true,
     Verdict::kDeny,
     Needs::kNothing,
     "nobody answered in time; there is nobody to ask: this session leaves the answer to its "
     "parent and has none"},
    {"the parent's people had the same time",
     {kForwards, {}},
     30'000,
     true,
     Verdict::kDeny,
     Needs::kNothing,
     "agent `b`, above this session: nobody answered in time"},
    {"the parent's people have more time",
     {kForwards, {.within_ms = 90'000}},
     30'000,
     true,
     Verdict::kAsk,
     Needs::kPerson},
    {"the parent's people wait for ever",
     {kForwards, {.within_ms = 0}},
     30'000,
     true,
     Verdict::kAsk,
     Needs::kPerson},
    {"the parent answers yes",
     {kForwards, {.answer = Answerer::kYes}},
     30'000,
     true,
     Verdict::kAllow,
     Needs::kNothing},
    {"it goes up to the top",
     {kForwards, kForwards, kAllows},
     30'000,
     true,
     Verdict::kAllow,
     Needs::kNothing},
    {"and no further", {kForwards, kForwards}, 30'000, true},
    {"a level between that does not forward keeps it",
     {kForwards, {}, kAllows},
     30'000,
     true,
     Verdict::kDeny,
     Needs::kNothing,
     "agent `b`, above this session: nobody answered in time"},
    {"only the parent forwards, and has no parent", {kAllows, kForwards}, 30'000, true},
    {"a session that may exceed its parent may still leave it to that one",
     {{.then = OnTimeout::kForward, .delegated = true}, kAllows},
     30'000,
     true,
     Verdict::kAllow,
     Needs::kNothing},
    {"a parent's agent that did not answer",
     {{.then = OnTimeout::kForward, .answer = Answerer::kParent}, kAllows},
     30'000,
     true,
     Verdict::kAllow,
     Needs::kNothing},
};

TEST(Forward, LeavesToTheParentWhatNobodyAnswered) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.name);
    FixedWorld world;
    std::vector<Level> levels;
    for (const Stand& stand : one.levels)
      levels.push_back(level_of(stand, std::string(1, static_cast<char>('a' + levels.size()))));
    Passage passage = Passage::open(levels, world, write_to("/w/x"));
    ASSERT_EQ(passage.record().decision.verdict, Verdict::kAsk);
    EXPECT_EQ(passage.goes_on_after(one.waited_ms), one.goes_on);
    Passage rested = Passage::wake(Passage(passage).rest(), passage.record());
    EXPECT_EQ(rested.goes_on_after(one.waited_ms), one.goes_on);
    if (!one.goes_on) continue;
    const ToolCall call = passage.record().call;
    rested.forward(world, one.waited_ms);
    passage.forward(world, one.waited_ms);
    EXPECT_TRUE(rested.record() == passage.record()) << "the wait changes nothing";
    const Decision& decision = passage.record().decision;
    EXPECT_EQ(decision.verdict, one.want);
    EXPECT_EQ(passage.needs(), one.needs);
    EXPECT_TRUE(decision.reasons.at(0).text.starts_with(one.text)) << decision.reasons[0].text;
    EXPECT_TRUE(passage.record().call == call);
  }
}

TEST(Forward, ThoseAboveHaveWhatIsLeftOfTheirTime) {
  FixedWorld world;
  const std::vector<Level> levels = {level_of(kForwards, "a"),
                                     level_of({.within_ms = 90'000}, "b")};
  Passage passage = Passage::open(levels, world, write_to("/w/x"));
  EXPECT_EQ(passage.record().decision.within_ms, 30'000);
  passage.forward(world, 30'500);
  EXPECT_EQ(passage.record().decision.within_ms, 59'500);
  passage.close(yes(), world);
  EXPECT_EQ(passage.record().decision.verdict, Verdict::kAllow);
}

TEST(Forward, ABreakerIsForPeople) {
  FixedWorld world;
  const std::vector<Level> levels = {level_of(kForwards, "a"), level_of(kAllows, "b")};
  const Passage passage = Passage::open(levels, world, write_to("/w/.git/config"));
  ASSERT_EQ(passage.record().decision.verdict, Verdict::kAsk);
  EXPECT_FALSE(passage.goes_on_after(1'000'000));
}

}  // namespace
}  // namespace tollgate
