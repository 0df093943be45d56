#include "cli/top/question_lines.h"

#include <algorithm>

#include "base/text.h"
#include "cli/gate_client.h"
#include "cli/quorum_text.h"
#include "cli/top/text_lines.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli::top {
namespace {

using json::Value;
using Lines = std::vector<Line>;

constexpr std::size_t kLabel = 7;  // the column that the contents stand in

// A name at the left and a text beside it.
void add_labelled(Lines& out, std::string_view label, std::string_view text, std::size_t width,
                  Style style, Manner manner, Breaks breaks = Breaks::kBetweenWords) {
  TextOptions options;
  options.width = width;
  options.style = style;
  options.manner = manner;
  options.breaks = breaks;
  options.first = {{padded(" " + std::string(label), kLabel), Style::kFaint}};
  options.rest = {{std::string(kLabel, ' '), Style::kPlain}};
  for (Line& line : text_lines(text, options)) out.push_back(std::move(line));
}

void add_inset(Lines& out, std::string_view label, const Lines& lines) {
  bool first = true;
  for (const Line& line : lines) {
    Line inset = {{padded(first ? " " + std::string(label) : "", kLabel), Style::kFaint}};
    for (const Piece& piece : line) add(inset, piece.text, piece.style);
    out.push_back(std::move(inset));
    first = false;
  }
}

void add_why(Lines& out, const Value& whole, std::size_t width) {
  bool first = true;
  for (const Value& reason : member_of(whole, "why").items()) {
    add_labelled(out, first ? "why" : "also", text_of(reason, "text"), width,
                 first ? Style::kStrong : Style::kPlain, Manner::kCode);
    const std::string& rule = text_of(reason, "rule");
    const std::string& source = text_of(reason, "source");
    if (!rule.empty() || !source.empty()) {
      Line line = {{std::string(kLabel, ' '), Style::kPlain}};
      for (const Piece& piece : painted(rule, Style::kAsk)) add(line, piece.text, piece.style);
      for (const Piece& piece : painted((rule.empty() ? "" : "  ") + source, Style::kFaint))
        add(line, piece.text, piece.style);
      out.push_back(std::move(line));
    }
    first = false;
  }
}

// A plan, and whatever else the client wants a yes to with it.
Lines plan_lines(const Value& input, std::size_t width) {
  TextOptions options;
  options.width = width;
  options.manner = Manner::kProse;
  options.breaks = Breaks::kBetweenWords;
  Lines out = text_lines(text_of(input, "plan"), options);
  Value rest = Value::object();
  for (const auto& [name, value] : input.members())
    if (name != "plan") rest.set(name, value);
  if (rest.members().empty()) return out;
  for (Line& line : tree_lines(rest, width)) out.push_back(std::move(line));
  return out;
}

// A question that is no permission: its text, and what can be chosen.
Lines asked_lines(const Value& input, std::size_t width) {
  Lines out;
  const auto put = [&](const Value& asked) {
    TextOptions options;
    options.width = width;
    options.style = Style::kStrong;
    options.manner = Manner::kProse;
    options.breaks = Breaks::kBetweenWords;
    for (Line& line : text_lines(text_of(asked, "question"), options))
      out.push_back(std::move(line));
    int number = 0;
    for (const Value& option : member_of(asked, "options").items()) {
      options.style = Style::kPlain;
      options.first = {{"  " + std::to_string(++number) + "  ", Style::kKey}};
      options.rest = {{"     ", Style::kPlain}};
      std::string text = option.is_object() ? text_of(option, "label") : option.as_string();
      if (const std::string& more = text_of(option, "description"); !more.empty())
        text += "\n" + more;
      for (Line& line : text_lines(text, options)) out.push_back(std::move(line));
      options.first = options.rest = {};
    }
  };
  for (const Value& asked : member_of(input, "questions").items()) put(asked);
  if (out.empty() && !text_of(input, "question").empty()) put(input);
  if (out.empty() && !text_of(input, "plan").empty()) return plan_lines(input, width);
  if (out.empty()) out = tree_lines(input, width);
  return out;
}

void add_words(Lines& out, const Value& whole, std::size_t width) {
  const std::string& reason = text_of(whole, "reason");
  const Value& context = member_of(whole, "context");
  const std::vector<Value>& recent = member_of(context, "recent").items();
  const std::vector<Value>& messages = member_of(context, "messages").items();
  if (reason.empty() && recent.empty() && messages.empty()) return;
  out.emplace_back();
  out.push_back(
      {{" the agent's own words", Style::kAgent}, {", which nobody has checked", Style::kFaint}});
  if (!reason.empty()) add_labelled(out, "says", reason, width, Style::kAgent, Manner::kProse);
  for (const Value& call : recent)
    add_labelled(
        out, &call == recent.data() ? "did" : "",
        text_of(call, "verdict") + "  " + text_of(call, "tool") + "  " + text_of(call, "text"),
        width, Style::kAgent, Manner::kCode);
  for (const Value& message : messages)
    add_labelled(out, &message == messages.data() ? "wrote" : "",
                 text_of(message, "role") + ": " + text_of(message, "text"), width, Style::kAgent,
                 Manner::kProse);
}

void add_votes(Lines& out, const Value& brief, std::size_t width) {
  for (const Value& vote : member_of(brief, "votes").items()) {
    const bool allow = member_of(vote, "allow").as_bool();
    const std::string& reason = text_of(vote, "reason");
    add_labelled(out, "voted",
                 text_of(vote, "person") + (allow ? ": allow" : ": deny") +
                     (text_of(vote, "key").empty() ? "" : ", touched " + text_of(vote, "key")) +
                     (reason.empty() ? "" : ", " + reason),
                 width, allow ? Style::kAllow : Style::kDeny, Manner::kProse);
  }
  for (const std::string& line : quorum_lines(brief))
    add_labelled(out, "needs", line, width, Style::kAsk, Manner::kProse);
}

std::string main_text(const Value& input) {
  for (const std::string_view name :
       {"command", "file_path", "path", "url", "question", "pattern", "notebook_path"})
    if (const Value& value = member_of(input, name); value.is_string()) return value.as_string();
  const std::vector<Value>& questions = member_of(input, "questions").items();
  if (!questions.empty()) return text_of(questions[0], "question");
  return json::write(input);
}

Line ended(const Question& question) {
  const Value& answer = member_of(question.brief, "answer");
  const std::string& how = text_of(question.brief, "state");
  const bool yes = how == "approved";
  Line line = {{(yes ? "✔ " : "✘ ") + how, yes ? Style::kAllow : Style::kDeny}};
  if (const std::string& by = text_of(answer, "by"); !by.empty()) {
    add(line, " by ", Style::kFaint);
    for (const Piece& piece : painted(by, Style::kPlain)) add(line, piece.text, piece.style);
  }
  if (!question.said.empty()) add(line, "  recorded", Style::kAllow);
  if (!text_of(question.brief, "deliveredAt").empty())
    add(line, "  delivered to the agent", Style::kAllow);
  else if (!text_of(question.brief, "goneAt").empty())
    add(line, "  agent gone", Style::kAsk);
  else if (how == "approved" || how == "denied")
    add(line, "  not delivered yet", Style::kFaint);
  return line;
}

}  // namespace

