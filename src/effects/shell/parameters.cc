// Parameter expansion: what `$x` and `${x…}` stand for, where that can be told.
// operators.cc carries operators out on values that are known; else the result is not known.
// SAFETY: subscripts, `${!x}` and `${x@P}` can run what a value holds; unless it is harmless, the
// runner is told that it cannot be followed.
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "effects/programs/program.h"
#include "effects/shell/builtin_words.h"
#include "effects/shell/expander.h"
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

using shell::Parameter;
using shell::ParameterOp;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
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
  // `${}`, and a subscript behind what has no elements.
  const bool bad = parameter.name.empty() || (parameter.subscripted && !is_name(parameter.name));
  if (bad && parameter.op != ParameterOp::kBad) {
    runner_.cannot_follow("an expansion that bash does not know", span);
    runner_.may_fail();
    return add_anything(quoted);
  }
  const char list = list_kind(parameter);
  if (parameter.op == ParameterOp::kNames) {
    for (Building& way : ways_) {
      put(way, anything(), quoted == Quoted::kNo);
      way.several = way.several || how_ == How::kFields;
    }
    return;
  }
  const bool chooses =
      parameter.op == ParameterOp::kDefault || parameter.op == ParameterOp::kAlternative;
  if (list == 0 && chooses) {
    const Standing set = standing(parameter);
    const Value whole =
        parameter.indirect ? indirect_value(parameter, span) : plain_value(parameter, span);
    Value own;
    bool other = false;
    for (const Possible& one : whole) {
      const bool takes = takes_own(one, parameter, set);
      other = other || takes_other(one, parameter, set);
      if (takes && parameter.op == ParameterOp::kDefault) add_possibilities(own, {one});
      if (takes && parameter.op == ParameterOp::kAlternative)
        add_possibilities(own, known_value(""));
    }
    return add_chosen(own, other, parameter.word, quoted);
  }
  const bool secret = is_name(parameter.name) && parameter.op != ParameterOp::kLength &&
                      std::ranges::any_of(variable(parameter.name), &Possible::secret);
  if (list == 0 || parameter.op == ParameterOp::kLength) {
    Value found = parameter_value(parameter, span);
    for (Possible& one : found) one.secret = one.secret || secret;
    return add_value(found, quoted);
  }
  const bool own = parameter.name == "@" || parameter.name == "*";
  const bool plain = parameter.op == ParameterOp::kNone && !parameter.indirect;
  if (plain && own && state_.positional_known) return add_list(state_.positional, list, quoted);
  const bool listed =
      !state_.positional_listed.empty() && state_.positional_listed == state_.directories;
  if (plain && own && listed && list == '@' && quoted == Quoted::kYes && how_ == How::kFields)
    return add_listed(state_.positional);
  if (plain && !own)
    if (const Variable* array = array_of(parameter)) return add_list(array->elements, list, quoted);
  // What stands in its operands happens all the same.
  if (parameter.op == ParameterOp::kSubstring) {
    const auto first = offset(parameter.word, span);
    const auto length =
        parameter.has_second ? offset(parameter.second, span) : std::optional<long>();
    const bool placed = first && (!parameter.has_second || (length && *length >= 0));
    // Of a list there is no negative length.
    if (parameter.has_second && !placed) runner_.may_fail();
    const auto items =
        placed && !parameter.indirect ? slice_of(parameter, *first, length) : std::nullopt;
    if (items) return add_list(*items, list, quoted);
  } else if (parameter.op != ParameterOp::kNone) {
    value(parameter.word);
    if (parameter.has_second) value(parameter.second);
  }
  if (parameter.op == ParameterOp::kTransform && parameter.letter == 'P')
    runner_.cannot_follow("`@P` expands what a variable holds", span);
  for (Building& way : ways_) {
    put(way, anything(), quoted == Quoted::kNo);
    way.several |= how_ == How::kFields && (list == '@' || quoted == Quoted::kNo);
    way.secret = way.secret || secret;
  }
}

