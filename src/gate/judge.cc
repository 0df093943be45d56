// The order of judgement, step by step. Read top to bottom; each step is one function.
// The verdict starts strict and is loosened only by what covers every effect of the call.
#include "gate/judge.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "gate/candidates.h"
#include "gate/places.h"
#include "gate/repository.h"

namespace tollgate {
namespace {

// How an effect came to be covered; the order is the order of telling.
enum class Cover : std::uint8_t { kNot, kQuiet, kMode, kRule, kOwner };

// A list that lives on the stack until it grows.
class RuleList {
 public:
  void add(std::uint32_t rule) {
    if (size_ < inline_.size())
      inline_[size_++] = rule;
    else
      more_.push_back(rule);
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < size_; ++i) visit(inline_[i]);
    for (const std::uint32_t rule : more_) visit(rule);
  }

 private:
  std::array<std::uint32_t, 32> inline_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> more_;
};

struct Covered {
  Cover how = Cover::kNot;
  std::uint32_t rule = kNoRule;
  std::uint32_t extra = kNoRule;
};

class Judge {
 public:
  Judge(const Policy& policy, const AgentPolicy& agent, const Scene& scene,
        const DecideOptions& options, const Overlay* overlay)
      : policy_(policy),
        view_(policy),
        agent_(agent),
        scene_(scene),
        options_(options),
        overlay_(overlay) {
    agent_index_ = static_cast<std::uint16_t>(&agent - policy.agents().data() + 1);
  }

  Judgement run() {
    result_.mode = effective_mode();
    result_.answer = overlay_ && overlay_->answer ? *overlay_->answer : agent_.answer.value;
    match_rules();
    if (denied()) return finish(Verdict::kDeny);
    std::vector<Reason> floors = floors_of();
    if (result_.mode == Mode::kPlan && plan_denies()) return finish(Verdict::kDeny);
    if (floors.empty()) {
      if (cover_all()) return finish(Verdict::kAllow);
    } else {
      result_.decision.reasons = std::move(floors);
    }
    return asked();
  }

 private:
  // ---- modes ----

  Mode effective_mode() const {
    Mode mode = agent_.mode.value;
    std::optional<Mode> asked = overlay_ && overlay_->mode ? overlay_->mode : options_.mode;
    if (asked) mode = *asked;  // counts as the user's own word
    mode = tighter(mode, agent_.mode_limit);
    // What a client says of its own mode only tightens.
    const std::optional<Mode> client = mode_named(scene_.call.client_mode);
    if (client == Mode::kPlan || client == Mode::kDontAsk) mode = tighter(mode, *client);
    return mode;
  }

  // ---- rules ----

  bool counts(std::uint32_t rule) const {
    const flat::RuleRecord& record = view_.record(rule);
    if (record.agent != 0 && record.agent != agent_index_) return false;
    if (!agent_.default_paths && record.agent == 0 &&
        static_cast<ConfigSource>(record.source) == ConfigSource::kDefault &&
        static_cast<SpecifierKind>(record.specifier_kind) == SpecifierKind::kPath)
      return false;  // the agent's own block names the paths
    return overlay_ == nullptr ||
           std::ranges::find(overlay_->without, rule) == overlay_->without.end();
  }

  // Whether the rule holds at this time; an ask outside its hours is a deny.
  bool holds_now(std::uint32_t rule, Verdict& verdict) const {
    const flat::ExtraRecord* extra = view_.extra(rule);
    if (extra == nullptr) return true;
    if (extra->expires != 0 && scene_.situation.now >= extra->expires) return false;
    if (view_.is_open(*extra, scene_.situation.now)) return true;
    if (verdict != Verdict::kAsk) return false;
    verdict = Verdict::kDeny;
    return true;
  }

  // The blocked places of the default configuration are not what everything unknown is about:
  // what that may be is a question of its own.
  bool is_too_vague(std::uint32_t rule, std::uint32_t index) const {
    if (index >= scene_.effects.size()) return false;
    const Effect& effect = scene_.effects[index];
    const flat::RuleRecord& record = view_.record(rule);
    return (effect.kind == EffectKind::kUnknown ||
            (effect.kind == EffectKind::kRead && effect.path.empty())) &&
           static_cast<ConfigSource>(record.source) == ConfigSource::kDefault &&
           static_cast<SpecifierKind>(record.specifier_kind) == SpecifierKind::kPath;
  }

  void add_tight(std::uint32_t rule, std::uint32_t effect, Match match) {
    if (match == Match::kNo) return;
    if (match == Match::kMaybe && is_too_vague(rule, effect)) return;
    Verdict verdict = view_.rule(rule).verdict;
    if (!holds_now(rule, verdict)) return;
    if (match == Match::kMaybe) verdict = Verdict::kAsk;
    for (Hit& hit : result_.tight) {
      if (hit.rule != rule) continue;
      if (match > hit.match) hit = {rule, kNoRule, effect, match, verdict};
      return;
    }
    result_.tight.push_back({rule, kNoRule, effect, match, verdict});
  }

