// Words: braces first, then what stands for other text, then splitting, then patterns.
// Several ways are followed side by side; each part of a word is added to all of them.
// SAFETY: behind something unknown nothing more is known of a word, so nothing more is kept.
#include "effects/shell/expander.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "effects/shell/braces.h"
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

using shell::Part;
using shell::PartKind;

// LIMIT: ways that one word may have.
constexpr std::size_t kMaxWays = 64;

constexpr std::string_view kBlanks = " \t\n";

Possible possible(std::string text) { return {.text = std::move(text)}; }

// Variables that hold what must not be shown or sent.
bool names_secret(std::string_view name) {
  const std::string low = lower(name);
  for (const std::string_view piece : {"secret", "password", "passwd", "token", "api_key", "apikey",
                                       "private_key", "access_key", "credential", "auth_key"})
    if (low.find(piece) != low.npos) return true;
  return false;
}

}  // namespace

// ---- fields ----

std::vector<Expander::Fields> Expander::fields(const shell::Word& word) {
  const Span span = pinned_.empty() ? word.span : pinned_;
  if (word.parts.size() == 1 && word.parts[0].kind == PartKind::kLiteral &&
      word.parts[0].text.find_first_of("~{*?[") == std::string_view::npos)
    return {{{.text = std::string(word.parts[0].text), .span = span}}};
  if (!Braces::has_brace(word.parts)) return fields_of(word.parts, span);
  Braces braces;
  const auto words = braces.expand(word.parts);
  if (!words) {
    // The expansions in it still happen.
    for (const Part& part : word.parts) expand({&part, 1}, How::kText);
    return {{{.text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true}}};
  }
  std::vector<Fields> all{{}};
  for (const Braces::Parts& parts : *words) {
    const auto ways = fields_of({parts.data(), static_cast<std::uint32_t>(parts.size())}, span);
    std::vector<Fields> next;
    for (const Fields& before : all)
      for (const Fields& way : ways) {
        next.push_back(before);
        next.back().insert(next.back().end(), way.begin(), way.end());
      }
    all = std::move(next);
    if (all.size() > kMaxWays)
      return {
          {{.text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true}}};
  }
  return all;
}

std::vector<Expander::Fields> Expander::fields_of(const shell::List<Part>& parts, Span span) {
  std::vector<Fields> all;
  for (Building& way : expand(parts, How::kFields)) {
    end_field(way);
    for (Word& word : way.done) word.span = span;
    if (std::ranges::find(all, way.done) == all.end()) all.push_back(std::move(way.done));
  }
  return all;
}

Value Expander::text_of(const shell::Word& word, How how) {
  Value value;
  for (const Building& way : expand(word.parts, how)) {
    Possible one{
        .text = how == How::kPattern && way.rest == Rest::kNothing ? way.pattern : way.text,
        .rest = way.rest,
        .number = way.number,
        .operand = way.operand,
        .code = way.code};
    if (way.whole_pattern) one = {.text = way.text, .rest = Rest::kPattern, .code = true};
    if (std::ranges::find(value, one) == value.end()) value.push_back(std::move(one));
  }
  if (value.size() > kMaxPossible) return unknown_value();
  return value;
}

Value Expander::value(const shell::Word& word) { return text_of(word, How::kText); }
Value Expander::assigned(const shell::Word& word) { return text_of(word, How::kAssigned); }
Value Expander::pattern(const shell::Word& word) { return text_of(word, How::kPattern); }

Expander::Ways Expander::expand(const shell::List<Part>& parts, How how) {
  // A word inside a word is expanded on its own.
  Ways outer = std::exchange(ways_, Ways(1));
  const How outer_how = std::exchange(how_, how);
  const std::size_t from = how == How::kPattern ? 0 : add_tilde(parts);
  if (from > 0 && from < parts[0].text.size()) {
    Part rest = parts[0];
    rest.text.remove_prefix(from);
    add_part(rest, Quoted::kNo);
  }
  for (std::size_t i = from > 0 ? 1 : 0; i < parts.size(); ++i) add_part(parts[i], Quoted::kNo);
  how_ = outer_how;
  return std::exchange(ways_, std::move(outer));
}

// How many letters of the first part it takes; none where the `~` is only a letter.
std::size_t Expander::add_tilde(const shell::List<Part>& parts) {
  if (parts.empty() || parts[0].kind != PartKind::kLiteral || !parts[0].text.starts_with('~'))
    return 0;
  const std::string_view text = parts[0].text;
  std::size_t end = text.find('/');
  if (how_ == How::kAssigned) end = std::min(end, text.find(':'));
  if (end == text.npos) {
    const bool more = parts.size() > 1 &&
                      !(parts[1].kind == PartKind::kLiteral && parts[1].text.starts_with('/'));
    if (more) return 0;
    end = text.size();
  }
  if (end == 1) {
    const std::string directory = home();
    if (directory.empty())
      add_anything(Quoted::kYes);
    else
      add_quoted(directory);
  } else {
    // ~user, ~+ and ~-; where there is no such user the letters stay.
    Possible one = anything();
    one.operand = true;
    one.code = false;
    add_value({one}, Quoted::kYes);
  }
  return end;
}

