// Words: braces first, then what stands for other text, then splitting, then patterns.
// Several ways are followed side by side; each part of a word is added to all of them.
// SAFETY: behind something unknown nothing more is known of a word, so nothing more is kept.
#include "effects/shell/expander.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "effects/shell/braces.h"
#include "effects/shell/environment.h"
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

using shell::Part;
using shell::PartKind;

constexpr std::string_view kBlanks = " \t\n";

Possible possible(std::string text) { return {.text = std::move(text)}; }

// `name=`, `name+=`, `name[…]=`: in such a word a `~` behind the sign counts, wherever it stands.
bool is_assignment(const shell::List<Part>& parts) {
  if (parts.empty() || parts[0].kind != PartKind::kLiteral) return false;
  const std::string_view text = parts[0].text;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  if (end == 0 || (text[0] >= '0' && text[0] <= '9')) return false;
  const std::string_view rest = text.substr(end);
  return rest.starts_with('=') || rest.starts_with("+=") || rest.starts_with('[');
}

// What makes a range of revisions of a name before it, or the beginning of that.
bool begins_range(std::string_view text) {
  constexpr std::string_view kRanges[] = {"..HEAD", "...HEAD"};
  return std::ranges::any_of(kRanges, [&](std::string_view one) { return one.starts_with(text); });
}

// Whether the name behind a `~` was put together by braces.
bool has_pieced_tilde(const Braces::Parts& parts) {
  return parts.size() > 1 && parts[0].kind == PartKind::kLiteral &&
         parts[0].text.starts_with('~') && parts[0].text.find('/') == std::string_view::npos &&
         parts[1].kind == PartKind::kLiteral && !parts[1].text.starts_with('/');
}

// Whether a `~` stands where it counts in a word like that.
bool has_tilde(const Braces::Parts& parts) {
  char before = 0;
  for (const Part& part : parts) {
    if (part.kind != PartKind::kLiteral) before = 0;
    if (part.kind != PartKind::kLiteral) continue;
    for (const char c : part.text) {
      if (c == '~' && (before == '=' || before == ':')) return true;
      before = c;
    }
  }
  return false;
}

