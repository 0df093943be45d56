// The audit's lines of a question: that it was put, each vote, how it ended.
// The call itself is in the question's own row; a line here says what happened to it.
#include "approvals/desk_inside.h"
#include "store/names.h"

namespace tollgate::approvals {
namespace {

store::AuditRow row_of(const Question& question, std::string kind, Millis at) {
  store::AuditRow row;
  row.at = at;
  row.kind = std::move(kind);
  row.session = question.session;
  row.agent = question.agent;
  row.tool = question.asked.call.tool;
  row.question = question.id;
  row.origin = "daemon";
  return row;
}

}  // namespace

store::AuditRow question_row(const Question& question) {
  store::AuditRow row = row_of(question, "question", question.created);
  const Decision& decision = question.asked.decision;
  row.verdict = std::string(tollgate::name(Verdict::kAsk));
  if (!decision.reasons.empty()) row.rule = decision.reasons.front().rule;
  row.record = json::Value::object({
      {"callId", json::Value::string(question.asked.call.id)},
      {"digest", json::Value::string(question.digest)},
      {"expires", json::Value::integer(question.expires)},
  });
  return row;
}

store::AuditRow vote_row(const Question& question, const Vote& vote, std::string_view outcome) {
  store::AuditRow row = row_of(question, "answer", vote.now);
  row.verdict = std::string(tollgate::name(vote.request.allow ? Verdict::kAllow : Verdict::kDeny));
  row.by = vote.by.person;
  row.origin = vote.by.via;
  row.record = json::Value::object({
      {"outcome", json::Value::string(std::string(outcome))},
      {"approver", json::Value::string(vote.by.approver)},
      {"via", json::Value::string(vote.by.via)},
      {"scope", json::Value::string(std::string(name(vote.request.scope)))},
      {"reason", json::Value::string(vote.request.reason)},
  });
  if (!vote.by.key.empty()) row.record.set("key", json::Value::string(vote.by.key));
  if (!vote.by.session.empty()) {
    row.by = "parent";
    row.record.set("parent", json::Value::string(vote.by.session));
  }
  if (vote.request.changed) row.record.set("updatedInput", *vote.request.changed);
  if (!vote.request.reply.is_null()) row.record.set("reply", vote.request.reply);
  return row;
}

store::AuditRow end_row(const Question& question, const store::Settlement& settlement,
                        store::QuestionState state) {
  store::AuditRow row = row_of(question, "answer", settlement.at);
  const bool goes_on = state == store::QuestionState::kPending;
  row.verdict = std::string(tollgate::name(goes_on ? Verdict::kAsk : Verdict::kDeny));
  row.by = settlement.by;
  row.record = json::Value::object({
      {"outcome", json::Value::string(std::string(name(state)))},
      {"reason", json::Value::string(settlement.reason)},
  });
  return row;
}

std::string_view name(store::QuestionState state) {
  return kQuestionStateNames[static_cast<std::size_t>(state)];
}

std::string_view name(store::Scope scope) { return kScopeNames[static_cast<std::size_t>(scope)]; }

}  // namespace tollgate::approvals