  void match_rules() {
    const auto of_call = [&](std::uint32_t rule) {
      if (!counts(rule)) return;
      if (view_.rule(rule).verdict == Verdict::kAllow)
        call_allows_.add(rule);
      else
        add_tight(rule, kNoRule, hits_call(view_.rule(rule), scene_));
    };
    Candidates(view_, scene_, of_call).of_call();
    for (std::uint32_t i = 0; i < scene_.effects.size(); ++i) {
      const auto of_effect = [&](std::uint32_t rule) {
        if (!counts(rule)) return;
        if (view_.rule(rule).verdict != Verdict::kAllow)
          add_tight(rule, i, hits_effect(view_.rule(rule), scene_, i));
        else if (i < effect_allows_.size())
          effect_allows_[i].add(rule);
      };
      Candidates(view_, scene_, of_effect).of_effect(i);
    }
    match_extra();
    std::ranges::sort(result_.tight, [](const Hit& a, const Hit& b) {
      if (a.verdict != b.verdict) return a.verdict > b.verdict;
      return std::pair(a.rule, a.extra) < std::pair(b.rule, b.extra);
    });
  }

  void match_extra() {
    if (overlay_ == nullptr) return;
    for (std::uint32_t x = 0; x < overlay_->extra.size(); ++x) {
      if (overlay_->extra[x].verdict == Verdict::kAllow) continue;
      const RuleView rule = view_of(overlay_->extra[x]);
      Hit best{kNoRule, x, kNoRule, hits_call(rule, scene_), rule.verdict};
      for (std::uint32_t i = 0; i < scene_.effects.size(); ++i)
        if (const Match match = hits_effect(rule, scene_, i); match > best.match)
          best = {kNoRule, x, i, match, rule.verdict};
      if (best.match == Match::kMaybe) best.verdict = Verdict::kAsk;
      if (best.match != Match::kNo) result_.tight.push_back(best);
    }
  }

  // ---- step 2: deny ----

  bool denied() {
    std::vector<Reason>& reasons = result_.decision.reasons;
    for (const Hit& hit : result_.tight)
      if (hit.verdict == Verdict::kDeny) reasons.push_back(reason_of(hit));
    if (!reasons.empty()) result_.decision.config_source = source_of(result_.tight.front());
    if (auto outside = outside_ceiling(agent_, scene_, overlay_)) {
      result_.tool_lists = std::move(outside->lists);
      if (reasons.empty()) result_.decision.config_source = result_.tool_lists.front().source;
      reasons.push_back(std::move(outside->reason));
    }
    if (auto reason = not_followed(scene_)) reasons.push_back(std::move(*reason));
    if (auto reason = against_gate(scene_)) reasons.push_back(std::move(*reason));
    if (auto reason = outside_network(Verdict::kDeny)) {
      if (reasons.empty()) result_.decision.config_source = agent_.network.source;
      reasons.push_back(std::move(*reason));
    }
    return !reasons.empty();
  }

  std::optional<Reason> outside_network(Verdict wanted) const {
    const Network& network = agent_.network;
    for (const Effect& effect : scene_.effects) {
      if (effect.kind != EffectKind::kReach && effect.kind != EffectKind::kSearch) continue;
      Reason reason{.kind = ReasonKind::kCeiling,
                    .verdict = network.outside_asks ? Verdict::kAsk : Verdict::kDeny,
                    .rule = "allowedHosts",
                    .source = network.where.empty() ? "built-in" : network.where,
                    .text = {},
                    .span = effect.span};
      if (!network.allowed) {
        reason.rule = "allowNetwork";
        reason.text = "this agent has no network (allowNetwork: false)";
      } else if (network.limited && effect.kind == EffectKind::kReach &&
                 !is_configured_home(effect) && !host_in(effect.host, network.hosts)) {
        reason.text = effect.host.empty()
                          ? "the host cannot be told, and only allowedHosts may be reached"
                          : "`" + effect.host +
                                "` is not among allowedHosts; add it there if it "
                                "may be reached";
      } else {
        continue;
      }
      if (!network.allowed) reason.verdict = Verdict::kDeny;
      if (reason.verdict == wanted) return reason;
    }
    return std::nullopt;
  }

  // ---- steps 3 and 4: what makes it at least ask ----

  std::vector<Reason> floors_of() {
    std::vector<Reason> floors;
    for (Floor& found : built_in_floors(scene_)) {
      const ReasonKind kind = found.reason.kind;
      if (kind == ReasonKind::kGuarded && is_named_exactly(found.effect)) continue;
      const bool beyond = found.reason.rule == "beyond-limit" || found.effect >= kMaxEffects;
      if (kind == ReasonKind::kLimit && !beyond && is_spelt(found.effect)) continue;
      if (found.reason.rule == "secret-to-host" && agent_.network.limited &&
          host_in(scene_.effects[found.effect].host, agent_.network.hosts))
        continue;
      result_.person_only |= kind == ReasonKind::kBreaker || kind == ReasonKind::kGuarded ||
                             kind == ReasonKind::kLimit;
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
      if (floors.size() == 1) result_.decision.config_source = source_of(hit);
    }
    for (auto reason : {outside_network(Verdict::kAsk), beyond_limit()}) {
      if (!reason) continue;
      floors.push_back(std::move(*reason));
      agent_answers_ = true;
    }
    // Breakers first, what could not be read last, then one reason for all rules in doubt.
    std::ranges::stable_sort(floors, {}, [](const Reason& reason) {
      return reason.kind == ReasonKind::kBreaker ? 0 : reason.kind == ReasonKind::kLimit ? 2 : 1;
    });
    if (!doubtful.empty()) {
      floors.push_back(reason_of(*doubtful[0]));
      if (doubtful.size() > 1)
        floors.back().text += ", as might " + std::to_string(doubtful.size() - 1) + " more";
    }
    return floors;
  }