void Expander::add_parts(const shell::List<Part>& parts, Quoted quoted) {
  for (const Part& part : parts) add_part(part, quoted);
}

void Expander::add_part(const Part& part, Quoted quoted) {
  switch (part.kind) {
    case PartKind::kLiteral:
      if (quoted == Quoted::kYes) return add_quoted(part.text);
      if (how_ == How::kAssigned && part.text.find(":~") != part.text.npos) {
        for (Building& way : ways_) degrade(way);
        return add_anything(Quoted::kYes);
      }
      return add_literal(part.text);
    case PartKind::kEscaped:
    case PartKind::kSingle:
    case PartKind::kAnsi:
      return add_quoted(part.text);
    case PartKind::kDouble:
    case PartKind::kLocale: {
      // "$@" without parameters is no field at all; any other empty quotes are one.
      const bool list = part.parts.size() == 1 && part.parts[0].kind == PartKind::kParameter;
      if (!list) add_quoted("");
      return add_parts(part.parts, Quoted::kYes);
    }
    case PartKind::kParameter:
      return add_parameter(*part.parameter, part.span, quoted);
    case PartKind::kCommand:
    case PartKind::kBackquote:
      return add_value({runner_.output_of(part)}, quoted);
    case PartKind::kArithmetic:
      return add_value({arithmetic(*part.arithmetic)}, quoted);
    case PartKind::kProcessRead:
    case PartKind::kProcessWrite:
      return add_value({runner_.output_of(part)}, Quoted::kYes);
    case PartKind::kPattern:
      add_parts(part.parts, Quoted::kYes);
      return add_anything(quoted);
    case PartKind::kUnread:
      runner_.cannot_follow("part of a word", part.span);
      return add_anything(quoted);
  }
}

// ---- one letter after the other ----

