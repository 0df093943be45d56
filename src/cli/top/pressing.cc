// Keys, view by view. Letters are those of the page (docs/page.md).
// SAFETY: what was pasted is never a command, and a yes counts only for what stands on the screen.
#include <algorithm>

#include "cli/gate_client.h"
#include "cli/top/draw.h"
#include "cli/top/steps.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

std::size_t moved(std::size_t at, int by, std::size_t count) {
  if (count == 0) return 0;
  if (by < 0) return at < static_cast<std::size_t>(-by) ? 0 : at - static_cast<std::size_t>(-by);
  return std::min(at + static_cast<std::size_t>(by), count - 1);
}

// The window over what is read; the bound is set when it is drawn.
bool scroll(State& state, const Key& key) {
  const auto page = static_cast<std::size_t>(std::max(frame_of(state).body - 1, 1));
  std::size_t& top = state.reader.top;
  const auto back = [&](std::size_t by) { top -= std::min(top, by); };
  if (key.kind == KeyKind::kPageDown || key.is(' '))
    top += page;
  else if (key.kind == KeyKind::kPageUp || key.is('b'))
    back(page);
  else if (key.kind == KeyKind::kDown || key.is('J'))
    ++top;
  else if (key.kind == KeyKind::kUp || key.is('K'))
    back(1);
  else if (key.kind == KeyKind::kHome)
    top = 0;
  else if (key.kind == KeyKind::kEnd)
    top = state.reader.lines.size();
  else
    return false;
  return true;
}

void step_question(State& state, int by, Requests& out) {
  const auto found = std::ranges::find(state.questions, state.chosen, &Question::id);
  if (state.questions.empty()) return;
  const auto at = found == state.questions.end()
                      ? std::size_t{0}
                      : static_cast<std::size_t>(found - state.questions.begin());
  choose(state, state.questions[moved(at, by, state.questions.size())].id, By::kKey, out);
}

// Lines of the call that have never been in the window.
std::size_t unread(const State& state) {
  const Reader& reader = state.reader;
  return reader.call_end > reader.seen ? reader.call_end - reader.seen : 0;
}

bool may_allow(State& state) {
  if (const std::string why = not_yet(state); !why.empty()) {
    tell(state, why, true);
    return false;
  }
  if (const std::size_t lines = unread(state); lines > 0 && !state.sure) {
    state.sure = true;
    tell(state,
         std::to_string(lines) +
             " lines of the call were not on the screen: space reads on, the same key allows it",
         true);
    return false;
  }
  return true;
}

void allow(State& state, std::string_view scope, const std::string& verb, Requests& out) {
  if (!may_allow(state)) return;
  answer(state, verb, "approve", Value::object({{"scope", Value::string(std::string(scope))}}),
         out);
}

// Only a rule can settle more than one call, and the gate says where one can.
bool may_teach(State& state) {
  const Question* question = chosen_question(state);
  if (question != nullptr && is_teachable(*question)) return true;
  tell(state, "no rule can settle what asks here: allow it once, or deny it", true);
  return false;
}

bool may_refuse(State& state) {
  const Question* question = chosen_question(state);
  const bool open = question != nullptr && question->is_open() && question->sending.empty();
  if (open && state.link == Link::kLive) return true;
  tell(state, not_yet(state), true);
  return false;
}

void press_question(State& state, const Key& key, Requests& out) {
  const Question* question = chosen_question(state);
  if (key.is('j')) return step_question(state, 1, out);
  if (key.is('k')) return step_question(state, -1, out);
  if (scroll(state, key) || question == nullptr) return;
  const bool asks = is_escalation(*question), replies = takes_reply(*question);
  if (key.is('z')) {
    state.folds = state.folds == Folds::kShown ? Folds::kCounted : Folds::kShown;
  } else if (key.is('y') || (replies && key.kind == KeyKind::kEnter)) {
    if (!replies) return allow(state, "once", "allowed once", out);
    if (may_allow(state)) open_form(state, FormKind::kReply);
  } else if (key.is('s') && !asks) {
    if (may_teach(state)) allow(state, "session", "allowed for this session", out);
  } else if (key.is('a') && !asks) {
    if (may_teach(state) && may_allow(state)) open_form(state, FormKind::kAlways);
  } else if (key.is('e') && !asks) {
    if (may_allow(state)) open_form(state, FormKind::kEdit);
  } else if (key.is('g') && !asks) {
    if (may_allow(state)) open_form(state, FormKind::kAlike);
  } else if (key.is('n')) {
    if (may_refuse(state)) open_form(state, FormKind::kDeny);
  }
}

