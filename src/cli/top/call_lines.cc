// The reading is the gate's own (docs/http.md); offsets in it are UTF-16 units of the text.
#include "cli/top/call_lines.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/line_difference.h"
#include "base/text.h"
#include "cli/gate_client.h"
#include "cli/top/text_lines.h"
#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

using json::Value;
using Lines = std::vector<Line>;

void append(Lines& out, Lines more) {
  out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::size_t number_of(const Value& value) {
  const std::string& text = value.number_text();
  if (text.empty() || text.size() > 12 || text.find_first_not_of("0123456789") != text.npos)
    return 0;
  return std::stoul(text);
}

// The byte at which each UTF-16 unit of a text begins.
std::vector<std::size_t> unit_places(std::string_view text) {
  std::vector<std::size_t> places;
  places.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    places.push_back(at);
    if (size == 4) places.push_back(at);
    at += size;
  }
  places.push_back(text.size());
  return places;
}

class Shell {
 public:
  explicit Shell(const Value& reading)
      : reading_(reading),
        text_(member_of(reading, "text").as_string()),
        places_(unit_places(text_)) {}

  Lines lines(std::size_t width) const {
    TextOptions options;
    options.width = width;
    options.first = {{"$ ", Style::kFaint}};
    options.rest = {{"  ", Style::kPlain}};
    for (const Value& command : member_of(reading_, "commands").items())
      options.marks.push_back(mark_of(member_of(command, "span"), Style::kCommand));
    for (const Value& span : member_of(reading_, "deciding").items())
      options.marks.push_back(mark_of(span, Style::kDeciding));
    return text_lines(text_, options);
  }

  Lines effects(std::size_t width) const {
    Lines out;
    for (const Value& command : member_of(reading_, "commands").items()) {
      std::vector<std::string> words;
      for (const Value& word : member_of(command, "argv").items())
        words.push_back(word.as_string());
      Line line = {
          {decides(command) ? "▸ " : "· ", decides(command) ? Style::kAsk : Style::kFaint}};
      const Line name =
          fitted(painted(join(words, " "), Style::kPlain), std::max<std::size_t>(width / 2, 12));
      for (const Piece& piece : name) add(line, piece.text, piece.style);
      if (decides(command)) add(line, "  decides", Style::kAsk);
      const Value& known = member_of(command, "known");
      if (known.kind() == json::Kind::kBool && !known.as_bool())
        add(line, "  may do more", Style::kAsk);
      out.push_back(fitted(line, width));
      append(out, effects_of(command, width));
    }
    if (const std::size_t more = number_of(member_of(reading_, "more")); more > 0)
      out.push_back({{"· and " + std::to_string(more) + " more commands, in the text above only",
                      Style::kFaint}});
    return out;
  }

 private:
  Mark mark_of(const Value& span, Style style) const {
    if (span.items().size() != 2) return {};
    const auto place = [&](std::size_t i) {
      return places_[std::min(number_of(span.items()[i]), places_.size() - 1)];
    };
    return {place(0), place(1), style};
  }
  bool decides(const Value& command) const {
    const Mark own = mark_of(member_of(command, "span"), Style::kPlain);
    return std::ranges::any_of(member_of(reading_, "deciding").items(), [&](const Value& span) {
      const Mark mark = mark_of(span, Style::kPlain);
      return mark.begin < own.end && mark.end > own.begin;
    });
  }

  static Lines effects_of(const Value& command, std::size_t width) {
    Lines out;
    for (const Value& effect : member_of(command, "effects").items()) {
      const std::string& text = effect.as_string();
      const std::size_t blank = std::min(text.find(' '), text.size());
      TextOptions options;
      options.width = width;
      options.first = {{"    " + padded(text.substr(0, blank), 8), Style::kFaint}};
      options.rest = {{std::string(12, ' '), Style::kPlain}};
      append(out,
             text_lines(std::string_view(text).substr(std::min(blank + 1, text.size())), options));
    }
    if (const std::size_t more = number_of(member_of(command, "more")); more > 0)
      out.push_back({{"    and " + std::to_string(more) + " more", Style::kFaint}});
    return out;
  }

  const Value& reading_;
  std::string text_;
  std::vector<std::size_t> places_;
};

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

constexpr std::size_t kAround = 3;  // unchanged lines that stay beside a change

std::vector<char> near_changes(const std::vector<LineStep>& steps, Folds folds) {
  std::vector<char> near(steps.size(), folds == Folds::kShown ? 1 : 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ' ') continue;
    const std::size_t from = i < kAround ? 0 : i - kAround;
    for (std::size_t k = from; k <= i + kAround && k < steps.size(); ++k) near[k] = 1;
  }
  return near;
}

Lines difference_lines(std::string_view before, std::string_view after, std::size_t width,
                       Folds folds) {
  const std::vector<std::string_view> a = lines_in(before), b = lines_in(after);
  const std::vector<LineStep> steps = line_steps(a, b);
  const std::vector<char> near = near_changes(steps, folds);
  Lines out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (near[i] == 0) {
      std::size_t end = i;
      while (end < steps.size() && near[end] == 0) ++end;
      out.push_back(
          {{"  ⋯ " + std::to_string(end - i) + " unchanged lines  [z] shows them", Style::kFaint}});
      i = end - 1;
      continue;
    }
    const char mark = steps[i].mark;
    TextOptions options;
    options.width = width;
    options.style = mark == '+' ? Style::kAdded : mark == '-' ? Style::kGone : Style::kFaint;
    options.first = {{std::string(1, mark) + " ", options.style}};
    options.rest = {{"  ", options.style}};
    append(out, text_lines((mark == '+' ? b : a)[steps[i].line], options));
  }
  return out;
}

