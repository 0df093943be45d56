// Parameter expansion: what `$x` and `${x…}` stand for, where that can be told.
// Operators are carried out on values that are known; on any other the result is not known.
// SAFETY: subscripts, `${!x}` and `${x@P}` can run what a value holds; unless it is harmless, the
// runner is told that it cannot be followed.
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "effects/shell/expander.h"
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

using shell::Parameter;
using shell::ParameterOp;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::optional<long> number_of(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// `@` or `*` where the parameter stands for a list of values.
char list_kind(const Parameter& parameter) {
  if (parameter.name == "@" || parameter.name == "*") return parameter.name[0];
  if (!parameter.subscripted) return 0;
  const std::string_view all = parameter.subscript.literal();
  return all == "@" || all == "*" ? all[0] : '\0';
}

Possible some_number() {
  Possible one = a_number();
  one.operand = one.identifier = true;
  return one;
}

}  // namespace

const Variable* Expander::array_of(const Parameter& parameter) const {
  const Variable* found = state_.find(parameter.name);
  return found != nullptr && found->array && found->elements_known ? found : nullptr;
}

void Expander::add_parameter(const Parameter& parameter, Span span, Quoted quoted) {
  const char list = list_kind(parameter);
  if (list == 0 || parameter.op == ParameterOp::kLength)
    return add_value(parameter_value(parameter, span), quoted);
  const bool own = parameter.name == "@" || parameter.name == "*";
  const bool plain = parameter.op == ParameterOp::kNone && !parameter.indirect;
  if (plain && own && state_.positional_known) return add_list(state_.positional, list, quoted);
  if (plain && !own)
    if (const Variable* array = array_of(parameter)) return add_list(array->elements, list, quoted);
  // What stands in its operands happens all the same.
  if (parameter.op != ParameterOp::kNone) {
    value(parameter.word);
    if (parameter.has_second) value(parameter.second);
  }
  if (parameter.op == ParameterOp::kTransform && parameter.letter == 'P')
    runner_.cannot_follow("`@P` expands what a variable holds", span);
  for (Building& way : ways_) {
    put(way, anything(), quoted == Quoted::kNo);
    way.several = how_ == How::kFields && (list == '@' || quoted == Quoted::kNo);
  }
}

Value Expander::plain_value(const Parameter& parameter, Span span) {
  const std::string_view name = parameter.name;
  if (name == "#") {
    if (state_.positional_known)
      return {{.text = std::to_string(state_.positional.size()), .number = true}};
    return {some_number()};
  }
  if (name == "?" || name == "$" || name == "!") return {some_number()};
  if (name == "-" || name == "_") return unknown_value();
  if (is_digits(name)) {
    const auto index = number_of(name).value_or(-1);
    if (index == 0) return state_.own_name;
    if (index < 0 || !state_.positional_known) return unknown_value();
    if (static_cast<std::size_t>(index) > state_.positional.size()) return known_value("");
    return state_.positional[static_cast<std::size_t>(index) - 1];
  }
  if (!parameter.subscripted) return variable(name);
  const Value subscript = value(parameter.subscript);
  const Variable* found = state_.find(name);
  const bool exact = subscript.size() == 1 && subscript[0].known();
  const auto index = exact ? number_of(subscript[0].text) : std::nullopt;
  if (!index && !(found != nullptr && found->map))
    for (const Possible& one : subscript) {
      if (one.number) continue;
      if (!one.known())
        runner_.cannot_follow("a subscript that is not known is evaluated", span);
      else
        evaluate(one.text, span);
    }
  if (index && found != nullptr && found->array && found->elements_known) {
    const long size = static_cast<long>(found->elements.size());
    const long at = *index < 0 ? size + *index : *index;
    return at >= 0 && at < size ? found->elements[static_cast<std::size_t>(at)] : known_value("");
  }
  if (index == 0 && found != nullptr && !found->array) return found->value;
  return unknown_value();
}

