// From the top: the bar, the list, what is read, a form, a notice, the keys.
#include "cli/top/draw.h"

#include <algorithm>

#include "cli/gate_client.h"
#include "cli/top/question_lines.h"
#include "cli/top/text_lines.h"
#include "cli/top/views.h"
#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

constexpr int kFixedRows = 5;  // the bar, two rules, a notice, the keys

std::size_t width_of(const State& state) { return static_cast<std::size_t>(state.size.columns); }

Line rule_line(std::size_t width) {
  std::string line;
  for (std::size_t i = 0; i < width; ++i) line += "─";
  return {{line, Style::kFaint}};
}

Line bar(const State& state) {
  Line left = {{" tollgate  ", Style::kStrong}};
  const std::size_t open = open_count(state);
  const auto tab = [&](View view, const std::string& text, bool loud) {
    const bool here = state.view == view;
    add(left, here ? "[" + text + "]" : " " + text + " ",
        here   ? Style::kTitle
        : loud ? Style::kAsk
               : Style::kFaint);
  };
  tab(View::kQuestions, "1 questions" + (open > 0 ? " " + std::to_string(open) : std::string()),
      open > 0);
  tab(View::kSessions, "2 sessions", false);
  tab(View::kHistory, "3 history", false);
  Line right;
  if (const std::string& person = text_of(state.me, "person"); !person.empty()) {
    for (const Piece& piece : painted(person, Style::kFaint)) add(right, piece.text, piece.style);
    add(right, "  ");
  }
  if (state.link == Link::kLive) add(right, "● live ", Style::kAllow);
  if (state.link == Link::kConnecting) add(right, "○ connecting ", Style::kFaint);
  if (state.link == Link::kLost)
    add(right, "○ cut off " + span_text(state.now - state.link_since) + " ", Style::kBanner);
  return spread(left, right, width_of(state));
}

Line notice_line(const State& state) {
  const std::size_t width = width_of(state);
  if (!state.notice.empty())
    return fitted(
        {{" " + visible(state.notice), state.notice_is_bad ? Style::kAsk : Style::kAllow}}, width);
  if (state.link == Link::kLost)
    return fitted(
        {{" cut off: " + visible(state.link_why) + "; what you see is as it was, trying again",
          Style::kAsk}},
        width);
  const Question* question = chosen_question(state);
  if (state.view == View::kQuestions && question != nullptr && !question->problem.empty())
    return fitted({{" " + visible(question->problem), Style::kAsk}}, width);
  return {};
}

// `[y] once`: the key, then what it does.
void add_key(Line& line, std::string_view key, std::string_view does) {
  add(line, line.empty() ? " [" : "  [", Style::kFaint);
  add(line, std::string(key), Style::kKey);
  add(line, "]", Style::kFaint);
  add(line, std::string(does));
}

Line question_keys(const State& state) {
  Line line;
  const Question* question = chosen_question(state);
  if (question == nullptr || !question->is_open() || !question->sending.empty()) {
    if (state.questions.size() > 1) add_key(line, "j/k", " next");
    return line;
  }
  const std::string why = not_yet(state);
  if (!why.empty()) {
    add(line, " " + why, Style::kFaint);
    return line;
  }
  if (is_escalation(*question)) {
    const bool replies = takes_reply(*question);
    add_key(line, "y", replies ? " answer" : " approve");
    add_key(line, "n", replies ? "o" : "o, with a reason");
    return line;
  }
  add_key(line, "y", " once");
  if (is_teachable(*question)) {
    add_key(line, "s", "ession");
    add_key(line, "a", "lways");
  }
  add_key(line, "n", "o");
  add_key(line, "e", "dit");
  return line;
}

Line keys(const State& state) {
  Line line;
  if (state.form) {
    const bool several = std::ranges::any_of(
        state.form->fields, [](const Field& field) { return field.kind == FieldKind::kText; });
    add_key(line, several ? "Ctrl-D" : "Enter", " " + state.form->send);
    if (state.form->fields.size() > 1) add_key(line, "Tab", " next field");
    add_key(line, "Esc", " leave");
    return fitted(line, width_of(state));
  }
  if (state.help) return {{" any key goes back", Style::kFaint}};
  if (state.view == View::kQuestions) line = question_keys(state);
  if (state.view == View::kSessions)
    for (const auto& [key, does] :
         {std::pair("j/k", " move"), std::pair("f", "reeze"), std::pair("m", "ode"),
          std::pair("w", "ho answers"), std::pair("x", " end"), std::pair("F", " all")})
      add_key(line, key, does);
  if (state.view == View::kHistory && state.history.row)
    for (const auto& [key, does] : {std::pair("r", " judge it today"), std::pair("Esc", " back")})
      add_key(line, key, does);
  else if (state.view == View::kHistory)
    for (const auto& [key, does] : {std::pair("j/k", " move"), std::pair("Enter", " open"),
                                    std::pair("/", " search"), std::pair("v", "erdict")})
      add_key(line, key, does);
  add_key(line, "?", "");
  Line right;
  const auto rows = static_cast<std::size_t>(std::max(frame_of(state).body, 0));
  const Reader& reader = state.reader;
  const std::size_t end = std::min(reader.top + rows, reader.lines.size());
  const bool reads = state.view == View::kQuestions || state.history.row.has_value();
  if (reads && reader.lines.size() > rows)
    add(right,
        std::to_string(end) + "/" + std::to_string(reader.lines.size()) +
            (end < reader.lines.size() ? " ↓ " : " ↑ "),
        end < reader.lines.size() ? Style::kAsk : Style::kFaint);
  return spread(line, right, width_of(state));
}