std::vector<Line> question_lines(const Question& question, std::size_t width, Folds folds,
                                 std::size_t& call_end) {
  Lines out;
  const Value& whole = question.whole;
  if (whole.is_null()) {
    out.push_back({{"   fetching the whole call …", Style::kFaint}});
    return out;
  }
  const std::size_t inner = width > kLabel + 1 ? width - kLabel - 1 : width;
  add_why(out, whole, width - 1);
  add_labelled(out, "in", text_of(whole, "cwd"), width - 1, Style::kPlain, Manner::kCode);
  out.emplace_back();
  const CallText call = {.input = member_of(whole, "toolInput"),
                         .reading = member_of(whole, "reading"),
                         .cwd = text_of(whole, "cwd")};
  if (is_escalation(question))
    add_inset(out, "asks", asked_lines(call.input, inner));
  else
    add_inset(out, "call", call_lines(call, inner, folds));
  call_end = out.size();
  if (const Lines effects = effect_lines(call, inner); !effects.empty()) {
    out.emplace_back();
    add_inset(out, "does", effects);
  }
  add_words(out, whole, width - 1);
  add_votes(out, question.brief, width - 1);
  return out;
}

std::string summary_of(const Question& question) {
  const std::string text = question.whole.is_null()
                               ? text_of(question.brief, "summary")
                               : main_text(member_of(question.whole, "toolInput"));
  return near_path(text, text_of(question.brief, "cwd"));
}

