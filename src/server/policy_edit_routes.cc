// Changes of the policy file from the page: shown as a difference first, then made, recorded.
// The text is edited in place (config/edit.h): comments stay, and nothing else is said than before.
// SAFETY: operators only; a file that would not load, or that somebody changed since it was shown,
// stays as it is; what is changed was recorded before.
#include "approvals/digest.h"
#include "base/line_difference.h"
#include "config/edit.h"
#include "server/policy_file.h"
#include "server/routes.h"
#include "server/security_keys.h"
#include "server/touch.h"

namespace tollgate::server {
namespace {

using json::Value;

struct Wanted {
  std::vector<config::Edit> edits;
  std::string source;   // where a rule that goes was seen, "" where nobody said
  std::string version;  // of the file as it was shown, "" where nobody said
  bool dry = true;
};

// What came of it so far.
struct Planned {
  config::FileEdit edit;
  std::string difference;
  std::string version;
  std::vector<Error> errors;  // not empty: it is not made
  bool changed_since = false;
};

Result<config::Edit> rule_edit(config::Edit::Kind kind, const Value& value,
                               const std::string& agent) {
  config::Edit edit;
  edit.kind = kind;
  edit.agent = agent;
  edit.rule = text_in(value, "rule");
  edit.reason = kind == config::Edit::Kind::kAddRule ? text_in(value, "reason") : "";
  const std::optional<Verdict> list = verdict_named(text_in(value, "list"));
  if (!value.is_object() || !list || edit.rule.empty())
    return Fail(malformed_request("a rule has `list` (allow, ask or deny) and `rule`"));
  for (const auto& [key, member] : value.members())
    if ((key != "list" && key != "rule" && key != "reason" && key != "source") ||
        !member.is_string())
      return Fail(malformed_request("a rule has the texts `list`, `rule`, `reason` and `source`"));
  edit.list = *list;
  return edit;
}

Result<Wanted> wanted_in(const Request& request) {
  Result<Body> body = Body::read(request);
  if (!body) return Fail(std::move(body).error());
  Wanted wanted;
  const std::string agent = body->text("agent"), mode = body->text("mode");
  const std::optional<Value> add = body->value("add"), remove = body->value("remove");
  wanted.version = body->text("version");
  wanted.dry = body->flag("dryRun").value_or(true);
  if (Result<void> read = body->done(); !read) return Fail(std::move(read).error());
  if (remove) {
    Result<config::Edit> edit = rule_edit(config::Edit::Kind::kRemoveRule, *remove, agent);
    if (!edit) return Fail(std::move(edit).error());
    wanted.source = text_in(*remove, "source");
    wanted.edits.push_back(std::move(*edit));
  }
  if (add) {
    Result<config::Edit> edit = rule_edit(config::Edit::Kind::kAddRule, *add, agent);
    if (!edit) return Fail(std::move(edit).error());
    wanted.edits.push_back(std::move(*edit));
  }
  if (!mode.empty()) {
    config::Edit edit;
    edit.kind = config::Edit::Kind::kSetMode;
    edit.agent = agent;
    edit.mode = mode;
    wanted.edits.push_back(std::move(edit));
  }
  if (wanted.edits.empty()) return Fail(malformed_request("send `add`, `remove` or `mode`"));
  return wanted;
}

// Works the change out and makes nothing. On the pool.
Planned planned(const Policies& policies, const Wanted& wanted) {
  Planned out;
  const std::string path = policy_file(policies);
  if (!wanted.source.empty() && !wanted.source.starts_with(path + ":")) {
    out.errors.push_back({.code = "rule-missing",
                          .message = "the rule stands in another file: `" + wanted.source + "`",
                          .hint = "edit that file by hand",
                          .where = {}});
    return out;
  }
  Result<config::FileEdit> edit = config::planned_edit(path, wanted.edits);
  if (!edit) {
    out.errors.push_back(std::move(edit).error());
    return out;
  }
  out.edit = std::move(*edit);
  out.version = approvals::sha256(out.edit.before);
  out.changed_since = !wanted.version.empty() && wanted.version != out.version;
  out.difference = unified_difference(out.edit.before, out.edit.after, path);
  for (const Diagnostic& each : policies.errors_with(out.edit.after))
    out.errors.push_back(each.error);
  return out;
}

Error changed_since(const std::string& path) {
  return {.code = "file-changed",
          .message = "`" + path + "` was changed since it was shown",
          .hint = "look at the difference again, then repeat the change",
          .where = {}};
}

void refuse(const Visit& visit, const std::vector<Error>& errors) {
  Value list = Value::array();
  for (const Error& error : errors)
    list.push(Value::object({{"code", text_value(error.code)},
                             {"message", text_value(error.message)},
                             {"hint", text_value(error.hint)},
                             {"where", text_value(place_name(error.where))},
                             {"column", Value::integer(error.where.column)}}));
  const Error& first = errors.front();
  visit.reply(422, Value::object({{"error", Value::object({{"code", text_value(first.code)},
                                                           {"message", text_value(first.message)},
                                                           {"hint", text_value(first.hint)}})},
                                  {"errors", std::move(list)}}));
}

Value told(const Planned& plan, bool applied) {
  return Value::object({{"diff", text_value(plan.difference)},
                        {"file", text_value(plan.edit.path)},
                        {"version", text_value(plan.version)},
                        {"applied", Value::boolean(applied)}});
}

store::AuditRow row_of(const Planned& plan, const Wanted& wanted, const Visit& visit, Millis now) {
  store::AuditRow row;
  row.at = now;
  row.kind = "policy";
  row.agent = wanted.edits[0].agent;
  row.rule = wanted.edits[0].rule;
  row.by = visit.who.credential.person;
  row.origin = "http";
  row.record = Value::object({{"file", text_value(plan.edit.path)},
                              {"difference", text_value(plan.difference)},
                              {"via", text_value(way_of(visit.request(), visit.who))}});
  return row;
}

// Makes the change, reads the policies again and tells everybody who watches.
void make(Daemon& daemon, const Visit& visit, const std::shared_ptr<Planned>& plan) {
  const auto written = std::make_shared<Result<std::string>>("");
  daemon.parts.loop.work(
      [&daemon, plan, written] {
        *written = config::write_edit(plan->edit);
        if (*written) daemon.parts.policies.refresh(Policies::Which::kChanged);
      },
      [&daemon, visit, plan, written] {
        if (!*written) return visit.fail(written->error());
        plan->version = approvals::sha256(plan->edit.after);
        Value errors = Value::array();
        for (const Diagnostic& each : daemon.parts.policies.errors())
          errors.push(text_value(render(each)));
        daemon.live.policy_changed(Value::object({{"errors", std::move(errors)}}));
        visit.reply(200, told(*plan, true));
      });
}

}  // namespace

void edit_policy(Daemon& daemon, Visit visit) {
  Result<Wanted> read = wanted_in(visit.request());
  if (!read) return visit.fail(read.error());
  // A rule of the file is for everyone.
  const std::string& person = visit.who.credential.person;
  const bool has_key = daemon.keys != nullptr && daemon.keys->has(person);
  if (!read->dry && has_key && visit.who.key.empty()) return visit.fail(touch_required(person));
  const auto wanted = std::make_shared<Wanted>(std::move(*read));
  const auto plan = std::make_shared<Planned>();
  daemon.parts.loop.work(
      [&daemon, wanted, plan] { *plan = planned(daemon.parts.policies, *wanted); },
      [&daemon, visit, wanted, plan] {
        if (plan->changed_since) return visit.fail(changed_since(plan->edit.path));
        if (!plan->errors.empty()) return refuse(visit, plan->errors);
        if (wanted->dry || plan->difference.empty()) return visit.reply(200, told(*plan, false));
        std::vector<store::Change> batch;
        batch.emplace_back(
            store::AppendAudit{row_of(*plan, *wanted, visit, daemon.parts.loop.now())});
        daemon.parts.store.submit(
            std::move(batch), store::Durability::kNow, [&daemon, visit, plan](Result<void> kept) {
              daemon.parts.loop.post([&daemon, visit, plan, kept = std::move(kept)] {
                if (!kept) return visit.fail(kept.error());
                make(daemon, visit, plan);
              });
            });
      });
}

}  // namespace tollgate::server
