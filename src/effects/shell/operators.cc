// What operators make of a value: `${x#a}`, `${x/a/b}`, `${x^}`, `${x:1}`, `${x@U}`.
// parameters.cc says which value that is, and what becomes of lists.
// SAFETY: what is not carried out here as bash does it gives a value that is not known.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "effects/programs/program.h"
#include "effects/shell/expander.h"
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

using shell::Parameter;
using shell::ParameterOp;

// Whether a pattern is matched here as bash does it: letters of one byte, and no classes by name.
bool is_followed(std::string_view pattern, std::string_view text) {
  const auto is_plain = [](char c) { return c > 0; };
  if (pattern.starts_with('~')) return false;
  if (pattern.find_first_of("*?[") == pattern.npos) return true;
  for (const std::string_view name : {"[:", "[.", "[="})
    if (pattern.find(name) != pattern.npos) return false;
  return std::ranges::all_of(text, is_plain) && std::ranges::all_of(pattern, is_plain);
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0; });
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Whether anything in a pattern is more than a letter.
bool has_active(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[' || pattern[i] == '~')
      return true;
  }
  return false;
}

// What has become of a known text.
Value made_of(std::string_view before, std::string after) {
  if (names_substitution(before) && after != before) return unknown_value();
  return known_value(std::move(after));
}

// Whether what a pattern matches may depend on that number.
bool may_match_number(std::string_view pattern) {
  return pattern.find_first_of("0123456789?[") != pattern.npos;
}

}  // namespace

bool names_substitution(std::string_view text) { return text.find(kSubstitutedFile) != text.npos; }

// # ## % %%
Value Expander::cut(const Value& whole, const Parameter& parameter) {
  const Value patterns = pattern(parameter.word);
  Value out;
  for (const Possible& one : whole)
    for (const Possible& want : patterns) {
      if (!one.known() || !want.known() || one.text.size() > 4096 ||
          !is_followed(want.text, one.text) || state_.odd_match ||
          (names_substitution(one.text) && may_match_number(want.text))) {
        Possible rest = anything();
        // What is left of a name is no option where the name was none and its beginning stays.
        rest.operand = one.operand && parameter.op == ParameterOp::kSuffix && want.known() &&
                       !want.text.starts_with('*');
        rest.number = false;
        add_possibilities(out, {rest});
        continue;
      }
      const std::string_view text = one.text;
      std::string left(text);
      const bool front = parameter.op == ParameterOp::kPrefix;
      for (std::size_t i = 0; i <= text.size(); ++i) {
        const std::size_t size = parameter.doubled ? text.size() - i : i;
        const std::string_view piece =
            front ? text.substr(0, size) : text.substr(text.size() - size);
        if (!shell_pattern_matches(want.text, piece)) continue;
        left = front ? text.substr(size) : text.substr(0, text.size() - size);
        break;
      }
      add_possibilities(out, made_of(text, std::move(left)));
    }
  return out;
}

// ${x/a/b}: where the pattern is only letters.
Value Expander::replaced(const Value& whole, const Parameter& parameter) {
  const Value wants = pattern(parameter.word);
  const Value puts = parameter.has_second ? value(parameter.second) : known_value("");
  if (state_.odd_match) return unknown_value();
  const bool plain = wants.size() == 1 && wants[0].known() && puts.size() == 1 && puts[0].known() &&
                     !has_active(wants[0].text) && puts[0].text.find('&') == std::string::npos &&
                     !wants[0].text.empty();
  if (!plain) return unknown_value();
  const std::string want = letters_of(wants[0].text);
  const std::string& put_in = puts[0].text;
  Value out;
  for (const Possible& one : whole) {
    if (!one.known() || (names_substitution(one.text) && may_match_number(want))) {
      add_possibilities(out, unknown_value());
      continue;
    }
    std::string text = one.text;
    if (parameter.letter == '#') {
      if (text.starts_with(want)) text = put_in + text.substr(want.size());
    } else if (parameter.letter == '%') {
      if (text.ends_with(want)) text = text.substr(0, text.size() - want.size()) + put_in;
    } else {
      std::string changed;
      std::size_t from = 0;
      for (std::size_t at = text.find(want); at != text.npos; at = text.find(want, from)) {
        if (!runner_.affords(put_in.size() + want.size())) return unknown_value();
        changed += text.substr(from, at - from) + put_in;
        from = at + want.size();
        if (!parameter.doubled) break;
      }
      text = changed + text.substr(from);
    }
    add_possibilities(out, made_of(one.text, std::move(text)));
  }
  return out;
}

