#include "cli/top/model.h"

#include <algorithm>
#include <utility>

#include "cli/gate_client.h"
#include "cli/top/draw.h"
#include "cli/top/question_lines.h"
#include "cli/top/steps.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

constexpr Millis kNoticeMs = 8'000;

// Ended questions that nobody looks at leave the list after a while.
void forget_ended(State& state) {
  std::erase_if(state.questions, [&](const Question& each) {
    return !each.is_open() && each.id != state.chosen && each.ended_at > 0 &&
           state.now - each.ended_at > kKeepEndedMs;
  });
}

std::string about_of(const State& state) {
  std::string about = std::to_string(static_cast<int>(state.view)) + " " +
                      std::to_string(state.size.columns) + " " +
                      std::to_string(static_cast<int>(state.folds)) + " ";
  if (state.view == View::kHistory && state.history.row)
    return about + "row " + member_of(*state.history.row, "number").number_text() +
           (state.history.replayed ? " replayed" : "");
  const Question* question = chosen_question(state);
  if (state.view != View::kQuestions || question == nullptr) return about;
  // Each vote changes what is said about it.
  return about + question->id + (question->whole.is_null() ? " brief " : " whole ") +
         std::to_string(member_of(question->brief, "votes").items().size());
}

// What is looked at as lines, made anew only where it or the width has changed.
void refresh_reader(State& state) {
  Reader& reader = state.reader;
  if (const std::string about = about_of(state); about != reader.about) {
    reader = {.about = about, .lines = {}, .call_end = 0, .top = reader.top, .seen = 0};
    if (state.view == View::kHistory && state.history.row) {
      const std::string& moment = text_of(*state.history.row, "at");
      const os::LocalTime local = local_moment(state, moment);
      reader.lines = row_lines(*state.history.row, state.history.replayed,
                               local.text + " " + local.zone + " (" + moment + ")",
                               static_cast<std::size_t>(state.size.columns));
    } else if (const Question* question = chosen_question(state);
               state.view == View::kQuestions && question != nullptr) {
      reader.lines = question_lines(*question, static_cast<std::size_t>(state.size.columns),
                                    state.folds, reader.call_end);
    }
  }
  const auto rows = static_cast<std::size_t>(std::max(frame_of(state).body, 0));
  const std::size_t last = reader.lines.size() > rows ? reader.lines.size() - rows : 0;
  reader.top = std::min(reader.top, last);
  if (!state.form && !state.help) reader.seen = std::max(reader.seen, reader.top + rows);
}

void lose(State& state, const std::string& why) {
  state.link_why = why;
  if (state.link == Link::kLost) return;
  state.link = Link::kLost;
  state.link_since = state.now;
  for (Question& question : state.questions) question.fetching = false;
}

}  // namespace

Requests first_requests() { return {{Purpose::kMe, "", "GET", "/api/me", {}}}; }

Request sessions_request() {
  return {Purpose::kSessions, "", "GET", "/api/sessions?state=all", {}};
}

Request history_request(const State& state, Purpose purpose) {
  std::string target = "/api/audit?limit=100";
  if (!state.history.grep.empty()) target += "&grep=" + escaped(state.history.grep);
  if (!state.history.verdict.empty()) target += "&verdict=" + state.history.verdict;
  if (purpose == Purpose::kOlder && !state.history.rows.empty())
    target += "&before=" + member_of(state.history.rows.back(), "number").number_text();
  return {purpose, state.history.grep + "\n" + state.history.verdict, "GET", target, {}};
}

void tell(State& state, std::string notice, bool is_bad) {
  state.notice = std::move(notice);
  state.notice_is_bad = is_bad;
  state.notice_until = state.now + kNoticeMs;
}

void choose(State& state, const std::string& id, By by, Requests& out) {
  if (state.chosen != id) {
    state.chosen = id;
    state.chosen_at = state.now;
    state.reader.top = 0;
    state.folds = Folds::kCounted;
  }
  state.chosen_by_key = by == By::kKey;
  state.sure = false;
  Question* question = question_of(state, id);
  if (question == nullptr || !question->whole.is_null() || question->fetching) return;
  question->fetching = true;
  out.push_back({Purpose::kWhole, id, "GET", "/api/permissions/" + escaped(id), {}});
}

void show(State& state, View view, Requests& out) {
  if (state.view != view) state.reader.top = 0;
  state.view = view;
  state.form.reset();
  state.history.row.reset();
  if (view == View::kSessions) out.push_back(sessions_request());
  if (view != View::kHistory) return;
  out.push_back(history_request(state, Purpose::kHistory));
  out.push_back({Purpose::kRecord, "", "GET", "/api/record", {}});
}

void answer(State& state, const std::string& verb, std::string_view act, Value body,
            Requests& out) {
  Question* question = question_of(state, state.chosen);
  if (question == nullptr) return;
  question->sending = verb;
  question->problem.clear();
  out.push_back({Purpose::kAnswer, question->id, "POST",
                 "/api/permissions/" + escaped(question->id) + "/" + std::string(act),
                 std::move(body)});
}

Requests apply(State& state, const Event& event, Millis now) {
  Requests out;
  state.now = now;
  if (const auto* resized = std::get_if<Resized>(&event)) {
    state.size = resized->size;
  } else if (const auto* pressed = std::get_if<Pressed>(&event)) {
    press(state, pressed->key, out);
  } else if (const auto* heard = std::get_if<Heard>(&event)) {
    hear(state, heard->message, out);
  } else if (const auto* lost = std::get_if<Lost>(&event)) {
    lose(state, lost->why);
  } else if (const auto* replied = std::get_if<Replied>(&event)) {
    take_reply(state, *replied, out);
  } else {
    forget_ended(state);
    preview_rule(state, out);
    if (state.notice_until < now) state.notice.clear();
  }
  refresh_reader(state);
  return out;
}

}  // namespace tollgate::cli::top
