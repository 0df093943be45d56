// The reasons of a verdict, in words.
#include <algorithm>

#include "base/text.h"
#include "gate/judging.h"
#include "gate/repository.h"

namespace tollgate {

// ---- step 7: allow rules ----

void Judge::allow_reasons(std::span<const Covered> covered) {
  std::vector<Reason>& reasons = decision_.reasons;
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
      if (reasons.empty()) decision_.config_source = source_of(hit);
      reasons.push_back(reason_of(hit));
    }
  } else if (how == Cover::kMode) {
    decision_.config_source = mode_source();
    reasons.push_back(
        mode_reason(Verdict::kAllow,
                    result_.mode == Mode::kAutonomous
                        ? "mode autonomous allows what no rule, breaker or guard stops"
                        : "mode acceptEdits allows edits inside the roots",
                    {}));
  } else {
    quiet_reason(scene_.effects.empty() ? "the tool has no effects"
                 : declared_quiet()     ? "the tool is declared without side effects"
                                        : "it only reads, and nothing sensitive");
  }
}

// ---- telling ----

ConfigSource Judge::source_of(const Hit& hit) const {
  if (hit.rule == kNoRule)
    return extra_[hit.extra].grant != nullptr ? ConfigSource::kGrant
                                              : extra_[hit.extra].rule->source;
  return static_cast<ConfigSource>(view_.record(hit.rule).source);
}

Reason Judge::reason_of(const Hit& hit) const {
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
    reason.rule = extra_[hit.extra].rule->text;
    list = extra_[hit.extra].rule->verdict;
    if (const Granted* grant = extra_[hit.extra].grant) {
      reason.kind = ReasonKind::kGrant;
      reason.source = "grant " + grant->id;
      why = "a person allowed it for good";
    }
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
std::string Judge::doubt_of(const Hit& hit) const {
  const Effect* effect = hit.effect < scene_.effects.size() ? &scene_.effects[hit.effect] : nullptr;
  if (effect == nullptr || effect->guess == Guess::kNone || effect->owner >= hit.effect)
    return "part of the call cannot be known";
  return "what `" + shortened(scene_.effects[effect->owner].argv[0].text) + "` does with `" +
         effect->path + "` is not known";
}

std::string_view Judge::tell(Verdict list) {
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

std::string Judge::mode_place() const {
  if (!mode_is_agents()) return options_.mode == result_.mode ? "session" : "client";
  return agent_.mode.where.empty() ? "built-in" : agent_.mode.where;
}

ConfigSource Judge::mode_source() const {
  return mode_is_agents() ? agent_.mode.source : ConfigSource::kSession;
}

Reason Judge::mode_reason(Verdict verdict, std::string text, Span span) const {
  return {.kind = ReasonKind::kMode,
          .verdict = verdict,
          .rule = std::string(name(result_.mode)),
          .source = mode_place(),
          .text = std::move(text),
          .span = span};
}

// Made in its place: this is what most calls come to.
void Judge::quiet_reason(std::string_view text) {
  decision_.reasons.emplace_back(ReasonKind::kReadOnly, Verdict::kAllow, std::string(), "built-in",
                                 std::string(text), Span{});
}

// One reason for what is not covered; in full detail one for each, up to a few.
void Judge::no_rule_reasons() {
  constexpr std::size_t kMost = 4, kMostAsked = 256;
  std::vector<Reason>& reasons = decision_.reasons;
  std::size_t more = 0, asked = 0;
  for (const std::uint32_t index : open_) {
    if (rides_on_open(index)) continue;
    if (++asked > kMostAsked) {
      ++more;
      continue;
    }
    const std::uint32_t told = telling_effect(index);
    std::string text = why_open(told);
    const bool known =
        std::ranges::any_of(reasons, [&](const Reason& one) { return one.text == text; });
    if (known) continue;
    if (reasons.size() == kMost)
      ++more;
    else
      add_default(std::move(text), scene_.effects[told].span);
  }
  if (more > 0) reasons.back().text += ", nor " + std::to_string(more) + " more";
  if (reasons.empty()) add_default("no rule covers it", {});
}

void Judge::add_default(std::string text, Span span) {
  decision_.reasons.emplace_back(ReasonKind::kDefault, Verdict::kAsk, std::string(), "built-in",
                                 std::move(text), span);
}

// What an open program does to its operands, or has others do, is part of what is open.
bool Judge::rides_on_open(std::uint32_t index) const {
  if (scene_.effects[index].by == EffectBy::kRedirection) return false;
  if (is_repository(scene_.effects[index])) return true;
  for (std::uint32_t at = index; scene_.effects[at].owner < at;) {
    at = scene_.effects[at].owner;
    if (!scene_.effects[at].listed && std::ranges::binary_search(open_, at)) return true;
  }
  return false;
}

// A program that would be quiet but for something it does is not worth telling: that is.
std::uint32_t Judge::telling_effect(std::uint32_t index) const {
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

std::string Judge::why_open(std::uint32_t index) const {
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
std::string Judge::why_loud(std::uint32_t index) const {
  const Effect& run = scene_.effects[index];
  constexpr std::string_view kBefore = "no rule covers `";
  constexpr std::size_t kNeverShortened = 64;
  std::size_t size = kBefore.size() + 1;
  for (const Word& word : run.argv) size += word.text.size() + 4;
  std::string open;
  open.reserve(size);
  open = kBefore;
  for (const Word& word : run.argv) {
    if (open.size() > kBefore.size()) open += ' ';
    open += word.text;
    if (!word.known) open += "…";
  }
  if (open.size() - kBefore.size() > kNeverShortened)
    open.replace(kBefore.size(), open.npos,
                 shortened(std::string_view(open).substr(kBefore.size())));
  open += '`';
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

}  // namespace tollgate
