// What would change the answer: each change is applied and the call is judged again, so that what
// is stated is what happened, not what ought to.
// Only changes that lead to another verdict are kept, at most one of each kind.
#include <algorithm>
#include <string>
#include <vector>

#include "gate/judge.h"
#include "policy/policy_view.h"

namespace tollgate {
namespace {

class Explainer {
 public:
  Explainer(Judgement& judgement, const Policy& policy, const ToolCall& call,
            const Effects& effects, const Situation& situation, const DecideOptions& options)
      : judgement_(judgement),
        decision_(judgement.decision),
        policy_(policy),
        view_(policy),
        call_(call),
        effects_(effects),
        situation_(situation),
        options_(options) {
    options_.detail = Detail::kVerdict;
  }

  void run() {
    tell_also();
    if (decision_.verdict != Verdict::kAllow)
      decision_.suggestions = suggest(policy_, call_, effects_, situation_, options_);
    try_without(standing_in_the_way());
    if (!decision_.suggestions.empty())
      try_rule("allow", decision_.suggestions.front());
    else if (decision_.verdict != Verdict::kAllow)
      try_rules_together();
    if (decision_.verdict == Verdict::kAllow) {
      try_without(judgement_.allows);
      try_tool_rule("deny");
    }
    if (judgement_.mode != Mode::kDefault) try_mode(Mode::kDefault);
    if (has_reason(ReasonKind::kCeiling)) try_tool();
    if (has_reason(ReasonKind::kAnswerer)) try_answer();
    if (decision_.changes.empty() && decision_.verdict == Verdict::kAsk)
      decision_.changes.push_back({.kind = ChangeKind::kPerson, .verdict = Verdict::kAsk});
  }

 private:
  bool has_reason(ReasonKind kind) const {
    return std::ranges::any_of(decision_.reasons,
                               [&](const Reason& reason) { return reason.kind == kind; });
  }

  Verdict verdict_with(const Overlay& overlay) const {
    return judge(policy_, call_, effects_, situation_, options_, &overlay).decision.verdict;
  }

  void keep(Change change, const Overlay& overlay) {
    change.verdict = verdict_with(overlay);
    if (change.verdict != decision_.verdict) decision_.changes.push_back(std::move(change));
  }

  // Rules that matched and did not decide, told once each.
  void tell_also() {
    const auto told = [&](const std::string& rule, const std::string& place) {
      const auto same = [&](const Reason& reason) {
        return reason.rule == rule && reason.source == place;
      };
      return std::ranges::any_of(decision_.reasons, same) ||
             std::ranges::any_of(decision_.also, same);
    };
    for (const auto* hits : {&judgement_.tight, &judgement_.allows}) {
      for (const Hit& hit : *hits) {
        if (hit.rule == kNoRule) continue;
        // The built-in rules are in doubt whenever anything is; that tells nobody anything.
        const auto source = static_cast<ConfigSource>(view_.record(hit.rule).source);
        if (hit.match == Match::kMaybe && source == ConfigSource::kDefault) continue;
        Reason reason{.kind = ReasonKind::kRule, .verdict = hit.verdict};
        reason.rule = view_.text(view_.record(hit.rule).text);
        reason.source = view_.place(hit.rule);
        reason.text = hit.match == Match::kMaybe ? "might match" : "matches too";
        if (hit.effect != kNoRule) reason.span = effects_[hit.effect].span;
        if (!told(reason.rule, reason.source)) decision_.also.push_back(std::move(reason));
      }
    }
  }

  // The deny rules of a deny, the deny and ask rules of an ask.
  std::vector<Hit> standing_in_the_way() const {
    std::vector<Hit> hits = judgement_.tight;
    const bool denies =
        std::ranges::any_of(hits, [](const Hit& hit) { return hit.verdict == Verdict::kDeny; });
    if (denies) std::erase_if(hits, [](const Hit& hit) { return hit.verdict != Verdict::kDeny; });
    return hits;
  }

  // All of these rules taken out together.
  void try_without(const std::vector<Hit>& hits) {
    Change change{.kind = ChangeKind::kRemoveRules};
    Overlay overlay;
    for (const Hit& hit : hits) {
      if (hit.rule == kNoRule ||
          std::ranges::find(overlay.without, hit.rule) != overlay.without.end())
        continue;
      overlay.without.push_back(hit.rule);
      change.places.push_back(view_.place(hit.rule));
      if (!change.rule.empty()) change.rule += ", ";
      change.rule += view_.text(view_.record(hit.rule).text);
    }
    if (!overlay.without.empty()) keep(std::move(change), overlay);
  }

  void try_rule(std::string list, const std::string& text) {
    const Verdict verdict = *verdict_named(list);
    Result<Rule> rule = parse_rule(verdict, text, {}, {.tools = policy_.tools()});
    if (!rule) return;
    Overlay overlay;
    overlay.extra.push_back(std::move(*rule));
    keep({.kind = ChangeKind::kAddRule, .list = std::move(list), .rule = text}, overlay);
  }

  // A call of several commands may need a rule for each.
  void try_rules_together() {
    Overlay overlay;
    std::string rules;
    for (const std::string& text : narrowest_rules(call_, effects_, situation_)) {
      Result<Rule> rule = parse_rule(Verdict::kAllow, text, {}, {.tools = policy_.tools()});
      if (!rule) return;
      overlay.extra.push_back(std::move(*rule));
      rules += (rules.empty() ? "" : ", ") + text;
    }
    if (overlay.extra.size() > 1)
      keep({.kind = ChangeKind::kAddRule, .list = "allow", .rule = rules}, overlay);
  }

  void try_tool_rule(std::string list) { try_rule(std::move(list), call_.tool); }

  void try_mode(Mode mode) {
    Overlay overlay;
    overlay.mode = mode;
    keep({.kind = ChangeKind::kSetMode, .rule = std::string(name(mode))}, overlay);
  }

  void try_tool() {
    Result<ToolPart> part =
        parse_tool_part(Verdict::kAllow, call_.tool, {}, {.tools = policy_.tools()});
    if (!part) return;
    Overlay overlay;
    overlay.tool = std::move(*part);
    keep({.kind = ChangeKind::kAddTool, .list = "allowedTools", .rule = call_.tool}, overlay);
  }

  void try_answer() {
    Overlay overlay;
    overlay.answer = Answerer::kAsk;
    keep({.kind = ChangeKind::kSetAnswer, .rule = "ask"}, overlay);
  }

  Judgement& judgement_;
  Decision& decision_;
  const Policy& policy_;
  const PolicyView view_;
  const ToolCall& call_;
  const Effects& effects_;
  const Situation& situation_;
  DecideOptions options_;
};

}  // namespace

void explain(Judgement& judgement, const Policy& policy, const ToolCall& call,
             const Effects& effects, const Situation& situation, const DecideOptions& options) {
  if (policy.broken() || policy.agent(call.agent) == nullptr) return;
  Explainer(judgement, policy, call, effects, situation, options).run();
}

}  // namespace tollgate