Lines edit_lines(const Value& edit, const std::string& cwd, std::size_t width, Folds folds) {
  const Value& before = member_of(edit, "before");
  Line head = painted(near_path(member_of(edit, "path").as_string(), cwd), Style::kStrong);
  if (member_of(edit, "whole").as_bool()) add(head, "  the whole file", Style::kFaint);
  if (!before.is_string()) add(head, "  no present text to compare with", Style::kFaint);
  Lines out = {head};
  append(out,
         difference_lines(before.as_string(), member_of(edit, "after").as_string(), width, folds));
  return out;
}

Lines patch_lines(std::string_view patch, std::size_t width) {
  Lines out;
  for (const std::string_view line : lines_in(patch)) {
    TextOptions options;
    options.width = width;
    if (line.starts_with('+')) options.style = Style::kAdded;
    if (line.starts_with('-')) options.style = Style::kGone;
    if (line.starts_with("@@") || line.starts_with("***")) options.style = Style::kStrong;
    append(out, text_lines(line, options));
  }
  return out;
}

bool says(const Value& value, const Value& edit) {
  return value.is_string() &&
         (value == member_of(edit, "path") || value == member_of(edit, "before") ||
          value == member_of(edit, "after"));
}

// What the input has besides what was shown. SAFETY: only what was shown letter for letter is left
// out; a list of edits is, because each of them was.
Value rest_of(const Value& input, const Value& reading) {
  Value rest = Value::object();
  const std::vector<Value>& edits = member_of(reading, "edits").items();
  for (const auto& [name, value] : input.members()) {
    const bool shown = value.is_string() && (value == member_of(reading, "text") ||
                                             value == member_of(reading, "patch"));
    const bool edited =
        (name == "edits" && !edits.empty()) ||
        std::ranges::any_of(edits, [&](const Value& edit) { return says(value, edit); });
    if (!shown && !edited) rest.set(name, value);
  }
  return rest;
}

void add_leaf(Lines& out, Line head, const Value& value, std::size_t width) {
  TextOptions options;
  options.width = width;
  options.rest = {{std::string(columns_of(head), ' '), Style::kPlain}};
  options.first = std::move(head);
  std::string text = value.is_string() ? value.as_string() : value.number_text();
  if (value.is_null()) text = "null";
  if (value.kind() == json::Kind::kBool) text = value.as_bool() ? "true" : "false";
  if (value.is_array()) text = "[]";
  if (value.is_object()) text = "{}";
  if (value.is_string() && text.empty()) text = "\"\"";
  append(out, text_lines(text, options));
}

bool is_leaf(const Value& value) { return value.members().empty() && value.items().empty(); }

// How wide the names before the values of an object are, as far as they line up.
std::size_t names_width(const Value& value) {
  constexpr std::size_t kMost = 16;
  std::size_t widest = 0;
  for (const auto& [name, member] : value.members())
    if (is_leaf(member)) widest = std::max(widest, columns(visible(name)));
  return std::min(widest, kMost);
}

void add_branch(Lines& out, Line head, const Value& value, std::size_t width, std::size_t indent) {
  if (is_leaf(value)) {
    add(head, "  ");
    add_leaf(out, std::move(head), value, width);
    return;
  }
  out.push_back(std::move(head));
  append(out, tree_lines(value, width, indent + 2));
}

}  // namespace

// LIMIT: the depth of a value is bounded where it is read (json::Limits).
std::vector<Line> tree_lines(const Value& value, std::size_t width, std::size_t indent) {
  Lines out;
  const std::string blanks(std::min(indent, width / 2), ' ');
  const std::size_t names = names_width(value);
  for (const auto& [name, member] : value.members()) {
    Line head = {{blanks, Style::kPlain}};
    for (const Piece& piece : painted(name, Style::kStrong)) add(head, piece.text, piece.style);
    const std::size_t taken = columns_of(head) - blanks.size();
    if (is_leaf(member) && taken < names) add(head, std::string(names - taken, ' '));
    add_branch(out, std::move(head), member, width, indent);
  }
  for (const Value& item : value.items())
    add_branch(out, {{blanks + "-", Style::kFaint}}, item, width, indent);
  if (out.empty()) add_leaf(out, {{blanks, Style::kPlain}}, value, width);
  return out;
}

std::vector<Line> call_lines(const CallText& call, std::size_t width, Folds folds) {
  Lines out;
  if (member_of(call.reading, "text").is_string()) out = Shell(call.reading).lines(width);
  for (const Value& edit : member_of(call.reading, "edits").items())
    append(out, edit_lines(edit, call.cwd, width, folds));
  if (member_of(call.reading, "patch").is_string())
    append(out, patch_lines(member_of(call.reading, "patch").as_string(), width));
  const Value rest = rest_of(call.input, call.reading);
  if (!rest.members().empty() || out.empty()) append(out, tree_lines(rest, width));
  return out;
}

std::vector<Line> effect_lines(const CallText& call, std::size_t width) {
  if (!member_of(call.reading, "text").is_string()) return {};
  return Shell(call.reading).effects(width);
}

}  // namespace tollgate::cli::top
