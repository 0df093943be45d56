#include "cli/top/views.h"

#include <algorithm>

#include "audit/members.h"
#include "cli/gate_client.h"
#include "cli/top/draw.h"
#include "cli/top/question_lines.h"
#include "cli/top/text_lines.h"
#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

std::size_t width_of(const State& state) { return static_cast<std::size_t>(state.size.columns); }

void join_to(Line& line, const Line& more) {
  for (const Piece& piece : more) add(line, piece.text, piece.style);
}

// In a column: cut or filled up to its width.
void add_cell(Line& line, const std::string& text, std::size_t width, Style style) {
  const Line cell = fitted(painted(text, style), width);
  join_to(line, cell);
  add(line, std::string(width - columns_of(cell) + 1, ' '));
}

// The row that the cursor is on, all of it in one style; what is odd in it stays so.
Line chosen_row(const Line& line, std::size_t width) {
  Line out;
  for (const Piece& piece : line) {
    const bool odd = piece.style == Style::kHidden || piece.style == Style::kAlike;
    add(out, piece.text, odd ? piece.style : Style::kChosen);
  }
  if (const std::size_t taken = columns_of(out); taken < width)
    add(out, std::string(width - taken, ' '), Style::kChosen);
  return out;
}

Style style_of(const Question& question) {
  if (!question.is_open()) return Style::kFaint;
  if (member_of(question.brief, "breaker").as_bool()) return Style::kDeny;
  return is_escalation(question) ? Style::kAgent : Style::kStrong;
}

Line question_row(const Question& question, const State& state) {
  const std::size_t width = width_of(state);
  Line left = {{question.id == state.chosen ? "▸" : " ", Style::kKey}};
  const Style style = style_of(question);
  add_cell(left, chain_of(question), std::clamp<std::size_t>(width / 6, 8, 22), style);
  const std::string tool = is_escalation(question) ? "asks" : text_of(question.brief, "toolName");
  add_cell(left, tool, std::clamp<std::size_t>(width / 8, 6, 24), style);
  join_to(left, painted(summary_of(question), question.is_open() ? Style::kPlain : Style::kFaint));
  Line right;
  if (question.is_open() && member_of(question.brief, "breaker").as_bool())
    add(right, "breaker ", Style::kDeny);
  join_to(right, outcome_of(question, state));
  add(right, " ");
  const Line line = spread(left, fitted(right, width / 2), width);
  return question.id == state.chosen ? chosen_row(line, width) : line;
}

constexpr std::string_view kStateWords[][2] = {
    {"running", "running"}, {"waiting", "waits for you"}, {"idle", "idle"},
    {"ended", "ended"},     {"frozen", "frozen"},
};

Style session_style(const std::string& state) {
  if (state == "waiting") return Style::kAsk;
  if (state == "frozen") return Style::kDeny;
  return state == "running" ? Style::kAllow : Style::kFaint;
}

Style verdict_style(const std::string& verdict) {
  if (verdict == "allow") return Style::kAllow;
  if (verdict == "deny") return Style::kDeny;
  return verdict == "ask" ? Style::kAsk : Style::kFaint;
}

std::string own(const Value& session, std::string_view name) {
  const std::string& text = text_of(session, name);
  return text.empty() ? "own" : text;
}

std::size_t name_width(int depth) { return 20 - 2 * static_cast<std::size_t>(std::min(depth, 6)); }

// The window moves with the cursor.
std::size_t top_for(std::size_t chosen, int rows) {
  const auto height = static_cast<std::size_t>(std::max(rows, 1));
  return chosen < height ? 0 : chosen - height + 1;
}

// "2 of 5", among all that are in the list.
std::string position_of(const Question& question, const State& state) {
  const auto found = std::ranges::find(state.questions, question.id, &Question::id);
  return std::to_string(found - state.questions.begin() + 1) + " of " +
         std::to_string(state.questions.size());
}

