// From the top down each level finds who settles its own ask; then all of them make one decision.
#include "service/chain.h"

#include <algorithm>
#include <string>
#include <utility>

#include "service/readings.h"

namespace tollgate {
namespace {

std::string agent_words(const Level& level) {
  return level.agent.empty() ? "the default agent" : "agent `" + level.agent + "`";
}

Reason answerer_reason(Verdict verdict, Answerer answer, std::string text) {
  return {.kind = ReasonKind::kAnswerer,
          .verdict = verdict,
          .rule = std::string(name(answer)),
          .source = "built-in",
          .text = std::move(text),
          .span = {}};
}

// What a level above the asking one says is told with its agent.
Decision told(const std::vector<Level>& levels, std::size_t index, Decision decision) {
  if (index == 0) return decision;
  for (Reason& reason : decision.reasons)
    reason.text = agent_words(levels[index]) + ", above this session: " + reason.text;
  if (decision.verdict == Verdict::kDeny && !decision.reasons.empty())
    decision.reasons[0].text +=
        "; a session may do no more than those above it, unless the user's configuration has a "
        "`delegate:` for it";
  return decision;
}

class Chain {
 public:
  Chain(const std::vector<Level>& levels, const std::vector<const Decision*>& decisions,
        Above above)
      : levels_(levels), decisions_(decisions), above_(above), settlers_(decisions.size()) {}

  ChainOutcome run() {
    for (std::size_t i = 0; i < decisions_.size(); ++i)
      if (verdict(i) == Verdict::kDeny) return {.decision = told(levels_, i, *decisions_[i])};
    for (std::size_t i = decisions_.size(); i-- > 0;) settlers_[i] = settler_of(i);
    for (std::size_t i = 0; i < settlers_.size(); ++i)
      if (settlers_[i].missing) return {.decision = nobody(i)};
    const Settler settler = common_settler();
    if (settler.needs == Needs::kNothing) return {.decision = allowed()};
    return {.decision = asked(settler), .needs = settler.needs, .parent = settler.level};
  }

 private:
  // Who settles the ask of one level.
  struct Settler {
    Needs needs = Needs::kNothing;
    std::size_t level = 0;  // of kParent
    bool missing = false;   // there is nobody
    bool operator==(const Settler&) const = default;
  };

  Verdict verdict(std::size_t index) const { return decisions_[index]->verdict; }

  // REQUIRES: the settlers of the levels above are known.
  Settler settler_of(std::size_t index) const {
    const Decision& decision = *decisions_[index];
    if (decision.verdict == Verdict::kAllow) return {};
    const bool up = decision.answer == Answerer::kForward || decision.answer == Answerer::kParent;
    const std::size_t next = index + 1;
    if (!up || (next == decisions_.size() && above_ == Above::kUnknown))
      return {.needs = Needs::kPerson};
    if (next == decisions_.size()) return {.missing = true};
    if (decision.answer == Answerer::kForward) return settlers_[next];
    if (verdict(next) == Verdict::kAllow) return {.needs = Needs::kParent, .level = next};
    // What the parent must ask itself its agent cannot settle; the person whom it asks can.
    const bool person = settlers_[next].needs == Needs::kPerson;
    return person ? Settler{.needs = Needs::kPerson} : Settler{.missing = true};
  }

  // One person settles everything; so does one parent's agent where nobody else is needed.
  Settler common_settler() const {
    Settler common;
    for (const Settler& one : settlers_) {
      if (one.needs == Needs::kNothing || one == common) continue;
      if (common.needs != Needs::kNothing) return {.needs = Needs::kPerson};
      common = one;
    }
    return common;
  }

  Decision nobody(std::size_t index) const {
    Decision out = told(levels_, index, *decisions_[index]);
    const Answerer answer = out.answer;
    turn_into_deny(out);
    const std::string who =
        index == 0 ? "this session" : "the session of " + agent_words(levels_[index]);
    const bool top = index + 1 == decisions_.size();
    out.reasons.insert(
        out.reasons.begin(),
        answerer_reason(
            Verdict::kDeny, answer,
            "there is nobody to ask: " + who +
                (top ? " leaves the answer to its parent and has none"
                     : " leaves the answer to its parent's agent, which may settle only "
                       "what its own policy allows outright")));
    return out;
  }

  // Every level allows it, or left it to one that does.
  Decision allowed() const {
    for (std::size_t i = 0; i < decisions_.size(); ++i) {
      if (verdict(i) != Verdict::kAsk) continue;
      std::size_t by = i + 1;
      while (verdict(by) == Verdict::kAsk) ++by;
      Decision out = told(levels_, by, *decisions_[by]);
      out.reasons.insert(out.reasons.begin(),
                         answerer_reason(Verdict::kAllow, Answerer::kForward,
                                         "the answer was left to the parent, and " +
                                             agent_words(levels_[by]) + " allows it"));
      return out;
    }
    return *decisions_[0];
  }

  // The asks of all levels as one question.
  Decision asked(const Settler& settler) const {
    Decision out;
    bool first = true;
    for (std::size_t i = 0; i < decisions_.size(); ++i) {
      if (settlers_[i].needs == Needs::kNothing) continue;
      Decision one = told(levels_, i, *decisions_[i]);
      if (std::exchange(first, false)) {
        out = std::move(one);
        continue;
      }
      join_settling(out, one);
      out.reasons.insert(out.reasons.end(), one.reasons.begin(), one.reasons.end());
      out.also.insert(out.also.end(), one.also.begin(), one.also.end());
      // A rule is worth suggesting where it settles the question at every level.
      std::erase_if(out.suggestions, [&](const std::string& rule) {
        return std::ranges::find(one.suggestions, rule) == one.suggestions.end();
      });
      out.changes.clear();
    }
    if (above_ == Above::kNobody)
      out.answer = settler.needs == Needs::kParent ? Answerer::kParent : Answerer::kAsk;
    return out;
  }

  const std::vector<Level>& levels_;
  const std::vector<const Decision*>& decisions_;
  Above above_;
  std::vector<Settler> settlers_;
};

}  // namespace

bool goes_up(const Level& level, const Decision& decision) {
  if (decision.verdict == Verdict::kDeny) return false;
  // Who may exceed its parent may still leave a question to it.
  return !level.delegated ||
         (decision.verdict == Verdict::kAsk &&
          (decision.answer == Answerer::kForward || decision.answer == Answerer::kParent));
}

void turn_into_deny(Decision& ask) {
  const Decision made;
  ask.verdict = Verdict::kDeny;
  ask.quorums.clear();
  ask.answer = made.answer;
  ask.within_ms = made.within_ms;
  ask.on_timeout = made.on_timeout;
}

ChainOutcome chain_outcome(const std::vector<Level>& levels,
                           const std::vector<const Decision*>& decisions, Above above) {
  return Chain(levels, decisions, above).run();
}

}  // namespace tollgate
