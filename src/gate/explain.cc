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
    tell_grants();
    if (decision_.verdict != Verdict::kAllow)
      decision_.suggestions = suggest(policy_, call_, effects_, situation_, options_);
    try_without(standing_in_the_way());
    if (!decision_.suggestions.empty())
      try_rule("allow", decision_.suggestions.front());
    else if (decision_.verdict != Verdict::kAllow)
      try_rules_together();
    if (decision_.verdict == Verdict::kAllow) {
      try_without(judgement_.allows);
      try_deny();
    }
    if (judgement_.mode != Mode::kDefault) try_mode(Mode::kDefault);
    if (has_reason(ReasonKind::kCeiling)) try_tool();
    if (has_reason(ReasonKind::kAnswerer)) try_answer();
    const bool settled = decision_.verdict == Verdict::kAllow ||
                         std::ranges::find(decision_.changes, Verdict::kAllow, &Change::verdict) !=
                             decision_.changes.end();
    if (!settled) try_replacement();
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

  // Grants that cover a part of what a person is asked about: whoever taught one has had a say.
  void tell_grants() {
    if (decision_.verdict != Verdict::kAsk || options_.grants == nullptr) return;
    const Scene scene{call_, kind_of(call_.tool), effects_, situation_, policy_.tools()};
    for (const Granted& grant : *options_.grants) {
      bool covers = false;
      for (std::size_t i = 0; i < effects_.size() && !covers; ++i)
        covers = covers_effect(view_of(grant.rule), scene, i);
      if (!covers) continue;
      Reason reason{.kind = ReasonKind::kGrant, .verdict = Verdict::kAllow};
      reason.rule = grant.rule.text;
      reason.source = "grant " + grant.id;
      reason.text = "covers a part of it";
      decision_.also.push_back(std::move(reason));
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

  // All of these rules taken out together; tells their texts and where they stand.
  Overlay without(const std::vector<Hit>& hits, std::vector<std::string>& texts,
                  std::vector<std::string>& places) const {
    Overlay overlay;
    for (const Hit& hit : hits) {
      if (hit.rule == kNoRule ||
          std::ranges::find(overlay.without, hit.rule) != overlay.without.end())
        continue;
      overlay.without.push_back(hit.rule);
      places.push_back(view_.place(hit.rule));
      texts.emplace_back(view_.text(view_.record(hit.rule).text));
    }
    return overlay;
  }

  // The built-in rules stand in no file and cannot be taken out.
  bool holds_built_in(const std::vector<Hit>& hits) const {
    return std::ranges::any_of(hits, [&](const Hit& hit) {
      return hit.rule != kNoRule &&
             static_cast<ConfigSource>(view_.record(hit.rule).source) == ConfigSource::kDefault;
    });
  }

  void try_without(const std::vector<Hit>& hits) {
    if (holds_built_in(hits)) return;
    Change change{.kind = ChangeKind::kRemoveRules};
    const Overlay overlay = without(hits, change.rules, change.places);
    if (!overlay.without.empty()) keep(std::move(change), overlay);
  }

  // What an ask rule holds up and nothing else covers takes both: that rule out, an allow rule in.
  // A deny is not argued with.
  void try_replacement() {
    const std::vector<Hit>& hits = judgement_.tight;
    const bool fixed = std::ranges::any_of(
        hits, [&](const Hit& hit) { return hit.verdict == Verdict::kDeny || hit.rule == kNoRule; });
    if (hits.empty() || fixed || holds_built_in(hits)) return;
    Change change{.kind = ChangeKind::kReplace, .list = "allow"};
    Overlay overlay = without(hits, change.removed, change.places);
    std::vector<std::string> texts =
        suggest(policy_, call_, effects_, situation_, options_, overlay);
    texts.resize(std::min<std::size_t>(texts.size(), 1));
    if (texts.empty()) texts = narrowest_rules(call_, effects_, situation_);
    if (!add_allows(texts, overlay, change.rules)) return;
    change.verdict = verdict_with(overlay);
    if (change.verdict != Verdict::kAllow) return;
    drop_needless(overlay, change.rules);
    decision_.changes.push_back(std::move(change));
  }

  // Adds the rules and their texts; false when there are none or one cannot be read.
  bool add_allows(const std::vector<std::string>& texts, Overlay& overlay,
                  std::vector<std::string>& told) const {
    for (const std::string& text : texts) {
      Result<Rule> rule = parse_rule(Verdict::kAllow, text, {}, {.tools = policy_.tools()});
      if (!rule) return false;
      overlay.extra.push_back(std::move(*rule));
      told.push_back(text);
    }
    return !texts.empty();
  }

  void try_rule(std::string list, const std::string& text) {
    const Verdict verdict = *verdict_named(list);
    Result<Rule> rule = parse_rule(verdict, text, {}, {.tools = policy_.tools()});
    if (!rule) return;
    Overlay overlay;
    overlay.extra.push_back(std::move(*rule));
    keep({.kind = ChangeKind::kAddRule, .list = std::move(list), .rules = {text}}, overlay);
  }

  // A call of several commands may need a rule for each.
  void try_rules_together() {
    Overlay overlay;
    Change change{.kind = ChangeKind::kAddRule, .list = "allow"};
    if (!add_allows(narrowest_rules(call_, effects_, situation_), overlay, change.rules)) return;
    if (overlay.extra.size() < 2 || verdict_with(overlay) != Verdict::kAllow) return;
    drop_needless(overlay, change.rules);
    keep(std::move(change), overlay);
  }

  // Takes out every rule without which the call is allowed all the same.
  void drop_needless(Overlay& overlay, std::vector<std::string>& texts) const {
    // LIMIT: each try is a judgement.
    constexpr std::size_t kMost = 32;
    for (std::size_t i = std::min(overlay.extra.size(), kMost); i-- > 0;) {
      Overlay fewer = overlay;
      fewer.extra.erase(fewer.extra.begin() + static_cast<std::ptrdiff_t>(i));
      if (verdict_with(fewer) != Verdict::kAllow) continue;
      overlay = std::move(fewer);
      texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  // The narrowest rule that forbids something of it, else one for the tool.
  void try_deny() {
    std::vector<std::string> rules = narrowest_rules(call_, effects_, situation_);
    rules.push_back(call_.tool);
    const std::size_t before = decision_.changes.size();
    for (const std::string& rule : rules) {
      try_rule("deny", rule);
      if (decision_.changes.size() > before) return;
    }
  }

  void try_mode(Mode mode) {
    Overlay overlay;
    overlay.mode = mode;
    keep({.kind = ChangeKind::kSetMode, .rules = {std::string(name(mode))}}, overlay);
  }

  void try_tool() {
    Result<ToolPart> part =
        parse_tool_part(Verdict::kAllow, call_.tool, {}, {.tools = policy_.tools()});
    if (!part) return;
    Overlay overlay;
    overlay.tool = std::move(*part);
    Change change{.kind = ChangeKind::kAddTool, .list = "allowedTools", .rules = {call_.tool}};
    const std::vector<CeilingList>& lists = judgement_.tool_lists;
    // A variable or an option is its own name and stands at no place.
    const auto is_named = [](const CeilingList& list) {
      return list.source == ConfigSource::kEnv || list.source == ConfigSource::kSession;
    };
    const bool bundled =
        lists.size() == 1 && !is_named(lists[0]) &&
        (lists[0].from.starts_with("role ") || lists[0].from.starts_with("preset "));
    if (bundled) {
      // A list of one's own takes the place of the role's, so it must say all of it.
      change.kind = ChangeKind::kSetTools;
      change.rules.clear();
      for (const CeilingEntry& entry : lists[0].entries) change.rules.push_back(entry.text);
      change.rules.push_back(call_.tool);
    } else if (lists.size() == 1 && is_named(lists[0])) {
      change.list = lists[0].from;
    } else {
      for (const CeilingList& list : lists)
        if (is_named(list) || !list.where.empty())
          change.places.push_back(is_named(list) ? list.from : list.where);
    }
    keep(std::move(change), overlay);
  }

  void try_answer() {
    Overlay overlay;
    overlay.answer = Answerer::kAsk;
    keep({.kind = ChangeKind::kSetAnswer, .rules = {"ask"}}, overlay);
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