Picture too_small(const State& state) {
  Picture picture;
  picture.lines.resize(static_cast<std::size_t>(std::max(state.size.rows, 0)));
  const std::string words[] = {
      "too small to read a call whole:",
      "needs " + std::to_string(kLeastSize.columns) + "×" + std::to_string(kLeastSize.rows) +
          ", has " + std::to_string(state.size.columns) + "×" + std::to_string(state.size.rows),
      std::to_string(open_count(state)) + " open; q leaves"};
  for (std::size_t i = 0; i < std::size(words) && i < picture.lines.size(); ++i)
    picture.lines[i] = fitted({{words[i], i == 0 ? Style::kAsk : Style::kPlain}}, width_of(state));
  return picture;
}

void put_window(std::vector<Line>& out, const std::vector<Line>& lines, std::size_t top, int rows) {
  for (int i = 0; i < rows; ++i) {
    const std::size_t at = top + static_cast<std::size_t>(i);
    out.push_back(at < lines.size() ? lines[at] : Line{});
  }
}

// What is in the window: `made` here, or the reader's own lines, which may be thousands.
const std::vector<Line>& body_lines(const State& state, std::vector<Line>& made, std::size_t& top) {
  top = 0;
  if (state.help)
    made = help_lines();
  else if (state.view == View::kSessions)
    made = session_lines(state, top);
  else if (state.view == View::kHistory && !state.history.row)
    made = history_lines(state, top);
  else if (state.view == View::kQuestions && chosen_question(state) == nullptr)
    made = nothing_lines(state);
  else {
    top = state.reader.top;
    return state.reader.lines;
  }
  return made;
}

}  // namespace

Frame frame_of(const State& state) {
  Frame frame;
  const auto count = static_cast<int>(state.questions.size());
  const int free = state.size.rows - kFixedRows;
  if (state.view == View::kQuestions && count > 1)
    frame.list = std::min(count, std::max(3, free / 4));
  if (state.form) {
    std::optional<Spot> cursor;
    const auto wanted = static_cast<int>(form_lines(*state.form, width_of(state), cursor).size());
    frame.form = std::min(wanted, free - frame.list - 1);
  }
  frame.body = std::max(free - frame.list - frame.form - (state.form ? 1 : 0), 0);
  return frame;
}

Picture draw(const State& state) {
  if (state.size.rows < kLeastSize.rows || state.size.columns < kLeastSize.columns)
    return too_small(state);
  const Frame frame = frame_of(state);
  const std::size_t width = width_of(state);
  Picture picture;
  std::vector<Line>& lines = picture.lines;
  lines.push_back(bar(state));
  for (Line& line : list_lines(state, frame.list)) lines.push_back(std::move(line));
  lines.push_back(rule_line(width));
  lines.push_back(head_line(state));
  std::size_t top = 0;
  std::vector<Line> made;
  const std::vector<Line>& body = body_lines(state, made, top);
  put_window(lines, body, top, frame.body);
  if (state.form) {
    lines.push_back(rule_line(width));
    std::optional<Spot> cursor;
    const std::vector<Line> form = form_lines(*state.form, width, cursor);
    const int hidden = static_cast<int>(form.size()) - frame.form;
    const int first = cursor ? std::clamp(cursor->row - frame.form + 1, 0, std::max(hidden, 0)) : 0;
    if (cursor)
      picture.cursor = Spot{cursor->row - first + static_cast<int>(lines.size()), cursor->column};
    put_window(lines, form, static_cast<std::size_t>(first), frame.form);
  }
  lines.push_back(notice_line(state));
  lines.push_back(keys(state));
  for (Line& line : lines) line = fitted(line, width);
  return picture;
}

}  // namespace tollgate::cli::top
