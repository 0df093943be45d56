// Step 8: what nothing settled is a question. Who answers it, how many of them, and until when.
// SAFETY: of several grounds the strictest answerer, the shortest time and the strictest end count.
#include <algorithm>

#include "gate/judging.h"

namespace tollgate {

// ---- step 8 and the answerer ----

void Judge::asked() {
  std::vector<Reason>& reasons = decision_.reasons;
  if (reasons.empty()) no_rule_reasons();
  if (result_.mode == Mode::kDontAsk) {
    reasons.insert(
        reasons.begin(),
        mode_reason(Verdict::kDeny, "mode dontAsk denies what it would have to ask", {}));
    return finish(Verdict::kDeny);
  }
  const Answerer answer = settle_answer();
  result_.answer = answer;
  if (answer == Answerer::kNo) return answered(Verdict::kDeny, "answer: no settles every question");
  if (answer == Answerer::kYes && !result_.person_only)
    return answered(Verdict::kAllow, "answer: yes settles it");
  if (answer == Answerer::kYes || !scene_.situation.approver_reachable) {
    if (!scene_.situation.approver_reachable)
      return answered(Verdict::kDeny,
                      "nobody can be asked now; try again when an approver is there");
  }
  tell_settling(answer);
  return finish(Verdict::kAsk);
}

// The overlay's rule that hit, or nothing.
const Rule* Judge::tried(const Hit& hit) const {
  return hit.rule == kNoRule ? extra_[hit.extra].rule : nullptr;
}

std::vector<Quorum> Judge::quorum_of(const Hit& hit) const {
  if (const Rule* rule = tried(hit)) return rule->approve;
  const flat::ExtraRecord* extra = view_.extra(hit.rule);
  if (extra == nullptr || extra->approve.size == 0) return {};
  std::optional<std::vector<Quorum>> quorum = parse_quorums(view_.text(extra->approve));
  if (!quorum) policy_.note_damage();
  return std::move(quorum).value_or(std::vector<Quorum>());
}

// A rule that only might match says nothing about what happens in the end.
OnTimeout Judge::on_timeout_of(const Hit& hit) const {
  if (hit.match != Match::kYes) return OnTimeout::kDeny;
  if (const Rule* rule = tried(hit)) return rule->on_timeout.value_or(OnTimeout::kDeny);
  const flat::ExtraRecord* extra = view_.extra(hit.rule);
  if (extra == nullptr || extra->on_timeout > static_cast<std::uint8_t>(OnTimeout::kForward))
    return OnTimeout::kDeny;
  return static_cast<OnTimeout>(extra->on_timeout);
}

// Whom the question is for and until when: the thresholds of all rules, the shortest time that a
// rule names, and the strictest end. A ground that is no rule ends in deny.
void Judge::tell_settling(Answerer answer) {
  Decision& decision = decision_;
  std::int64_t within = 0;
  std::optional<OnTimeout> then;
  for (const Hit& hit : result_.tight) {
    const OnTimeout own = on_timeout_of(hit);
    then = tighter(then.value_or(own), own);
    const std::vector<Quorum> quorum = quorum_of(hit);
    const std::int64_t time = longest_within(quorum);
    if (time > 0 && (within == 0 || time < within)) within = time;
    add_rule(decision.quorums, quorum);
  }
  // What a yes may not settle is for people, and so is what a rule wants several of them for.
  const bool people = answer == Answerer::kYes || !decision.quorums.empty();
  decision.answer = people ? Answerer::kAsk : answer;
  const bool rules_alone = std::ranges::all_of(
      decision.reasons, [](const Reason& r) { return r.kind == ReasonKind::kRule; });
  decision.on_timeout = rules_alone ? then.value_or(OnTimeout::kDeny) : OnTimeout::kDeny;
  decision.within_ms = within > 0 ? within : agent_.timeout_ms.value;
}

// The strictest answerer of all grounds. A yes of rules alone must leave nothing else open.
Answerer Judge::settle_answer() {
  if (!rule_answer_) return result_.answer;
  if (agent_answers_) return tighter(*rule_answer_, result_.answer);
  if (*rule_answer_ != Answerer::kYes || result_.answer == Answerer::kYes) return *rule_answer_;
  std::vector<Reason> grounds = std::move(decision_.reasons);
  const ConfigSource source = decision_.config_source;
  settling_ = true;
  const bool all = cover_all();
  settling_ = false;
  decision_.reasons = std::move(grounds);
  decision_.config_source = source;
  return all ? Answerer::kYes : result_.answer;
}

void Judge::answered(Verdict verdict, std::string text) {
  std::vector<Reason>& reasons = decision_.reasons;
  const bool session = answer_is_sessions();
  decision_.config_source = session ? ConfigSource::kSession : agent_.answer.source;
  const std::string place = session ? "session" : agent_.answer.where;
  reasons.insert(reasons.begin(), {.kind = ReasonKind::kAnswerer,
                                   .verdict = verdict,
                                   .rule = std::string(name(result_.answer)),
                                   .source = place.empty() ? "built-in" : place,
                                   .text = std::move(text),
                                   .span = {}});
  return finish(verdict);
}

// The operator set another answerer for the session, and that is the one that counts.
bool Judge::answer_is_sessions() const {
  return options_.answer && *options_.answer == result_.answer &&
         result_.answer != agent_.answer.value;
}

}  // namespace tollgate
