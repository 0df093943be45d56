// Questions over HTTP: listed whole, answered once.
// The gate's own reading comes first in what is shown; the agent's words stand in `reason` and
// `context`, and are the agent's.
#include <algorithm>

#include "config/edit.h"
#include "core/codec.h"
#include "server/notice_receipts.h"
#include "server/notices.h"
#include "server/question_reading.h"
#include "server/question_value.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

std::optional<store::Scope> scope_named(const std::string& word) {
  if (word.empty() || word == "once") return store::Scope::kOnce;
  if (word == "session") return store::Scope::kSession;
  if (word == "agent" || word == "always") return store::Scope::kAgent;
  if (word == "everyone") return store::Scope::kEveryone;
  return std::nullopt;
}

Error answer_refused(std::string message) {
  return {.code = "answer-refused",
          .message = std::move(message),
          .hint = "send `answers`, an object with the answer for each question's text",
          .where = {}};
}

// SAFETY: a plan would be allowed as it stands, and what was said against it lost.
Error takes_no_answer(const ToolCall& call) {
  return {.code = "answer-refused",
          .message = "`" + call.tool +
                     "` asks nothing that an `option`, `text` or `answers` could "
                     "tell it",
          .hint = "approve it without words, or deny it with a `reason`, which the agent reads",
          .where = {}};
}

// Whether a reply says which question of a form it answers, and no other.
Result<void> fits_form(const store::Question& question, const Value& reply) {
  if (reply.is_null()) return {};
  const ToolCall& call = question.asked.call;
  const Value* questions = call.input.find("questions");
  if (questions == nullptr || !questions->is_array()) {
    if (text_in(call.input, "question").empty()) return Fail(takes_no_answer(call));
    return {};
  }
  const Value* answers = reply.find("answers");
  if (answers == nullptr && questions->items().size() < 2) return {};
  if (answers == nullptr)
    return Fail(answer_refused("the form has " + std::to_string(questions->items().size()) +
                               " questions, and one `option` or `text` does not say which of them "
                               "it answers"));
  if (!answers->is_object()) return Fail(answer_refused("`answers` is no object"));
  for (const auto& [text, said] : answers->members()) {
    const bool asked = std::ranges::any_of(
        questions->items(), [&](const Value& each) { return text_in(each, "question") == text; });
    if (!asked || !said.is_string())
      return Fail(answer_refused("the form has no question `" + text + "` with a text for answer"));
  }
  return {};
}

Result<View> view_in(const Request& request) {
  const std::string word = request.query_value("view").value_or("");
  if (word == "brief") return View::kBrief;
  if (word.empty() || word == "whole") return View::kWhole;
  return Fail(malformed_request("`view` must be brief or whole"));
}

// A number of milliseconds from now, or a moment as text is not taken: one way is enough.
Result<Millis> lifetime_in(Body& body) {
  const std::optional<Value> value = body.value("expires");
  if (!value) return 0;
  const std::string text = value->number_text();
  Millis out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || out > 1'000'000'000'000)
      return Fail(malformed_request("`expires` must be a whole number of milliseconds"));
    out = out * 10 + (c - '0');
  }
  if (text.empty() || out == 0)
    return Fail(malformed_request("`expires` must be a whole number of milliseconds"));
  return out;
}

// The first answer stands; whoever comes later is told what it was.
void tell(const Daemon& daemon, const Visit& visit, const std::string& id,
          const Result<store::Question>& result) {
  if (result) return visit.reply(200, question_value(*result));
  if (result.error().code != "already-answered") return visit.fail(result.error());
  Value body =
      Value::object({{"error", Value::object({{"code", Value::string(result.error().code)},
                                              {"message", Value::string(result.error().message)},
                                              {"hint", Value::string(result.error().hint)}})}});
  if (const std::optional<store::Question> ended = daemon.parts.desk.find(id))
    body.set("permission", question_value(*ended));
  visit.reply(409, body);
}

// One that the desk no longer holds may be in the store.
void find_question(Daemon& daemon, const std::string& id,
                   std::function<void(Result<store::Question>)> done) {
  if (std::optional<store::Question> held = daemon.parts.desk.find(id))
    return done(std::move(*held));
  const auto found = std::make_shared<Result<std::optional<store::Question>>>(std::nullopt);
  daemon.parts.loop.work([&daemon, id, found] { *found = daemon.parts.store.question(id); },
                         [found, id, done = std::move(done)] {
                           if (!*found) return done(Fail(found->error()));
                           if (**found) return done(std::move(***found));
                           done(Fail({.code = "unknown-question",
                                      .message = "there is no question of that id",
                                      .hint = "GET /api/permissions lists what is open",
                                      .where = {}}));
                         });
}