std::string chain_of(const Question& question) {
  std::string out;
  for (const Value& agent : member_of(question.brief, "chain").items())
    out += (out.empty() ? "" : " < ") + (agent.as_string().empty() ? "default" : agent.as_string());
  return out.empty() ? "default" : out;
}

std::string span_text(Millis milliseconds) {
  const Millis seconds = std::max<Millis>((milliseconds + 999) / 1000, 0);
  const auto two = [](Millis n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  if (seconds >= 2 * 86'400)
    return std::to_string(seconds / 86'400) + "d " + std::to_string(seconds % 86'400 / 3'600) + "h";
  if (seconds >= 3'600)
    return std::to_string(seconds / 3'600) + ":" + two(seconds % 3'600 / 60) + ":" +
           two(seconds % 60);
  return std::to_string(seconds / 60) + ":" + two(seconds % 60);
}

Line outcome_of(const Question& question, const State& state) {
  if (!question.sending.empty()) return {{"sending: " + visible(question.sending), Style::kAsk}};
  if (!question.is_open()) return ended(question);
  Line line;
  if (!text_of(question.brief, "goneAt").empty()) add(line, "agent gone  ", Style::kAsk);
  const std::optional<Millis> until = moment_ms(text_of(question.brief, "expiresAt"));
  if (!until) {
    add(line, "waits", Style::kFaint);
    return line;
  }
  const Millis left = *until - (state.now + state.offset);
  add(line, span_text(left), left < 30'000 ? Style::kDeny : Style::kAsk);
  return line;
}

std::string row_summary(const Value& row) {
  const Value& record = member_of(row, "record");
  const Value& input = member_of(member_of(record, "call"), "input");
  if (input.is_object()) return main_text(input);
  constexpr std::string_view kSilent[] = {"digest", "callId", "session", "parent", "grant", "from"};
  std::string out;
  for (const auto& [name, value] : record.members()) {
    if (value.as_string().empty() || std::ranges::find(kSilent, name) != std::end(kSilent))
      continue;
    out += (out.empty() ? "" : ", ") + (name == "act" ? "" : name + " ") + value.as_string();
  }
  if (out.empty() && text_of(row, "kind") == "question") return "put to people";
  return out.empty() ? text_of(row, "kind") : out;
}

std::vector<Line> row_lines(const Value& row, const std::optional<Value>& replayed,
                            const std::string& at, std::size_t width) {
  Lines out;
  const auto fact = [&](std::string_view label, std::string_view name) {
    if (const std::string& text = text_of(row, name); !text.empty())
      add_labelled(out, label, text, width - 1, Style::kPlain, Manner::kCode);
  };
  add_labelled(out, "at", at, width - 1, Style::kPlain, Manner::kCode);
  fact("kind", "kind");
  fact("agent", "agent");
  fact("said", "verdict");
  fact("rule", "rule");
  fact("by", "by");
  out.emplace_back();
  TextOptions options;
  options.width = width - 2;
  options.first = options.rest = {{" ", Style::kPlain}};
  if (replayed) {
    const bool changed = member_of(*replayed, "changed").as_bool();
    out.push_back(
        {{changed ? " today's policy says something else" : " today's policy says the same",
          changed ? Style::kAsk : Style::kAllow}});
    for (Line& line : text_lines(text_of(*replayed, "explanation"), options))
      out.push_back(std::move(line));
    out.push_back({{" as it was then", Style::kFaint}});
  }
  if (const std::string& text = text_of(row, "explanation"); !text.empty()) {
    for (Line& line : text_lines(text, options)) out.push_back(std::move(line));
    return out;
  }
  add_inset(out, "row", tree_lines(member_of(row, "record"), width - kLabel - 1));
  return out;
}

}  // namespace tollgate::cli::top
