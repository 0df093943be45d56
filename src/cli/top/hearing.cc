// What the daemon says: over the web socket by itself, and as replies.
#include <algorithm>
#include <utility>

#include "cli/gate_client.h"
#include "cli/top/steps.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

void note_end(State& state, Question& question) {
  if (question.is_open() || question.ended_at != 0) return;
  question.ended_at = state.now;
  if (state.form && state.form->about == question.id && question.sending.empty()) {
    state.form.reset();
    tell(state, "it was settled meanwhile: " + text_of(question.brief, "state"), true);
  }
}

// One question as lists have it. New ones ring, and come to the screen where nothing else is open.
void take(State& state, const Value& brief, Requests& out) {
  const std::string& id = text_of(brief, "permissionId");
  if (id.empty()) return;
  if (Question* known = question_of(state, id)) {
    known->brief = brief;
    note_end(state, *known);
    return;
  }
  if (text_of(brief, "state") != "pending") return;
  Question question;
  question.id = id;
  question.brief = brief;
  state.questions.push_back(std::move(question));
  ++state.bells;
  const Question* chosen = chosen_question(state);
  if (chosen == nullptr || (!chosen->is_open() && chosen->sending.empty() && !state.form))
    choose(state, id, By::kItself, out);
}

// All that is open. What we thought open and is not has ended while nobody listened: it is asked
// for, so that its end can be shown.
void take_all(State& state, const Value& data, Requests& out) {
  std::vector<std::string> open;
  for (const Value& brief : member_of(data, "permissions").items()) {
    open.push_back(text_of(brief, "permissionId"));
    take(state, brief, out);
  }
  for (Question& question : state.questions) {
    if (!question.is_open() || std::ranges::find(open, question.id) != open.end()) continue;
    question.fetching = true;
    out.push_back(
        {Purpose::kWhole, question.id, "GET", "/api/permissions/" + escaped(question.id), {}});
  }
}

void come_alive(State& state, Requests& out) {
  if (state.link == Link::kLive) return;
  if (state.link == Link::kLost) tell(state, "the daemon is there again");
  state.link = Link::kLive;
  state.link_since = state.now;
  state.link_why.clear();
  // What was asked for when the line broke was lost with it.
  if (Question* chosen = question_of(state, state.chosen)) {
    chosen->fetching = false;
    choose(state, state.chosen, state.chosen_by_key ? By::kKey : By::kItself, out);
  }
  if (state.view == View::kSessions) out.push_back(sessions_request());
}

void take_whole(State& state, const Replied& reply, Requests& out) {
  Question* question = question_of(state, reply.asked.about);
  if (question == nullptr) return;
  question->fetching = false;
  if (!reply.said) {
    if (reply.said.error().code == "unknown-question") {
      Value gone = question->brief;
      gone.set("state", Value::string("cancelled"));
      question->brief = std::move(gone);
      note_end(state, *question);
    }
    question->problem = reply.said.error().message;
    return;
  }
  learn_clock(state, member_of(*reply.said, "now"));
  question->whole = *reply.said;
  question->brief = *reply.said;
  note_end(state, *question);
  // The time to read it begins with the moment at which there is something to read.
  if (question->id == state.chosen) state.chosen_at = state.now;
  if (question->is_open() && question->id == state.chosen)
    out.push_back({Purpose::kSeen, question->id, "POST",
                   "/api/permissions/" + escaped(question->id) + "/seen", Value::object()});
}

void take_answer(State& state, const Replied& reply, Requests& out) {
  Question* question = question_of(state, reply.asked.about);
  if (question == nullptr) return;
  const std::string verb = std::exchange(question->sending, "");
  const bool own_form = state.form && state.form->about == question->id;
  if (reply.said) {
    question->said = verb;
    question->brief = *reply.said;
    note_end(state, *question);
    if (own_form) state.form.reset();
    tell(state, question->is_open() ? "counted: others must agree as well" : "recorded: " + verb);
    return;
  }
  const Error& error = reply.said.error();
  question->problem = "not recorded: " + error.message;
  if (error.code == "already-answered") {
    question->problem.clear();
    if (own_form) state.form.reset();
    tell(state, "somebody was faster: nothing was changed", true);
    out.push_back(
        {Purpose::kWhole, question->id, "GET", "/api/permissions/" + escaped(question->id), {}});
    return;
  }
  if (own_form) {
    state.form->waits = false;
    state.form->notes = {error.message, error.hint};
  } else {
    tell(state, "not recorded: " + error.message + " (" + error.hint + ")", true);
  }
}

void take_preview(State& state, const Replied& reply) {
  if (!state.form || state.form->kind != FormKind::kAlways ||
      state.form->about != reply.asked.about)
    return;
  Form& form = *state.form;
  if (text_of(reply.asked.body, "rule") != form.tried) return;
  if (!reply.said) {
    form.notes = {reply.said.error().message, reply.said.error().hint};
    return;
  }
  const std::string& root = text_of(*reply.said, "root");
  form.notes = {"it would have covered " + member_of(*reply.said, "covers").number_text() +
                " of the last " + member_of(*reply.said, "of").number_text() + " calls" +
                (root.empty() ? "" : " below " + root)};
}

