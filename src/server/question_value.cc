#include "server/question_value.h"

#include <algorithm>

#include "approvals/quorum.h"
#include "core/codec.h"
#include "server/question_reading.h"
#include "server/routes.h"
#include "store/names.h"

namespace tollgate::server {
namespace {

using json::Value;

Value votes_value(const store::Question& question) {
  Value votes = Value::array();
  for (const store::Vote& vote : question.votes)
    votes.push(Value::object({{"person", text_value(vote.person)},
                              {"allow", Value::boolean(vote.allow)},
                              {"reason", text_value(vote.reason)},
                              {"via", text_value(vote.via)},
                              {"key", vote.key.empty() ? Value() : text_value(vote.key)},
                              {"at", moment_value(vote.at)}}));
  return votes;
}

Value texts_value(const std::vector<std::string>& texts) {
  Value list = Value::array();
  for (const std::string& text : texts) list.push(text_value(text));
  return list;
}

Value threshold_value(const approvals::Progress& progress, const approvals::Begun& begun) {
  const Quorum& threshold = progress.threshold;
  const bool opens = threshold.after_ms > 0;
  return Value::object(
      {{"name", text_value(threshold.name)},
       {"any", Value::integer(threshold.any)},
       {"of", texts_value(threshold.of)},
       {"agreed", texts_value(progress.agreed)},
       {"missing", Value::integer(progress.missing)},
       {"opensAt", opens ? moment_value(approvals::opening_of(threshold, begun)) : Value()},
       {"until", moment_value(approvals::closing_of(threshold, begun))},
       {"useMs", Value::integer(threshold.expires_ms)}});
}

// How far each rule's thresholds are, where a rule says who has to agree.
Value quorum_value(const store::Question& question) {
  const std::vector<Quorum> quorums = approvals::quorums_of(question.asked.decision);
  const approvals::Begun begun = approvals::begun_of(question);
  Value rules = Value::array();
  for (const Thresholds rule : by_rule(quorums)) {
    const std::vector<approvals::Progress> all =
        approvals::progress_of(question.votes, rule, begun);
    Value thresholds = Value::array();
    for (const approvals::Progress& each : all) thresholds.push(threshold_value(each, begun));
    const bool met = std::ranges::any_of(all, &approvals::Progress::is_met);
    rules.push(
        Value::object({{"met", Value::boolean(met)}, {"thresholds", std::move(thresholds)}}));
  }
  return Value::object({{"rules", std::move(rules)},
                        {"against", texts_value(approvals::people_against(question.votes))},
                        {"denials", Value::integer(approvals::denials_needed(quorums))}});
}

Value answer_value(const store::Question& question, View view) {
  if (question.state == store::QuestionState::kPending) return {};
  const store::Settlement& end = question.settlement;
  Value out = Value::object({{"by", text_value(end.by)},
                             {"reason", text_value(end.reason)},
                             {"scope", text_value(name(end.scope))},
                             {"at", moment_value(end.at)}});
  if (!end.rule.empty()) out.set("rule", text_value(end.rule));
  if (!end.grant.empty()) out.set("grant", text_value(end.grant));
  if (end.changed && view == View::kWhole) out.set("updatedInput", *end.changed);
  if (end.changed && view == View::kBrief) out.set("edited", Value::boolean(true));
  if (!end.reply.is_null()) out.set("reply", end.reply);
  return out;
}

void add_summary(const ToolCall& call, Value& out) {
  const std::string text = main_argument(call);
  const std::string_view start = start_of(text);
  out.set("summary", text_value(start));
  out.set("summaryMore", Value::integer(static_cast<std::int64_t>(text.size() - start.size())));
}

Value brief_decision(Decision decision) {
  decision.also.clear();
  decision.changes.clear();
  return to_json(decision);
}

}  // namespace

std::string_view name(store::QuestionState state) {
  return kQuestionStateNames[static_cast<std::size_t>(state)];
}

std::string_view name(store::Scope scope) { return kScopeNames[static_cast<std::size_t>(scope)]; }

Value question_value(const store::Question& question, View view) {
  const ToolCall& call = question.asked.call;
  const bool brief = view == View::kBrief;
  const bool escalation = question.type == store::QuestionType::kEscalation;
  Value out = Value::object();
  out.set("permissionId", text_value(question.id));
  out.set("type", text_value(escalation ? "escalation" : "permission"));
  out.set("state", text_value(name(question.state)));
  out.set("sessionId", text_value(question.session));
  out.set("agent", text_value(question.agent));
  out.set("teamName", text_value(question.agent));
  Value chain = Value::array();
  for (const std::string& each : question.chain) chain.push(text_value(each));
  out.set("chain", std::move(chain));
  out.set("forSession", question.for_session.empty() ? Value() : text_value(question.for_session));
  out.set("provider", text_value(call.provider));
  out.set("toolName", text_value(call.tool));
  out.set("nativeTool", text_value(call.native_tool));
  if (brief)
    add_summary(call, out);
  else
    out.set("toolInput", call.input);
  out.set("callId", text_value(call.id));
  out.set("cwd", text_value(call.cwd));
  if (!brief) out.set("effects", to_json(question.asked.effects));
  out.set("decision",
          brief ? brief_decision(question.asked.decision) : to_json(question.asked.decision));
  out.set("reason", text_value(brief ? start_of(call.stated_reason) : call.stated_reason));
  if (!brief) out.set("context", question.context);
  out.set("breaker", Value::boolean(is_breaker(question)));
  if (std::string group = group_of(question); !group.empty()) out.set("group", text_value(group));
  out.set("digest", text_value(question.digest));
  out.set("createdAt", moment_value(question.created));
  out.set("expiresAt", moment_value(question.expires));
  out.set("seen", Value::boolean(question.seen != 0));
  out.set("seenAt", moment_value(question.seen));
  out.set("goneAt", moment_value(question.gone));
  out.set("deliveredAt", moment_value(question.delivered));
  out.set("votes", votes_value(question));
  if (!question.asked.decision.quorums.empty()) out.set("quorum", quorum_value(question));
  out.set("answer", answer_value(question, view));
  return out;
}

}  // namespace tollgate::server