  // A guarded path is settled by an allow rule that spells exactly this path, and by nothing else.
  bool is_named_exactly(std::uint32_t index) const {
    const Effect& effect = scene_.effects[index];
    if (!is_path_kind(effect.kind) || effect.guess != Guess::kNone) return false;
    bool named = false;
    const auto visit = [&](std::uint32_t rule) {
      named = named || (names_exactly(view_.rule(rule)) && allows(rule, index));
    };
    Candidates(view_, scene_, visit).of_effect(index);
    if (overlay_ != nullptr)
      for (const Rule& rule : overlay_->extra)
        named = named || (rule.verdict == Verdict::kAllow && names_exactly(view_of(rule)) &&
                          covers_effect(view_of(rule), scene_, index));
    return named;
  }

  // What cannot be told is settled by a rule that permits the tool whatever it is given.
  Covered permitted_blindly(std::uint32_t index) const {
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

  Covered run_permitted_blindly(std::uint32_t run) const {
    Covered found;
    const auto visit = [&](std::uint32_t rule) {
      if (view_.rule(rule).specifier_kind == SpecifierKind::kNone && rule < found.rule &&
          allows(rule, run))
        found = {Cover::kRule, rule, kNoRule};
    };
    call_allows_.each(visit);
    Candidates(view_, scene_, visit).of_effect(run);
    if (overlay_ == nullptr || found.how == Cover::kRule) return found;
    for (std::uint32_t x = 0; x < overlay_->extra.size(); ++x)
      if (const Rule& rule = overlay_->extra[x]; rule.verdict == Verdict::kAllow &&
                                                 rule.specifier_kind == SpecifierKind::kNone &&
                                                 covers_effect(view_of(rule), scene_, run))
        return {Cover::kRule, kNoRule, x};
    return found;
  }

  // Whether a rule allows whatever program this runs.
  bool is_ruled(std::uint32_t index) const {
    bool ruled = false;
    const auto visit = [&](std::uint32_t rule) { ruled = ruled || allows(rule, index); };
    call_allows_.each(visit);
    Candidates(view_, scene_, visit).of_effect(index);
    if (overlay_ != nullptr)
      for (const Rule& rule : overlay_->extra)
        ruled = ruled ||
                (rule.verdict == Verdict::kAllow && covers_effect(view_of(rule), scene_, index));
    return ruled;
  }

  // A script or code that was not read is settled by a rule that spells the interpreter, and its
  // flag; no mode and no other broad rule does that.
  bool is_spelt(std::uint32_t index) const {
    const Effect& effect = scene_.effects[index];
    if (permitted_blindly(index).how == Cover::kRule) return true;
    if (effect.kind == EffectKind::kRun) return is_ruled(index);
    if (effect.kind != EffectKind::kUnknown || effect.target.empty() ||
        effect.owner >= scene_.effects.size())
      return false;
    bool spelt = false;
    const auto visit = [&](std::uint32_t rule) {
      spelt =
          spelt || (allows(rule, effect.owner) && covers_unread(view_.rule(rule), scene_, index));
    };
    Candidates(view_, scene_, visit).of_effect(effect.owner);
    if (overlay_ != nullptr)
      for (const Rule& rule : overlay_->extra)
        spelt = spelt ||
                (rule.verdict == Verdict::kAllow && covers_unread(view_of(rule), scene_, index));
    return spelt;
  }

  // The answerer that a rule names for what it hits; nothing where it leaves that to the agent.
  std::optional<Answerer> own_answer(const Hit& hit) const {
    if (hit.match != Match::kYes) return std::nullopt;
    if (hit.rule == kNoRule) return overlay_->extra[hit.extra].answer;
    const flat::ExtraRecord* extra = view_.extra(hit.rule);
    if (extra == nullptr || extra->answer > static_cast<std::uint8_t>(Answerer::kYes))
      return std::nullopt;
    return static_cast<Answerer>(extra->answer);
  }

  // Every ground brings its answerer, the strictest counts; every quorum must be met.
  void note_answer(const Hit& hit) {
    if (const auto answer = own_answer(hit))
      rule_answer_ = tighter(rule_answer_.value_or(*answer), *answer);
    else
      agent_answers_ = true;
    const flat::ExtraRecord* extra = hit.rule == kNoRule ? nullptr : view_.extra(hit.rule);
    if (extra == nullptr || extra->approve.size == 0) return;
    const std::string_view quorum = view_.text(extra->approve);
    std::string& all = result_.decision.approve;
    if (all.find(quorum) != all.npos) return;
    if (!all.empty()) all += " and ";
    all += quorum;
  }

  // A rule's own yes settles the effects that it is about, and no others.
  bool is_settled(std::uint32_t index) const {
    if (!settling_) return false;
    return std::ranges::any_of(result_.tight, [&](const Hit& hit) {
      if (own_answer(hit) != Answerer::kYes) return false;
      const RuleView rule =
          hit.rule == kNoRule ? view_of(overlay_->extra[hit.extra]) : view_.rule(hit.rule);
      return hits_call(rule, scene_) == Match::kYes ||
             hits_effect(rule, scene_, index) == Match::kYes;
    });
  }

  std::optional<Reason> beyond_limit() const {
    Reason reason{.kind = ReasonKind::kLimit, .verdict = Verdict::kAsk, .source = "built-in"};
    if (scene_.effects.size() > kMaxEffects) {
      reason.text = "the call has more than " + std::to_string(kMaxEffects) + " effects";
      return reason;
    }
    if (scene_.kind != ToolKind::kShell && scene_.kind != ToolKind::kShellInput)
      return std::nullopt;
    for (const auto& [name, value] : scene_.call.input.members()) {
      if (!value.is_string() || value.as_string().size() <= kMaxCommandBytes) continue;
      reason.text =
          "the command is longer than " + std::to_string(kMaxCommandBytes) + " characters";
      return reason;
    }
    return std::nullopt;
  }

  // ---- step 5: read-only ----

  bool declared_quiet() const {
    const ToolDeclaration* declaration = declaration_of(scene_.call.tool, policy_.tools());
    return declaration != nullptr && !declaration->side_effect;
  }

  // Whether something that this run does is not quiet. Worked out once, from the last effect to
  // the first, since what a program does stands behind it.
  bool is_owners_noise(std::uint32_t run) const {
    if (!noise_known_) {
      noise_known_ = true;
      noisy_.assign(scene_.effects.size(), 0);
      for (std::uint32_t i = static_cast<std::uint32_t>(scene_.effects.size()); i-- > 0;)
        // What the shell does for the command is judged by itself.
        if (const std::uint32_t owner = scene_.effects[i].owner;
            owner < i && scene_.effects[i].by != EffectBy::kRedirection && !is_quiet(i))
          noisy_[owner] = 1;
    }
    return noisy_[run] != 0;
  }

  // Characters that do not show, anywhere in the texts of the call.
  bool has_hidden_text() const {
    if (!hidden_known_) {
      hidden_known_ = true;
      for (const auto& [name, value] : scene_.call.input.members())
        hidden_ = hidden_ || (value.is_string() && has_hidden_characters(value.as_string()));
    }
    return hidden_;
  }

  // A test may look at a secret; whatever else is given it may show it.
  static bool shows_no_secret(const Effect& run, const Word& word) {
    return !word.secret || run.argv[0].text == "[" || run.argv[0].text == "test";
  }

  // A pattern that could match a name with a dash is no option where the look found none.
  bool is_no_option(std::uint32_t run, const Word& word) const {
    if (word.rest != Rest::kPattern || !may_be_option(word)) return true;
    for (std::uint32_t i = run + 1; i < scene_.effects.size(); ++i) {
      const Effect& effect = scene_.effects[i];
      if (effect.owner != run || !effect.pattern || effect.span != word.span) continue;
      const PathLook& look = look_at(scene_, i);
      return look.walked && !look.walk_cut && look.dashes == 0;
    }
    return false;
  }

  // What the name leads to on the search path lies in the workspace: it is not the known program.
  bool is_another_program(std::uint32_t index) const {
    const PathLook& look = look_at(scene_, index);
    return look.state == PathState::kFile &&
           inside_places(look.real, look.real, scene_.situation.roots);
  }

  bool is_quiet(std::uint32_t index) const {
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
               std::ranges::all_of(effect.argv,
                                   [&](const Word& word) {
                                     return shows_no_secret(effect, word) &&
                                            (effect.safe || is_no_option(index, word));
                                   }) &&
               !is_another_program(index);
      default:
        return false;
    }
  }