// ${x[@]:first:length}; nothing where the list is not known, or has the shell's own name in it.
std::optional<std::vector<Value>> Expander::slice_of(const Parameter& parameter, long first,
                                                     std::optional<long> length) const {
  const bool own = parameter.name == "@" || parameter.name == "*";
  std::span<const Value> values;
  if (own) {
    if (!state_.positional_known) return std::nullopt;
    values = state_.positional;
  } else {
    const Variable* const array = array_of(parameter);
    if (array == nullptr) return std::nullopt;
    values = array->elements;
  }
  // The parameters are counted from 1 on; 0 is the name.
  const long before = own ? 1 : 0, size = static_cast<long>(values.size()) + before;
  if (first < 0) first += size;
  std::vector<Value> items;
  if (first < 0 || first >= size) return items;
  if (first < before) return std::nullopt;
  const long end = first + std::min(length.value_or(size), size - first);
  for (long i = first; i < end; ++i) items.push_back(values[static_cast<std::size_t>(i - before)]);
  return items;
}

// Of the ways that take the word behind the operator, and of those that do not.
void Expander::add_chosen(const Value& own, bool other, const shell::Word& word, Quoted quoted) {
  if (quoted == Quoted::kYes)
    for (Building& way : ways_) way.begun = true;
  const bool plain_word = std::ranges::all_of(word.parts, [](const shell::Part& part) {
    return part.parts.empty() && part.parameter == nullptr && part.script == nullptr &&
           part.arithmetic == nullptr && !part.refused;
  });
  if (!other) {
    // What stands in it does not happen, but it is written.
    if (!plain_word) {
      const ShellState untaken = state_;
      value(word);
      state_ = untaken;
    }
    return add_value(own, quoted);
  }
  if (own.empty()) return add_operand(word, quoted);
  const Ways before = ways_;
  const bool afforded = runner_.affords(ways_.size() * sizeof(Building) / 4);
  std::optional<ShellState> untaken;
  if (!plain_word) untaken = state_;
  add_operand(word, quoted);
  if (untaken) state_.join(*untaken);
  Ways taken = std::exchange(ways_, before);
  if (!afforded || taken.size() + before.size() * own.size() > kMaxWordWays) {
    // Words that are not known stand for all of them.
    Possible any = anything();
    any.secret = std::ranges::any_of(own, &Possible::secret);
    for (const Building& way : taken)
      any.secret = any.secret || way.secret || std::ranges::any_of(way.done, &Word::secret);
    ways_.assign(1, {});
    ways_[0].begun = true;
    put(ways_[0], any, false);
    ways_[0].several = how_ == How::kFields;
    return;
  }
  add_value(own, quoted);
  for (Building& way : taken) ways_.push_back(std::move(way));
}

// The word behind an operator, in the word that it stands in: what is not quoted in it is split.
void Expander::add_operand(const shell::Word& word, Quoted quoted) {
  if (quoted == Quoted::kYes) {
    const auto is_list = [](const shell::Part& part) {
      return part.parameter != nullptr && list_kind(*part.parameter) != 0;
    };
    for (const shell::Part& part : word.parts) {
      if (!is_list(part) && std::ranges::none_of(part.parts, is_list)) continue;
      // Whether it leaves a field behind where the list is empty is not followed.
      value(word);
      for (Building& way : ways_) {
        put(way, anything(), false);
        way.several = how_ == How::kFields;
      }
      return;
    }
    return add_parts(word.parts, Quoted::kYes);
  }
  const bool assigns = std::exchange(assigns_, false);
  const std::size_t from = how_ == How::kPattern || how_ == How::kPlain ? 0 : add_tilde(word.parts);
  for (std::size_t i = 0; i < word.parts.size(); ++i) {
    shell::Part part = word.parts[i];
    if (i == 0) part.text.remove_prefix(from);
    if (part.kind != shell::PartKind::kLiteral || how_ != How::kFields) {
      if (i > 0 || from == 0 || !part.text.empty()) add_part(part, Quoted::kNo);
      continue;
    }
    const Possible text{.text = std::string(part.text)};
    for (Building& way : ways_) split(way, text);
  }
  assigns_ = assigns;
}

Expander::Standing Expander::standing(const Parameter& parameter) {
  if (parameter.indirect) return Standing::kPerhaps;
  return standing_of(parameter);
}