// A rule that was taught is written into the user's policy file as well, where that was wanted. The
// answer stands whatever becomes of the file.
void persist(Daemon& daemon, const Visit& visit, const store::Question& question) {
  const PolicyFiles& files = daemon.parts.policies.files();
  const std::string path = files.config_file.empty()
                               ? config::user_file(files.environment, files.home)
                               : files.config_file;
  config::Edit edit;
  edit.list = Verdict::kAllow;
  edit.rule = question.settlement.rule;
  if (question.settlement.scope == store::Scope::kAgent) edit.agent = question.agent;
  const auto written = std::make_shared<Result<std::string>>("");
  daemon.parts.loop.work(
      [written, path, edit] { *written = config::edit_file(path, std::span(&edit, 1)); },
      [&daemon, visit, question, path, written] {
        Value body = question_value(question);
        Value policy = Value::object({{"file", text_value(path)}});
        if (*written)
          policy.set("difference", text_value(**written));
        else
          policy.set("error", Value::object({{"code", text_value(written->error().code)},
                                             {"message", text_value(written->error().message)},
                                             {"hint", text_value(written->error().hint)}}));
        store::AuditRow row;
        row.at = daemon.parts.loop.now();
        row.kind = "policy";
        row.rule = question.settlement.rule;
        row.question = question.id;
        row.by = visit.who.credential.person;
        row.origin = "http";
        row.record = policy;
        std::vector<store::Change> batch;
        batch.emplace_back(store::AppendAudit{std::move(row)});
        daemon.parts.store.submit(std::move(batch), store::Durability::kNow, [](Result<void>) {});
        body.set("policy", std::move(policy));
        visit.reply(200, body);
      });
}

// Answers a question that is open; of one that has ended long ago the store tells the end.
void answer(Daemon& daemon, const Visit& visit, const std::function<void(Gate::Answered)>& act) {
  const std::string id = visit.arguments[0];
  if (daemon.parts.desk.find(id))
    return act([&daemon, visit, id](const Result<store::Question>& result) {
      tell(daemon, visit, id, result);
    });
  find_question(daemon, id, [visit](Result<store::Question> question) {
    if (!question) return visit.fail(question.error());
    Value body = Value::object(
        {{"error", Value::object({{"code", Value::string("already-answered")},
                                  {"message", Value::string("the question has ended already")},
                                  {"hint", Value::string("see `permission` for how")}})},
         {"permission", question_value(*question)}});
    visit.reply(409, body);
  });
}

}  // namespace

void list_permissions(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  const Result<View> view = view_in(visit.request());
  if (!view) return visit.fail(view.error());
  const std::string state = visit.request().query_value("state").value_or("pending");
  if (state == "pending") {
    Value list = Value::array();
    for (const store::Question& question : daemon.parts.desk.pending()) {
      Value each = question_value(question, *view);
      if (daemon.notices != nullptr && *view == View::kWhole)
        each.set("notices", receipts_value(daemon.notices->receipts(question.id)));
      list.push(std::move(each));
      // A page says itself which of a list it has shown.
      if (*view == View::kWhole) daemon.parts.desk.shown(question.id, now);
    }
    return visit.reply(200, Value::object({{"permissions", std::move(list)},
                                           {"now", Value::string(moment_text(now))}}));
  }
  if (state != "resolved")
    return visit.fail(malformed_request("`state` must be pending or resolved"));
  const auto found =
      std::make_shared<Result<std::vector<store::Question>>>(std::vector<store::Question>());
  daemon.parts.loop.work(
      [&daemon, found] { *found = daemon.parts.store.questions({.state = {}, .session = {}}); },
      [visit, found, now, view = *view] {
        if (!*found) return visit.fail(found->error());
        Value list = Value::array();
        for (const store::Question& each : **found) list.push(question_value(each, view));
        visit.reply(200, Value::object({{"permissions", std::move(list)},
                                        {"now", Value::string(moment_text(now))}}));
      });
}

