// See the header. Read beside the table of modes and the eight steps.
#include "oracle/reference_judge.h"

#include <algorithm>

#include "gate/judge.h"
#include "gate/places.h"
#include "policy/match.h"

namespace tollgate::oracle {
namespace {

struct World {
  const PolicySet& set;
  const AgentPolicy& agent;
  const ToolCall& call;
  const Effects& effects;
  const Situation& situation;
  Mode mode;
};

Scene scene_of(const World& w) {
  return {w.call, kind_of(w.call.tool), w.effects, w.situation, w.set.tools};
}

const Zone* zone_of(const World& w, const std::string& name) {
  for (const Zone& zone : w.set.zones)
    if (zone.name == name) return &zone;
  return nullptr;
}

bool open_now(const World& w, const Rule& rule) {
  if (!rule.hours) return true;
  const Zone* zone = zone_of(w, rule.hours->zone);
  return is_open(*rule.hours, w.situation.now, zone ? zone->offsets : std::vector<Zone::Offset>{});
}

bool in_force(const World& w, const Rule& rule) {
  if (!rule.agent.empty() && rule.agent != w.call.agent) return false;
  if (!w.agent.default_paths && rule.agent.empty() && rule.source == ConfigSource::kDefault &&
      rule.specifier_kind == SpecifierKind::kPath)
    return false;
  return rule.expires == 0 || w.situation.now < rule.expires;
}

Match strongest_hit(const World& w, const Rule& rule) {
  const Scene scene = scene_of(w);
  const RuleView view = view_of(rule);
  Match best = hits_call(view, scene);
  for (std::size_t i = 0; i < w.effects.size(); ++i)
    best = std::max(best, hits_effect(view, scene, i));
  return best;
}

// The strictest thing any deny or ask rule says.
Verdict strictest_rule(const World& w) {
  Verdict strictest = Verdict::kAllow;
  for (const Rule& rule : w.set.rules) {
    if (rule.verdict == Verdict::kAllow || !in_force(w, rule)) continue;
    const Match match = strongest_hit(w, rule);
    if (match == Match::kNo) continue;
    Verdict verdict = rule.verdict;
    if (!open_now(w, rule)) {
      if (verdict == Verdict::kDeny) continue;
      verdict = Verdict::kDeny;
    }
    if (match == Match::kMaybe) verdict = Verdict::kAsk;
    strictest = stricter(strictest, verdict);
  }
  return strictest;
}

bool rule_allows(const World& w, const Rule& rule, std::size_t effect) {
  return rule.verdict == Verdict::kAllow && in_force(w, rule) && open_now(w, rule) &&
         covers_effect(view_of(rule), scene_of(w), effect);
}

bool declared_without_effect(const World& w) {
  const ToolDeclaration* declaration = declaration_of(w.call.tool, w.set.tools);
  return declaration != nullptr && !declaration->side_effect;
}

bool reads_only(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  if (effect.guess != Guess::kNone) return true;
  if (effect.kind == EffectKind::kRead)
    return w.situation.paths[index].state != PathState::kUnknown;
  if (effect.kind == EffectKind::kApp || effect.kind == EffectKind::kMcp)
    return declared_without_effect(w);
  if (effect.kind == EffectKind::kReach) {
    if (effect.host.empty() && !effect.target.empty()) return true;
    if (effect.by == EffectBy::kTool && declared_without_effect(w) && !effect.host.empty())
      return true;
    return w.agent.network.limited && host_in(effect.host, w.agent.network.hosts);
  }
  if (effect.kind != EffectKind::kRun || !effect.listed) return false;
  for (std::size_t i = 0; i < w.effects.size(); ++i)
    if (w.effects[i].owner == index && !reads_only(w, i)) return false;
  return true;
}

bool really_inside(const World& w, std::size_t index, const std::vector<Place>& places) {
  return w.situation.paths[index].state != PathState::kUnknown &&
         inside_places(w.effects[index].path, w.situation.paths[index].real, places);
}

bool edit_accepted(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  if (effect.kind == EffectKind::kRun) {
    if (!effect.listed) return false;
    for (std::size_t i = 0; i < w.effects.size(); ++i)
      if (w.effects[i].owner == index && !reads_only(w, i) && !edit_accepted(w, i)) return false;
    return true;
  }
  return (effect.kind == EffectKind::kWrite || effect.kind == EffectKind::kCreate) &&
         really_inside(w, index, w.situation.roots);
}

// A script, or code behind its flag, that a rule speaks of by spelling the interpreter.
bool spelt(const World& w, std::size_t index) {
  const Scene scene = scene_of(w);
  return std::ranges::any_of(w.set.rules, [&](const Rule& rule) {
    return covers_unread(view_of(rule), scene, index) &&
           rule_allows(w, rule, w.effects[index].owner);
  });
}

bool covered(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  if (reads_only(w, index) || w.mode == Mode::kAutonomous) return true;
  if (w.mode == Mode::kAcceptEdits && edit_accepted(w, index)) return true;
  for (const Rule& rule : w.set.rules)
    if (rule_allows(w, rule, index)) return true;
  if (spelt(w, index)) return true;
  if (effect.owner == kNoOwner || reads_only(w, effect.owner) ||
      (w.mode == Mode::kAcceptEdits && edit_accepted(w, effect.owner)))
    return false;
  for (const Rule& rule : w.set.rules) {
    if (!rule_allows(w, rule, effect.owner)) continue;
    if (effect.kind == EffectKind::kReach) return true;
    if (!is_path_kind(effect.kind)) continue;
    if (spells_path(view_of(rule), effect.path)) return true;
    if (effect.by == EffectBy::kOperand && (really_inside(w, index, w.situation.roots) ||
                                            really_inside(w, index, w.situation.temporary)))
      return true;
  }
  return false;
}

// deny, ask or nothing by the hosts an agent may reach.
Verdict network_says(const World& w) {
  Verdict verdict = Verdict::kAllow;
  for (const Effect& effect : w.effects) {
    const bool reach = effect.kind == EffectKind::kReach;
    if (!reach && effect.kind != EffectKind::kSearch) continue;
    if (!w.agent.network.allowed) return Verdict::kDeny;
    const bool home = effect.host.empty() && !effect.target.empty();
    if (reach && !home && w.agent.network.limited && !host_in(effect.host, w.agent.network.hosts))
      verdict = stricter(verdict, w.agent.network.outside_asks ? Verdict::kAsk : Verdict::kDeny);
  }
  return verdict;
}

bool only_looks(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  return effect.kind == EffectKind::kSearch || effect.kind == EffectKind::kPerson ||
         effect.kind == EffectKind::kRead ||
         (effect.kind == EffectKind::kReach && effect.by == EffectBy::kTool) ||
         reads_only(w, index);
}

bool says_yes_to(const World& w, std::size_t effect) {
  const Scene scene = scene_of(w);
  return std::ranges::any_of(w.set.rules, [&](const Rule& rule) {
    if (rule.verdict == Verdict::kAllow || rule.answer != Answerer::kYes || !in_force(w, rule))
      return false;
    return hits_call(view_of(rule), scene) == Match::kYes ||
           hits_effect(view_of(rule), scene, effect) == Match::kYes;
  });
}

// The strictest answerer of all grounds; a yes that only rules say must leave nothing else open.
Answerer answerer_of(const World& w, bool other_grounds) {
  const Answerer agent = w.agent.answer.value;
  std::optional<Answerer> own;
  bool agents = other_grounds;
  for (const Rule& rule : w.set.rules) {
    if (rule.verdict == Verdict::kAllow || !in_force(w, rule)) continue;
    const Match match = strongest_hit(w, rule);
    if (match == Match::kNo || (rule.verdict == Verdict::kDeny && !open_now(w, rule))) continue;
    if (rule.answer && match == Match::kYes)
      own = own ? tighter(*own, *rule.answer) : *rule.answer;
    else
      agents = true;
  }
  if (!own) return agent;
  if (agents) return tighter(*own, agent);
  if (*own != Answerer::kYes) return *own;
  for (std::size_t i = 0; i < w.effects.size(); ++i)
    if (!covered(w, i) && !says_yes_to(w, i)) return agent;
  return Answerer::kYes;
}

Mode mode_of(const AgentPolicy& agent, const ToolCall& call, const DecideOptions& options) {
  Mode mode = agent.mode.value;
  if (options.mode) mode = *options.mode;
  mode = tighter(mode, agent.mode_limit);
  if (call.client_mode == "plan") return Mode::kPlan;
  if (call.client_mode == "dontAsk") return tighter(mode, Mode::kDontAsk);
  return mode;
}

Verdict ask(const World& w, bool person_only, bool other_grounds) {
  if (w.mode == Mode::kDontAsk) return Verdict::kDeny;
  const Answerer answerer = answerer_of(w, other_grounds);
  if (answerer == Answerer::kNo) return Verdict::kDeny;
  if (answerer == Answerer::kYes && !person_only) return Verdict::kAllow;
  return w.situation.approver_reachable ? Verdict::kAsk : Verdict::kDeny;
}

}  // namespace

Verdict reference_verdict(const PolicySet& set, const ToolCall& call, const Effects& effects,
                          const Situation& situation, const DecideOptions& options) {
  if (set.broken || call.tool.empty() || !call.input.is_object()) return Verdict::kDeny;
  const auto agent = std::ranges::find(set.agents, call.agent, &AgentPolicy::name);
  if (agent == set.agents.end()) return Verdict::kDeny;
  const World w{set, *agent, call, effects, situation, mode_of(*agent, call, options)};
  const Scene scene = scene_of(w);

  const Verdict rules = strictest_rule(w);
  if (rules == Verdict::kDeny) return Verdict::kDeny;
  if (outside_ceiling(*agent, scene, nullptr) || against_gate(scene)) return Verdict::kDeny;
  if (network_says(w) == Verdict::kDeny) return Verdict::kDeny;

  std::vector<Floor> floors = built_in_floors(scene);
  std::erase_if(floors, [&](const Floor& floor) {
    if (floor.reason.kind == ReasonKind::kLimit) return spelt(w, floor.effect);
    return floor.reason.kind == ReasonKind::kGuarded && is_path_kind(effects[floor.effect].kind) &&
           effects[floor.effect].guess == Guess::kNone &&
           std::ranges::any_of(set.rules, [&](const Rule& rule) {
             return names_exactly(view_of(rule)) && rule_allows(w, rule, floor.effect);
           });
  });
  const bool person_only = std::ranges::any_of(
      floors, [](const Floor& floor) { return floor.reason.kind != ReasonKind::kSensitive; });
  bool other_grounds = !floors.empty() || network_says(w) == Verdict::kAsk;
  for (const auto& [name, value] : call.input.members())
    if (scene.kind == ToolKind::kShell && value.is_string() &&
        value.as_string().size() > kMaxCommandBytes)
      other_grounds = true;

  if (w.mode == Mode::kPlan)
    for (std::size_t i = 0; i < effects.size(); ++i)
      if (!only_looks(w, i)) return Verdict::kDeny;
  if (other_grounds || rules == Verdict::kAsk) return ask(w, person_only, other_grounds);
  for (std::size_t i = 0; i < effects.size(); ++i)
    if (!covered(w, i)) return ask(w, person_only, true);
  return Verdict::kAllow;
}

}  // namespace tollgate::oracle
