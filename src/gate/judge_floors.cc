// Steps 3 and 4: what makes a call at least ask, and which rules answer for it.
#include <algorithm>

#include "gate/candidates.h"
#include "gate/judging.h"

namespace tollgate {

// ---- steps 3 and 4: what makes it at least ask ----

std::vector<Reason> Judge::floors_of() {
  std::vector<Reason> floors;
  for (Floor& found : built_in_floors(scene_, gate_doubt_, plain_)) {
    const ReasonKind kind = found.reason.kind;
    if (kind == ReasonKind::kGuarded && is_named_exactly(found.effect)) continue;
    const bool beyond = found.reason.rule == "beyond-limit" || found.effect >= kMaxEffects;
    if (kind == ReasonKind::kLimit && !beyond && is_spelt(found.effect)) continue;
    if (found.reason.rule == "secret-to-host" && agent_.network.limited &&
        host_in(scene_.effects[found.effect].host, agent_.network.hosts))
      continue;
    result_.person_only |=
        kind == ReasonKind::kBreaker || kind == ReasonKind::kGuarded || kind == ReasonKind::kLimit;
    floors.push_back(std::move(found.reason));
  }
  if (!floors.empty()) agent_answers_ = true;
  std::vector<const Hit*> doubtful;
  for (const Hit& hit : result_.tight) {
    note_answer(hit);
    if (hit.match == Match::kMaybe) {
      doubtful.push_back(&hit);
      continue;
    }
    floors.push_back(reason_of(hit));
    if (floors.size() == 1) decision_.config_source = source_of(hit);
  }
  const auto add = [&](std::optional<Reason> reason) {
    if (!reason) return;
    floors.push_back(std::move(*reason));
    agent_answers_ = true;
  };
  if (!is_network_free()) add(outside_network(Verdict::kAsk));
  add(beyond_limit());
  if (floors.empty() && doubtful.empty()) return floors;
  // Breakers first, what could not be read last, then one reason for all rules in doubt.
  const auto rank = [](const Reason& reason) {
    return reason.kind == ReasonKind::kBreaker ? 0 : reason.kind == ReasonKind::kLimit ? 2 : 1;
  };
  if (floors.size() > 1) std::ranges::stable_sort(floors, {}, rank);
  if (!doubtful.empty()) {
    floors.push_back(reason_of(*doubtful[0]));
    if (doubtful.size() > 1)
      floors.back().text += ", as might " + std::to_string(doubtful.size() - 1) + " more";
  }
  return floors;
}

// A guarded path is settled by an allow rule that spells exactly this path, and by nothing else.
// SAFETY: by no grant, whatever it names.
bool Judge::is_named_exactly(std::uint32_t index) const {
  const Effect& effect = scene_.effects[index];
  if (!is_path_kind(effect.kind) || effect.guess != Guess::kNone) return false;
  bool named = false;
  const auto visit = [&](std::uint32_t rule) {
    named = named || (names_exactly(view_.rule(rule)) && allows(rule, index));
  };
  Candidates(view_, scene_, visit).of_effect(index);
  for (const auto& [rule, grant] : extra_)
    named =
        named || (grant == nullptr && rule->verdict == Verdict::kAllow &&
                  names_exactly(view_of(*rule)) && covers_effect(view_of(*rule), scene_, index));
  return named;
}

// What cannot be told is settled by a rule that permits the tool whatever it is given.
Covered Judge::permitted_blindly(std::uint32_t index) const {
  const Effect& effect = scene_.effects[index];
  const std::uint32_t run = effect.kind == EffectKind::kUnknown ? index : effect.owner;
  Covered found;
  if (run >= scene_.effects.size()) return found;
  // A command with many words has many such effects, one behind the other.
  if (blindly_ && blindly_->first == run) return blindly_->second;
  found = run_permitted_blindly(run);
  blindly_ = {run, found};
  return found;
}

Covered Judge::run_permitted_blindly(std::uint32_t run) const {
  Covered found;
  const auto visit = [&](std::uint32_t rule) {
    if (view_.rule(rule).specifier_kind == SpecifierKind::kNone && rule < found.rule &&
        allows(rule, run))
      found = {Cover::kRule, rule, kNoRule};
  };
  call_allows_.each(visit);
  Candidates(view_, scene_, visit).of_effect(run);
  if (found.how == Cover::kRule) return found;
  // SAFETY: no grant permits blindly.
  for (std::uint32_t x = 0; x < extra_.size(); ++x)
    if (const auto& [rule, grant] = extra_[x];
        grant == nullptr && rule->verdict == Verdict::kAllow &&
        rule->specifier_kind == SpecifierKind::kNone && covers_effect(view_of(*rule), scene_, run))
      return {Cover::kRule, kNoRule, x};
  return found;
}

// Whether a rule allows whatever program this runs.
bool Judge::is_ruled(std::uint32_t index) const {
  bool ruled = false;
  const auto visit = [&](std::uint32_t rule) { ruled = ruled || allows(rule, index); };
  call_allows_.each(visit);
  Candidates(view_, scene_, visit).of_effect(index);
  for (const Extra& one : extra_)
    ruled = ruled || (one.rule->verdict == Verdict::kAllow &&
                      covers_effect(view_of(*one.rule), scene_, index));
  return ruled;
}

// A script or code that was not read is settled by a rule that spells the interpreter, and its
// flag; no mode and no other broad rule does that.
bool Judge::is_spelt(std::uint32_t index) const {
  const Effect& effect = scene_.effects[index];
  if (permitted_blindly(index).how == Cover::kRule) return true;
  if (effect.kind == EffectKind::kRun) return is_ruled(index);
  if (effect.kind != EffectKind::kUnknown || effect.target.empty() ||
      effect.owner >= scene_.effects.size())
    return false;
  bool spelt = false;
  const auto visit = [&](std::uint32_t rule) {
    spelt = spelt || (allows(rule, effect.owner) && covers_unread(view_.rule(rule), scene_, index));
  };
  Candidates(view_, scene_, visit).of_effect(effect.owner);
  // SAFETY: nor does a grant settle code that was not read.
  for (const auto& [rule, grant] : extra_)
    spelt = spelt || (grant == nullptr && rule->verdict == Verdict::kAllow &&
                      covers_unread(view_of(*rule), scene_, index));
  return spelt;
}

// The answerer that a rule names for what it hits; nothing where it leaves that to the agent.
std::optional<Answerer> Judge::own_answer(const Hit& hit) const {
  if (hit.match != Match::kYes) return std::nullopt;
  if (const Rule* rule = tried(hit)) return rule->answer;
  const flat::ExtraRecord* extra = view_.extra(hit.rule);
  if (extra == nullptr || extra->answer > static_cast<std::uint8_t>(Answerer::kYes))
    return std::nullopt;
  return static_cast<Answerer>(extra->answer);
}

// Every ground brings its answerer, the strictest counts; every quorum must be met.
void Judge::note_answer(const Hit& hit) {
  if (const auto answer = own_answer(hit))
    rule_answer_ = tighter(rule_answer_.value_or(*answer), *answer);
  else
    agent_answers_ = true;
  const flat::ExtraRecord* extra = hit.rule == kNoRule ? nullptr : view_.extra(hit.rule);
  if (extra == nullptr || extra->approve.size == 0) return;
  const std::string_view quorum = view_.text(extra->approve);
  std::string& all = decision_.approve;
  if (all.find(quorum) != all.npos) return;
  if (!all.empty()) all += " and ";
  all += quorum;
}

// A rule's own yes settles the effects that it is about, and no others.
bool Judge::is_settled(std::uint32_t index) const {
  if (!settling_) return false;
  return std::ranges::any_of(result_.tight, [&](const Hit& hit) {
    if (own_answer(hit) != Answerer::kYes) return false;
    const RuleView rule =
        hit.rule == kNoRule ? view_of(*extra_[hit.extra].rule) : view_.rule(hit.rule);
    return hits_call(rule, scene_) == Match::kYes ||
           hits_effect(rule, scene_, index) == Match::kYes;
  });
}

std::optional<Reason> Judge::beyond_limit() const {
  const auto limit = [](std::string text) {
    return Reason{.kind = ReasonKind::kLimit,
                  .verdict = Verdict::kAsk,
                  .rule = "",
                  .source = "built-in",
                  .text = std::move(text),
                  .span = {}};
  };
  if (scene_.effects.size() > kMaxEffects)
    return limit("the call has more than " + std::to_string(kMaxEffects) + " effects");
  if (scene_.kind != ToolKind::kShell && scene_.kind != ToolKind::kShellInput) return std::nullopt;
  for (const auto& [name, value] : scene_.call.input.members()) {
    if (!value.is_string() || value.as_string().size() <= kMaxCommandBytes) continue;
    return limit("the command is longer than " + std::to_string(kMaxCommandBytes) + " characters");
  }
  return std::nullopt;
}

}  // namespace tollgate