// The same without regard to `!`.
Expander::Standing Expander::standing_of(const Parameter& parameter) const {
  const std::string_view name = parameter.name;
  if (is_digits(name)) {
    const auto index = number_of(name).value_or(-1);
    if (index == 0) return Standing::kSet;
    if (!state_.positional_known || index < 0) return Standing::kPerhaps;
    const bool given = static_cast<std::size_t>(index) <= state_.positional.size();
    return given ? Standing::kSet : Standing::kUnset;
  }
  if (name == "#" || name == "?" || name == "$" || name == "-") return Standing::kSet;
  const Variable* found = state_.find(name);
  // Whoever sets these makes an Unknown of it.
  const bool there = (name == "HOME" && !home_.empty()) || name == "PWD";
  if (found == nullptr && there && !state_.forgotten) return Standing::kSet;
  if (found == nullptr || found->perhaps) return Standing::kPerhaps;
  if (found->unset) return Standing::kUnset;
  if (!found->array && !parameter.subscripted) return Standing::kSet;
  if (!found->elements_known) return Standing::kPerhaps;
  if (!parameter.subscripted) return found->elements.empty() ? Standing::kUnset : Standing::kSet;
  const auto index = number_of(parameter.subscript.literal());
  if (!index) return Standing::kPerhaps;
  const long size = static_cast<long>(found->elements.size());
  const long at = *index < 0 ? size + *index : *index;
  return at >= 0 && at < size ? Standing::kSet : Standing::kUnset;
}

bool Expander::takes_own(const Possible& one, const Parameter& parameter, Standing set) const {
  const bool may_be_empty = one.text.empty() && one.rest != Rest::kPattern;
  const bool is_empty = one.known() && one.text.empty();
  if (parameter.op == ParameterOp::kAlternative)
    return set != Standing::kSet || (parameter.colon && may_be_empty);
  return set != Standing::kUnset && !(parameter.colon && is_empty);
}

bool Expander::takes_other(const Possible& one, const Parameter& parameter, Standing set) const {
  const bool may_be_empty = one.text.empty() && one.rest != Rest::kPattern;
  const bool is_empty = one.known() && one.text.empty();
  if (parameter.op == ParameterOp::kAlternative)
    return set != Standing::kUnset && !(parameter.colon && is_empty);
  return set != Standing::kSet || (parameter.colon && may_be_empty);
}

Value Expander::plain_value(const Parameter& parameter, Span span) {
  const std::string_view name = parameter.name;
  if (name == "#") {
    if (state_.positional_known)
      return {{.text = std::to_string(state_.positional.size()), .number = true}};
    return {some_number()};
  }
  if (name == "?" || name == "$") return {some_number()};
  if (name == "-" || name == "_") return unknown_value();
  if (state_.nounset && standing_of(parameter) != Standing::kSet) runner_.may_end();
  // Empty until something runs in the background.
  if (name == "!") return {{.text = {}, .rest = Rest::kAnything, .operand = true}};
  if (is_digits(name)) {
    const auto index = number_of(name).value_or(-1);
    if (index == 0) return state_.own_name.empty() ? unknown_value() : state_.own_name;
    if (index < 0 || !state_.positional_known) return unknown_value();
    if (static_cast<std::size_t>(index) > state_.positional.size()) return known_value("");
    const Value& own = state_.positional[static_cast<std::size_t>(index) - 1];
    return runner_.affords(own[0].text.size()) ? own : unknown_value();
  }
  if (!parameter.subscripted) return variable(name);
  const Value subscript = plain(parameter.subscript);
  const Variable* found = state_.find(name);
  const bool exact = subscript.size() == 1 && subscript[0].known();
  std::optional<long> index;
  if (exact) index = number_of(subscript[0].text);
  // An empty one is an error.
  const auto may_be_empty = [](const Possible& one) { return !one.number && one.text.empty(); };
  if (std::ranges::any_of(subscript, may_be_empty)) runner_.may_fail();
  if (!index && !(found != nullptr && found->map)) {
    // Bash does not always come to it where the variable is not set.
    const ShellState untaken = state_;
    for (const Possible& one : subscript) {
      if (one.number) continue;
      if (!one.known())
        runner_.cannot_follow("a subscript that is not known is evaluated", span);
      else
        evaluate(one.text, span, subscript.size() > 1);
    }
    state_.join(untaken);
    found = state_.find(name);
  }
  if (index && found != nullptr && found->array && found->elements_known) {
    const long size = static_cast<long>(found->elements.size());
    const long wanted = index.value_or(0);
    const long at = wanted < 0 ? size + wanted : wanted;
    if (at < 0 || at >= size) return known_value("");
    const Value& element = found->elements[static_cast<std::size_t>(at)];
    return runner_.affords(element[0].text.size()) ? element : unknown_value();
  }
  if (index == 0 && found != nullptr && !found->array) return variable(name);
  return unknown_value();
}

