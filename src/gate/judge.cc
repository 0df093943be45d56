// The order of judgement, step by step. Read top to bottom; each step is one function.
// The verdict starts strict and is loosened only by what covers every effect of the call.
#include "gate/judge.h"

#include <algorithm>

#include "gate/candidates.h"
#include "gate/judging.h"
#include "gate/places.h"
#include "gate/repository.h"

namespace tollgate {

void Judge::run() {
  result_.mode = effective_mode();
  result_.answer = effective_answer();
  match_rules();
  if (denied()) return finish(Verdict::kDeny);
  std::vector<Reason> floors = floors_of();
  if (result_.mode == Mode::kPlan && plan_denies()) return finish(Verdict::kDeny);
  if (floors.empty()) {
    if (cover_all()) return finish(Verdict::kAllow);
  } else {
    decision_.reasons = std::move(floors);
  }
  return asked();
}

// ---- modes ----

Mode Judge::effective_mode() const {
  Mode mode = agent_.mode.value;
  std::optional<Mode> asked = overlay_ && overlay_->mode ? overlay_->mode : options_.mode;
  if (asked) mode = *asked;  // counts as the user's own word
  mode = tighter(mode, agent_.mode_limit);
  // What a client says of its own mode only tightens.
  if (scene_.call.client_mode.empty()) return mode;
  const std::optional<Mode> client = mode_named(scene_.call.client_mode);
  if (client == Mode::kPlan || client == Mode::kDontAsk) mode = tighter(mode, *client);
  return mode;
}

Answerer Judge::effective_answer() const {
  if (overlay_ != nullptr && overlay_->answer) return *overlay_->answer;
  if (!options_.answer) return agent_.answer.value;
  // SAFETY: the operator speaks as the user does, and so only tightens what a managed file says.
  return agent_.answer.source == ConfigSource::kManaged
             ? tighter(agent_.answer.value, *options_.answer)
             : *options_.answer;
}

// ---- rules ----

void Judge::list_extra() {
  if (overlay_ != nullptr)
    for (const Rule& rule : overlay_->extra) extra_.push_back({&rule, nullptr});
  if (options_.grants == nullptr) return;
  for (const Granted& grant : *options_.grants)
    if (holds_here(grant)) extra_.push_back({&grant.rule, &grant});
}

// A grant that is bound to a root is absent from a session without it; one for commands also from
// a call that happens outside it, since relative names mean something else there.
bool Judge::holds_here(const Granted& grant) const {
  const Situation& situation = scene_.situation;
  if (grant.rule.verdict != Verdict::kAllow) return false;
  if (grant.rule.expires != 0 && situation.now >= grant.rule.expires) return false;
  if (grant.root.empty()) return true;
  const auto root = std::ranges::find(situation.roots, grant.root, &Place::real);
  return root != situation.roots.end() &&
         (grant.rule.specifier_kind != SpecifierKind::kShell ||
          inside_places(situation.cwd.written, situation.cwd.real, {*root}));
}

namespace {

// One of the blocked places of the default configuration.
bool is_default_path(const flat::RuleRecord& record) {
  return static_cast<ConfigSource>(record.source) == ConfigSource::kDefault &&
         static_cast<SpecifierKind>(record.specifier_kind) == SpecifierKind::kPath;
}

}  // namespace

bool Judge::counts(std::uint32_t rule) const {
  const flat::RuleRecord& record = view_.record(rule);
  if (record.agent != 0 && record.agent != agent_index_) return false;
  if (!agent_.default_paths && record.agent == 0 && is_default_path(record))
    return false;  // the agent's own block names the paths
  return overlay_ == nullptr ||
         std::ranges::find(overlay_->without, rule) == overlay_->without.end();
}

// Whether the rule holds at this time; an ask outside its hours is a deny.
bool Judge::holds_now(std::uint32_t rule, Verdict& verdict) const {
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
bool Judge::is_too_vague(std::uint32_t rule, std::uint32_t index) const {
  if (index >= scene_.effects.size()) return false;
  const Effect& effect = scene_.effects[index];
  return (effect.kind == EffectKind::kUnknown ||
          (effect.kind == EffectKind::kRead && effect.path.empty())) &&
         is_default_path(view_.record(rule));
}

// REQUIRES: the rule matches, perhaps.
void Judge::add_tight(std::uint32_t rule, std::uint32_t effect, Match match) {
  if (match == Match::kMaybe && is_too_vague(rule, effect)) return;
  Verdict verdict = view_.verdict(rule);
  if (!holds_now(rule, verdict)) return;
  if (match == Match::kMaybe) verdict = Verdict::kAsk;
  for (Hit& hit : result_.tight) {
    if (hit.rule != rule) continue;
    if (match > hit.match) hit = {rule, kNoRule, effect, match, verdict};
    return;
  }
  result_.tight.push_back({rule, kNoRule, effect, match, verdict});
}

void Judge::match_rules() {
  const auto of_call = [&](std::uint32_t rule) {
    if (!counts(rule)) return;
    if (view_.verdict(rule) == Verdict::kAllow)
      call_allows_.add(rule);
    else if (const Match match = hits_call(view_.rule(rule), scene_); match != Match::kNo)
      add_tight(rule, kNoRule, match);
  };
  Candidates(view_, scene_, of_call).of_call();
  const bool about_runs = view_.has_any(kAboutRuns) || view_.tight_end(SpecifierKind::kShell) !=
                                                           view_.tight_begin(SpecifierKind::kShell);
  const std::size_t count = scene_.effects.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!about_runs && scene_.effects[i].kind == EffectKind::kRun) continue;
    // What is unknown never is for certain what a path rule says, and so these are too vague.
    const bool vague = scene_.effects[i].kind == EffectKind::kUnknown;
    const auto of_effect = [&](std::uint32_t rule) {
      if ((vague && is_default_path(view_.record(rule))) || !counts(rule)) return;
      if (view_.verdict(rule) == Verdict::kAllow) {
        if (i < effect_allows_.size()) effect_allows_[i].add(rule);
      } else if (const Match match = hits_effect(view_.rule(rule), scene_, i);
                 match != Match::kNo) {
        add_tight(rule, i, match);
      }
    };
    Candidates(view_, scene_, of_effect).of_effect(i);
  }
  if (!extra_.empty()) match_extra();
  if (result_.tight.size() < 2) return;
  std::ranges::sort(result_.tight, [](const Hit& a, const Hit& b) {
    if (a.verdict != b.verdict) return a.verdict > b.verdict;
    return std::pair(a.rule, a.extra) < std::pair(b.rule, b.extra);
  });
}