// A letter that may mean something in a word without quotes.
constexpr std::array<bool, 256> kSpecial = [] {
  std::array<bool, 256> table = {};
  for (const char c : {'~', '{', '*', '?', '['}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();
bool is_special(char c) { return kSpecial[static_cast<unsigned char>(c)]; }

// A letter that patterns have a use for.
bool is_pattern_letter(char c) { return c == '*' || c == '?' || c == '[' || c == ']' || c == '\\'; }

}  // namespace

// ---- fields ----

std::optional<std::string_view> Expander::plain_text(const shell::Word& word) {
  if (word.parts.size() != 1) return std::nullopt;
  const Part* part = &word.parts[0];
  if (part->plain) return part->text;
  if (part->kind == PartKind::kDouble && part->parts.size() == 1 &&
      part->parts[0].kind == PartKind::kLiteral)
    part = &part->parts[0];
  else if (part->kind == PartKind::kLiteral ? std::ranges::any_of(part->text, is_special)
                                            : part->kind != PartKind::kSingle)
    return std::nullopt;
  return part->text;
}

// Whether there was no group: one takes its braces along.
static bool is_unchanged(const std::vector<Braces::Parts>& words, const shell::List<Part>& parts) {
  const auto length = [](const auto& all) {
    std::size_t sum = 0;
    for (const Part& part : all) sum += part.text.size();
    return sum;
  };
  return words.size() == 1 && length(words[0]) == length(parts);
}

std::vector<Expander::Fields> Expander::fields(const shell::Word& word) {
  const Span span = pinned_.empty() ? word.span : pinned_;
  if (const auto plain = plain_text(word)) return {{{.text = std::string(*plain), .span = span}}};
  const bool assigns = is_assignment(word.parts);
  if (!Braces::has_brace(word.parts)) {
    runner_.affords(0);  // where nothing is, that is told
    return fields_without_braces(word, span, assigns);
  }
  Braces braces;
  std::optional<std::vector<Braces::Parts>> words;
  if (runner_.affords(0)) words = braces.expand(word.parts);
  if (!runner_.affords(braces.letters())) words.reset();
  if (words && is_unchanged(*words, word.parts)) return fields_without_braces(word, span, assigns);
  // Whether a `~` counts behind the sign depends on whether there was a group at all.
  if (state_.no_braces || (assigns && words && std::ranges::any_of(*words, has_tilde)))
    words.reset();
  if (words && std::ranges::any_of(*words, has_pieced_tilde)) words.reset();
  if (!words) {
    // The expansions in it still happen.
    for (const Part& part : word.parts) expand({&part, 1}, How::kText);
    return {{{.text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true}}};
  }
  std::vector<Fields> all{{}};
  for (const Braces::Parts& parts : *words) {
    auto ways = fields_of({parts.data(), static_cast<std::uint32_t>(parts.size())}, span);
    if (ways.size() == 1) {
      for (Fields& before : all) before.insert(before.end(), ways[0].begin(), ways[0].end());
      continue;
    }
    std::vector<Fields> next;
    for (const Fields& before : all)
      for (const Fields& way : ways) {
        next.push_back(before);
        next.back().insert(next.back().end(), way.begin(), way.end());
      }
    all = std::move(next);
    if (all.size() > kMaxWordWays)
      return {
          {{.text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true}}};
  }
  return all;
}

std::vector<Expander::Fields> Expander::fields_without_braces(const shell::Word& word, Span span,
                                                              bool assigns) {
  const bool outer = std::exchange(assigns_, assigns);
  auto all = fields_of(word.parts, span);
  assigns_ = outer;
  return all;
}

// The same as add_part() for letters and quotes; false where anything else is in the word, or a
// `~`.
bool Expander::add_letters_of(const shell::List<Part>& parts, Quoted quoted, Building& way) const {
  for (const Part& part : parts) {
    switch (part.kind) {
      case PartKind::kLiteral:
        if (quoted == Quoted::kNo && part.text.find('~') != part.text.npos) return false;
        way.begun |= quoted == Quoted::kYes;
        letters(way, part.text, quoted == Quoted::kNo);
        break;
      case PartKind::kEscaped:
      case PartKind::kSingle:
        way.begun = true;
        letters(way, part.text, false);
        break;
      case PartKind::kDouble:
        way.begun = true;
        if (!add_letters_of(part.parts, Quoted::kYes, way)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

std::vector<Expander::Fields> Expander::fields_of(const shell::List<Part>& parts, Span span) {
  std::vector<Fields> all;
  Building only;
  if (add_letters_of(parts, Quoted::kNo, only)) {
    end_field(only);
    for (Word& word : only.done) word.span = span;
    all.push_back(std::move(only.done));
    return all;
  }
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
        .code = way.code,
        .identifier = way.identifier && way.text.empty()};
    if (way.whole_pattern) one = {.text = way.text, .rest = Rest::kPattern, .code = true};
    one.secret = way.secret;
    if (std::ranges::find(value, one) == value.end()) value.push_back(std::move(one));
  }
  if (value.size() > kMaxPossible) return unknown_value();
  return value;
}

Value Expander::value(const shell::Word& word) { return text_of(word, How::kText); }
Value Expander::assigned(const shell::Word& word) { return text_of(word, How::kAssigned); }
Value Expander::pattern(const shell::Word& word) { return text_of(word, How::kPattern); }
Value Expander::plain(const shell::Word& word) { return text_of(word, How::kPlain); }

Expander::Ways Expander::expand(const shell::List<Part>& parts, How how) {
  // A word inside a word is expanded on its own.
  Ways outer = std::exchange(ways_, Ways(1));
  const How outer_how = std::exchange(how_, how);
  const bool outer_assigns = how == How::kFields ? assigns_ : std::exchange(assigns_, false);
  const std::size_t from = how == How::kPattern || how == How::kPlain ? 0 : add_tilde(parts);
  if (from > 0 && from < parts[0].text.size()) {
    Part rest = parts[0];
    rest.text.remove_prefix(from);
    if (how_ == How::kAssigned)
      add_with_tildes(rest.text, parts.size() == 1);
    else
      add_part(rest, Quoted::kNo);
  }
  for (std::size_t i = from > 0 ? 1 : 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    const bool tildes = how_ == How::kAssigned || (assigns_ && how_ == How::kFields);
    if (tildes && part.kind == PartKind::kLiteral)
      add_with_tildes(part.text, i + 1 == parts.size());
    else
      add_part(part, Quoted::kNo);
  }
  how_ = outer_how;
  assigns_ = outer_assigns;
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
  add_home(text.substr(0, end));
  return end;
}

void Expander::add_home(std::string_view prefix) {
  if (prefix == "~") {
    const std::string directory = home();
    if (directory.empty()) return add_anything(Quoted::kYes);
    return add_quoted(directory);
  }
  // ~user, ~+ and ~-; where there is no such user the letters stay.
  Possible one = anything();
  one.operand = true;
  one.code = false;
  add_value({one}, Quoted::kYes);
}

// Where a `~` behind a colon counts, and in a word that looks like an assignment behind its sign.
void Expander::add_with_tildes(std::string_view text, bool last) {
  std::size_t from = 0;
  const std::size_t sign = assigns_ && how_ == How::kFields ? text.find('=') : text.npos;
  for (std::size_t at = text.find('~'); at != text.npos; at = text.find('~', at + 1)) {
    if (at == 0 || (text[at - 1] != ':' && at - 1 != sign)) continue;
    const std::size_t end = std::min(text.find_first_of("/:", at), text.size());
    add_literal(text.substr(from, at - from));
    from = end;
    // What follows may still belong to the name of a user.
    if ((end == text.size() && !last) || (state_.posix && how_ == How::kFields))
      add_anything(Quoted::kYes);
    else
      add_home(text.substr(at, end - at));
    at = end - 1;
  }
  add_literal(text.substr(from));
}

void Expander::add_parts(const shell::List<Part>& parts, Quoted quoted) {
  for (const Part& part : parts) add_part(part, quoted);
}

void Expander::add_part(const Part& part, Quoted quoted) {
  switch (part.kind) {
    case PartKind::kLiteral:
      if (quoted == Quoted::kYes) return add_quoted(part.text);
      return add_literal(part.text);
    case PartKind::kAnsi:
      // To other shells these are a `$` and quotes.
      if (state_.posix) return add_anything(Quoted::kYes);
      return add_quoted(part.text);
    case PartKind::kEscaped:
    case PartKind::kSingle:
      return add_quoted(part.text);
    case PartKind::kDouble:
    case PartKind::kLocale: {
      // "$@" without parameters is no field at all; any other empty quotes are one.
      const bool list = part.parts.size() == 1 && part.parts[0].kind == PartKind::kParameter;
      if (part.kind == PartKind::kLocale && state_.posix) {
        add_parts(part.parts, Quoted::kYes);
        return add_value({{.text = {}, .rest = Rest::kAnything, .code = true}}, Quoted::kYes);
      }
      if (!list) add_quoted("");
      add_parts(part.parts, Quoted::kYes);
      const bool lists = !list && std::ranges::any_of(part.parts, [](const Part& inner) {
        return inner.parameter != nullptr &&
               (inner.parameter->name == "@" || inner.parameter->subscript.literal() == "@");
      });
      // Where all that stands beside an empty list is empty, there may be no field.
      for (Building& way : ways_) {
        if (!lists || !way.text.empty() || way.rest != Rest::kNothing) continue;
        degrade(way);
        way.several = true;
      }
      return;
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
  if (way.rest != Rest::kNothing) {
    // With more text behind it, it may be a path after all, unless that makes a range of it.
    if (way.identifier) {
      way.behind += c;
      way.identifier = way.text.empty() && begins_range(way.behind);
    }
    // Nor is it a number any more, but several words, or text that arithmetic runs.
    if (c < '0' || c > '9') {
      way.number = false;
      way.code = true;
    }
    // With names that match it is as many words.
    way.several |= active && (c == '*' || c == '?' || c == '[');
    return;
  }
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

// One letter after the other; those that are only themselves at once.
void Expander::letters(Building& way, std::string_view text, bool active) {
  while (!text.empty()) {
    std::size_t plain = 0;
    if (!way.whole_pattern && way.rest == Rest::kNothing)
      while (plain < text.size() && !is_pattern_letter(text[plain])) ++plain;
    if (plain == 0) {
      letter(way, text[0], active);
      text.remove_prefix(1);
      continue;
    }
    way.begun = true;
    way.text += text.substr(0, plain);
    way.pattern += text.substr(0, plain);
    text.remove_prefix(plain);
  }
}

// Of a field that is more than one pattern only its beginning is known.
void Expander::degrade(Building& way) {
  const bool active = way.whole_pattern || way.joined || way.star || way.bracket;
  if (way.whole_pattern || way.joined)
    way.text = way.text.substr(0, way.text.find_first_of("*?[\\"));
  if (active && !way.whole_pattern && way.rest == Rest::kNothing) way.text.resize(way.literal);
  if (active) way.pattern = pattern_of(way.text);
  way.several |= way.star || way.bracket;
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
  for (Building& way : ways_) letters(way, text, active);
}

void Expander::add_quoted(std::string_view text) {
  for (Building& way : ways_) {
    way.begun = true;
    letters(way, text, false);
  }
}

void Expander::add_anything(Quoted quoted) { add_value({anything()}, quoted); }

void Expander::add_value(const Value& value, Quoted quoted) {
  const bool splits = quoted == Quoted::kNo && how_ == How::kFields;
  // In a pattern what a variable holds is a pattern, too, unless it is quoted.
  if (quoted == Quoted::kNo && how_ == How::kPattern) {
    const bool plain =
        value.size() == 1 && value[0].known() && value[0].text.find('\\') == std::string::npos;
    if (plain) return add_literal(value[0].text);
    for (Building& way : ways_) put(way, anything(), false);
    return;
  }
  if (ways_.size() > 1 && !runner_.affords(ways_.size() * size_of(value))) {
    Possible any = anything();
    any.secret = std::ranges::any_of(value, &Possible::secret);
    for (Building& way : ways_) {
      way.begun = way.begun || quoted == Quoted::kYes;
      put(way, any, splits);
    }
    return;
  }
  if (value.size() == 1) {
    for (Building& way : ways_) {
      if (quoted == Quoted::kYes) way.begun = true;
      if (splits && value[0].known() && !value[0].text.empty())
        split(way, value[0]);
      else
        put(way, value[0], splits);
    }
    return;
  }
  if (ways_.size() * value.size() > kMaxWordWays) return add_anything(quoted);
  Ways next;
  for (const Building& way : ways_)
    for (const Possible& one : value) {
      next.push_back(way);
      if (quoted == Quoted::kYes) next.back().begun = true;
      if (splits && one.known() && !one.text.empty())
        split(next.back(), one);
      else
        put(next.back(), one, splits);
    }
  ways_ = std::move(next);
}

void Expander::put(Building& way, const Possible& one, bool split) {
  if (one.known()) {
    letters(way, one.text, false);
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
  // `/proc/$$/environ`: whatever the number is, it is the name of a process.
  if (fresh && one.number && one.text.empty() && way.text == "/proc/" && !way.joined)
    return join_pattern(way, "*");
  const bool secret = way.secret;
  // `-j$(nproc)`: an option and its number.
  const bool counts = fresh && one.number && way.text.starts_with('-') && way.text.size() < 3;
  degrade(way);
  way.secret = secret;
  const std::string_view beginning =
      pattern ? std::string_view(one.text).substr(0, one.text.find_first_of("*?[\\"))
              : std::string_view(one.text);
  if (fresh) way.text += beginning;
  way.number = empty && one.number;
  way.operand = empty && one.operand;
  way.identifier = (empty && one.identifier) || counts;
  way.behind.clear();
  way.code = !one.number && (one.code || !empty);
  const bool one_word = one.number || one.identifier;
  if (split && !one_word) way.several = true;
  if (!split || one_word) way.begun = true;
  if (way.several) way.begun = true;
}

// Blanks in a value divide it into fields, and patterns in it are active.
void Expander::split(Building& way, const Possible& one) const {
  if (state_.odd_split) return put(way, anything(), true);
  for (const char c : one.text) {
    if (kBlanks.find(c) != kBlanks.npos) {
      next_field(way);
      continue;
    }
    letter(way, c, true);
    way.computed |= one.computed;
    way.secret |= one.secret;
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
    if (state_.fails_glob) runner_.may_fail();
  }
  word.known = word.rest == Rest::kNothing;
  return word;
}

void Expander::end_field(Building& way) const {
  if (way.begun) way.done.push_back(word_of(way));
}

// ---- lists: $@, $*, ${a[@]} ----

void Expander::add_list(std::span<const Value> values, char kind, Quoted quoted) {
  if (!runner_.affords(ways_.size() * size_of(values))) {
    for (Building& way : ways_) {
      put(way, anything(), quoted == Quoted::kNo);
      way.several = way.several || how_ == How::kFields;
    }
    return;
  }
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

// The same where each value that is not known stands for any number of words.
void Expander::add_listed(std::span<const Value> values) {
  if (!runner_.affords(ways_.size() * size_of(values))) return add_list(values, '@', Quoted::kYes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0)
      for (Building& way : ways_) next_field(way);
    add_value(values[i], Quoted::kYes);
    for (Building& way : ways_) way.several = way.several || !values[i][0].known();
  }
}

// ---- variables ----

std::string Expander::home() const {
  const Variable* variable = state_.find("HOME");
  if (variable == nullptr) return state_.forgotten ? std::string() : std::string(home_);
  const Value& value = variable->value;
  return value.size() == 1 && value[0].known() ? value[0].text : std::string();
}

const std::vector<Value>* Expander::elements_of(std::string_view name) const {
  const Variable* found = state_.find(name);
  const bool known = found != nullptr && found->array && found->elements_known;
  return known ? &found->elements : nullptr;
}

Value Expander::variable(std::string_view name) const {
  if (const Variable* found = state_.find(name)) {
    Value value = runner_.affords(found->value[0].text.size()) ? found->value : unknown_value();
    for (Possible& one : value) one.secret = one.secret || (!one.known() && names_secret(name));
    return value;
  }
  // These never change.
  const bool fixed = !state_.posix && (name == "PPID" || name == "UID" || name == "EUID");
  if (state_.forgotten && !fixed && !(name == "PWD" && state_.placed)) {
    Possible one = anything();
    one.secret = names_secret(name);
    return {one};
  }
  if (name == "HOME" && !home_.empty()) return known_value(std::string(home_));
  if (name == "PWD" && !state_.physical) {
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
  // To another shell most of them are variables like any other, and not set.
  if (std::ranges::find(kNumbers, name) != std::end(kNumbers) &&
      (!state_.posix || name == "PPID")) {
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
