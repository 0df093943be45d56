// Steps 5 to 7: what covers an effect, by being read-only, by the mode, or by an allow rule.
// SAFETY: an effect that nothing here covers is asked about.
#include <algorithm>

#include "base/text.h"
#include "gate/candidates.h"
#include "gate/judging.h"
#include "gate/places.h"

namespace tollgate {

// ---- step 5: read-only ----

bool Judge::declared_quiet() const {
  const ToolDeclaration* declaration = declaration_of(scene_.call.tool, policy_.tools());
  return declaration != nullptr && !declaration->side_effect;
}

// Whether something that this run does is not quiet. Worked out once, from the last effect to
// the first, since what a program does stands behind it.
bool Judge::is_owners_noise(std::uint32_t run) const {
  if (!noise_known_) {
    noise_known_ = true;
    noisy_.clear(scene_.effects.size());
    for (std::uint32_t i = static_cast<std::uint32_t>(scene_.effects.size()); i-- > 1;)
      // What the shell does for the command is judged by itself.
      if (const std::uint32_t owner = scene_.effects[i].owner;
          owner < i && scene_.effects[i].by != EffectBy::kRedirection && !is_quiet(i))
        noisy_.set(owner);
  }
  return noisy_.has(run);
}

// Characters that do not show, anywhere in the texts of the call.
bool Judge::has_hidden_text() const {
  if (!hidden_known_) {
    hidden_known_ = true;
    for (const auto& [name, value] : scene_.call.input.members())
      hidden_ = hidden_ || (value.is_string() && has_hidden_characters(value.as_string()));
  }
  return hidden_;
}

// A test may look at a secret; whatever else is given it may show it.
bool Judge::shows_no_secret(const Effect& run, const Word& word) {
  return !word.secret || run.argv[0].text == "[" || run.argv[0].text == "test";
}

// A pattern that could match a name with a dash is no option where the look found none.
bool Judge::is_no_option(std::uint32_t run, const Word& word) const {
  if (word.rest != Rest::kPattern || !may_be_option(word)) return true;
  // All that it matches is one long option with some value, which its row has.
  const std::string_view literal =
      std::string_view(word.text).substr(0, word.text.find_first_of("*?[\\"));
  if (literal.starts_with('-'))
    return literal.starts_with("--") && literal.find('=') != literal.npos;
  for (std::uint32_t i = run + 1; i < scene_.effects.size(); ++i) {
    const Effect& effect = scene_.effects[i];
    if (effect.owner != run || !effect.pattern || effect.span != word.span) continue;
    const PathLook& look = look_at(scene_, i);
    return look.walked && !look.walk_cut && look.dashes == 0;
  }
  return false;
}

// What the name leads to on the search path lies in the workspace: it is not the known program.
bool Judge::is_another_program(std::uint32_t index) const {
  const PathLook& look = look_at(scene_, index);
  return look.state == PathState::kFile &&
         inside_places(look.real, look.real, scene_.situation.roots);
}

bool Judge::is_quiet(std::uint32_t index) const {
  const Effect& effect = scene_.effects[index];
  if (effect.guess != Guess::kNone) return true;  // whoever covers the program covers its words
  switch (effect.kind) {
    case EffectKind::kRead:
      if (is_repository(effect)) return look_at(scene_, index).repository == Repository::kOwn;
      return !effect.path.empty() && look_at(scene_, index).state != PathState::kUnknown;
    case EffectKind::kApp:
    case EffectKind::kMcp:
      return declared_quiet();
    case EffectKind::kReach:
      if (is_configured_home(effect)) return true;
      if (effect.by == EffectBy::kTool && declared_quiet() && !effect.host.empty()) return true;
      return agent_.network.limited && host_in(effect.host, agent_.network.hosts);
    case EffectKind::kRun:
      return effect.listed && !is_owners_noise(index) && !has_hidden_text() &&
             (plain_.has(index) || std::ranges::all_of(effect.argv,
                                                       [&](const Word& word) {
                                                         return shows_no_secret(effect, word) &&
                                                                (effect.safe ||
                                                                 is_no_option(index, word));
                                                       })) &&
             !is_another_program(index);
    default:
      return false;
  }
}

// ---- step 6: mode ----

bool Judge::plan_denies() {
  for (std::uint32_t i = 0; i < scene_.effects.size(); ++i) {
    const Effect& effect = scene_.effects[i];
    const bool looks = effect.kind == EffectKind::kSearch || effect.kind == EffectKind::kPerson ||
                       (effect.kind == EffectKind::kReach && effect.by == EffectBy::kTool);
    // Reading a sensitive place is no change: it stays a question.
    if (looks || effect.kind == EffectKind::kRead || is_quiet(i)) continue;
    decision_.config_source = mode_source();
    decision_.reasons = {
        mode_reason(Verdict::kDeny,
                    "mode plan only reads: `" + scene_.call.tool + "` would do more", effect.span)};
    return true;
  }
  return false;
}

bool Judge::mode_covers(std::uint32_t index) const {
  const Effect& effect = scene_.effects[index];
  // SAFETY: a read that does not tell its path may be one of a sensitive place.
  if (result_.mode == Mode::kAutonomous)
    return effect.kind != EffectKind::kRead || !effect.path.empty() || is_repository(effect);
  if (result_.mode != Mode::kAcceptEdits) return false;
  if (effect.kind == EffectKind::kRun) return effect.listed && !does_more_than_edit(index);
  if (effect.kind != EffectKind::kWrite && effect.kind != EffectKind::kCreate) return false;
  return is_inside(index, scene_.situation.roots);
}

// Whether something that this run does is neither quiet nor an edit inside the roots.
bool Judge::does_more_than_edit(std::uint32_t run) const {
  if (!edits_known_) {
    edits_known_ = true;
    beyond_edits_.clear(scene_.effects.size());
    for (std::uint32_t i = static_cast<std::uint32_t>(scene_.effects.size()); i-- > 0;)
      if (const std::uint32_t owner = scene_.effects[i].owner;
          owner < i && scene_.effects[i].by != EffectBy::kRedirection && !is_quiet(i) &&
          !mode_covers(i))
        beyond_edits_.set(owner);
  }
  return beyond_edits_.has(run);
}

// As written and as it really is.
bool Judge::is_inside(std::uint32_t index, const std::vector<Place>& places) const {
  const PathLook& look = look_at(scene_, index);
  if (look.state == PathState::kUnknown ||
      !inside_places(scene_.effects[index].path, look.real, places))
    return false;
  // Of a pattern all that it matches, and all of that was seen.
  return !scene_.effects[index].pattern ||
         (!look.walk_cut && std::ranges::all_of(look.below, [&](const std::string& found) {
           return inside_places(found, found, places);
         }));
}

// ---- step 7: allow rules ----

// Whether this rule allows, holds now, and covers the effect by itself.
bool Judge::allows(std::uint32_t rule, std::uint32_t index) const {
  Verdict verdict = Verdict::kAllow;
  return view_.verdict(rule) == Verdict::kAllow && counts(rule) &&
         covers_effect(view_.rule(rule), scene_, index) && holds_now(rule, verdict);
}

Covered Judge::rule_covers(std::uint32_t index) {
  Covered best;
  const bool full = options_.detail == Detail::kFull;
  const auto visit = [&](std::uint32_t rule) {
    if (!full && best.how == Cover::kRule && rule >= best.rule) return;
    if (!allows(rule, index)) return;
    if (full) result_.allows.push_back({rule, kNoRule, index, Match::kYes, Verdict::kAllow});
    if (best.how == Cover::kNot || rule < best.rule) best = {Cover::kRule, rule, kNoRule};
  };
  call_allows_.each(visit);
  if (index < effect_allows_.size())
    effect_allows_[index].each(visit);
  else
    Candidates(view_, scene_, visit).of_effect(index);
  if (best.how != Cover::kNot) return best;
  // SAFETY: no grant covers what could not be read.
  const bool unread = scene_.effects[index].kind == EffectKind::kUnknown;
  for (std::uint32_t x = 0; x < extra_.size(); ++x)
    if (const auto& [rule, grant] = extra_[x]; rule->verdict == Verdict::kAllow &&
                                               !(unread && grant != nullptr) &&
                                               covers_effect(view_of(*rule), scene_, index))
      return {Cover::kRule, kNoRule, x};
  return best;
}

// A covered command's own operands inside the roots, or spelt out by a rule that covers it.
bool Judge::owner_covers(std::uint32_t index, std::uint32_t owner, const Covered& how) const {
  if (how.how != Cover::kRule && how.how != Cover::kOwner) return false;
  const Effect& effect = scene_.effects[index];
  if (effect.kind == EffectKind::kReach || is_repository(effect)) return true;
  if (effect.kind == EffectKind::kRun) return covers_behind(owner, how, effect);
  if (!is_path_kind(effect.kind) || index >= scene_.situation.paths.size()) return false;
  if (effect.path.empty()) return effect.kind == EffectKind::kRead;
  if (effect.by == EffectBy::kOperand &&
      (is_inside(index, scene_.situation.roots) || is_inside(index, scene_.situation.temporary)))
    return true;
  if (how.how == Cover::kOwner) return false;
  if (how.rule == kNoRule) return spells_path(view_of(*extra_[how.extra].rule), effect.path);
  bool spelt = false;
  const auto visit = [&](std::uint32_t rule) {
    spelt = spelt || (spells_path(view_.rule(rule), effect.path) && allows(rule, owner));
  };
  Candidates(view_, scene_, visit).of_effect(owner);
  return spelt;
}

// A command behind another: run elsewhere it belongs to the rule that names the one before it,
// run here it must stand in the rule itself.
bool Judge::covers_behind(std::uint32_t owner, const Covered& how, const Effect& inner) const {
  if (inner.by == EffectBy::kTool) return true;
  if (inner.argv.empty() || !inner.argv[0].known || how.how != Cover::kRule) return false;
  if (how.rule == kNoRule) return spells_word(view_of(*extra_[how.extra].rule), inner.argv[0].text);
  bool spelt = false;
  const auto visit = [&](std::uint32_t rule) {
    spelt = spelt || (spells_word(view_.rule(rule), inner.argv[0].text) && allows(rule, owner));
  };
  Candidates(view_, scene_, visit).of_effect(owner);
  return spelt;
}

// Runs that do nothing by themselves but start what stands behind them.
std::vector<char> Judge::transparent_runs() const {
  std::vector<char> found;
  const std::size_t count = scene_.effects.size();
  for (std::uint32_t i = 1; i < count; ++i) {  // nobody starts the first
    const Effect& effect = scene_.effects[i];
    if (effect.kind != EffectKind::kRun || effect.owner >= i) continue;
    const Effect& outer = scene_.effects[effect.owner];
    if (outer.kind != EffectKind::kRun || !outer.listed) continue;
    if (found.empty()) found.assign(scene_.effects.size(), 0);
    found[effect.owner] = 1;
  }
  return found;
}

bool Judge::runs_only_quiet(std::uint32_t wrapper) const {
  for (std::uint32_t i = wrapper + 1; i < scene_.effects.size(); ++i)
    if (scene_.effects[i].owner == wrapper && scene_.effects[i].kind == EffectKind::kRun &&
        !is_quiet(i))
      return false;
  return true;
}

// The lock or the list of a wrapper, inside the roots or the temporary directories.
bool Judge::is_wrappers_own(std::uint32_t index, const std::vector<char>& wrappers) const {
  const Effect& effect = scene_.effects[index];
  return effect.owner < wrappers.size() && wrappers[effect.owner] != 0 &&
         is_path_kind(effect.kind) && effect.by == EffectBy::kOperand && !effect.path.empty() &&
         effect.kind != EffectKind::kDelete && !runs_only_quiet(effect.owner) &&
         (is_inside(index, scene_.situation.roots) || is_inside(index, scene_.situation.temporary));
}

bool Judge::cover_all() {
  std::vector<Covered> covered_store;
  std::array<Covered, 8> few;
  const std::size_t count = scene_.effects.size();
  if (count > few.size()) covered_store.resize(count);
  const std::span<Covered> covered =
      count > few.size() ? std::span<Covered>(covered_store) : std::span<Covered>(few).first(count);
  bool all = true;
  const std::vector<char> wrappers = transparent_runs();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (is_quiet(i) || is_settled(i))
      covered[i].how = Cover::kQuiet;
    else if (mode_covers(i))
      covered[i].how = Cover::kMode;
    else
      covered[i] = rule_covers(i);
    const std::uint32_t owner = scene_.effects[i].owner;
    if (covered[i].how == Cover::kNot && owner < i) {
      covered[i] = permitted_blindly(i);
      if (covered[i].how == Cover::kNot && (owner_covers(i, owner, covered[owner]) || is_spelt(i)))
        covered[i].how = Cover::kOwner;
    }
    const bool waits = i < wrappers.size() && wrappers[i] != 0;
    if (covered[i].how == Cover::kNot && is_wrappers_own(i, wrappers))
      covered[i].how = Cover::kOwner;
    all = all && (waits || covered[i].how != Cover::kNot);
    if (!all && options_.detail == Detail::kVerdict) break;
  }
  // A wrapper is covered when all that it runs and touches is.
  if (all)
    for (std::uint32_t i = 0; i < wrappers.size(); ++i)
      if (wrappers[i] != 0 && covered[i].how == Cover::kNot) covered[i].how = Cover::kQuiet;
  if (all)
    allow_reasons(covered);
  else
    note_open(covered);
  return all;
}

void Judge::note_open(std::span<const Covered> covered) {
  all_open_.clear();
  for (std::uint32_t i = 0; i < covered.size(); ++i) {
    if (covered[i].how != Cover::kNot) continue;
    if (options_.detail == Detail::kVerdict) {
      first_open_ = i;
      open_ = {&first_open_, 1};
      return;
    }
    all_open_.push_back(i);
  }
  open_ = all_open_;
}

}  // namespace tollgate