Value Expander::cased(const Value& whole, const Parameter& parameter) {
  const bool every_letter = parameter.word.parts.empty();
  const Value wants = every_letter ? Value() : pattern(parameter.word);
  // Bash takes an expansion that gives nothing for no pattern, and `""` for one that fits nothing.
  const bool told = every_letter || (wants.size() == 1 && wants[0].known() &&
                                     !wants[0].text.empty() && !state_.odd_match);
  Value out;
  for (const Possible& one : whole) {
    const bool plain = one.known() && told && is_ascii(one.text) &&
                       (every_letter || is_followed(wants[0].text, one.text)) &&
                       runner_.affords(one.text.size());
    // Without a pattern one toggle counts for each word.
    if (!plain || (parameter.op == ParameterOp::kToggle && !parameter.doubled)) {
      add_possibilities(out, unknown_value());
      continue;
    }
    std::string text = one.text;
    for (std::size_t i = 0; i < text.size() && (parameter.doubled || i == 0); ++i) {
      if (!every_letter &&
          !shell_pattern_matches(wants[0].text, std::string_view(text).substr(i, 1)))
        continue;
      const bool small = text[i] >= 'a' && text[i] <= 'z';
      const bool raises =
          parameter.op == ParameterOp::kUpper || (parameter.op == ParameterOp::kToggle && small);
      text[i] = raises ? upper(text[i]) : lower(text[i]);
    }
    add_possibilities(out, made_of(one.text, std::move(text)));
  }
  return out;
}

// ${x@U}, ${x@u}, ${x@L}; ${x@E} and ${x@Q} where little is to be done.
Value Expander::transformed(const Value& whole, const Parameter& parameter) {
  const bool set = standing(parameter) == Standing::kSet;
  Value out;
  for (const Possible& one : whole) {
    const bool plain = one.known() && is_ascii(one.text) && runner_.affords(one.text.size());
    std::string text = one.text;
    bool told = plain;
    switch (parameter.letter) {
      case 'U':
        for (char& c : text) c = upper(c);
        break;
      case 'u':
        if (!text.empty()) text[0] = upper(text[0]);
        break;
      case 'L':
        for (char& c : text) c = lower(c);
        break;
      case 'E':
        told = told && text.find('\\') == text.npos;
        break;
      case 'Q':
        told = told && set &&
               std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '\''; });
        text = "'" + text + "'";
        break;
      default:
        told = false;
    }
    add_possibilities(out, told ? made_of(one.text, std::move(text)) : unknown_value());
  }
  return out;
}

// Bash does not come to it where the value is not set, or ends before the part begins.
std::optional<long> Expander::offset(const shell::Word& word, Span span) {
  const ShellState untaken = state_;
  const auto number = evaluated_offset(word, span);
  state_.join(untaken);
  return number;
}

// It is evaluated like any arithmetic.
std::optional<long> Expander::evaluated_offset(const shell::Word& word, Span span) {
  const Value text = plain(word);
  if (text.size() == 1 && text[0].known()) return evaluate(text[0].text, span);
  for (const Possible& one : text) {
    if (one.number) continue;
    if (one.known())
      evaluate(one.text, span, true);
    else
      runner_.cannot_follow("an offset that is not known is evaluated", span);
  }
  return std::nullopt;
}

// ${x:offset:length}
Value Expander::part_of(const Value& whole, const Parameter& parameter, Span span) {
  const auto first = offset(parameter.word, span);
  const auto length = parameter.has_second ? offset(parameter.second, span) : std::optional<long>();
  Value out;
  for (const Possible& one : whole) {
    const bool plain = one.known() && first && (!parameter.has_second || length) &&
                       std::ranges::all_of(one.text, [](char c) { return c > 0; });
    if (!plain) {
      if (parameter.has_second) runner_.may_fail();
      add_possibilities(out, unknown_value());
      continue;
    }
    const long size = static_cast<long>(one.text.size());
    const long from = *first < 0 ? size + *first : *first;
    if (from < 0 || from > size) {
      add_possibilities(out, known_value(""));
      continue;
    }
    const long count_of = length.value_or(size);
    const long end =
        count_of < 0 ? size + count_of : std::min(size, from + std::min(size, count_of));
    if (end < from) {
      runner_.may_fail();
      add_possibilities(out, unknown_value());
      continue;
    }
    add_possibilities(out, known_value(one.text.substr(static_cast<std::size_t>(from),
                                                       static_cast<std::size_t>(end - from))));
  }
  return out;
}

}  // namespace tollgate
