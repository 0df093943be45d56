// One row of the audit: what was decided and why, as it was; and what would be decided today.
// A replay takes the call, its effects and the look of then, and the policy of now. It looks at
// nothing and changes nothing.
#include <algorithm>

#include "core/codec.h"
#include "server/answers.h"
#include "server/audit_value.h"
#include "server/explained.h"
#include "server/question_reading.h"
#include "server/routes.h"
#include "service/replay.h"

namespace tollgate::server {
namespace {

using json::Value;

std::optional<std::int64_t> number_of(const std::string& word) {
  if (word.empty() || word.size() > 15 || word.find_first_not_of("0123456789") != word.npos)
    return std::nullopt;
  return std::stoll(word);
}

// REQUIRES: on the pool. Errors: unknown-row, store-unavailable.
Result<store::AuditRow> row_at(store::Store& store, const std::string& word) {
  const std::optional<std::int64_t> number = number_of(word);
  if (number && *number > 0) {
    store::AuditQuery query;
    query.after = *number - 1;
    query.before = *number + 1;
    query.limit = 1;
    query.oldest_first = true;
    Result<std::vector<store::AuditRow>> rows = store.audit(query);
    if (!rows) return Fail(std::move(rows).error());
    if (!rows->empty() && rows->front().number == *number) return std::move(rows->front());
  }
  return Fail({.code = "unknown-row",
               .message = "the audit has no row of that number",
               .hint = "GET /api/audit lists them; old ones are removed after `retention`",
               .where = {}});
}

Ground ground_of(Policies& policies, const AuditRecord& record) {
  const std::string& base = record.situation.base.written;
  return policies.at(base.starts_with('/') ? base : "/", record.call.agent);
}

Value shown(const store::AuditRow& row, Policies& policies) {
  Value out = row_value(row);
  const Result<AuditRecord> record = record_of(row.record);
  if (row.kind != "call" || !record) return out;
  const Ground ground = ground_of(policies, *record);
  // The settings of then are not kept: only the tools' own texts are taken from today.
  const AuditRecord& then = *record;
  out.set("explanation", text_value(explained(then, nullptr)));
  if (Value reading = reading_value(then, ground.policy->tools()); !reading.is_null())
    out.set("reading", std::move(reading));
  return out;
}

struct Wanted {
  std::string number;
  std::vector<store::Session> sessions;  // those that run: their modes are today's
  std::vector<store::Grant> grants;      // all that hold today
};

// The session as it stands today, or as good as it can be told from the record.
store::Session session_of(const Wanted& wanted, const AuditRecord& record) {
  const auto known = std::ranges::find(wanted.sessions, record.call.session, &store::Session::id);
  if (known != wanted.sessions.end()) return *known;
  store::Session session;
  session.id = record.call.session;
  session.agent = record.call.agent;
  const std::string& base = record.situation.base.written;
  session.cwd = base.starts_with('/') ? base : "/";
  return session;
}

std::vector<store::Grant> grants_for(const Wanted& wanted, const store::Session& session) {
  std::vector<store::Grant> out;
  for (const store::Grant& grant : wanted.grants) {
    const bool holds = grant.scope == store::Scope::kEveryone ||
                       (grant.agent == session.agent &&
                        (grant.scope == store::Scope::kAgent || grant.session == session.id));
    if (holds) out.push_back(grant);
  }
  return out;
}

Result<Value> replayed(const Wanted& wanted, store::Store& store, Policies& policies) {
  const Result<store::AuditRow> row = row_at(store, wanted.number);
  if (!row) return Fail(row.error());
  Result<AuditRecord> record = record_of(row->record);
  if (row->kind != "call" || !record)
    return Fail({.code = "unknown-row",
                 .message = "the row is not the record of a call",
                 .hint = "replay rows of the kind `call`",
                 .where = {}});
  const store::Session session = session_of(wanted, *record);
  const Levels levels = guest_levels(session, grants_for(wanted, session), policies);
  const Level& level = levels->front();
  const Replay result = replay(*record, *level.policy, level.options.decide);
  Value out = Value::object({{"then", to_json(record->decision)},
                             {"thenPolicy", text_value(name(result.then))},
                             {"now", to_json(result.now)},
                             {"changed", Value::boolean(result.changed())}});
  // What was hidden is judged by the words that stand in its place.
  if (const Value* redacted = row->record.find("redacted")) out.set("redacted", *redacted);
  AuditRecord now = std::move(*record);
  now.decision = result.now;
  out.set("explanation", text_value(explained(now, level.policy.get(), session.mode)));
  return out;
}

}  // namespace

void show_audit_row(Daemon& daemon, Visit visit) {
  const auto result = std::make_shared<Result<Value>>(Value());
  daemon.parts.loop.work(
      [&daemon, result, number = visit.arguments[0]] {
        const Result<store::AuditRow> row = row_at(daemon.parts.store, number);
        *result = row ? Result<Value>(shown(*row, daemon.parts.policies)) : Fail(row.error());
      },
      [visit, result] {
        if (!*result) return visit.fail(result->error());
        visit.reply(200, **result);
      });
}

void replay_audit_row(Daemon& daemon, Visit visit) {
  const auto replay = std::make_shared<Wanted>();
  replay->number = visit.arguments[0];
  replay->sessions = daemon.parts.sessions.all();
  replay->grants = daemon.parts.grants.all(daemon.parts.loop.now());
  const auto result = std::make_shared<Result<Value>>(Value());
  daemon.parts.loop.work(
      [&daemon, replay, result] {
        *result = replayed(*replay, daemon.parts.store, daemon.parts.policies);
      },
      [visit, result] {
        if (!*result) return visit.fail(result->error());
        visit.reply(200, **result);
      });
}

}  // namespace tollgate::server