void press_session(State& state, const Key& key) {
  Sessions& sessions = state.sessions;
  const auto chosen = std::ranges::find_if(
      sessions.list, [&](const Value& each) { return text_of(each, "id") == sessions.chosen; });
  const auto at = chosen == sessions.list.end()
                      ? std::size_t{0}
                      : static_cast<std::size_t>(chosen - sessions.list.begin());
  const int by = key.is('j') || key.kind == KeyKind::kDown ? 1
                 : key.is('k') || key.kind == KeyKind::kUp ? -1
                 : key.kind == KeyKind::kPageDown          ? 10
                 : key.kind == KeyKind::kPageUp            ? -10
                                                           : 0;
  if (by != 0 && !sessions.list.empty())
    sessions.chosen = text_of(sessions.list[moved(at, by, sessions.list.size())], "id");
  if (key.is('F')) return open_form(state, FormKind::kFreezeAll);
  if (chosen == sessions.list.end() || text_of(*chosen, "state") == "ended") return;
  if (key.is('m')) open_form(state, FormKind::kMode);
  if (key.is('w')) open_form(state, FormKind::kAnswerer);
  if (key.is('x')) open_form(state, FormKind::kEnd);
}

void freeze_session(State& state, Requests& out) {
  for (const Value& session : state.sessions.list) {
    if (text_of(session, "id") != state.sessions.chosen) continue;
    const bool frozen = member_of(session, "frozen").as_bool();
    out.push_back({Purpose::kChange, state.sessions.chosen, "PATCH",
                   "/api/sessions/" + escaped(state.sessions.chosen),
                   Value::object({{"frozen", Value::boolean(!frozen)}})});
  }
}

void press_row(State& state, const Key& key, Requests& out) {
  if (key.kind == KeyKind::kEscape || key.is('h')) {
    state.history.row.reset();
    return;
  }
  const std::string number = member_of(*state.history.row, "number").number_text();
  if (key.is('r') && text_of(*state.history.row, "kind") == "call")
    out.push_back(
        {Purpose::kReplay, number, "POST", "/api/audit/" + number + "/replay", Value::object()});
  scroll(state, key);
}

void press_history(State& state, const Key& key, Requests& out) {
  History& history = state.history;
  if (history.row) return press_row(state, key, out);
  const int page = std::max(frame_of(state).body - 1, 1);
  const int by = key.is('j') || key.kind == KeyKind::kDown       ? 1
                 : key.is('k') || key.kind == KeyKind::kUp       ? -1
                 : key.kind == KeyKind::kPageDown || key.is(' ') ? page
                 : key.kind == KeyKind::kPageUp || key.is('b')   ? -page
                                                                 : 0;
  const std::size_t before = history.chosen;
  if (by != 0) history.chosen = moved(before, by, history.rows.size());
  if (by > 0 && history.chosen + 1 == history.rows.size() && !history.complete && history.loaded)
    out.push_back(history_request(state, Purpose::kOlder));
  if (key.is('/')) return open_form(state, FormKind::kSearch);
  if (key.is('v')) {
    const std::string& now = history.verdict;
    history.verdict = now.empty() ? "deny" : now == "deny" ? "ask" : now == "ask" ? "allow" : "";
    history.loaded = false;
    out.push_back(history_request(state, Purpose::kHistory));
  }
  if (key.is('r')) out.push_back(history_request(state, Purpose::kHistory));
  if (key.kind != KeyKind::kEnter || history.chosen >= history.rows.size()) return;
  const std::string number = member_of(history.rows[history.chosen], "number").number_text();
  out.push_back({Purpose::kRow, number, "GET", "/api/audit/" + number, {}});
}

void press_in_form(State& state, const Key& key, Requests& out) {
  const FormDone done = type(*state.form, key);
  if (done == FormDone::kCancel) state.form.reset();
  if (done == FormDone::kSend) send_form(state, out);
}

bool is_too_small(const State& state) {
  return state.size.rows < kLeastSize.rows || state.size.columns < kLeastSize.columns;
}

}  // namespace

void press(State& state, const Key& key, Requests& out) {
  if (key.kind == KeyKind::kQuit) {
    state.over = true;
    return;
  }
  // SAFETY: what cannot be read cannot be answered.
  if (is_too_small(state)) {
    if (key.is('q')) state.over = true;
    return;
  }
  if (state.help) {
    state.help = false;
    return;
  }
  if (state.form) return press_in_form(state, key, out);
  if (key.kind == KeyKind::kPaste) return tell(state, "what is pasted is no answer", true);
  const bool repeated = state.sure;
  if (key.is('q')) state.over = true;
  if (key.is('?')) state.help = true;
  if (key.is('1')) return show(state, View::kQuestions, out);
  if (key.is('2')) return show(state, View::kSessions, out);
  if (key.is('3')) return show(state, View::kHistory, out);
  if (key.kind == KeyKind::kTab || key.kind == KeyKind::kBackTab) {
    const int by = key.kind == KeyKind::kTab ? 1 : 2;
    return show(state, static_cast<View>((static_cast<int>(state.view) + by) % 3), out);
  }
  if (state.view == View::kQuestions) press_question(state, key, out);
  if (state.view == View::kSessions) {
    if (key.is('f')) freeze_session(state, out);
    press_session(state, key);
  }
  if (state.view == View::kHistory) press_history(state, key, out);
  if (repeated) state.sure = false;
}

}  // namespace tollgate::cli::top
