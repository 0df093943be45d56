// Judges at every level, and closes the gap of the wait: a world, a policy or an input that is no
// longer the one that was asked about.
// SAFETY: an answer only ever settles the question that was put; anything new is asked or denied.
#include "service/passage.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "os/moment.h"
#include "service/breakers.h"

namespace tollgate {
namespace {

Reason built_in_reason(ReasonKind kind, Verdict verdict, std::string rule, std::string text) {
  return {.kind = kind,
          .verdict = verdict,
          .rule = std::move(rule),
          .source = "built-in",
          .text = std::move(text),
          .span = {}};
}

constexpr std::string_view kNobodyAnswered = "nobody answered in time";

// Whether those whom this ask was put to have had their time. What was left to a level above is for
// that one to say.
bool is_over(const Decision& ask, std::int64_t waited_ms) {
  return ask.verdict == Verdict::kAsk && ask.answer != Answerer::kForward && ask.within_ms != 0 &&
         ask.within_ms <= waited_ms;
}

// Whether the same words lead to other files than they did.
bool leads_elsewhere(const Situation& before, const Situation& now) {
  return before.cwd.real != now.cwd.real ||
         !std::ranges::equal(before.paths, now.paths, {}, &PathLook::real, &PathLook::real);
}

// The reasons of every level that was judged.
std::vector<Reason> reasons_of(const Passage& passage) {
  std::vector<Reason> out;
  for (std::size_t i = 0; i < passage.judged(); ++i)
    std::ranges::move(passage.at(i).decision.reasons, std::back_inserter(out));
  return out;
}

}  // namespace

Passage Passage::open(Levels levels, World& world, const ToolCall& call, Above above) {
  Passage passage(std::move(levels), above);
  passage.judge(world, call);
  return passage;
}

Passage Passage::open(std::vector<Level> levels, World& world, const ToolCall& call) {
  return open(std::make_shared<const std::vector<Level>>(std::move(levels)), world, call);
}

AuditRecord Passage::at(std::size_t level) const {
  if (level > 0) return above_records_.at(level - 1);
  AuditRecord out = record_;
  if (own_) out.decision = *own_;
  return out;
}

void Passage::renew(Levels levels) { levels_ = std::move(levels); }

Passage::Rest Passage::rest() && {
  const auto kept = [](Decision& decision) {
    Decision out;
    out.verdict = decision.verdict;
    out.reasons = std::move(decision.reasons);
    out.answer = decision.answer;
    out.within_ms = decision.within_ms;
    out.on_timeout = decision.on_timeout;
    return out;
  };
  Rest out;
  out.levels_ = std::move(levels_);
  out.above_ = above_;
  out.verdict_ = record_.decision.verdict;
  out.needs_ = needs_;
  out.quorums_ = std::move(record_.decision.quorums);
  out.own_.reserve(judged());
  out.own_.push_back(kept(own_ ? *own_ : record_.decision));
  for (AuditRecord& record : above_records_) out.own_.push_back(kept(record.decision));
  out.parent_ = std::move(parent_);
  out.waited_ms_ = waited_ms_;
  return out;
}

Passage Passage::wake(Rest rest, AuditRecord asked) {
  Passage out(std::move(rest.levels_), rest.above_);
  out.record_.call = std::move(asked.call);
  out.record_.effects = std::move(asked.effects);
  out.record_.situation = std::move(asked.situation);
  out.record_.decision.verdict = rest.verdict_;
  out.record_.decision.quorums = std::move(rest.quorums_);
  out.needs_ = rest.needs_;
  out.own_ = std::move(rest.own_.front());
  for (std::size_t i = 1; i < rest.own_.size(); ++i)
    out.above_records_.push_back(
        {.call = {}, .effects = {}, .situation = {}, .decision = std::move(rest.own_[i])});
  out.parent_ = std::move(rest.parent_);
  out.waited_ms_ = rest.waited_ms_;
  return out;
}

// SAFETY: whatever is thrown while a call is judged denies that call, and ends nothing else.
void Passage::judge(World& world, const ToolCall& call) {
  try {
    return judge_levels(world, call);
  } catch (const std::exception& error) {
    fail(call, error.what());
  } catch (...) {
    fail(call, "something unknown");
  }
}

void Passage::fail(const ToolCall& call, std::string_view why) {
  above_records_.clear();
  needs_ = Needs::kNothing;
  parent_.clear();
  own_.reset();
  record_ = AuditRecord{};
  record_.call = call;
  record_.decision.verdict = Verdict::kDeny;
  record_.decision.reasons.push_back(
      built_in_reason(ReasonKind::kLimit, Verdict::kDeny, "gate-failed",
                      "the gate failed while it judged the call: " + std::string(why)));
}

void Passage::judge_levels(World& world, const ToolCall& call) {
  above_records_.clear();
  own_.reset();
  needs_ = Needs::kNothing;
  parent_.clear();
  if (levels_ == nullptr || levels_->empty() || levels_->size() > kMaxLevels) {
    record_.call = call;
    record_.decision = Decision{};
    record_.decision.reasons.push_back(built_in_reason(
        ReasonKind::kLimit, Verdict::kDeny, "chain-too-deep",
        "the session stands in a chain that is not of 1 to " + std::to_string(kMaxLevels)));
    return;
  }
  const std::vector<Level>& levels = *levels_;
  record_ = judge_at(levels[0], levels[0], world, call);
  if (record_.decision.verdict == Verdict::kAsk) {
    own_ = record_.decision;
    pass_on(*own_);
  }
  for (std::size_t i = 0; i + 1 < levels.size() && goes_up(levels[i], own(i)); ++i) {
    above_records_.push_back(judge_at(levels[i + 1], levels[0], world, call));
    pass_on(above_records_.back().decision);
  }
  // One level that allows or denies is the whole outcome.
  if (above_records_.empty() && record_.decision.verdict != Verdict::kAsk) return;
  if (!own_) own_ = record_.decision;
  std::vector<const Decision*> decisions;
  for (std::size_t i = 0; i < judged(); ++i) decisions.push_back(&own(i));
  ChainOutcome outcome = chain_outcome(levels, decisions, above_);
  record_.decision = std::move(outcome.decision);
  needs_ = outcome.needs;
  if (needs_ == Needs::kParent) parent_ = levels[outcome.parent].session;
}

void Passage::close(Answer answer, World& world) {
  if (record_.decision.verdict != Verdict::kAsk) return;
  if (answer.decision.verdict != Verdict::kAllow) {
    record_.decision = std::move(answer.decision);
    if (record_.decision.verdict == Verdict::kDeny) needs_ = Needs::kNothing;
    return;
  }
  os::begin_new_moment();
  if (answer.changed && *answer.changed != record_.call.input)
    return close_changed(std::move(answer.decision), std::move(*answer.changed), world);
  Passage again(levels_, above_);
  again.judge(world, record_.call);
  if (again.asks_more_than(*this)) {
    *this = std::move(again);
    return put_first("world-changed",
                     "the files changed while the question was open, so the answer no longer fits");
  }
  record_.situation = std::move(again.record_.situation);
  record_.decision = std::move(answer.decision);
  needs_ = Needs::kNothing;
}

bool Passage::goes_on_after(std::int64_t waited_ms) const {
  if (record_.decision.verdict != Verdict::kAsk) return false;
  for (std::size_t i = 0; i < judged(); ++i)
    if (own(i).on_timeout == OnTimeout::kForward && is_over(own(i), waited_ms)) return true;
  return false;
}

void Passage::forward(World& world, std::int64_t waited_ms) {
  if (!goes_on_after(waited_ms)) return;
  os::begin_new_moment();
  waited_ms_ = waited_ms;
  const ToolCall call = std::move(record_.call);
  judge(world, call);
  Reason& first = record_.decision.reasons.front();
  if (first.text.find(kNobodyAnswered) == first.text.npos)
    first.text = std::string(kNobodyAnswered) + "; " + first.text;
}

// SAFETY: an ask of a level that does not say `forward` stays with its people, or is denied.
void Passage::pass_on(Decision& decision) const {
  if (!waited_ms_ || decision.verdict != Verdict::kAsk) return;
  if (!is_over(decision, *waited_ms_)) {
    if (decision.within_ms != 0) decision.within_ms -= *waited_ms_;
  } else if (decision.on_timeout == OnTimeout::kForward) {
    decision.answer = Answerer::kForward;
    decision.within_ms = 0;
  } else {
    turn_into_deny(decision);
    decision.reasons.insert(decision.reasons.begin(),
                            built_in_reason(ReasonKind::kAnswerer, Verdict::kDeny, "timeout",
                                            std::string(kNobodyAnswered)));
  }
}

// SAFETY: whoever changed the input has approved just that, which settles what is only asked and
// asked of the same people; what the policy denies stays denied.
void Passage::close_changed(Decision approved, json::Value input, World& world) {
  const Passage before = *this;
  ToolCall call = std::move(record_.call);
  call.input = std::move(input);
  judge(world, call);
  if (record_.decision.verdict == Verdict::kDeny)
    return put_first("changed-input",
                     "the call was approved with another input, and that one is denied");
  const bool breaks = adds_breaker(reasons_of(*this), reasons_of(before));
  if (breaks || asks_others_than(before)) {
    turn_into_deny(record_.decision);
    return put_first("changed-input",
                     breaks ? "the call was approved with another input, and a breaker stops that "
                              "one"
                            : "the call was approved with another input, and that one is for "
                              "others to approve");
  }
  record_.decision = std::move(approved);
  needs_ = Needs::kNothing;
}

// Whether this judgement leaves something open that an answer to the one before does not settle.
bool Passage::asks_more_than(const Passage& before) const {
  if (record_.decision.verdict != Verdict::kAsk) return record_.decision.verdict == Verdict::kDeny;
  for (std::size_t i = 0; i < judged(); ++i) {
    if (own(i).verdict == Verdict::kAllow) continue;
    if (i >= before.judged()) return true;
    const Decision& asked = before.own(i);
    if (asked.verdict != own(i).verdict || asked.reasons != own(i).reasons) return true;
  }
  if (leads_elsewhere(before.record_.situation, record_.situation)) return true;
  return asks_others_than(before);
}

// Whether the word of somebody is missing who was not asked.
bool Passage::asks_others_than(const Passage& before) const {
  if (needs_ > before.needs_ ||
      (needs_ == Needs::kParent && before.needs_ == Needs::kParent && parent_ != before.parent_))
    return true;
  const std::vector<Thresholds> asked = by_rule(before.record_.decision.quorums);
  return std::ranges::any_of(by_rule(record_.decision.quorums), [&](Thresholds rule) {
    return std::ranges::none_of(asked,
                                [&](Thresholds known) { return std::ranges::equal(known, rule); });
  });
}

void Passage::put_first(std::string rule, std::string text) {
  Decision& decision = record_.decision;
  if (decision.verdict == Verdict::kDeny) needs_ = Needs::kNothing;
  decision.reasons.insert(
      decision.reasons.begin(),
      built_in_reason(ReasonKind::kAnswerer, decision.verdict, std::move(rule), std::move(text)));
}

}  // namespace tollgate
