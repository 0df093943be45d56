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
  for (std::size_t i = 0; i < w.effects.size(); ++i) {
    const Match match = hits_effect(view, scene, i);
    // The default's blocked places are not what every word that is not known is about.
    const bool nowhere = (w.effects[i].kind == EffectKind::kUnknown ||
                          (w.effects[i].kind == EffectKind::kRead && w.effects[i].path.empty())) &&
                         rule.source == ConfigSource::kDefault &&
                         rule.specifier_kind == SpecifierKind::kPath;
    if (match != Match::kMaybe || !nowhere) best = std::max(best, match);
  }
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

// No word is a pattern that may have matched a name with a dash.
bool options_are_seen(const World& w, std::size_t run) {
  if (w.effects[run].safe) return true;
  for (const Word& word : w.effects[run].argv) {
    if (word.rest != Rest::kPattern || !may_be_option(word)) continue;
    const PathLook* look = nullptr;
    for (std::size_t i = w.effects.size(); i-- > 0;)
      if (w.effects[i].owner == run && w.effects[i].pattern && w.effects[i].span == word.span)
        look = &w.situation.paths[i];
    if (look == nullptr || !look->walked || look->walk_cut || look->dashes != 0) return false;
  }
  return true;
}

bool reads_only(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  if (effect.guess != Guess::kNone) return true;
  if (is_repository(effect)) return w.situation.paths[index].repository == Repository::kOwn;
  if (effect.kind == EffectKind::kRead)
    return !effect.path.empty() && w.situation.paths[index].state != PathState::kUnknown;
  if (effect.kind == EffectKind::kApp || effect.kind == EffectKind::kMcp)
    return declared_without_effect(w);
  if (effect.kind == EffectKind::kReach) {
    if (effect.host.empty() && !effect.target.empty()) return true;
    if (effect.by == EffectBy::kTool && declared_without_effect(w) && !effect.host.empty())
      return true;
    return w.agent.network.limited && host_in(effect.host, w.agent.network.hosts);
  }
  if (effect.kind != EffectKind::kRun || !effect.listed || !options_are_seen(w, index))
    return false;
  if (w.situation.paths[index].state == PathState::kFile &&
      inside_places(w.situation.paths[index].real, w.situation.paths[index].real,
                    w.situation.roots))
    return false;
  for (std::size_t i = 0; i < w.effects.size(); ++i)
    if (w.effects[i].owner == index && w.effects[i].by != EffectBy::kRedirection &&
        !reads_only(w, i))
      return false;
  return true;
}

bool really_inside(const World& w, std::size_t index, const std::vector<Place>& places) {
  const PathLook& look = w.situation.paths[index];
  if (look.state == PathState::kUnknown || !inside_places(w.effects[index].path, look.real, places))
    return false;
  if (!w.effects[index].pattern) return true;
  return !look.walk_cut && std::ranges::all_of(look.below, [&](const std::string& found) {
    return inside_places(found, found, places);
  });
}

bool edit_accepted(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  if (effect.kind == EffectKind::kRun) {
    if (!effect.listed) return false;
    for (std::size_t i = 0; i < w.effects.size(); ++i)
      if (w.effects[i].owner == index && w.effects[i].by != EffectBy::kRedirection &&
          !reads_only(w, i) && !edit_accepted(w, i))
        return false;
    return true;
  }
  return (effect.kind == EffectKind::kWrite || effect.kind == EffectKind::kCreate) &&
         really_inside(w, index, w.situation.roots);
}

// A rule without any specifier permits the tool whatever it is given.
bool blindly_permitted(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  const std::size_t run = effect.kind == EffectKind::kUnknown ? index : effect.owner;
  return run < w.effects.size() && std::ranges::any_of(
                                       w.set.rules,
                                       [&](const Rule& rule) {
                                         return rule.specifier_kind == SpecifierKind::kNone &&
                                                rule_allows(w, rule, run);
                                       });
}