// Up to which row heads of the chain lie where agents cannot rewrite them; "" where none has gone
// anywhere yet, or nothing is known.
std::string attested_words(const Value& record) {
  const std::int64_t last = integer_in(record, "last");
  if (last <= 0) return "";
  std::int64_t up_to = 0;
  for (const Value& place : member_of(record, "anchored").items())
    if (text_of(place, "weak").empty()) up_to = std::max(up_to, integer_in(place, "number"));
  if (up_to == 0) return "no row is attested ";
  const std::string since = last > up_to ? ", " + std::to_string(last - up_to) + " since" : "";
  return "attested to row " + std::to_string(up_to) + since + " ";
}

Line permission_head(const Question& question) {
  Line line;
  const bool breaker = member_of(question.brief, "breaker").as_bool();
  if (is_escalation(question)) {
    add(line, " ⚠ ", Style::kAgent);
    join_to(line, painted(chain_of(question), Style::kStrong));
    add(line, " ASKS", Style::kAgent);
    return line;
  }
  add(line, breaker ? " ⚠ BREAKER: " : " ⚠ PERMISSION: ", breaker ? Style::kDeny : Style::kAsk);
  join_to(line, painted(chain_of(question), Style::kStrong));
  add(line, " wants to use ");
  join_to(line, painted(text_of(question.brief, "toolName"), Style::kStrong));
  return line;
}

}  // namespace

std::vector<Line> list_lines(const State& state, int rows) {
  std::vector<Line> out;
  const auto found = std::ranges::find(state.questions, state.chosen, &Question::id);
  const auto chosen = static_cast<std::size_t>(
      found == state.questions.end() ? 0 : found - state.questions.begin());
  // A question on either side of the chosen one stays in sight.
  const auto height = static_cast<std::size_t>(std::max(rows, 0));
  std::size_t top = chosen + 2 > height ? chosen + 2 - height : 0;
  top = std::min(top, state.questions.size() > height ? state.questions.size() - height : 0);
  for (std::size_t i = top; i < top + height && i < state.questions.size(); ++i)
    out.push_back(question_row(state.questions[i], state));
  return out;
}

Line head_line(const State& state) {
  const std::size_t width = width_of(state);
  if (state.help) return {{" keys", Style::kStrong}};
  if (state.view == View::kSessions)
    return fitted(
        {{" agents as a tree: who runs, who waits for you, under which mode", Style::kStrong}},
        width);
  if (state.view == View::kHistory) {
    Line left = {{" the record, newest first", Style::kStrong}};
    if (state.history.row) left = {{" one row of the record", Style::kStrong}};
    if (!state.history.row && !state.history.rows.empty())
      join_to(left, painted(", times in " +
                                local_moment(state, text_of(state.history.rows[0], "at")).zone,
                            Style::kStrong));
    Line right;
    if (!state.history.grep.empty())
      join_to(right, painted("/" + state.history.grep + "  ", Style::kAsk));
    if (!state.history.verdict.empty())
      add(right, state.history.verdict + "  ", verdict_style(state.history.verdict));
    if (!state.history.row) add(right, attested_words(state.history.record), Style::kFaint);
    return spread(left, right, width);
  }
  const Question* question = chosen_question(state);
  if (question == nullptr) return {};
  Line right = outcome_of(*question, state);
  if (state.questions.size() > 1) add(right, "  " + position_of(*question, state), Style::kFaint);
  add(right, " ");
  return spread(permission_head(*question), fitted(right, width * 3 / 4), width);
}