Value Expander::indirect_value(const Parameter& parameter, Span span) {
  if (parameter.op == ParameterOp::kNames || list_kind(parameter) != 0) return unknown_value();
  const Value names = plain_value(parameter, span);
  Value value;
  for (const Possible& one : names) {
    if (one.known() && is_name(one.text)) {
      const Variable* to = state_.find(one.text);
      if (state_.nounset && (to == nullptr || to->unset || to->perhaps || to->array))
        runner_.may_end();
      add_possibilities(value, variable(one.text));
      continue;
    }
    if (!one.known() || one.text.find('[') != one.text.npos)
      runner_.runs_text(
          "`${!" + std::string(parameter.name) + "}` evaluates what the variable holds", one.text,
          span);
    runner_.may_fail();
    add_possibilities(value, unknown_value());
  }
  return value;
}

Value Expander::parameter_value(const Parameter& parameter, Span span) {
  if (parameter.op == ParameterOp::kBad) {
    // SAFETY: bash gives up here, but for zsh `${(e)x}` and its like have a meaning.
    runner_.cannot_follow("an expansion that bash does not know", span);
    runner_.may_fail();
    return unknown_value();
  }
  if (parameter.op == ParameterOp::kLength) {
    const char list = list_kind(parameter);
    const Variable* array = list != 0 ? array_of(parameter) : nullptr;
    if (array != nullptr) return {{.text = std::to_string(array->elements.size()), .number = true}};
    if (list != 0) return {some_number()};
    const Value whole = plain_value(parameter, span);
    if (whole.size() == 1 && whole[0].known() && !names_substitution(whole[0].text) &&
        std::ranges::all_of(whole[0].text, [](char c) { return c > 0; }))
      return {{.text = std::to_string(whole[0].text.size()), .number = true}};
    return {some_number()};
  }
  Value whole = parameter.indirect ? indirect_value(parameter, span) : plain_value(parameter, span);
  const bool takes_pieces =
      parameter.op == ParameterOp::kSubstring || parameter.op == ParameterOp::kTransform;
  if (takes_pieces)
    for (Possible& one : whole)
      if (names_substitution(one.text)) one = anything();
  switch (parameter.op) {
    case ParameterOp::kNone:
      return whole;
    case ParameterOp::kAssign: {
      const Standing set = standing(parameter);
      Value out;
      bool needs_other = false;
      for (const Possible& one : whole) {
        if (takes_own(one, parameter, set)) add_possibilities(out, {one});
        needs_other = needs_other || takes_other(one, parameter, set);
      }
      // What stands in it may not happen, but it is written.
      const ShellState untaken = state_;
      const Value other = assigned(parameter.word);
      if (!needs_other) state_ = untaken;
      if (!needs_other) return out;
      if (!out.empty()) state_.join(untaken);
      add_possibilities(out, other);
      if (parameter.indirect) {
        for (const Possible& one : plain_value(parameter, span)) {
          if (one.known() && is_name(one.text))
            runner_.assigns(one.text, unknown_value(), span);
          else
            runner_.cannot_follow("a variable that is not known is set", span);
        }
        return unknown_value();
      }
      if (!is_name(parameter.name)) {
        runner_.may_fail();
        return unknown_value();
      }
      const Variable* old = state_.find(parameter.name);
      if (parameter.subscripted || (old != nullptr && (old->array || old->integer || old->map)))
        out = unknown_value();
      runner_.assigns(parameter.name, out, span);
      if (parameter.subscripted) state_.entry(parameter.name).array = true;
      return out;
    }
    case ParameterOp::kError: {
      const bool may_be_empty = std::ranges::any_of(whole, [](const Possible& one) {
        return one.text.empty() && one.rest != Rest::kPattern;
      });
      if (standing(parameter) != Standing::kSet || (parameter.colon && may_be_empty))
        runner_.may_end();
      value(parameter.word);
      return whole;
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
        return unknown_value();
      }
      return transformed(whole, parameter);
    default:
      return unknown_value();
  }
}

}  // namespace tollgate
