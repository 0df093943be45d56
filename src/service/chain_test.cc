// Chains of sessions: who must settle what, and whose workspace, mode and grants count.
// Which verdict a policy gives is tested where it is decided.
#include "service/chain.h"

#include <gtest/gtest.h>

#include <vector>

#include "service/passage.h"
#include "service/test_chain.h"

namespace tollgate {
namespace {

struct ChainCase {
  std::string_view name;
  std::vector<Says> levels;  // of a Write in the workspace
  Verdict want;
  Needs needs = Needs::kNothing;
  std::string_view parent;
  std::string_view text;  // stands in the first reason
};

// NOLINTNEXTLINE(cert-err58-cpp)
const ChainCase kChains[] = {
    {"one that allows", {{.agent = "a", .allow = kWrite}}, Verdict::kAllow},
    {"one that asks", {{.agent = "a"}}, Verdict::kAsk, Needs::kPerson},
    {"one that denies", {{.agent = "a", .deny = {"Write"}}}, Verdict::kDeny},
    {"three that allow",
     {{.agent = "a", .allow = kWrite},
      {.agent = "b", .allow = kWrite},
      {.agent = "c", .allow = kWrite}},
     Verdict::kAllow},
    {"a deny at the top is a deny",
     {{.agent = "a", .allow = kWrite},
      {.agent = "b", .allow = kWrite},
      {.agent = "c", .deny = {"Write"}}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "agent `c`, above this session"},
    {"the refusal says how to delegate",
     {{.agent = "a", .allow = kWrite}, {.agent = "b", .deny = {"Write"}}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "`delegate:`"},
    {"the nearest deny is told",
     {{.agent = "a", .deny = {"Write"}}, {.agent = "b", .deny = {"Edit"}}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "the rule forbids it"},
    {"a deny above beats an ask below",
     {{.agent = "a"}, {.agent = "b", .deny = {"Write"}}},
     Verdict::kDeny},
    {"an ask in the middle is a person's",
     {{.agent = "a", .allow = kWrite}, {.agent = "b"}, {.agent = "c", .allow = kWrite}},
     Verdict::kAsk,
     Needs::kPerson,
     "",
     "agent `b`, above this session"},
    {"no at the top denies",
     {{.agent = "a", .allow = kWrite}, {.agent = "b", .answer = Answerer::kNo}},
     Verdict::kDeny},
    {"yes at the top allows",
     {{.agent = "a", .allow = kWrite}, {.agent = "b", .answer = Answerer::kYes}},
     Verdict::kAllow},
    {"a delegated session needs nobody above it",
     {{.agent = "a", .allow = kWrite, .delegated = true}, {.agent = "b", .deny = {"Write"}}},
     Verdict::kAllow},
    {"delegation in the middle stops there",
     {{.agent = "a", .allow = kWrite},
      {.agent = "b", .allow = kWrite, .delegated = true},
      {.agent = "c", .deny = {"Write"}}},
     Verdict::kAllow},
    {"and no earlier",
     {{.agent = "a", .allow = kWrite},
      {.agent = "b", .deny = {"Write"}, .delegated = true},
      {.agent = "c", .allow = kWrite}},
     Verdict::kDeny},
    {"a delegated session that asks asks a person",
     {{.agent = "a", .delegated = true}, {.agent = "b", .deny = {"Write"}}},
     Verdict::kAsk,
     Needs::kPerson},
    {"forward is settled by a parent that allows",
     {{.agent = "a", .answer = Answerer::kForward}, {.agent = "b", .allow = kWrite}},
     Verdict::kAllow,
     Needs::kNothing,
     "",
     "agent `b` allows it"},
    {"forward goes to the parent's person",
     {{.agent = "a", .answer = Answerer::kForward}, {.agent = "b"}},
     Verdict::kAsk,
     Needs::kPerson},
    {"forward goes to the top",
     {{.agent = "a", .answer = Answerer::kForward},
      {.agent = "b", .answer = Answerer::kForward},
      {.agent = "c", .allow = kWrite}},
     Verdict::kAllow,
     Needs::kNothing,
     "",
     "agent `c` allows it"},
    {"forward to the top and its person",
     {{.agent = "a", .answer = Answerer::kForward},
      {.agent = "b", .answer = Answerer::kForward},
      {.agent = "c"}},
     Verdict::kAsk,
     Needs::kPerson},
    {"forward without a parent is a deny",
     {{.agent = "a", .answer = Answerer::kForward}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "nobody to ask"},
    {"also at the top of a chain",
     {{.agent = "a"}, {.agent = "b", .answer = Answerer::kForward}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "the session of agent `b` leaves the answer to its parent and has none"},
    {"forward to a parent that says yes",
     {{.agent = "a", .answer = Answerer::kForward}, {.agent = "b", .answer = Answerer::kYes}},
     Verdict::kAllow},
    {"forward to a parent that says no",
     {{.agent = "a", .answer = Answerer::kForward}, {.agent = "b", .answer = Answerer::kNo}},
     Verdict::kDeny},
    {"a delegated session may still forward",
     {{.agent = "a", .answer = Answerer::kForward, .delegated = true},
      {.agent = "b", .allow = kWrite}},
     Verdict::kAllow},
    {"and is denied what its parent denies then",
     {{.agent = "a", .answer = Answerer::kForward, .delegated = true},
      {.agent = "b", .deny = {"Write"}}},
     Verdict::kDeny},
    {"the parent's agent settles what its policy allows",
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b", .allow = kWrite}},
     Verdict::kAsk,
     Needs::kParent,
     "s-b"},
    {"not without a parent",
     {{.agent = "a", .answer = Answerer::kParent}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "nobody to ask"},
    {"what the parent must ask a person for goes to that person",
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b"}},
     Verdict::kAsk,
     Needs::kPerson},
    {"what the parent leaves to its own parent's agent is nobody's",
     {{.agent = "a", .answer = Answerer::kParent},
      {.agent = "b", .answer = Answerer::kParent},
      {.agent = "c", .allow = kWrite}},
     Verdict::kDeny,
     Needs::kNothing,
     "",
     "only what its own policy allows outright"},
    {"what the parent forwards and so may do is not what it allows outright",
     {{.agent = "a", .answer = Answerer::kParent},
      {.agent = "b", .answer = Answerer::kForward},
      {.agent = "c", .allow = kWrite}},
     Verdict::kDeny},
    {"forward to a parent whose agent's parent settles it",
     {{.agent = "a", .answer = Answerer::kForward},
      {.agent = "b", .answer = Answerer::kParent},
      {.agent = "c", .allow = kWrite}},
     Verdict::kAsk,
     Needs::kParent,
     "s-c"},
    {"a parent's agent below and a person above: the person",
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b", .allow = kWrite}, {.agent = "c"}},
     Verdict::kAsk,
     Needs::kPerson},
    {"two parents' agents are a person's",
     {{.agent = "a", .answer = Answerer::kParent},
      {.agent = "b", .allow = kWrite},
      {.agent = "c", .answer = Answerer::kParent},
      {.agent = "d", .allow = kWrite}},
     Verdict::kAsk,
     Needs::kPerson},
    {"no session at all", {}, Verdict::kDeny},
};

TEST(Chain, EverySessionOfAChainMustComeToAllow) {
  for (const ChainCase& c : kChains) {
    FixedWorld world;
    const Passage passage = Passage::open(chain_of(c.levels), world, write_to("/w/x"));
    const Decision& decision = passage.record().decision;
    EXPECT_EQ(decision.verdict, c.want) << c.name;
    EXPECT_EQ(passage.needs(), c.needs) << c.name;
    EXPECT_EQ(passage.parent(), c.parent) << c.name;
    ASSERT_FALSE(decision.reasons.empty()) << c.name;
    EXPECT_NE(decision.reasons[0].text.find(c.text), std::string::npos)
        << c.name << ": " << decision.reasons[0].text;
    EXPECT_EQ(decision.reasons[0].verdict, c.want) << c.name;
    if (c.needs == Needs::kPerson) {
      EXPECT_EQ(decision.answer, Answerer::kAsk) << c.name;
    }
  }
}

TEST(Chain, OnePersonSettlesTheWholeChain) {
  for (const ChainCase& c : kChains) {
    if (c.needs == Needs::kNothing) continue;
    FixedWorld world;
    Passage passage = Passage::open(chain_of(c.levels), world, write_to("/w/x"));
    Passage refused = passage;
    passage.close(yes(), world);
    EXPECT_EQ(passage.record().decision, yes().decision) << c.name;
    EXPECT_EQ(passage.needs(), Needs::kNothing) << c.name;
    refused.close(no(), world);
    EXPECT_EQ(refused.record().decision, no().decision) << c.name;
    EXPECT_EQ(refused.needs(), Needs::kNothing) << c.name;
  }
}

TEST(Chain, WithoutAQuestionAnAnswerCountsForNothing) {
  FixedWorld world;
  Passage denied =
      Passage::open(chain_of({{.agent = "a", .deny = {"Write"}}}), world, write_to("/w/x"));
  const AuditRecord before = denied.record();
  denied.close(yes(), world);
  EXPECT_EQ(denied.record(), before);
}

TEST(Chain, AChainHasOneToEightLevels) {
  FixedWorld world;
  for (const auto& [count, want] : {std::pair(0, Verdict::kDeny), std::pair(8, Verdict::kAllow),
                                    std::pair(9, Verdict::kDeny)}) {
    const std::vector<Level> levels(static_cast<std::size_t>(count),
                                    level_of({.agent = "a", .allow = kWrite}));
    const Passage passage = Passage::open(levels, world, write_to("/w/x"));
    EXPECT_EQ(passage.record().decision.verdict, want) << count;
    EXPECT_FALSE(passage.record().decision.reasons.empty());
  }
}

TEST(Chain, ALevelWithoutAPolicyDenies) {
  FixedWorld world;
  std::vector<Level> levels =
      chain_of({{.agent = "a", .allow = kWrite}, {.agent = "b", .allow = kWrite}});
  levels[1].policy = nullptr;
  EXPECT_EQ(Passage::open(levels, world, write_to("/w/x")).record().decision.verdict,
            Verdict::kDeny);
}

TEST(Chain, TheAgentIsTheSessionsWhateverTheCallSays) {
  FixedWorld world;
  ToolCall call = write_to("/w/x");
  call.agent = "";  // the default agent, which the built-in policy has too
  const Passage passage = Passage::open(
      chain_of({{.agent = "a", .allow = kWrite, .answer = Answerer::kNo}}), world, call);
  EXPECT_EQ(passage.record().call.agent, "a");
}

// ---- what is the asking session's and what is the level's ----

struct PlaceCase {
  std::string_view name, path;
  std::vector<std::string> allow, deny;  // of the parent
  Verdict want;
};

// The child works in /w/child, the parent in /w/parent.
// NOLINTNEXTLINE(cert-err58-cpp)
const PlaceCase kPlaces[] = {
    {"a parent's root is the parent's", "/w/child/x", {"Write(/**)"}, {}, Verdict::kAsk},
    {"an absolute rule is for everywhere", "/w/child/x", {"Write(//w/**)"}, {}, Verdict::kAllow},
    {"its deny holds in its own root",
     "/w/parent/s/x",
     {"Write(//w/**)"},
     {"Edit(/s/**)"},
     Verdict::kDeny},
    {"and is not about another",
     "/w/child/s/x",
     {"Write(//w/**)"},
     {"Edit(/s/**)"},
     Verdict::kAllow},
};

TEST(Chain, AParentsRulesMeanTheParentsWorkspace) {
  for (const PlaceCase& c : kPlaces) {
    FixedWorld world;
    std::vector<Level> levels = chain_of({{.agent = "a", .allow = {"Write(//w/**)"}},
                                          {.agent = "b", .allow = c.allow, .deny = c.deny}});
    levels[0].options.plan.base = "/w/child";
    levels[1].options.plan.base = "/w/parent";
    ToolCall call = write_to(std::string(c.path));
    call.cwd = "/w/child";
    EXPECT_EQ(Passage::open(levels, world, call).record().decision.verdict, c.want) << c.name;
  }
}

TEST(Chain, AParentsModeMeansTheParentsWorkspace) {
  for (const auto& [base, want] :
       {std::pair("/w/parent", Verdict::kAsk), std::pair("/w/child", Verdict::kAllow),
        std::pair("", Verdict::kAllow)}) {
    FixedWorld world;
    std::vector<Level> levels =
        chain_of({{.agent = "a", .allow = {"Write(//w/**)"}}, {.agent = "b"}});
    levels[0].options.plan.base = "/w/child";
    levels[1].options.plan.base = base;
    levels[1].options.decide.mode = Mode::kAcceptEdits;
    EXPECT_EQ(Passage::open(levels, world, write_to("/w/child/x")).record().decision.verdict, want)
        << "parent in `" << base << "`";
  }
}

TEST(Chain, TheModeAndTheAnswererOfASessionAreItsOwn) {
  FixedWorld world;
  std::vector<Level> levels = chain_of({{.agent = "a"}, {.agent = "b", .allow = kWrite}});
  const auto verdict = [&] {
    return Passage::open(levels, world, write_to("/w/x")).record().decision.verdict;
  };
  EXPECT_EQ(verdict(), Verdict::kAsk);
  levels[0].options.decide.mode = Mode::kAcceptEdits;
  EXPECT_EQ(verdict(), Verdict::kAllow);
  levels[1].options.decide.mode = Mode::kPlan;
  EXPECT_EQ(verdict(), Verdict::kDeny) << "the parent only plans";
  levels[1].options.decide.mode.reset();
  levels[0].options.decide.mode.reset();
  levels[0].options.decide.answer = Answerer::kForward;
  EXPECT_EQ(verdict(), Verdict::kAllow) << "the operator lets it forward";
  levels[0].options.decide.answer = Answerer::kNo;
  EXPECT_EQ(verdict(), Verdict::kDeny);
}

TEST(Chain, AGrantHoldsForTheLevelThatHasIt) {
  FixedWorld world;
  std::vector<Level> levels = chain_of({{.agent = "a"}, {.agent = "b"}});
  Result<Rule> rule = parse_rule(Verdict::kAllow, "Write(//w/x)", {});
  ASSERT_TRUE(rule);
  const auto grants =
      std::make_shared<const Grants>(Grants{{.rule = *rule, .id = "7", .root = ""}});
  levels[0].options.decide.grants = grants;
  Passage passage = Passage::open(levels, world, write_to("/w/x"));
  EXPECT_EQ(passage.record().decision.verdict, Verdict::kAsk);
  EXPECT_EQ(passage.at(0).decision.verdict, Verdict::kAllow);
  EXPECT_EQ(passage.at(1).decision.verdict, Verdict::kAsk);
  levels[1].options.decide.grants = grants;
  EXPECT_EQ(Passage::open(levels, world, write_to("/w/x")).record().decision.verdict,
            Verdict::kAllow);
}

// ---- one question for all ----

TEST(Chain, TheQuestionWantsWhatEachLevelWants) {
  FixedWorld world;
  std::vector<Level> levels = chain_of({{.agent = "a"}, {.agent = "b"}, {.agent = "c"}});
  const Quorum leads{.any = 2, .of = {"lead"}, .within_ms = 600'000};
  const Quorum security{.any = 1, .of = {"security"}, .within_ms = 20'000};
  levels[1].policy = with_quorum(leads, "b");
  levels[2].policy = with_quorum(security, "c");
  const Passage passage = Passage::open(levels, world, write_to("/w/x"));
  const Decision& decision = passage.record().decision;
  EXPECT_EQ(decision.quorums, (std::vector<Quorum>{leads, security}));
  EXPECT_EQ(decision.approve, format_quorum(leads) + " and " + format_quorum(security));
  EXPECT_EQ(decision.within_ms, 20'000);
  EXPECT_EQ(decision.reasons.size(), 3u);
  EXPECT_EQ(passage.judged(), 3u);
  EXPECT_TRUE(passage.at(0).decision.quorums.empty());
}

}  // namespace
}  // namespace tollgate