Value Expander::indirect_value(const Parameter& parameter, Span span) {
  if (parameter.op == ParameterOp::kNames || list_kind(parameter) != 0) return unknown_value();
  const Value names = plain_value(parameter, span);
  Value value;
  for (const Possible& one : names) {
    if (one.known() && is_name(one.text)) {
      add_possibilities(value, variable(one.text));
      continue;
    }
    if (!one.known() || one.text.find('[') != one.text.npos)
      runner_.cannot_follow(
          "`${!" + std::string(parameter.name) + "}` evaluates what the variable holds", span);
    add_possibilities(value, unknown_value());
  }
  return value;
}

Value Expander::parameter_value(const Parameter& parameter, Span span) {
  if (parameter.op == ParameterOp::kBad) {
    // SAFETY: bash gives up here, but for zsh `${(e)x}` and its like have a meaning.
    runner_.cannot_follow("an expansion that bash does not know", span);
    return unknown_value();
  }
  if (parameter.op == ParameterOp::kLength) {
    const char list = list_kind(parameter);
    const Variable* array = list != 0 ? array_of(parameter) : nullptr;
    if (array != nullptr) return {{.text = std::to_string(array->elements.size()), .number = true}};
    if (list != 0) return {some_number()};
    const Value whole = plain_value(parameter, span);
    if (whole.size() == 1 && whole[0].known() &&
        std::ranges::all_of(whole[0].text, [](char c) { return c > 0; }))
      return {{.text = std::to_string(whole[0].text.size()), .number = true}};
    return {some_number()};
  }
  Value whole = parameter.indirect ? indirect_value(parameter, span) : plain_value(parameter, span);
  const bool set = state_.find(parameter.name) != nullptr ||
                   (is_digits(parameter.name) && state_.positional_known);
  switch (parameter.op) {
    case ParameterOp::kNone:
      return whole;
    case ParameterOp::kDefault:
    case ParameterOp::kAssign: {
      const Value other = value(parameter.word);
      Value out;
      bool needs_other = !set;
      for (const Possible& one : whole) {
        const bool empty = one.known() && one.text.empty();
        if (!empty) add_possibilities(out, {one});
        if (empty && !parameter.colon) add_possibilities(out, {one});
        needs_other = needs_other || (empty && parameter.colon) ||
                      (!one.known() && one.text.empty() && parameter.colon);
      }
      if (needs_other || out.empty()) add_possibilities(out, other);
      if (parameter.op == ParameterOp::kAssign && is_name(parameter.name))
        state_.set(parameter.name, out);
      return out;
    }
    case ParameterOp::kError: {
      value(parameter.word);
      return whole;
    }
    case ParameterOp::kAlternative: {
      const Value other = value(parameter.word);
      Value out;
      for (const Possible& one : whole) {
        const bool empty = one.known() && one.text.empty() && parameter.colon;
        if (empty || !set || !one.known()) add_possibilities(out, known_value(""));
        if (!empty) add_possibilities(out, other);
      }
      return out;
    }
    case ParameterOp::kPrefix:
    case ParameterOp::kSuffix:
      return cut(whole, parameter);
    case ParameterOp::kReplace:
      return replaced(whole, parameter);
    case ParameterOp::kUpper:
    case ParameterOp::kLower:
    case ParameterOp::kToggle:
      return cased(whole, parameter);
    case ParameterOp::kSubstring:
      return part_of(whole, parameter, span);
    case ParameterOp::kTransform:
      if (parameter.letter == 'P') {
        const bool harmless = std::ranges::all_of(whole, [](const Possible& one) {
          return one.known() && one.text.find_first_of("$`\\") == one.text.npos;
        });
        if (harmless) return whole;
        for (const Possible& one : whole)
          runner_.runs_text("`@P` expands what a variable holds", one.known() ? one.text : "",
                            span);
      }
      return unknown_value();
    default:
      return unknown_value();
  }
}

