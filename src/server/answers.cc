#include "server/answers.h"

#include <utility>

#include "core/codec.h"
#include "json/json.h"
#include "server/gate.h"
#include "service/grant_rules.h"

namespace tollgate::server {
namespace {

using store::Question;
using store::QuestionState;

// LIMIT: how far back a preview looks, and how much of it is shown.
constexpr std::size_t kPreviewRows = 1'000;
constexpr std::size_t kPreviewExamples = 20;

std::string by_whom(const Question& question) {
  return question.settlement.by.empty() ? "a person" : question.settlement.by;
}

std::string text_of(const Question& question) {
  const std::string& reason = question.settlement.reason;
  switch (question.state) {
    case QuestionState::kApproved:
      return by_whom(question) + " allowed it" + (reason.empty() ? "" : ": " + reason);
    case QuestionState::kDenied:
      return by_whom(question) + " denied it" + (reason.empty() ? "" : ": " + reason);
    case QuestionState::kExpired:
      return reason.empty() ? "nobody answered in time" : reason;
    case QuestionState::kCancelled:
      return reason.empty() ? "the question was taken back" : reason;
    case QuestionState::kPending:
      break;
  }
  return "still pending: nobody has answered yet; retry the same call";
}

std::string_view rule_of(QuestionState state) {
  switch (state) {
    case QuestionState::kApproved:
    case QuestionState::kDenied:
      return "answered";
    case QuestionState::kExpired:
      return "timeout";
    case QuestionState::kCancelled:
      return "cancelled";
    case QuestionState::kPending:
      break;
  }
  return "pending";
}

}  // namespace

Answer answer_of(const Question& question) {
  Answer answer;
  answer.decision = question.asked.decision;
  Decision& decision = answer.decision;
  const bool allows = question.state == QuestionState::kApproved;
  decision.verdict = allows ? Verdict::kAllow : Verdict::kDeny;
  Reason reason;
  reason.kind = ReasonKind::kAnswerer;
  reason.verdict = decision.verdict;
  reason.rule = std::string(rule_of(question.state));
  reason.source = "question " + question.id;
  reason.text = text_of(question);
  decision.also.insert(decision.also.begin(), decision.reasons.begin(), decision.reasons.end());
  decision.reasons = {std::move(reason)};
  decision.changes.clear();
  decision.suggestions.clear();
  if (allows) answer.changed = question.settlement.changed;
  return answer;
}

std::optional<json::Value> answered_input(const ToolCall& call, const Outcome& outcome) {
  if (outcome.changed || outcome.reply.is_null()) return outcome.changed;
  const json::Value* questions = call.input.find("questions");
  if (questions == nullptr || outcome.record.decision.verdict != Verdict::kAllow)
    return std::nullopt;
  json::Value answers = json::Value::object();
  if (const json::Value* given = outcome.reply.find("answers");
      given != nullptr && given->is_object())
    answers = *given;
  const json::Value* option = outcome.reply.find("option");
  const json::Value* words = outcome.reply.find("text");
  const std::string said = option != nullptr && !option->as_string().empty() ? option->as_string()
                           : words != nullptr                                ? words->as_string()
                                                                             : "";
  // One answer for a form with one question needs no name.
  if (!said.empty() && questions->items().size() == 1)
    if (const json::Value* question = questions->items()[0].find("question"))
      answers.set(question->as_string(), json::Value::string(said));
  json::Value input = call.input;
  input.set("answers", std::move(answers));
  return input;
}

Result<AuditRecord> record_of(const json::Value& value) {
  static const json::Value kNothing;
  const auto part = [&](std::string_view name) -> const json::Value& {
    const json::Value* member = value.find(name);
    return member == nullptr ? kNothing : *member;
  };
  AuditRecord record;
  Result<ToolCall> call = tool_call_from_json(part("call"));
  if (!call) return Fail(std::move(call).error());
  Result<Effects> effects = effects_from_json(part("effects"));
  if (!effects) return Fail(std::move(effects).error());
  Result<Situation> situation = situation_from_json(part("situation"));
  if (!situation) return Fail(std::move(situation).error());
  Result<Decision> decision = decision_from_json(part("decision"));
  if (!decision) return Fail(std::move(decision).error());
  return AuditRecord{std::move(*call), std::move(*effects), std::move(*situation),
                     std::move(*decision)};
}

Result<json::Value> preview_value(const std::string& rule, const AuditRecord& asked,
                                  const Level& level, store::Store& store) {
  Result<Granted> grant = grant_of(rule, asked, level);
  if (!grant) return Fail(std::move(grant).error());
  Result<std::vector<store::AuditRow>> rows = store.audit({.kind = "call", .limit = kPreviewRows});
  if (!rows) return Fail(std::move(rows).error());
  std::vector<AuditRecord> records;
  std::vector<const store::AuditRow*> sources;
  for (const store::AuditRow& row : *rows) {
    Result<AuditRecord> record = record_of(row.record);
    if (!record) continue;
    records.push_back(std::move(*record));
    sources.push_back(&row);
  }
  const std::vector<std::size_t> covered = preview(*grant, records, level.policy->tools());
  json::Value examples = json::Value::array();
  for (const std::size_t index : covered) {
    if (examples.items().size() == kPreviewExamples) break;
    const store::AuditRow& row = *sources[index];
    examples.push(json::Value::object({{"number", json::Value::integer(row.number)},
                                       {"at", json::Value::integer(row.at)},
                                       {"verdict", json::Value::string(row.verdict)},
                                       {"tool", json::Value::string(row.tool)},
                                       {"input", records[index].call.input}}));
  }
  return json::Value::object(
      {{"rule", json::Value::string(grant->rule.text)},
       {"root", json::Value::string(grant->root)},
       {"covers", json::Value::integer(static_cast<std::int64_t>(covered.size()))},
       {"of", json::Value::integer(static_cast<std::int64_t>(records.size()))},
       {"examples", std::move(examples)}});
}

}  // namespace tollgate::server