std::vector<Line> session_lines(const State& state, std::size_t& top) {
  std::vector<Line> out;
  const Sessions& sessions = state.sessions;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < sessions.list.size(); ++i) {
    const Value& session = sessions.list[i];
    const std::string& is = text_of(session, "state");
    Line line = {
        {" " + std::string(static_cast<std::size_t>(sessions.depths[i]) * 2, ' '), Style::kPlain}};
    add(line, "● ", session_style(is));
    const std::string& agent = text_of(session, "agent");
    add_cell(line, agent.empty() ? "no name" : agent, name_width(sessions.depths[i]),
             is == "ended" ? Style::kFaint : Style::kStrong);
    for (const auto& [name, words] : kStateWords)
      if (name == is) add_cell(line, std::string(words), 13, session_style(is));
    add_cell(line, "mode " + own(session, "mode"), 16, Style::kPlain);
    add_cell(line, "answers " + own(session, "answer"), 15, Style::kPlain);
    join_to(line, painted(text_of(session, "cwd"), Style::kFaint));
    line = fitted(line, width_of(state));
    if (text_of(session, "id") == sessions.chosen) {
      chosen = i;
      line = chosen_row(line, width_of(state));
    }
    out.push_back(std::move(line));
  }
  if (out.empty())
    out.push_back({{sessions.loaded ? "   no agent has a session" : "   fetching the sessions …",
                    Style::kFaint}});
  top = top_for(chosen, frame_of(state).body);
  return out;
}

std::vector<Line> history_lines(const State& state, std::size_t& top) {
  std::vector<Line> out;
  const History& history = state.history;
  for (std::size_t i = 0; i < history.rows.size(); ++i) {
    const Value& row = history.rows[i];
    const std::string at = local_moment(state, text_of(row, "at")).text;
    const std::string& verdict = text_of(row, "verdict");
    Line line = {{" ", Style::kPlain}};
    add_cell(line, at.size() == 19 ? at.substr(5) : at, 14, Style::kFaint);
    add_cell(line, verdict.empty() ? text_of(row, "kind") : verdict, 8, verdict_style(verdict));
    add_cell(line, text_of(row, "agent"), 12, Style::kPlain);
    const std::string& tool = text_of(row, "tool");
    join_to(line, painted((tool.empty() || tool == "Bash" ? "" : tool + " ") + row_summary(row),
                          Style::kPlain));
    Line right;
    const std::string& by = text_of(row, "by");
    if (!by.empty()) join_to(right, painted(by + " ", Style::kFaint));
    line = spread(line, fitted(right, 14), width_of(state));
    out.push_back(i == history.chosen ? chosen_row(line, width_of(state)) : line);
  }
  if (out.empty())
    out.push_back(
        {{history.loaded ? "   nothing fits" : "   searching the record …", Style::kFaint}});
  top = top_for(history.chosen, frame_of(state).body);
  return out;
}

std::vector<Line> nothing_lines(const State& state) {
  std::vector<Line> out(2);
  out.push_back({{"   nothing is open", Style::kStrong}});
  out.push_back(
      {{state.link == Link::kLive ? "   a question rings when it comes" : "", Style::kFaint}});
  return out;
}

std::vector<Line> help_lines() {
  constexpr std::string_view kKeys[][2] = {
      {"y", "allow this call, once"},
      {"s", "allow it whenever this session makes it"},
      {"a", "always: a rule, for whom, until when; what it would have covered"},
      {"n", "deny, with a reason that the agent is told"},
      {"e", "another input; the gate judges it before it goes through"},
      {"g", "all questions that ask for the same stated reason"},
      {"j k", "the next question, the one before"},
      {"space b ↓ ↑", "read on, back, a line at a time"},
      {"z", "lines that an edit leaves as they are"},
      {"1 2 3 Tab", "questions, sessions, history"},
      {"f m w x F", "of a session: freeze, mode, who answers, end; freeze all"},
      {"/ v Enter r", "of the history: search, verdict, open, judge it today"},
      {"q Ctrl-C", "leave; questions stay open"},
  };
  std::vector<Line> out;
  for (const auto& [key, does] : kKeys)
    out.push_back(
        {{padded("   " + std::string(key), 17), Style::kKey}, {std::string(does), Style::kPlain}});
  out.emplace_back();
  out.push_back({{"   \\u202e", Style::kHidden},
                 {"  a character that hides, steers or turns the text", Style::kPlain}});
  out.push_back({{"   \\u043e", Style::kAlike},
                 {"  a character that passes for another one", Style::kPlain}});
  return out;
}

}  // namespace tollgate::cli::top
