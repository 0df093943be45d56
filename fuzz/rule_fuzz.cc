// Any text as a rule of each list: refused with a code and a message, or a rule that survives being
// written and read again, and that the index finds wherever the exact matcher does.
// A deny that matches as text must match as a command too: reading deeper never loosens.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/scenes.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "policy/rule.h"

namespace {

using namespace tollgate;
using fuzz::require;

Rule without_place(Rule rule) {
  rule.text.clear();
  rule.where = {};
  return rule;
}

void formats_back(const Rule& rule) {
  const std::string text = format_rule(rule);
  const Result<Rule> again = parse_rule(rule.verdict, text, {});
  require(again.has_value());
  require(without_place(*again) == without_place(rule));
  require(format_rule(*again) == text);
}

void command_reading_holds_text(const Rule& rule, const fuzz::Asked& asked) {
  if (rule.specifier_kind != SpecifierKind::kShell || rule.verdict == Verdict::kAllow) return;
  const std::string_view home = asked.situation.home.written;
  for (const Effect& effect : asked.effects)
    if (effect.kind == EffectKind::kRun &&
        command_text_matches(rule.specifier, effect.argv, rule.verdict, home))
      require(command_hits(rule.specifier, effect.argv, home) == Match::kYes);
}

Match hits(const Rule& rule, const Scene& scene) {
  const RuleView view = view_of(rule);
  Match best = hits_call(view, scene);
  for (std::size_t i = 0; i < scene.effects.size(); ++i)
    best = std::max(best, hits_effect(view, scene, i));
  return best;
}

Policy policy_with(const Rule* rule) {
  PolicySet set;
  set.agents.push_back(
      {.name = "", .ceiling = {.entries = {{{ToolPartKind::kAll, 0, ""}, "*"}}, .chosen = true}});
  if (rule != nullptr) set.rules.push_back(*rule);
  return compile(set);
}

// The index may name a rule too often, never too seldom.
void index_agrees(const Rule& rule) {
  static const std::vector<Decision> plain_decisions = [] {
    const Policy without = policy_with(nullptr);
    std::vector<Decision> all;
    for (const fuzz::Asked& asked : fuzz::asked_calls())
      all.push_back(decide(without, asked.call, asked.effects, asked.situation));
    return all;
  }();
  const Policy policy = policy_with(&rule);
  require(policy.rule_count() == 1 && !policy.broken());
  for (std::size_t call = 0; call < plain_decisions.size(); ++call) {
    const fuzz::Asked& asked = fuzz::asked_calls()[call];
    const Decision& plain = plain_decisions[call];
    command_reading_holds_text(rule, asked);
    const Scene scene = asked.scene();
    const Decision decision = decide(policy, asked.call, asked.effects, asked.situation);
    require(!decision.reasons.empty());
    if (rule.verdict != Verdict::kAllow) {
      const Match match = hits(rule, scene);
      if (match == Match::kYes) require(decision.verdict >= rule.verdict);
      if (match == Match::kMaybe) require(decision.verdict >= Verdict::kAsk);
      require(decision.verdict >= plain.verdict);
      continue;
    }
    require(decision.verdict <= plain.verdict);
    bool all = plain.reasons.front().kind == ReasonKind::kDefault;
    for (std::size_t i = 0; i < scene.effects.size(); ++i)
      all = all && covers_effect(view_of(rule), scene, i);
    if (all) require(decision.verdict == Verdict::kAllow);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > 512) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const Verdict list : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
    const Result<Rule> rule = parse_rule(list, text, {});
    if (!rule) {
      require(!rule.error().code.empty() && !rule.error().message.empty() &&
              !rule.error().hint.empty());
      continue;
    }
    formats_back(*rule);
    index_agrees(*rule);
  }
  return 0;
}
