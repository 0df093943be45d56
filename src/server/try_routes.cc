// "Try a call": what the gate would say of it now, and why. Nobody is asked, and no call is
// recorded, only that somebody tried one.
// Judged on the pool by the same passage as a real call, under a session that nobody has.
#include "base/text.h"
#include "core/codec.h"
#include "core/tool_table.h"
#include "explain/call_text.h"
#include "server/explained.h"
#include "server/question_reading.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

struct Trial {
  store::Session session;  // of nobody
  std::vector<store::Grant> grants;
  std::string tool;
  std::string text;
  std::optional<Value> input;
};

Result<Trial> trial_in(const Request& request, const Policies& policies) {
  Result<Body> body = Body::read(request);
  if (!body) return Fail(std::move(body).error());
  Trial trial;
  trial.session.agent = body->text("agent");
  trial.session.cwd = body->text("cwd");
  const std::string mode = body->text("mode");
  trial.tool = body->text("tool");
  trial.text = body->text("text");
  trial.input = body->value("input");
  if (Result<void> read = body->done(); !read) return Fail(std::move(read).error());
  if (trial.session.cwd.empty()) trial.session.cwd = "/";
  if (!trial.session.cwd.starts_with('/')) return Fail(malformed_request("`cwd` must be absolute"));
  if (trial.tool.empty()) return Fail(malformed_request("`tool` is missing"));
  if (trial.input && (!trial.input->is_object() || !trial.text.empty()))
    return Fail(malformed_request("send `text`, or `input`, an object"));
  trial.session.mode = mode_named(mode);
  if (!mode.empty() && !trial.session.mode)
    return Fail(malformed_request("unknown mode `" + shortened(mode) + "`"));
  trial.session.search_path = policies.files().environment.get("PATH").value_or("");
  return trial;
}

struct Tried {
  AuditRecord record;
  Value body;
};

Result<Tried> tried(const Trial& trial, Policies& policies) {
  const Levels levels = guest_levels(trial.session, trial.grants, policies);
  const Policy& policy = *levels->front().policy;
  Result<Value> input =
      trial.input ? Result<Value>(*trial.input) : input_of(trial.tool, trial.text, policy.tools());
  if (!input) return Fail(malformed_request(input.error().message));
  ToolCall call = call_of(trial.tool, std::move(*input));
  call.agent = trial.session.agent;
  call.cwd = trial.session.cwd;
  RealWorld world;
  Tried out;
  out.record = Passage::open(levels, world, call).record();
  out.body = Value::object({{"decision", to_json(out.record.decision)}});
  if (Value reading = reading_value(out.record, policy.tools()); !reading.is_null())
    out.body.set("reading", std::move(reading));
  out.body.set("explanation", text_value(explained(out.record, &policy, trial.session.mode)));
  return out;
}

store::AuditRow row_of(const AuditRecord& record, const Visit& visit, Millis now) {
  store::AuditRow row;
  row.at = now;
  row.kind = "try";
  row.agent = record.call.agent;
  row.tool = record.call.tool;
  row.by = visit.who.credential.person;
  row.origin = "http";
  row.record = Value::object({{"tool", text_value(record.call.tool)},
                              {"text", text_value(shortened(main_argument(record.call)))},
                              {"verdict", text_value(name(record.decision.verdict))}});
  return row;
}

}  // namespace

void try_call(Daemon& daemon, Visit visit) {
  Result<Trial> read = trial_in(visit.request(), daemon.parts.policies);
  if (!read) return visit.fail(read.error());
  read->grants = daemon.parts.grants.for_session(read->session, daemon.parts.loop.now());
  const auto trial = std::make_shared<Trial>(std::move(*read));
  const auto result = std::make_shared<Result<Tried>>(Tried{});
  daemon.parts.loop.work(
      [&daemon, trial, result] { *result = tried(*trial, daemon.parts.policies); },
      [&daemon, visit, result] {
        if (!*result) return visit.fail(result->error());
        std::vector<store::Change> batch;
        batch.emplace_back(
            store::AppendAudit{row_of((*result)->record, visit, daemon.parts.loop.now())});
        daemon.parts.store.submit(std::move(batch), store::Durability::kGrouped,
                                  [](const Result<void>&) {});
        visit.reply(200, (*result)->body);
      });
}

}  // namespace tollgate::server
