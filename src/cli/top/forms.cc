// Forms as they are opened: what each asks for.
#include <algorithm>
#include <utility>

#include "cli/gate_client.h"
#include "cli/top/question_lines.h"
#include "cli/top/steps.h"
#include "json/json.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

constexpr std::string_view kScopes[] = {"session", "agent", "everyone"};
constexpr std::string_view kLifetimes[] = {"until revoked", "1h", "8h", "1d", "7d", "30d"};
constexpr std::string_view kModes[] = {"plan", "dontAsk", "default", "acceptEdits", "autonomous"};
constexpr std::string_view kModeWords[] = {
    "only reads; everything else is denied",
    "what a rule allows; nobody is asked, the rest is denied",
    "reads and what a rule allows; the rest asks", "also edits in the workspace",
    "everything that no rule denies or asks about"};
constexpr std::string_view kAnswerers[] = {"ask", "forward", "parent", "no", "yes"};
constexpr std::string_view kAnswererWords[] = {"people", "the policy above", "the agent above",
                                               "nobody: deny", "nobody: allow"};

Field line(std::string label, std::string text = "") {
  Field field{.label = std::move(label), .kind = FieldKind::kLine, .text = std::move(text)};
  field.at = field.text.size();
  return field;
}

Field choice(std::string label, std::vector<std::string> options, std::size_t chosen = 0) {
  return {.label = std::move(label),
          .kind = FieldKind::kChoice,
          .options = std::move(options),
          .chosen = chosen};
}

template <class Names>
std::vector<std::string> all_of(const Names& names) {
  return {std::begin(names), std::end(names)};
}

Form always_form(const State& state, const Question& question) {
  Form form{.title = "Allow always", .send = "allow and remember"};
  std::vector<std::string> rules;
  for (const Value& rule : member_of(question.whole, "teachable").items())
    rules.push_back(rule.as_string());
  form.fields.push_back(line("rule", rules.empty() ? "" : rules[0]));
  form.fields.back().options = std::move(rules);
  form.fields.push_back(choice("for", all_of(kScopes), 1));
  form.fields.push_back(choice("expires", all_of(kLifetimes)));
  if (member_of(state.me, "operator").as_bool())
    form.fields.push_back(
        choice("policy file", {"leave it alone", "write the rule into it as well"}));
  return form;
}

Form edit_form(const Question& question) {
  Form form{.title = "Edit the input, then allow it once", .send = "allow with this input"};
  for (const auto& [name, value] : member_of(question.whole, "toolInput").members()) {
    Field field{.label = name, .kind = FieldKind::kText};
    field.is_json = !value.is_string();
    field.text = value.is_string() ? value.as_string() : json::write(value);
    field.at = field.text.size();
    form.fields.push_back(std::move(field));
  }
  return form;
}

std::string label_of(const Value& option) {
  return option.is_object() ? text_of(option, "label") : option.as_string();
}

Field asked_field(const Value& asked) {
  Field field{.label = text_of(asked, "question")};
  const std::vector<Value>& options = member_of(asked, "options").items();
  if (options.empty()) return field;
  field.kind = member_of(asked, "multiSelect").as_bool() ? FieldKind::kSeveral : FieldKind::kChoice;
  for (const Value& option : options) {
    field.options.push_back(label_of(option));
    field.remarks.push_back(text_of(option, "description"));
  }
  field.ticked.resize(field.options.size());
  return field;
}

// One question with options or words of one's own, or a form of several.
Form reply_form(const Question& question) {
  Form form{.title = "Answer", .send = "send the answer"};
  const Value& input = member_of(question.whole, "toolInput");
  const std::vector<Value>& several = member_of(input, "questions").items();
  for (const Value& asked : several) form.fields.push_back(asked_field(asked));
  if (!several.empty()) return form;
  Field options = asked_field(input);
  if (!options.options.empty()) {
    options.label = "options";
    form.fields.push_back(std::move(options));
    form.fields.push_back(line("or in your own words"));
  } else {
    form.fields.push_back(line("your answer"));
  }
  return form;
}

