// Rules that would have saved questions: offered by the gate when it asked, never refused by a
// person, and tried on every call that they would have settled.
#include <algorithm>
#include <map>
#include <set>

#include "base/path.h"
#include "server/gate.h"
#include "server/insight.h"
#include "server/question_reading.h"
#include "server/routes.h"
#include "service/grant_rules.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: so many rules are tried, those with the most calls first.
constexpr std::size_t kTriedRules = 40;

struct Candidate {
  std::string rule;
  std::size_t narrowness = 0;  // its place among the suggestions
  std::vector<const store::Question*> calls;
};

// Nothing goes away or out, and nothing outside the workspace is changed.
bool risks_little(const AuditRecord& record) {
  for (std::size_t i = 0; i < record.effects.size(); ++i) {
    const Effect& effect = record.effects[i];
    switch (effect.kind) {
      case EffectKind::kDelete:
      case EffectKind::kRename:
      case EffectKind::kLink:
      case EffectKind::kMode:
      case EffectKind::kReach:
      case EffectKind::kAgent:
      case EffectKind::kPerson:
        return false;
      case EffectKind::kWrite:
      case EffectKind::kCreate: {
        if (effect.guess != Guess::kNone) break;
        const std::string real =
            i < record.situation.paths.size() ? record.situation.paths[i].real : "";
        if (std::ranges::none_of(record.situation.roots, [&](const Place& root) {
              return !root.real.empty() && is_inside(real, root.real);
            }))
          return false;
        break;
      }
      default:
        break;
    }
  }
  return true;
}

bool may_be_saved(const store::Question& question) {
  return question.type == store::QuestionType::kPermission && is_by_people(question) &&
         question.state == store::QuestionState::kApproved && !group_of(question).empty() &&
         question.asked.decision.approve.empty() && !question.settlement.changed &&
         risks_little(question.asked);
}

std::vector<Candidate> candidates_in(const std::vector<store::Question>& questions) {
  std::map<std::string, Candidate> by_rule;
  std::set<std::string> refused;
  for (const store::Question& question : questions) {
    const std::vector<std::string>& rules = question.asked.decision.suggestions;
    const bool saved = may_be_saved(question);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (question.state == store::QuestionState::kDenied) refused.insert(rules[i]);
      if (!saved) continue;
      Candidate& one = by_rule[rules[i]];
      one.rule = rules[i];
      one.narrowness = std::max(one.narrowness, i);
      one.calls.push_back(&question);
    }
  }
  std::vector<Candidate> out;
  for (auto& [rule, one] : by_rule)
    if (one.calls.size() >= kCandidateCalls && !refused.contains(rule))
      out.push_back(std::move(one));
  std::ranges::stable_sort(out, [](const Candidate& a, const Candidate& b) {
    return a.calls.size() != b.calls.size() ? a.calls.size() > b.calls.size()
                                            : a.narrowness < b.narrowness;
  });
  if (out.size() > kTriedRules) out.resize(kTriedRules);
  return out;
}

// Whether the rule settles every one of its calls under today's policy, which still asks.
bool holds_today(const Candidate& one, Policies& policies) {
  for (const store::Question* question : one.calls) {
    store::Session session;
    session.agent = question->agent;
    session.cwd = question->root;
    const Levels levels = guest_levels(session, {}, policies);
    const Level& level = levels->front();
    const AuditRecord& asked = question->asked;
    const Decision today =
        decide(*level.policy, asked.call, asked.effects, asked.situation, level.options.decide);
    if (today.verdict != Verdict::kAsk || !grant_of(one.rule, asked, level)) return false;
  }
  return true;
}

// Whether it would have let a call through that somebody refused.
bool covers_refused(const Candidate& one, const std::vector<store::Question>& questions,
                    Policies& policies) {
  const store::Question& first = *one.calls.front();
  const Ground ground = policies.at(first.root, first.agent);
  Result<Granted> grant = kept_grant(one.rule, "", "", ground.policy->tools());
  if (!grant) return true;
  std::vector<AuditRecord> refused;
  for (const store::Question& question : questions)
    if (question.state == store::QuestionState::kDenied) refused.push_back(question.asked);
  return !preview(*grant, refused, ground.policy->tools()).empty();
}

}  // namespace

Value candidates_value(const std::vector<store::Question>& questions, Policies& policies) {
  Value out = Value::array();
  std::set<std::set<const store::Question*>> told;
  for (const Candidate& one : candidates_in(questions)) {
    if (out.items().size() == kCandidates) break;
    // A wider rule for the same calls is not worth its width.
    std::set<const store::Question*> calls(one.calls.begin(), one.calls.end());
    if (told.contains(calls) || covers_refused(one, questions, policies) ||
        !holds_today(one, policies))
      continue;
    told.insert(std::move(calls));
    std::set<std::string> agents;
    for (const store::Question* question : one.calls) agents.insert(question->agent);
    Value names = Value::array();
    for (const std::string& agent : agents) names.push(text_value(agent));
    const std::string number = std::to_string(one.calls.size());
    out.push(Value::object({{"rule", text_value(one.rule)},
                            {"calls", Value::integer(static_cast<std::int64_t>(one.calls.size()))},
                            {"agents", std::move(names)},
                            {"note", text_value("allowed " + number + " of " + number +
                                                " times; tried on each of these calls")}}));
  }
  return out;
}

}  // namespace tollgate::server
