// decide() against the reference judge, and the properties that hold for every policy.
// The quick run takes 120,000 cases from fixed seeds; TOLLGATE_LONG=1 takes two million.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "core/codec.h"
#include "effects/effects.h"
#include "json/json.h"
#include "oracle/random_case.h"
#include "oracle/reference_judge.h"

namespace tollgate::oracle {
namespace {

bool is_long() { return std::getenv("TOLLGATE_LONG") != nullptr; }

struct Case {
  PolicySet set;
  ToolCall call;
  Effects effects;
  Situation situation;
  DecideOptions options;
};

Case random_case(std::uint64_t seed) {
  Random random(seed);
  Case c;
  c.set = random_policy(random);
  c.call = random_call(random);
  c.effects = effects_of(c.call, c.set.tools, "/home/user");
  c.situation = random_situation(random, c.call, c.effects);
  c.options = random_options(random);
  return c;
}

Verdict verdict_of(const PolicySet& set, const Case& c) {
  return decide(compile(set), c.call, c.effects, c.situation, c.options).verdict;
}

std::string show(const Case& c, std::uint64_t seed) {
  return "seed " + std::to_string(seed) + "\n" + oracle::show(c.set) +
         json::write(to_json(c.call)) + "\n" + json::write(to_json(c.effects)) + "\n" +
         json::write(to_json(c.situation));
}

TEST(Decide, AgreesWithTheReferenceJudge) {
  const std::uint64_t policies = is_long() ? 400'000 : 24'000;
  std::size_t seen[3] = {}, cases = 0;
  for (std::uint64_t seed = 1; seed <= policies; ++seed) {
    Random random(seed);
    const PolicySet set = random_policy(random);
    const Policy policy = compile(set);
    for (int n = 0; n < 5; ++n, ++cases) {
      Case c{set, random_call(random), {}, {}, {}};
      c.effects = effects_of(c.call, set.tools, "/home/user");
      c.situation = random_situation(random, c.call, c.effects);
      c.options = random_options(random);
      const Decision got = decide(policy, c.call, c.effects, c.situation, c.options);
      const Verdict want = reference_verdict(set, c.call, c.effects, c.situation, c.options);
      ASSERT_EQ(name(got.verdict), name(want)) << show(c, seed);
      ASSERT_FALSE(got.reasons.empty()) << show(c, seed);
      ASSERT_FALSE(got.reasons[0].text.empty()) << show(c, seed);
      ++seen[static_cast<int>(want)];
    }
  }
  EXPECT_GE(cases, 100'000u);
  for (const std::size_t count : seen)
    EXPECT_GT(count, cases / 20) << "a verdict is hardly ever met";
}

TEST(Decide, DoesNotDependOnTheOrderOfRules) {
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    const Case c = random_case(seed);
    PolicySet shuffled = c.set;
    Random random(seed + 7);
    std::shuffle(shuffled.rules.begin(), shuffled.rules.end(), random.engine());
    const Decision one = decide(compile(c.set), c.call, c.effects, c.situation, c.options);
    const Decision two = decide(compile(shuffled), c.call, c.effects, c.situation, c.options);
    ASSERT_EQ(one, two) << show(c, seed);
  }
}

TEST(Decide, NeverLoosensWhenADenyOrAskIsAdded) {
  for (std::uint64_t seed = 1; seed <= 30'000; ++seed) {
    const Case c = random_case(seed);
    Random random(seed + 11);
    Rule added = random_rule(random, 99);
    // A rule's own answerer may settle questions by yes, which is its purpose.
    added.answer.reset();
    if (added.verdict == Verdict::kAllow) continue;
    PolicySet more = c.set;
    more.rules.push_back(added);
    ASSERT_GE(verdict_of(more, c), verdict_of(c.set, c)) << added.text << "\n" << show(c, seed);
  }
}

TEST(Decide, NeverLetsANarrowRuleCoverTheUnknown) {
  std::size_t met = 0;
  for (std::uint64_t seed = 1; met < 2'000; ++seed) {
    Case c = random_case(seed);
    const bool unknown = std::ranges::any_of(
        c.effects, [](const Effect& effect) { return effect.kind == EffectKind::kUnknown; });
    if (!unknown) continue;
    ++met;
    std::erase_if(c.set.rules, [](const Rule& rule) {
      return rule.verdict == Verdict::kAllow && rule.specifier_kind == SpecifierKind::kNone;
    });
    for (AgentPolicy& agent : c.set.agents) {
      agent.mode = {Mode::kDefault, ConfigSource::kManaged, ""};
      agent.mode_limit = Mode::kDefault;
      agent.answer.value = Answerer::kAsk;
    }
    for (Rule& rule : c.set.rules) rule.answer.reset();
    const bool declared = std::ranges::any_of(c.set.tools, [&](const ToolDeclaration& tool) {
      return tool.name == c.call.tool && !tool.side_effect;
    });
    if (declared) continue;
    ASSERT_NE(verdict_of(c.set, c), Verdict::kAllow) << show(c, seed);
  }
}

TEST(Decide, JudgesTheSameFromCopiedBytes) {
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    const Case c = random_case(seed);
    const Policy made = compile(c.set);
    auto copy = std::make_shared<std::vector<std::byte>>(made.bytes().begin(), made.bytes().end());
    for (const PolicyCheck check : {PolicyCheck::kWhole, PolicyCheck::kAsRead}) {
      const Result<Policy> opened = Policy::open(*copy, copy, check);
      ASSERT_TRUE(opened);
      ASSERT_EQ(opened->agents(), made.agents());
      ASSERT_EQ(opened->tools(), made.tools());
      ASSERT_EQ(decide(*opened, c.call, c.effects, c.situation, c.options),
                decide(made, c.call, c.effects, c.situation, c.options));
      ASSERT_EQ(opened->broken().has_value(), made.broken().has_value());
    }
  }
}

TEST(Decide, DeniesByWhatProvesDamaged) {
  std::size_t damaged = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    const Case c = random_case(seed);
    const Policy made = compile(c.set);
    auto bytes = std::make_shared<std::vector<std::byte>>(made.bytes().begin(), made.bytes().end());
    const std::size_t at = (seed * 7919) % bytes->size();
    (*bytes)[at] ^= static_cast<std::byte>(seed % 255 + 1);
    const Result<Policy> opened = Policy::open(*bytes, bytes, PolicyCheck::kAsRead);
    if (!opened || opened->broken()) continue;
    const Decision decision = decide(*opened, c.call, c.effects, c.situation, c.options);
    ASSERT_FALSE(decision.reasons.empty()) << show(c, seed);
    if (!opened->broken()) continue;
    ++damaged;
    ASSERT_EQ(decision.verdict, Verdict::kDeny) << show(c, seed);
    ASSERT_EQ(decision.reasons[0].rule, "bad-snapshot") << show(c, seed);
  }
  EXPECT_GT(damaged, 20u);
}

