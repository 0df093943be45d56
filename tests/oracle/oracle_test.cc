// decide() against the reference judge, and the properties that hold for every policy.
// The quick run takes 120,000 cases from fixed seeds; TOLLGATE_LONG=1 takes two million.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

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
  for (std::uint64_t seed = 1; met < 5'000; ++seed) {
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
    const Result<Policy> opened = Policy::open(*copy, copy);
    ASSERT_TRUE(opened);
    ASSERT_EQ(opened->agents(), made.agents());
    ASSERT_EQ(opened->tools(), made.tools());
    ASSERT_EQ(decide(*opened, c.call, c.effects, c.situation, c.options),
              decide(made, c.call, c.effects, c.situation, c.options));
  }
}

// Makes the change in the policy itself, the way a person would.
PolicySet changed(const PolicySet& set, const Change& change, const Case& c) {
  PolicySet out = set;
  const auto agent = std::ranges::find(out.agents, c.call.agent, &AgentPolicy::name);
  switch (change.kind) {
    case ChangeKind::kAddRule: {
      // Several rules are told with a comma between them; none of these texts holds one itself.
      std::string rest = change.rule;
      while (!rest.empty()) {
        const std::size_t comma =
            change.rule.find("), ") == std::string::npos ? rest.npos : rest.find("), ");
        const std::string text = comma == rest.npos ? rest : rest.substr(0, comma + 1);
        rest = comma == rest.npos ? "" : rest.substr(comma + 3);
        Result<Rule> rule =
            parse_rule(*verdict_named(change.list), text,
                       {.file = "new.yaml", .line = 1, .column = 1}, {.tools = set.tools});
        EXPECT_TRUE(rule) << text;
        if (rule) out.rules.push_back(*rule);
      }
      break;
    }
    case ChangeKind::kRemoveRules:
      std::erase_if(out.rules, [&](const Rule& rule) {
        return std::ranges::find(change.places, place_name(rule.where)) != change.places.end() &&
               change.rule.find(rule.text) != std::string::npos;
      });
      break;
    case ChangeKind::kSetMode:
      agent->mode = {*mode_named(change.rule), ConfigSource::kUser, ""};
      break;
    case ChangeKind::kAddTool: {
      Result<ToolPart> part = parse_tool_part(Verdict::kAllow, change.rule, {});
      EXPECT_TRUE(part);
      if (part) agent->ceiling.entries.push_back({*part, change.rule});
      break;
    }
    case ChangeKind::kSetAnswer:
      agent->answer.value = *answerer_named(change.rule);
      break;
    case ChangeKind::kPerson:
      break;
  }
  return out;
}

TEST(Explain, StatesOnlyChangesThatAreTrueWhenTried) {
  std::size_t tried = 0, kinds[6] = {};
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
          << static_cast<int>(change.kind) << " " << change.rule << "\n"
          << show(c, seed);
      ASSERT_NE(change.verdict, decision.verdict);
    }
    for (const std::string& suggestion : decision.suggestions) {
      const Change add{.kind = ChangeKind::kAddRule, .list = "allow", .rule = suggestion};
      Case after = c;
      after.options.detail = Detail::kVerdict;
      ASSERT_EQ(verdict_of(changed(c.set, add, c), after), Verdict::kAllow) << suggestion << "\n"
                                                                            << show(c, seed);
    }
  }
  for (const std::size_t count : kinds)
    EXPECT_GT(count, 20u) << "a kind of change is hardly ever stated";
}

TEST(Explain, SaysTheSameVerdictAsTheShortForm) {
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    Case c = random_case(seed);
    const Policy policy = compile(c.set);
    const Decision quick = decide(policy, c.call, c.effects, c.situation, c.options);
    c.options.detail = Detail::kFull;
    const Decision full = decide(policy, c.call, c.effects, c.situation, c.options);
    ASSERT_EQ(quick.verdict, full.verdict) << show(c, seed);
    ASSERT_EQ(quick.reasons, full.reasons) << show(c, seed);
  }
}

}  // namespace
}  // namespace tollgate::oracle