void show_permission(Daemon& daemon, Visit visit) {
  find_question(daemon, visit.arguments[0], [&daemon, visit](Result<store::Question> question) {
    if (!question) return visit.fail(question.error());
    if (!visit.who.by_cookie) daemon.parts.desk.shown(question->id, daemon.parts.loop.now());
    const auto shown = std::make_shared<store::Question>(std::move(*question));
    const auto reading = std::make_shared<Value>();
    daemon.parts.loop.work(
        [&daemon, shown, reading] {
          const Ground ground = daemon.parts.policies.at(shown->root, shown->agent);
          *reading = reading_value(shown->asked, ground.policy->tools());
        },
        [&daemon, visit, shown, reading] {
          // It may have ended meanwhile.
          const std::optional<store::Question> now = daemon.parts.desk.find(shown->id);
          const store::Question& latest = now ? *now : *shown;
          Value body = question_value(latest);
          if (!reading->is_null()) body.set("reading", std::move(*reading));
          body.set("why", why_value(latest));
          Value rules = Value::array();
          for (const std::string& rule : latest.asked.decision.suggestions)
            rules.push(text_value(rule));
          body.set("teachable", std::move(rules));
          if (daemon.notices != nullptr)
            body.set("notices", receipts_value(daemon.notices->receipts(latest.id)));
          body.set("now", text_value(moment_text(daemon.parts.loop.now())));
          visit.reply(200, body);
        });
  });
}

void mark_seen(Daemon& daemon, Visit visit) {
  if (!daemon.parts.desk.find(visit.arguments[0]))
    return visit.fail({.code = "unknown-question",
                       .message = "there is no question of that id",
                       .hint = "GET /api/permissions lists what is open",
                       .where = {}});
  daemon.parts.desk.shown(visit.arguments[0], daemon.parts.loop.now());
  visit.reply(200, Value::object({{"seen", text_value(visit.arguments[0])}}));
}

void approve_permission(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  Gate::Approval approval;
  const std::optional<store::Scope> scope = scope_named(body->text("scope"));
  if (!scope)
    return visit.fail(malformed_request("`scope` must be once, session, agent or everyone"));
  approval.scope = *scope;
  approval.rule = body->text("rule");
  approval.reason = body->text("reason");
  approval.changed = body->value("updatedInput");
  if (approval.changed && !approval.changed->is_object())
    return visit.fail(malformed_request("`updatedInput` must be an object"));
  const std::string option = body->text("option"), text = body->text("text");
  if (std::optional<Value> answers = body->value("answers"))
    approval.reply = Value::object({{"answers", std::move(*answers)}});
  else if (!option.empty() || !text.empty())
    approval.reply =
        Value::object({{"option", Value::string(option)}, {"text", Value::string(text)}});
  const Result<Millis> lifetime = lifetime_in(*body);
  if (!lifetime) return visit.fail(lifetime.error());
  if (*lifetime > 0) approval.expires = daemon.parts.loop.now() + *lifetime;
  const bool wants_file = body->flag("persist").value_or(false);
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  if (wants_file && !visit.who.credential.is_operator)
    return visit.fail({.code = "not-allowed-here",
                       .message = "only an operator changes the policy file",
                       .hint = "leave `persist` out, or use an operator's credential",
                       .where = {}});
  if (wants_file && approval.scope != store::Scope::kAgent &&
      approval.scope != store::Scope::kEveryone)
    return visit.fail(malformed_request("`persist` goes with the scopes agent and everyone"));
  if (const auto open = daemon.parts.desk.find(visit.arguments[0]);
      open && open->state == store::QuestionState::kPending)
    if (const Result<void> fits = fits_form(*open, approval.reply); !fits)
      return visit.fail(fits.error());
  const approvals::Principal by =
      approvals::principal_of(visit.who, way_of(visit.request(), visit.who));
  answer(daemon, visit, [&daemon, visit, approval, by, wants_file](const Gate::Answered& done) {
    daemon.gate.approve(visit.arguments[0], approval, by,
                        [&daemon, visit, wants_file, done](Result<store::Question> result) {
                          const bool taught = result && !result->settlement.rule.empty();
                          if (!wants_file || !taught) return done(std::move(result));
                          persist(daemon, visit, *result);
                        });
  });
}

void deny_permission(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string reason = body->text("reason");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  const approvals::Principal by =
      approvals::principal_of(visit.who, way_of(visit.request(), visit.who));
  answer(daemon, visit, [&daemon, visit, reason, by](Gate::Answered done) {
    daemon.gate.deny(visit.arguments[0], reason, by, std::move(done));
  });
}

void preview_rule(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string rule = body->text("rule");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  daemon.gate.preview(visit.arguments[0], rule, [visit](const Result<Value>& result) {
    if (!result) return visit.fail(result.error());
    visit.reply(200, *result);
  });
}

}  // namespace tollgate::server