  // ---- step 6: mode ----

  bool plan_denies() {
    for (std::uint32_t i = 0; i < scene_.effects.size(); ++i) {
      const Effect& effect = scene_.effects[i];
      const bool looks = effect.kind == EffectKind::kSearch || effect.kind == EffectKind::kPerson ||
                         (effect.kind == EffectKind::kReach && effect.by == EffectBy::kTool);
      // Reading a sensitive place is no change: it stays a question.
      if (looks || effect.kind == EffectKind::kRead || is_quiet(i)) continue;
      result_.decision.config_source = mode_source();
      result_.decision.reasons = {mode_reason(
          Verdict::kDeny, "mode plan only reads: `" + scene_.call.tool + "` would do more",
          effect.span)};
      return true;
    }
    return false;
  }

  bool mode_covers(std::uint32_t index) const {
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
  bool does_more_than_edit(std::uint32_t run) const {
    if (!edits_known_) {
      edits_known_ = true;
      beyond_edits_.assign(scene_.effects.size(), 0);
      for (std::uint32_t i = static_cast<std::uint32_t>(scene_.effects.size()); i-- > 0;)
        if (const std::uint32_t owner = scene_.effects[i].owner;
            owner < i && scene_.effects[i].by != EffectBy::kRedirection && !is_quiet(i) &&
            !mode_covers(i))
          beyond_edits_[owner] = 1;
    }
    return beyond_edits_[run] != 0;
  }

  // As written and as it really is.
  bool is_inside(std::uint32_t index, const std::vector<Place>& places) const {
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
  bool allows(std::uint32_t rule, std::uint32_t index) const {
    const RuleView view = view_.rule(rule);
    Verdict verdict = Verdict::kAllow;
    return view.verdict == Verdict::kAllow && counts(rule) && covers_effect(view, scene_, index) &&
           holds_now(rule, verdict);
  }

  Covered rule_covers(std::uint32_t index) {
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
    if (best.how == Cover::kNot && overlay_ != nullptr) {
      for (std::uint32_t x = 0; x < overlay_->extra.size(); ++x)
        if (overlay_->extra[x].verdict == Verdict::kAllow &&
            covers_effect(view_of(overlay_->extra[x]), scene_, index))
          return {Cover::kRule, kNoRule, x};
    }
    return best;
  }

  // A covered command's own operands inside the roots, or spelt out by a rule that covers it.
  bool owner_covers(std::uint32_t index, std::uint32_t owner, const Covered& how) const {
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
    if (how.rule == kNoRule) return spells_path(view_of(overlay_->extra[how.extra]), effect.path);
    bool spelt = false;
    const auto visit = [&](std::uint32_t rule) {
      spelt = spelt || (spells_path(view_.rule(rule), effect.path) && allows(rule, owner));
    };
    Candidates(view_, scene_, visit).of_effect(owner);
    return spelt;
  }

  // A command behind another: run elsewhere it belongs to the rule that names the one before it,
  // run here it must stand in the rule itself.
  bool covers_behind(std::uint32_t owner, const Covered& how, const Effect& inner) const {
    if (inner.by == EffectBy::kTool) return true;
    if (inner.argv.empty() || !inner.argv[0].known || how.how != Cover::kRule) return false;
    if (how.rule == kNoRule)
      return spells_word(view_of(overlay_->extra[how.extra]), inner.argv[0].text);
    bool spelt = false;
    const auto visit = [&](std::uint32_t rule) {
      spelt = spelt || (spells_word(view_.rule(rule), inner.argv[0].text) && allows(rule, owner));
    };
    Candidates(view_, scene_, visit).of_effect(owner);
    return spelt;
  }

  // Runs that do nothing by themselves but start what stands behind them.
  std::vector<char> transparent_runs() const {
    std::vector<char> found;
    for (std::uint32_t i = 0; i < scene_.effects.size(); ++i) {
      const Effect& effect = scene_.effects[i];
      if (effect.kind != EffectKind::kRun || effect.owner >= i) continue;
      const Effect& outer = scene_.effects[effect.owner];
      if (outer.kind != EffectKind::kRun || !outer.listed) continue;
      if (found.empty()) found.assign(scene_.effects.size(), 0);
      found[effect.owner] = 1;
    }
    return found;
  }

  bool runs_only_quiet(std::uint32_t wrapper) const {
    for (std::uint32_t i = wrapper + 1; i < scene_.effects.size(); ++i)
      if (scene_.effects[i].owner == wrapper && scene_.effects[i].kind == EffectKind::kRun &&
          !is_quiet(i))
        return false;
    return true;
  }

  // The lock or the list of a wrapper, inside the roots or the temporary directories.
  bool is_wrappers_own(std::uint32_t index, const std::vector<char>& wrappers) const {
    const Effect& effect = scene_.effects[index];
    return effect.owner < wrappers.size() && wrappers[effect.owner] != 0 &&
           is_path_kind(effect.kind) && effect.by == EffectBy::kOperand && !effect.path.empty() &&
           effect.kind != EffectKind::kDelete && !runs_only_quiet(effect.owner) &&
           (is_inside(index, scene_.situation.roots) ||
            is_inside(index, scene_.situation.temporary));
  }

  bool cover_all() {
    std::vector<Covered> covered_store;
    std::array<Covered, 8> few;
    const std::size_t count = scene_.effects.size();
    if (count > few.size()) covered_store.resize(count);
    const std::span<Covered> covered = count > few.size() ? std::span<Covered>(covered_store)
                                                          : std::span<Covered>(few).first(count);
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
        if (covered[i].how == Cover::kNot &&
            (owner_covers(i, owner, covered[owner]) || is_spelt(i)))
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
    if (!all) {
      open_.clear();
      for (std::uint32_t i = 0; i < count; ++i) {
        if (covered[i].how != Cover::kNot) continue;
        open_.push_back(i);
        if (options_.detail == Detail::kVerdict) break;
      }
      return false;
    }
    allow_reasons(covered);
    return true;
  }

  void allow_reasons(std::span<const Covered> covered) {
    std::vector<Reason>& reasons = result_.decision.reasons;
    Cover how = Cover::kQuiet;
    for (const Covered& one : covered)
      how = std::max(how, one.how == Cover::kOwner ? Cover::kRule : one.how);
    if (how == Cover::kRule) {
      for (std::uint32_t i = 0; i < covered.size(); ++i) {
        if (covered[i].how != Cover::kRule) continue;
        const bool told = std::any_of(covered.begin(), covered.begin() + i, [&](const Covered& c) {
          return c.how == Cover::kRule && c.rule == covered[i].rule && c.extra == covered[i].extra;
        });
        if (told) continue;
        const Hit hit{covered[i].rule, covered[i].extra, i, Match::kYes, Verdict::kAllow};
        if (reasons.empty()) result_.decision.config_source = source_of(hit);
        reasons.push_back(reason_of(hit));
      }
    } else if (how == Cover::kMode) {
      result_.decision.config_source = mode_source();
      reasons.push_back(
          mode_reason(Verdict::kAllow,
                      result_.mode == Mode::kAutonomous
                          ? "mode autonomous allows what no rule, breaker or guard stops"
                          : "mode acceptEdits allows edits inside the roots",
                      {}));
    } else {
      reasons.push_back(quiet_reason(scene_.effects.empty() ? "the tool has no effects"
                                     : declared_quiet()
                                         ? "the tool is declared without side effects"
                                         : "it only reads, and nothing sensitive"));
    }
  }

  // ---- step 8 and the answerer ----

  Judgement asked() {
    std::vector<Reason>& reasons = result_.decision.reasons;
    if (reasons.empty()) reasons = no_rule_reasons();
    if (result_.mode == Mode::kDontAsk) {
      reasons.insert(
          reasons.begin(),
          mode_reason(Verdict::kDeny, "mode dontAsk denies what it would have to ask", {}));
      return finish(Verdict::kDeny);
    }
    const Answerer answer = settle_answer();
    result_.answer = answer;
    if (answer == Answerer::kNo)
      return answered(Verdict::kDeny, "answer: no settles every question");
    if (answer == Answerer::kYes && !result_.person_only)
      return answered(Verdict::kAllow, "answer: yes settles it");
    if (answer == Answerer::kYes || !scene_.situation.approver_reachable) {
      if (!scene_.situation.approver_reachable)
        return answered(Verdict::kDeny,
                        "nobody can be asked now; try again when an approver is there");
    }
    return finish(Verdict::kAsk);
  }

  // The strictest answerer of all grounds. A yes of rules alone must leave nothing else open.
  Answerer settle_answer() {
    if (!rule_answer_) return result_.answer;
    if (agent_answers_) return tighter(*rule_answer_, result_.answer);
    if (*rule_answer_ != Answerer::kYes || result_.answer == Answerer::kYes) return *rule_answer_;
    std::vector<Reason> grounds = std::move(result_.decision.reasons);
    const ConfigSource source = result_.decision.config_source;
    settling_ = true;
    const bool all = cover_all();
    settling_ = false;
    result_.decision.reasons = std::move(grounds);
    result_.decision.config_source = source;
    return all ? Answerer::kYes : result_.answer;
  }

  Judgement answered(Verdict verdict, std::string text) {
    std::vector<Reason>& reasons = result_.decision.reasons;
    result_.decision.config_source = agent_.answer.source;
    reasons.insert(reasons.begin(),
                   {.kind = ReasonKind::kAnswerer,
                    .verdict = verdict,
                    .rule = std::string(name(result_.answer)),
                    .source = agent_.answer.where.empty() ? "built-in" : agent_.answer.where,
                    .text = std::move(text),
                    .span = {}});
    return finish(verdict);
  }

  // ---- telling ----

  ConfigSource source_of(const Hit& hit) const {
    if (hit.rule == kNoRule) return overlay_->extra[hit.extra].source;
    return static_cast<ConfigSource>(view_.record(hit.rule).source);
  }

  Reason reason_of(const Hit& hit) const {
    Reason reason{.kind = ReasonKind::kRule, .verdict = hit.verdict};
    Verdict list;
    std::string_view why;
    if (hit.rule != kNoRule) {
      const flat::RuleRecord& record = view_.record(hit.rule);
      if (static_cast<ConfigSource>(record.source) == ConfigSource::kGrant)
        reason.kind = ReasonKind::kGrant;
      reason.rule = view_.text(record.text);
      reason.source = view_.place(hit.rule);
      list = static_cast<Verdict>(record.verdict);
      if (const flat::ExtraRecord* extra = view_.extra(hit.rule)) why = view_.text(extra->reason);
    } else {
      reason.rule = overlay_->extra[hit.extra].text;
      list = overlay_->extra[hit.extra].verdict;
    }
    if (hit.effect != kNoRule) reason.span = scene_.effects[hit.effect].span;
    if (hit.match == Match::kMaybe) {
      reason.text =
          doubt_of(hit) + ", and the " + std::string(name(list)) + " rule might be about it";
      if (!why.empty()) reason.text += " (" + std::string(why) + ")";
    } else if (!why.empty()) {
      reason.text = why;
    } else if (list != hit.verdict) {
      reason.text = "the rule asks only within its hours, and it is outside them now";
    } else {
      reason.text = tell(list);
    }
    return reason;
  }

  // Why a rule hits only perhaps.
  std::string doubt_of(const Hit& hit) const {
    const Effect* effect =
        hit.effect < scene_.effects.size() ? &scene_.effects[hit.effect] : nullptr;
    if (effect == nullptr || effect->guess == Guess::kNone || effect->owner >= hit.effect)
      return "part of the call cannot be known";
    return "what `" + shortened(scene_.effects[effect->owner].argv[0].text) + "` does with `" +
           effect->path + "` is not known";
  }

  static std::string_view tell(Verdict list) {
    switch (list) {
      case Verdict::kAllow:
        return "the rule allows it";
      case Verdict::kAsk:
        return "the rule wants a person's answer";
      case Verdict::kDeny:
        break;
    }
    return "the rule forbids it; do not try another way to the same end";
  }

  // Who set the mode that counts: the file, the session or command line, or the client itself.
  bool mode_is_agents() const { return result_.mode == agent_.mode.value; }
  std::string mode_place() const {
    if (!mode_is_agents()) return options_.mode == result_.mode ? "session" : "client";
    return agent_.mode.where.empty() ? "built-in" : agent_.mode.where;
  }
  ConfigSource mode_source() const {
    return mode_is_agents() ? agent_.mode.source : ConfigSource::kSession;
  }

  Reason mode_reason(Verdict verdict, std::string text, Span span) const {
    return {.kind = ReasonKind::kMode,
            .verdict = verdict,
            .rule = std::string(name(result_.mode)),
            .source = mode_place(),
            .text = std::move(text),
            .span = span};
  }

  static Reason quiet_reason(std::string text) {
    return {.kind = ReasonKind::kReadOnly,
            .verdict = Verdict::kAllow,
            .rule = "",
            .source = "built-in",
            .text = std::move(text),
            .span = {}};
  }

  // One reason for what is not covered; in full detail one for each, up to a few.
  std::vector<Reason> no_rule_reasons() const {
    constexpr std::size_t kMost = 4, kMostAsked = 256;
    std::vector<Reason> reasons;
    std::size_t more = 0, asked = 0;
    for (const std::uint32_t index : open_) {
      if (rides_on_open(index)) continue;
      if (++asked > kMostAsked) {
        ++more;
        continue;
      }
      Reason reason{.kind = ReasonKind::kDefault, .verdict = Verdict::kAsk, .source = "built-in"};
      const std::uint32_t told = telling_effect(index);
      reason.text = why_open(told);
      reason.span = scene_.effects[told].span;
      const bool known =
          std::ranges::any_of(reasons, [&](const Reason& one) { return one.text == reason.text; });
      if (known) continue;
      if (reasons.size() < kMost)
        reasons.push_back(std::move(reason));
      else
        ++more;
    }
    if (more > 0) reasons.back().text += ", nor " + std::to_string(more) + " more";
    if (reasons.empty())
      reasons.push_back({.kind = ReasonKind::kDefault,
                         .verdict = Verdict::kAsk,
                         .rule = "",
                         .source = "built-in",
                         .text = "no rule covers it",
                         .span = {}});
    return reasons;
  }

  // What an open program does to its operands, or has others do, is part of what is open.
  bool rides_on_open(std::uint32_t index) const {
    if (scene_.effects[index].by == EffectBy::kRedirection) return false;
    if (is_repository(scene_.effects[index])) return true;
    for (std::uint32_t at = index; scene_.effects[at].owner < at;) {
      at = scene_.effects[at].owner;
      if (!scene_.effects[at].listed && std::ranges::binary_search(open_, at)) return true;
    }
    return false;
  }

  // A program that would be quiet but for something it does is not worth telling: that is.
  std::uint32_t telling_effect(std::uint32_t index) const {
    const std::uint32_t first = index;
    for (std::uint32_t i = index; i < scene_.effects.size(); ++i) {
      const Effect& outer = scene_.effects[index];
      if (outer.kind != EffectKind::kRun || !outer.listed) return index;
      const Effect& inner = scene_.effects[i];
      // What a program does stands behind it, before anything that it does not do.
      if (i > first && (inner.owner < first || inner.owner >= i)) return index;
      if (inner.owner == index && inner.by != EffectBy::kRedirection && !is_repository(inner) &&
          !is_quiet(i))
        index = i;
    }
    return index;
  }

  std::string why_open(std::uint32_t index) const {
    const Effect& effect = scene_.effects[index];
    const bool owned = effect.owner < scene_.effects.size();
    if (effect.kind == EffectKind::kUnknown && !effect.why.empty())
      return "it cannot be read with certainty: " + effect.why;
    if (std::string doubt = repository_doubt(scene_, index); !doubt.empty()) return doubt;
    if (effect.kind == EffectKind::kRun) return why_loud(index);
    if (owned && effect.kind == EffectKind::kReach)
      return effect.host.empty() ? "the host that this reaches cannot be told"
                                 : "no rule lets this command reach `" + effect.host + "`";
    if (!owned || !is_path_kind(effect.kind)) return "no rule covers it";
    const std::string verb = effect.kind == EffectKind::kRead     ? "read"
                             : effect.kind == EffectKind::kDelete ? "delete"
                             : effect.kind == EffectKind::kMode   ? "change the mode of"
                                                                  : "write";
    return effect.path.empty()
               ? "what this command would " + verb + " cannot be told, and no rule covers it"
               : "no rule lets this command " + verb + " `" + shortened(effect.path) + "`";
  }

  // Why a run is not quiet. REQUIRES: no rule covers it.
  std::string why_loud(std::uint32_t index) const {
    const Effect& run = scene_.effects[index];
    std::string command;
    for (const Word& word : run.argv)
      command += (command.empty() ? "" : " ") + (word.known ? word.text : word.text + "…");
    const std::string open = "no rule covers `" + shortened(command) + "`";
    if (!run.listed || run.argv.empty()) return open;
    if (has_hidden_text()) return open + ", and the call holds characters that do not show";
    if (is_another_program(index))
      return open + ", and `" + shortened(run.argv[0].text) + "` is a file of the workspace";
    for (const Word& word : run.argv)
      if (!shows_no_secret(run, word)) return open + ", and it may show a secret";
    for (const Word& word : run.argv)
      if (!run.safe && !is_no_option(index, word))
        return open + ", and a word that is not known could be an option; put `--` before it";
    return open;
  }

  Judgement finish(Verdict verdict) {
    result_.decision.verdict = verdict;
    result_.decision.layer = options_.layer;
    return std::move(result_);
  }

  const Policy& policy_;
  const PolicyView view_;
  const AgentPolicy& agent_;
  const Scene& scene_;
  const DecideOptions& options_;
  const Overlay* overlay_;
  std::uint16_t agent_index_ = 0;
  RuleList call_allows_;
  std::array<RuleList, 4> effect_allows_;           // of the first effects; most calls have no more
  std::optional<Answerer> rule_answer_;             // the strictest that a rule names
  bool agent_answers_ = false;                      // some ground leaves it to the agent's answerer
  mutable std::vector<char> noisy_, beyond_edits_;  // by run, once they are known
  mutable std::optional<std::pair<std::uint32_t, Covered>> blindly_;  // the run asked about last
  mutable bool hidden_ = false, hidden_known_ = false;
  mutable bool noise_known_ = false, edits_known_ = false;
  bool settling_ = false;  // effects that a rule's own yes is about count as covered
  std::vector<std::uint32_t>
      open_;  // effects that nothing covers; the first is enough for a verdict
  Judgement result_;
};

Judgement refuse(const DecideOptions& options, std::string text, std::string rule,
                 std::string source) {
  Judgement judgement;
  judgement.decision.layer = options.layer;
  judgement.decision.reasons.push_back({.kind = ReasonKind::kMalformed,
                                        .verdict = Verdict::kDeny,
                                        .rule = std::move(rule),
                                        .source = std::move(source),
                                        .text = std::move(text),
                                        .span = {}});
  return judgement;
}

}  // namespace

Judgement judge(const Policy& policy, const ToolCall& call, const Effects& effects,
                const Situation& situation, const DecideOptions& options, const Overlay* overlay) {
  if (policy.broken()) {
    const Error& error = *policy.broken();
    return refuse(options, "the policy is broken: " + error.message + " (" + error.hint + ")",
                  error.code, place_name(error.where));
  }
  if (call.tool.empty() || !call.input.is_object())
    return refuse(options, "the call names no tool or its input is no object", "malformed-call",
                  "");
  const AgentPolicy* agent = policy.agent(call.agent);
  if (agent == nullptr)
    return refuse(options, "there is no agent `" + call.agent + "` in the policy", "unknown-agent",
                  "");
  const Scene scene{call, kind_of(call.tool), effects, situation, policy.tools()};
  return Judge(policy, *agent, scene, options, overlay).run();
}

Decision decide(const Policy& policy, const ToolCall& call, const Effects& effects,
                const Situation& situation, const DecideOptions& options) {
  Judgement judgement = judge(policy, call, effects, situation, options);
  if (options.detail == Detail::kFull)
    explain(judgement, policy, call, effects, situation, options);
  return std::move(judgement.decision);
}

Decision deny_malformed(const Error& error, Layer layer) {
  Decision decision;
  decision.layer = layer;
  decision.reasons.push_back(
      {.kind = ReasonKind::kMalformed,
       .verdict = Verdict::kDeny,
       .rule = error.code,
       .source = place_name(error.where),
       .text = error.hint.empty() ? error.message : error.message + " (" + error.hint + ")",
       .span = {}});
  return decision;
}

}  // namespace tollgate