// Parents before their children, each level in the daemon's order.
void add_below(const std::vector<Value>& all, const std::string& parent, int depth, Sessions& out) {
  constexpr int kDeepest = 32;
  for (const Value& session : all) {
    if (text_of(session, "parent") != parent) continue;
    out.list.push_back(session);
    out.depths.push_back(depth);
    if (depth < kDeepest) add_below(all, text_of(session, "id"), depth + 1, out);
  }
}

void take_sessions(State& state, const Value& said) {
  const std::vector<Value>& all = member_of(said, "sessions").items();
  Sessions& sessions = state.sessions;
  sessions.loaded = true;
  sessions.list.clear();
  sessions.depths.clear();
  std::vector<Value> roots_first;
  for (const Value& session : all) {
    const std::string& parent = text_of(session, "parent");
    const bool orphan = !parent.empty() && std::ranges::none_of(all, [&](const Value& each) {
      return text_of(each, "id") == parent;
    });
    Value shown = session;
    if (orphan) shown.set("parent", Value());
    roots_first.push_back(std::move(shown));
  }
  add_below(roots_first, "", 0, sessions);
  const bool there = std::ranges::any_of(
      sessions.list, [&](const Value& each) { return text_of(each, "id") == sessions.chosen; });
  if (!there) sessions.chosen = sessions.list.empty() ? "" : text_of(sessions.list[0], "id");
}

void take_rows(State& state, const Replied& reply) {
  History& history = state.history;
  if (reply.asked.about != history.grep + "\n" + history.verdict) return;
  const std::vector<Value>& rows = member_of(*reply.said, "rows").items();
  if (reply.asked.purpose == Purpose::kHistory) {
    history.rows.clear();
    history.chosen = 0;
  }
  history.rows.insert(history.rows.end(), rows.begin(), rows.end());
  history.loaded = true;
  history.complete = rows.size() < 100;
}

void take_change(State& state, const Replied& reply, Requests& out) {
  state.form.reset();
  if (!reply.said)
    tell(state, reply.said.error().message + " (" + reply.said.error().hint + ")", true);
  else
    tell(state, "done");
  out.push_back(sessions_request());
}

void take_together(State& state, const Replied& reply) {
  if (!reply.said) {
    if (state.form) {
      state.form->waits = false;
      state.form->notes = {reply.said.error().message, reply.said.error().hint};
    }
    return;
  }
  state.form.reset();
  const std::size_t done = member_of(*reply.said, "answered").items().size();
  const std::size_t refused = member_of(*reply.said, "refused").items().size();
  tell(state, "recorded: " + std::to_string(done) + " answered" +
                  (refused == 0 ? "" : ", " + std::to_string(refused) + " must be answered alone"));
}

}  // namespace

void learn_clock(State& state, const Value& value) {
  if (const std::optional<Millis> now = moment_ms(value.as_string()))
    state.offset = *now - state.now;
}

void hear(State& state, const Value& message, Requests& out) {
  const std::string& channel = text_of(message, "channel");
  const std::string& event = text_of(message, "event");
  const Value& data = member_of(message, "data");
  come_alive(state, out);
  if (channel == "gate") return learn_clock(state, member_of(data, "now"));
  if (channel == "session" && state.view == View::kSessions) out.push_back(sessions_request());
  if (channel == "policy") tell(state, "the policy was changed");
  if (channel != "permission") return;
  if (event == "all") {
    learn_clock(state, member_of(data, "now"));
    take_all(state, data, out);
  } else {
    take(state, data, out);
  }
}

void take_reply(State& state, const Replied& reply, Requests& out) {
  switch (reply.asked.purpose) {
    case Purpose::kWhole:
      return take_whole(state, reply, out);
    case Purpose::kAnswer:
      return take_answer(state, reply, out);
    case Purpose::kPreview:
      return take_preview(state, reply);
    case Purpose::kChange:
      return take_change(state, reply, out);
    case Purpose::kTogether:
      return take_together(state, reply);
    case Purpose::kSeen:
      return;
    default:
      break;
  }
  if (!reply.said) return tell(state, reply.said.error().message, true);
  if (reply.asked.purpose == Purpose::kMe) state.me = *reply.said;
  if (reply.asked.purpose == Purpose::kSessions) take_sessions(state, *reply.said);
  if (reply.asked.purpose == Purpose::kHistory || reply.asked.purpose == Purpose::kOlder)
    take_rows(state, reply);
  if (reply.asked.purpose == Purpose::kRow) {
    state.history.row = *reply.said;
    state.history.replayed.reset();
    state.reader.top = 0;
  }
  if (reply.asked.purpose == Purpose::kRecord) state.history.record = *reply.said;
  if (reply.asked.purpose == Purpose::kReplay) state.history.replayed = *reply.said;
}

}  // namespace tollgate::cli::top