void Expander::letter(Building& way, char c, bool active) {
  if (way.whole_pattern) {
    // More text around a name that matches: still a pattern, for what is only read.
    way.joined = true;
    way.whole_pattern = false;
    way.pattern = way.text;
  }
  way.begun = true;
  if (way.rest != Rest::kNothing) return;
  const bool special = active && (c == '*' || c == '?' || c == '[');
  if (special && !way.star && !way.bracket) way.literal = way.text.size();
  if (active) {
    way.star |= c == '*' || c == '?';
    way.closed |= c == ']' && way.bracket;
    way.bracket |= c == '[';
  }
  way.text += c;
  if (!active && (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\')) way.pattern += '\\';
  if (active && c == '\\') way.pattern += '\\';
  way.pattern += c;
}

// Of a field that is more than one pattern only its beginning is known.
void Expander::degrade(Building& way) {
  const bool active = way.whole_pattern || way.joined || way.star || way.bracket;
  if (way.whole_pattern || way.joined)
    way.text = way.text.substr(0, way.text.find_first_of("*?[\\"));
  if (active && !way.whole_pattern && way.rest == Rest::kNothing) way.text.resize(way.literal);
  if (active) way.pattern = pattern_of(way.text);
  way.rest = Rest::kAnything;
  way.code = true;
  way.whole_pattern = way.joined = way.star = way.bracket = way.closed = false;
  way.identifier = way.computed = false;
}

// A pattern behind text that is known, or behind another pattern.
void Expander::join_pattern(Building& way, std::string_view pattern) {
  if (way.whole_pattern) way.pattern = way.text;
  way.whole_pattern = false;
  way.joined = way.begun = true;
  way.pattern += pattern;
  way.text += pattern;
}

void Expander::add_literal(std::string_view text) {
  const bool active = how_ == How::kFields || how_ == How::kPattern;
  for (Building& way : ways_)
    for (const char c : text) letter(way, c, active);
}

void Expander::add_quoted(std::string_view text) {
  for (Building& way : ways_) {
    way.begun = true;
    for (const char c : text) letter(way, c, false);
  }
}

void Expander::add_anything(Quoted quoted) { add_value({anything()}, quoted); }

void Expander::add_value(const Value& value, Quoted quoted) {
  const bool splits = quoted == Quoted::kNo && how_ == How::kFields;
  if (value.size() == 1) {
    for (Building& way : ways_) {
      if (quoted == Quoted::kYes) way.begun = true;
      if (splits && value[0].known() && !value[0].text.empty())
        split(way, value[0].text);
      else
        put(way, value[0], splits);
    }
    return;
  }
  if (ways_.size() * value.size() > kMaxWays) return add_anything(quoted);
  Ways next;
  for (const Building& way : ways_)
    for (const Possible& one : value) {
      next.push_back(way);
      if (quoted == Quoted::kYes) next.back().begun = true;
      if (splits && one.known() && !one.text.empty())
        split(next.back(), one.text);
      else
        put(next.back(), one, splits);
    }
  ways_ = std::move(next);
}

void Expander::put(Building& way, const Possible& one, bool split) {
  if (one.known()) {
    for (const char c : one.text) letter(way, c, false);
    way.computed |= one.computed;
    way.secret |= one.secret;
    return;
  }
  way.secret |= one.secret;
  const bool empty = way.text.empty() && way.rest == Rest::kNothing && !way.whole_pattern;
  if (one.rest == Rest::kPattern && !split && empty && !way.star && !way.bracket) {
    way.text = one.text;
    way.whole_pattern = way.begun = true;
    return;
  }
  const bool pattern = one.rest == Rest::kPattern || one.rest == Rest::kJoined;
  if (pattern && !split && way.rest == Rest::kNothing && !way.star && !way.bracket)
    return join_pattern(way, one.text);
  const bool fresh = way.rest == Rest::kNothing;
  const bool secret = way.secret;
  degrade(way);
  way.secret = secret;
  const std::string_view beginning =
      pattern ? std::string_view(one.text).substr(0, one.text.find_first_of("*?[\\"))
              : std::string_view(one.text);
  if (fresh) way.text += beginning;
  way.number = empty && one.number;
  way.operand = empty && one.operand;
  way.identifier = empty && one.identifier;
  way.code = !one.number && (one.code || !empty);
  const bool one_word = one.number || one.identifier;
  if (split && !one_word) way.several = true;
  if (!split || one_word) way.begun = true;
  if (way.several) way.begun = true;
}

// Blanks in a value divide it into fields, and patterns in it are active.
void Expander::split(Building& way, std::string_view text) const {
  if (state_.odd_split) return put(way, anything(), true);
  for (const char c : text) {
    if (kBlanks.find(c) == kBlanks.npos)
      letter(way, c, true);
    else
      next_field(way);
  }
}

void Expander::next_field(Building& way) const {
  end_field(way);
  Fields done = std::move(way.done);
  way = Building{};
  way.done = std::move(done);
}

Word Expander::word_of(const Building& way) const {
  Word word;
  word.text = way.text;
  word.rest = way.rest;
  word.several = way.several;
  word.operand = way.operand;
  word.identifier = way.identifier;
  word.computed = way.computed;
  word.secret = way.secret;
  const bool glob = way.star || (way.bracket && way.closed);
  if (way.whole_pattern) {
    word.rest = Rest::kPattern;
  } else if (way.joined && way.rest == Rest::kNothing) {
    word.rest = Rest::kJoined;
    word.text = way.pattern;
  } else if (way.rest == Rest::kNothing && glob && !state_.no_glob) {
    word.rest = state_.odd_glob ? Rest::kAnything : Rest::kPattern;
    word.text = state_.odd_glob ? way.text.substr(0, way.literal) : way.pattern;
    word.several = true;
  }
  word.known = word.rest == Rest::kNothing;
  return word;
}

void Expander::end_field(Building& way) const {
  if (way.begun) way.done.push_back(word_of(way));
}

// ---- lists: $@, $*, ${a[@]} ----

void Expander::add_list(const std::vector<Value>& values, char kind, Quoted quoted) {
  if (how_ != How::kFields || (kind == '*' && quoted == Quoted::kYes)) {
    if (state_.odd_split) return add_anything(quoted);
    if (quoted == Quoted::kYes && how_ == How::kFields) add_quoted("");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) add_quoted(" ");
      add_value(values[i], Quoted::kYes);
    }
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0)
      for (Building& way : ways_) next_field(way);
    add_value(values[i], quoted);
  }
}

// ---- variables ----

std::string Expander::home() const {
  const Variable* variable = state_.find("HOME");
  if (variable == nullptr) return state_.forgotten ? std::string() : std::string(home_);
  const Value& value = variable->value;
  return value.size() == 1 && value[0].known() ? value[0].text : std::string();
}

Value Expander::variable(std::string_view name) const {
  if (const Variable* found = state_.find(name)) return found->value;
  if (state_.forgotten) return unknown_value();
  if (name == "HOME" && !home_.empty()) return known_value(std::string(home_));
  if (name == "PWD") {
    const Directories all = state_.everywhere();
    Value value;
    for (const std::string& directory : all)
      value.push_back(directory.empty()
                          ? Possible{.text = "/", .rest = Rest::kAnything, .code = true}
                          : possible(directory));
    if (!value.empty()) return value;
  }
  constexpr std::string_view kNumbers[] = {"RANDOM", "SECONDS", "LINENO",  "EPOCHSECONDS", "UID",
                                           "EUID",   "PPID",    "SRANDOM", "BASHPID",      "SHLVL"};
  if (std::ranges::find(kNumbers, name) != std::end(kNumbers)) {
    Possible one = a_number();
    one.operand = one.identifier = true;
    return {one};
  }
  Possible one = anything();
  one.secret = names_secret(name);
  constexpr std::string_view kNames[] = {"USER", "LOGNAME", "HOSTNAME", "HOSTTYPE", "OSTYPE"};
  if (std::ranges::find(kNames, name) != std::end(kNames)) one.operand = one.identifier = true;
  return {one};
}

}  // namespace tollgate
