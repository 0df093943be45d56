// What becomes of a form that was filled in.
#include <utility>

#include "base/text.h"
#include "cli/gate_client.h"
#include "cli/top/steps.h"
#include "json/json.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

void send_always(State& state, Requests& out) {
  Form& form = *state.form;
  const std::string rule(trim(form.fields[0].text));
  if (rule.empty()) {
    form.notes = {"write a rule, or leave with Escape"};
    return;
  }
  const std::string scope = chosen_in(form.fields[1]);
  Value body = Value::object({{"scope", Value::string(scope)}, {"rule", Value::string(rule)}});
  if (const std::optional<long long> lifetime = duration_ms(chosen_in(form.fields[2])))
    body.set("expires", Value::integer(*lifetime));
  const bool persists = form.fields.size() > 3 && form.fields[3].chosen == 1;
  if (persists && scope == "session") {
    form.notes = {"the policy file knows no sessions: choose agent or everyone"};
    return;
  }
  if (persists) body.set("persist", Value::boolean(true));
  form.waits = true;
  answer(state, "always: " + rule + ", for " + (scope == "everyone" ? scope : "the " + scope),
         "approve", std::move(body), out);
}

void send_edit(State& state, Requests& out) {
  Form& form = *state.form;
  Value input = Value::object();
  for (const Field& field : form.fields) {
    if (!field.is_json) {
      input.set(field.label, Value::string(field.text));
      continue;
    }
    Result<Value> value = json::parse(field.text);
    if (!value) {
      form.notes = {"`" + field.label + "` is no JSON: " + value.error().message};
      return;
    }
    input.set(field.label, std::move(*value));
  }
  form.waits = true;
  answer(state, "allowed once, with another input", "approve",
         Value::object({{"scope", Value::string("once")}, {"updatedInput", std::move(input)}}),
         out);
}

std::string reply_in(const Field& field) {
  if (field.kind != FieldKind::kSeveral)
    return field.kind == FieldKind::kChoice ? chosen_in(field) : std::string(trim(field.text));
  std::vector<std::string> ticked;
  for (std::size_t i = 0; i < field.options.size(); ++i)
    if (field.ticked[i] != 0) ticked.push_back(field.options[i]);
  return join(ticked, ", ");
}

void send_reply(State& state, Requests& out) {
  Form& form = *state.form;
  const Question* question = chosen_question(state);
  if (question == nullptr) return;
  Value body = Value::object();
  if (!member_of(member_of(question->whole, "toolInput"), "questions").items().empty()) {
    Value answers = Value::object();
    for (const Field& field : form.fields) {
      const std::string said = reply_in(field);
      if (said.empty()) {
        form.notes = {"every question needs an answer; blanks tick an option"};
        return;
      }
      answers.set(field.label, Value::string(said));
    }
    body.set("answers", std::move(answers));
  } else if (const std::string words(trim(form.fields.back().text)); !words.empty()) {
    body.set("text", Value::string(words));
  } else if (form.fields.size() > 1) {
    body.set("option", Value::string(chosen_in(form.fields[0])));
  } else {
    form.notes = {"write an answer, or leave with Escape"};
    return;
  }
  form.waits = true;
  answer(state, "answered", "approve", std::move(body), out);
}

void send_alike(State& state, Requests& out) {
  Form& form = *state.form;
  const std::size_t what = form.fields[0].chosen;
  Value ids = Value::array();
  for (const std::string& id : alike(state)) ids.push(Value::string(id));
  Value body = Value::object({{"ids", std::move(ids)}});
  body.set("decision", Value::string(what == 2 ? "deny" : "allow"));
  if (what < 2) body.set("scope", Value::string(what == 1 ? "session" : "once"));
  if (const std::string reason(trim(form.fields[1].text)); !reason.empty())
    body.set("reason", Value::string(reason));
  form.waits = true;
  out.push_back(
      {Purpose::kTogether, form.about, "POST", "/api/permissions/answer", std::move(body)});
}

void send_session(State& state, Requests& out) {
  const Form form = *state.form;
  const std::string target = "/api/sessions/" + escaped(form.about);
  const std::string word = chosen_in(form.fields[0]);
  state.form.reset();
  if (form.kind == FormKind::kEnd) {
    if (form.fields[0].chosen == 1)
      out.push_back({Purpose::kChange, form.about, "DELETE", target, {}});
    return;
  }
  const std::string member = form.kind == FormKind::kMode ? "mode" : "answer";
  const Value value = word == kOwnWord ? Value() : Value::string(word);
  out.push_back({Purpose::kChange, form.about, "PATCH", target, Value::object({{member, value}})});
}

void send_freeze(State& state, Requests& out) {
  const std::size_t what = state.form->fields[0].chosen;
  state.form.reset();
  if (what == 0) return;
  out.push_back({Purpose::kChange, "", "POST", "/api/freeze",
                 Value::object({{"frozen", Value::boolean(what == 1)}})});
}

}  // namespace

void send_form(State& state, Requests& out) {
  switch (state.form->kind) {
    case FormKind::kDeny: {
      const std::string reason(trim(state.form->fields[0].text));
      state.form->waits = true;
      Value body = Value::object();
      if (!reason.empty()) body.set("reason", Value::string(reason));
      return answer(state, reason.empty() ? "denied" : "denied: " + reason, "deny", std::move(body),
                    out);
    }
    case FormKind::kAlways:
      return send_always(state, out);
    case FormKind::kEdit:
      return send_edit(state, out);
    case FormKind::kReply:
      return send_reply(state, out);
    case FormKind::kAlike:
      return send_alike(state, out);
    case FormKind::kFreezeAll:
      return send_freeze(state, out);
    case FormKind::kSearch:
      state.history.grep = std::string(trim(state.form->fields[0].text));
      state.history.loaded = false;
      state.form.reset();
      out.push_back(history_request(state, Purpose::kHistory));
      return;
    default:
      return send_session(state, out);
  }
}

void preview_rule(State& state, Requests& out) {
  if (!state.form || state.form->kind != FormKind::kAlways || state.form->waits) return;
  const std::string rule(trim(state.form->fields[0].text));
  if (rule.empty() || rule == state.form->tried) return;
  state.form->tried = rule;
  state.form->notes = {"looking through past calls …"};
  out.push_back({Purpose::kPreview, state.form->about, "POST",
                 "/api/permissions/" + escaped(state.form->about) + "/preview",
                 Value::object({{"rule", Value::string(rule)}})});
}

}  // namespace tollgate::cli::top