void add_rules(PolicySet& set, const std::string& list, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    Result<Rule> rule =
        parse_rule(*verdict_named(list), text, {.file = "new.yaml", .line = 1, .column = 1},
                   {.tools = set.tools});
    EXPECT_TRUE(rule) << text;
    if (rule) set.rules.push_back(*rule);
  }
}

void remove_rules(PolicySet& set, const std::vector<std::string>& places,
                  const std::vector<std::string>& texts) {
  std::erase_if(set.rules, [&](const Rule& rule) {
    return std::ranges::find(places, place_name(rule.where)) != places.end() &&
           std::ranges::find(texts, rule.text) != texts.end();
  });
}

// Makes the change in the policy itself, the way a person would.
PolicySet changed(const PolicySet& set, const Change& change, const Case& c) {
  PolicySet out = set;
  const auto agent = std::ranges::find(out.agents, c.call.agent, &AgentPolicy::name);
  switch (change.kind) {
    case ChangeKind::kAddRule:
      add_rules(out, change.list, change.rules);
      break;
    case ChangeKind::kRemoveRules:
      remove_rules(out, change.places, change.rules);
      break;
    case ChangeKind::kReplace:
      remove_rules(out, change.places, change.removed);
      add_rules(out, change.list, change.rules);
      break;
    case ChangeKind::kSetMode:
      agent->mode = {*mode_named(change.rules.at(0)), ConfigSource::kUser, ""};
      break;
    case ChangeKind::kSetTools:
      agent->ceiling.entries.clear();
      [[fallthrough]];
    case ChangeKind::kAddTool:
      for (const std::string& text : change.rules) {
        Result<ToolPart> part = parse_tool_part(Verdict::kAllow, text, {});
        EXPECT_TRUE(part);
        if (part) agent->ceiling.entries.push_back({*part, text});
      }
      break;
    case ChangeKind::kSetAnswer:
      agent->answer.value = *answerer_named(change.rules.at(0));
      break;
    case ChangeKind::kPerson:
      break;
  }
  return out;
}