// # ## % %%
Value Expander::cut(const Value& whole, const Parameter& parameter) {
  const Value patterns = pattern(parameter.word);
  Value out;
  for (const Possible& one : whole)
    for (const Possible& want : patterns) {
      if (!one.known() || !want.known() || one.text.size() > 4096) {
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
      add_possibilities(out, known_value(std::move(left)));
    }
  return out;
}

// ${x/a/b}: where the pattern is only letters.
Value Expander::replaced(const Value& whole, const Parameter& parameter) {
  const Value wants = pattern(parameter.word);
  const Value puts = parameter.has_second ? value(parameter.second) : known_value("");
  const bool plain = wants.size() == 1 && wants[0].known() && puts.size() == 1 && puts[0].known() &&
                     wants[0].text.find_first_of("*?[") == std::string::npos &&
                     puts[0].text.find('&') == std::string::npos && !wants[0].text.empty();
  if (!plain) return unknown_value();
  const std::string want = letters_of(wants[0].text);
  const std::string& put_in = puts[0].text;
  Value out;
  for (const Possible& one : whole) {
    if (!one.known()) {
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
        changed += text.substr(from, at - from) + put_in;
        from = at + want.size();
        if (!parameter.doubled) break;
      }
      text = changed + text.substr(from);
    }
    add_possibilities(out, known_value(std::move(text)));
  }
  return out;
}

Value Expander::cased(const Value& whole, const Parameter& parameter) {
  value(parameter.word);
  const bool every_letter = parameter.word.parts.empty();
  Value out;
  for (const Possible& one : whole) {
    const bool plain = one.known() && every_letter && parameter.op != ParameterOp::kToggle &&
                       std::ranges::all_of(one.text, [](char c) { return c > 0; });
    if (!plain) {
      add_possibilities(out, unknown_value());
      continue;
    }
    std::string text = one.text;
    for (std::size_t i = 0; i < text.size() && (parameter.doubled || i == 0); ++i) {
      char& c = text[i];
      if (parameter.op == ParameterOp::kUpper && c >= 'a' && c <= 'z')
        c = static_cast<char>(c - 'a' + 'A');
      else if (parameter.op == ParameterOp::kLower)
        c = lower(c);
    }
    add_possibilities(out, known_value(std::move(text)));
  }
  return out;
}

// ${x:offset:length}
Value Expander::part_of(const Value& whole, const Parameter& parameter, Span span) {
  const auto count = [&](const shell::Word& word) -> std::optional<long> {
    const Value text = value(word);
    if (text.size() == 1 && text[0].known())
      if (const auto number = number_of(text[0].text)) return number;
    for (const Possible& one : text) {
      if (one.number) continue;
      if (one.known())
        evaluate(one.text, span);
      else
        runner_.cannot_follow("an offset that is not known is evaluated", span);
    }
    return std::nullopt;
  };
  const auto offset = count(parameter.word);
  const auto length = parameter.has_second ? count(parameter.second) : std::optional<long>();
  Value out;
  for (const Possible& one : whole) {
    const bool plain = one.known() && offset && (!parameter.has_second || length) &&
                       std::ranges::all_of(one.text, [](char c) { return c > 0; });
    if (!plain) {
      add_possibilities(out, unknown_value());
      continue;
    }
    const long size = static_cast<long>(one.text.size());
    const long from = *offset < 0 ? size + *offset : *offset;
    if (from < 0 || from > size) {
      add_possibilities(out, known_value(""));
      continue;
    }
    long end = size;
    const long count_of = length.value_or(size);
    end = count_of < 0 ? size + count_of : std::min(size, from + std::min(size, count_of));
    if (end < from) {
      add_possibilities(out, unknown_value());
      continue;
    }
    add_possibilities(out, known_value(one.text.substr(static_cast<std::size_t>(from),
                                                       static_cast<std::size_t>(end - from))));
  }
  return out;
}

}  // namespace tollgate