// A script, or code behind its flag, that a rule speaks of by spelling the interpreter.
bool spelt(const World& w, std::size_t index) {
  if (blindly_permitted(w, index)) return true;
  const Effect& effect = w.effects[index];
  if (effect.kind == EffectKind::kRun)
    return std::ranges::any_of(w.set.rules,
                               [&](const Rule& rule) { return rule_allows(w, rule, index); });
  if (effect.kind != EffectKind::kUnknown || effect.target.empty() ||
      effect.owner >= w.effects.size())
    return false;
  const Scene scene = scene_of(w);
  return std::ranges::any_of(w.set.rules, [&](const Rule& rule) {
    return covers_unread(view_of(rule), scene, index) &&
           rule_allows(w, rule, w.effects[index].owner);
  });
}

bool covered(const World& w, std::size_t index);

// By a rule of its own, or by one that covers the run which it belongs to.
bool ruled(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  for (const Rule& rule : w.set.rules)
    if (rule_allows(w, rule, index)) return true;
  if (effect.owner >= index) return false;
  if (spelt(w, index)) return true;
  const std::size_t owner = effect.owner;
  if (reads_only(w, owner) || (w.mode == Mode::kAcceptEdits && edit_accepted(w, owner)) ||
      (w.mode == Mode::kAutonomous &&
       !(w.effects[owner].kind == EffectKind::kRead && w.effects[owner].path.empty())) ||
      !ruled(w, owner))
    return false;
  if (effect.kind == EffectKind::kReach || is_repository(effect)) return true;
  if (effect.kind == EffectKind::kRun)
    return effect.by == EffectBy::kTool ||
           (!effect.argv.empty() && effect.argv[0].known &&
            std::ranges::any_of(w.set.rules, [&](const Rule& rule) {
              return rule_allows(w, rule, owner) && spells_word(view_of(rule), effect.argv[0].text);
            }));
  if (!is_path_kind(effect.kind)) return false;
  if (effect.path.empty()) return effect.kind == EffectKind::kRead;
  if (effect.by == EffectBy::kOperand && (really_inside(w, index, w.situation.roots) ||
                                          really_inside(w, index, w.situation.temporary)))
    return true;
  return std::ranges::any_of(w.set.rules, [&](const Rule& rule) {
    return rule_allows(w, rule, owner) && spells_path(view_of(rule), effect.path);
  });
}

// A listed run that only starts others is covered when everything it starts and touches is.
bool is_wrapper(const World& w, std::size_t run) {
  if (w.effects[run].kind != EffectKind::kRun || !w.effects[run].listed) return false;
  for (std::size_t i = run + 1; i < w.effects.size(); ++i)
    if (w.effects[i].owner == run && w.effects[i].kind == EffectKind::kRun) return true;
  return false;
}

bool runs_something_loud(const World& w, std::size_t run) {
  for (std::size_t i = run + 1; i < w.effects.size(); ++i)
    if (w.effects[i].owner == run && w.effects[i].kind == EffectKind::kRun && !reads_only(w, i))
      return true;
  return false;
}

bool covered(const World& w, std::size_t index) {
  const Effect& effect = w.effects[index];
  if (is_wrapper(w, index)) return true;  // by what stands behind it
  if (effect.owner < index && is_wrapper(w, effect.owner) && is_path_kind(effect.kind) &&
      effect.by == EffectBy::kOperand && !effect.path.empty() &&
      effect.kind != EffectKind::kDelete && runs_something_loud(w, effect.owner) &&
      (really_inside(w, index, w.situation.roots) ||
       really_inside(w, index, w.situation.temporary)))
    return true;
  if (reads_only(w, index)) return true;
  if (w.mode == Mode::kAutonomous &&
      (effect.kind != EffectKind::kRead || !effect.path.empty() || is_repository(effect)))
    return true;
  if (w.mode == Mode::kAcceptEdits && edit_accepted(w, index)) return true;
  return ruled(w, index);
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
  if (outside_ceiling(*agent, scene, nullptr) || against_gate(scene).denied || not_followed(scene))
    return Verdict::kDeny;
  if (network_says(w) == Verdict::kDeny) return Verdict::kDeny;

  std::vector<Floor> floors = built_in_floors(scene, GateDoubt::kSome);
  std::erase_if(floors, [&](const Floor& floor) {
    if (floor.reason.kind == ReasonKind::kLimit)
      return floor.reason.rule != "beyond-limit" && spelt(w, floor.effect);
    if (floor.reason.rule == "secret-to-host")
      return w.agent.network.limited && host_in(effects[floor.effect].host, w.agent.network.hosts);
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