TEST(Explain, StatesOnlyChangesThatAreTrueWhenTried) {
  std::size_t tried = 0, kinds[8] = {};
  for (std::uint64_t seed = 1; tried < 10'000; ++seed) {
    Case c = random_case(seed);
    c.options.mode.reset();
    c.options.detail = Detail::kFull;
    const Decision decision = decide(compile(c.set), c.call, c.effects, c.situation, c.options);
    for (const Change& change : decision.changes) {
      ++kinds[static_cast<int>(change.kind)];
      if (change.kind == ChangeKind::kPerson) continue;
      ++tried;
      Case after = c;
      after.options.detail = Detail::kVerdict;
      ASSERT_EQ(name(verdict_of(changed(c.set, change, c), after)), name(change.verdict))
          << static_cast<int>(change.kind) << " " << testing::PrintToString(change.rules) << "\n"
          << show(c, seed);
      ASSERT_NE(change.verdict, decision.verdict);
      if (change.kind != ChangeKind::kReplace) continue;
      PolicySet half = c.set;
      remove_rules(half, change.places, change.removed);
      ASSERT_NE(verdict_of(half, after), Verdict::kAllow) << "removing is enough\n"
                                                          << show(c, seed);
      half = c.set;
      add_rules(half, change.list, change.rules);
      ASSERT_NE(verdict_of(half, after), Verdict::kAllow) << "adding is enough\n" << show(c, seed);
    }
    for (const std::string& suggestion : decision.suggestions) {
      const Change add{.kind = ChangeKind::kAddRule, .list = "allow", .rules = {suggestion}};
      Case after = c;
      after.options.detail = Detail::kVerdict;
      ASSERT_EQ(verdict_of(changed(c.set, add, c), after), Verdict::kAllow) << suggestion << "\n"
                                                                            << show(c, seed);
    }
  }
  for (const std::size_t count : kinds)
    EXPECT_GT(count, 20u) << "a kind of change is hardly ever stated";
}

// In full detail there may be more reasons: one for each part that nothing covers.
TEST(Explain, SaysTheSameVerdictAsTheShortForm) {
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    Case c = random_case(seed);
    const Policy policy = compile(c.set);
    const Decision quick = decide(policy, c.call, c.effects, c.situation, c.options);
    c.options.detail = Detail::kFull;
    const Decision full = decide(policy, c.call, c.effects, c.situation, c.options);
    ASSERT_EQ(quick.verdict, full.verdict) << show(c, seed);
    ASSERT_GE(full.reasons.size(), quick.reasons.size()) << show(c, seed);
    ASSERT_TRUE(
        std::ranges::equal(quick.reasons, std::span(full.reasons).first(quick.reasons.size())))
        << show(c, seed);
  }
}

}  // namespace
}  // namespace tollgate::oracle