Form alike_form(const State& state) {
  const std::vector<std::string> ids = alike(state);
  Form form{.title = std::to_string(ids.size()) + " questions ask for the same stated reason",
            .send = "answer all of them"};
  form.fields.push_back(choice("answer", {"allow once", "allow for their sessions", "deny"}));
  form.fields.push_back(line("reason"));
  for (const std::string& id : ids) {
    Field& field = form.fields.back();
    if (const Question* each = question_of(state, id)) field.remarks.push_back(summary_of(*each));
  }
  return form;
}

Form session_form(FormKind kind, const State& state) {
  const Value* session = nullptr;
  for (const Value& each : state.sessions.list)
    if (text_of(each, "id") == state.sessions.chosen) session = &each;
  const Value nothing;
  const std::string name = text_of(session == nullptr ? nothing : *session, "agent");
  const std::string of = " of " + (name.empty() ? "the agent without a name" : name);
  const auto picked = [&](std::string_view member, const std::vector<std::string>& options) {
    const std::string now = text_of(session == nullptr ? nothing : *session, member);
    const auto found = std::ranges::find(options, now);
    return found == options.end() ? std::size_t{0}
                                  : static_cast<std::size_t>(found - options.begin());
  };
  if (kind == FormKind::kEnd)
    return {.title = "End the session" + of + " and all below it?",
            .send = "do it",
            .fields = {choice("sure", {"no", "yes, end it"})}};
  const bool mode = kind == FormKind::kMode;
  std::vector<std::string> options = mode ? all_of(kModes) : all_of(kAnswerers);
  std::vector<std::string> words = mode ? all_of(kModeWords) : all_of(kAnswererWords);
  options.insert(options.begin(), std::string(kOwnWord));
  words.insert(words.begin(), "as its policy says");
  Form form{.title = (mode ? "Mode" : "Who answers for the calls") + of, .send = "set it"};
  const std::size_t at = picked(mode ? "mode" : "answer", options);
  form.fields.push_back(choice(mode ? "mode" : "answers", std::move(options), at));
  form.fields.back().remarks = std::move(words);
  return form;
}

Form form_for(const State& state, FormKind kind) {
  const Question* question = chosen_question(state);
  static const Question kNone;
  if (question == nullptr) question = &kNone;
  switch (kind) {
    case FormKind::kDeny:
      return {.title = takes_reply(*question) ? "Decline" : "Deny",
              .send = takes_reply(*question) ? "decline" : "deny",
              .fields = {line("reason, which the agent is told")}};
    case FormKind::kAlways:
      return always_form(state, *question);
    case FormKind::kEdit:
      return edit_form(*question);
    case FormKind::kReply:
      return reply_form(*question);
    case FormKind::kAlike:
      return alike_form(state);
    case FormKind::kFreezeAll:
      return {.title = "Freeze",
              .send = "do it",
              .fields = {choice("everything", {"leave as it is", "deny everything now",
                                               "let everything go on"})}};
    case FormKind::kSearch:
      return {.title = "Search the record",
              .send = "search",
              .fields = {line("text", state.history.grep)}};
    default:
      return session_form(kind, state);
  }
}

}  // namespace

std::vector<std::string> alike(const State& state) {
  std::vector<std::string> ids;
  const Question* chosen = chosen_question(state);
  const std::string group = chosen == nullptr ? "" : text_of(chosen->brief, "group");
  for (const Question& each : state.questions)
    if (!group.empty() && each.is_open() && text_of(each.brief, "group") == group &&
        ids.size() < 100)
      ids.push_back(each.id);
  return ids;
}

void open_form(State& state, FormKind kind) {
  if (kind == FormKind::kAlike && alike(state).size() < 2)
    return tell(state, "no other question asks for the same stated reason", true);
  Form form = form_for(state, kind);
  form.kind = kind;
  form.about = state.view == View::kSessions ? state.sessions.chosen : state.chosen;
  state.form = std::move(form);
}

}  // namespace tollgate::cli::top