void Judge::match_extra() {
  for (std::uint32_t x = 0; x < extra_.size(); ++x) {
    if (extra_[x].rule->verdict == Verdict::kAllow) continue;
    const RuleView rule = view_of(*extra_[x].rule);
    Hit best{kNoRule, x, kNoRule, hits_call(rule, scene_), rule.verdict};
    for (std::uint32_t i = 0; i < scene_.effects.size(); ++i)
      if (const Match match = hits_effect(rule, scene_, i); match > best.match)
        best = {kNoRule, x, i, match, rule.verdict};
    if (best.match == Match::kMaybe) best.verdict = Verdict::kAsk;
    if (best.match != Match::kNo) result_.tight.push_back(best);
  }
}

// ---- step 2: deny ----

bool Judge::denied() {
  std::vector<Reason>& reasons = decision_.reasons;
  for (const Hit& hit : result_.tight)
    if (hit.verdict == Verdict::kDeny) reasons.push_back(reason_of(hit));
  if (!reasons.empty()) decision_.config_source = source_of(result_.tight.front());
  if (auto outside = outside_ceiling(agent_, scene_, overlay_)) {
    result_.tool_lists = std::move(outside->lists);
    if (reasons.empty()) decision_.config_source = result_.tool_lists.front().source;
    reasons.push_back(std::move(outside->reason));
  }
  if (plain_.may_have(EffectKind::kUnknown))
    if (auto reason = not_followed(scene_)) reasons.push_back(std::move(*reason));
  AgainstGate gate = against_gate(scene_, plain_);
  gate_doubt_ = gate.doubt;
  if (gate.denied) reasons.push_back(std::move(*gate.denied));
  if (!is_network_free())
    if (auto reason = outside_network(Verdict::kDeny)) {
      if (reasons.empty()) decision_.config_source = agent_.network.source;
      reasons.push_back(std::move(*reason));
    }
  return !reasons.empty();
}

// REQUIRES: the network is not free.
std::optional<Reason> Judge::outside_network(Verdict wanted) const {
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

// ---- telling ----

void Judge::finish(Verdict verdict) {
  decision_.verdict = verdict;
  decision_.layer = options_.layer;
}

namespace {

Decision refuse(const DecideOptions& options, std::string text, std::string rule,
                std::string source) {
  Decision decision;
  decision.layer = options.layer;
  decision.reasons.push_back({.kind = ReasonKind::kMalformed,
                              .verdict = Verdict::kDeny,
                              .rule = std::move(rule),
                              .source = std::move(source),
                              .text = std::move(text),
                              .span = {}});
  return decision;
}

Decision refuse_broken(const Error& error, const DecideOptions& options) {
  return refuse(options, "the policy is broken: " + error.message + " (" + error.hint + ")",
                error.code, place_name(error.where));
}

void judge_into(Decision& decision, Grounds& grounds, const Policy& policy, const ToolCall& call,
                const Effects& effects, const Situation& situation, const DecideOptions& options,
                const Overlay* overlay) {
  const AgentPolicy* agent = policy.agent(call.agent);
  if (policy.broken()) {
    // Told below.
  } else if (call.tool.empty() || !call.input.is_object()) {
    decision =
        refuse(options, "the call names no tool or its input is no object", "malformed-call", "");
  } else if (agent == nullptr) {
    decision = refuse(options, "there is no agent `" + call.agent + "` in the policy",
                      "unknown-agent", "");
  } else {
    const Scene scene{call, kind_of(call.tool), effects, situation, policy.tools()};
    Judge(policy, *agent, scene, options, overlay, decision, grounds).run();
  }
  // SAFETY: what was judged by a damaged record counts for nothing.
  if (!policy.broken()) return;
  grounds = {};
  decision = refuse_broken(*policy.broken(), options);
}

}  // namespace

Judgement judge(const Policy& policy, const ToolCall& call, const Effects& effects,
                const Situation& situation, const DecideOptions& options, const Overlay* overlay) {
  Judgement judgement;
  judge_into(judgement.decision, judgement, policy, call, effects, situation, options, overlay);
  return judgement;
}

Decision decide(const Policy& policy, const ToolCall& call, const Effects& effects,
                const Situation& situation, const DecideOptions& options) {
  Decision decision;
  if (options.detail == Detail::kFull) {
    Judgement judgement = judge(policy, call, effects, situation, options);
    explain(judgement, policy, call, effects, situation, options);
    decision =
        policy.broken() ? refuse_broken(*policy.broken(), options) : std::move(judgement.decision);
  } else {
    Grounds grounds;
    judge_into(decision, grounds, policy, call, effects, situation, options, nullptr);
  }
  return decision;
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
