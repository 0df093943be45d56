// Variables that a text sets: for good, or for one command.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "core/client_switches.h"
#include "effects/shell/environment.h"
#include "effects/shell/walker.h"

namespace tollgate {
namespace {

// LIMIT: variables that are set for one command.
constexpr std::size_t kMaxGiven = 128;

// Variables that bash itself has made readonly.
constexpr NameSet kFixed({"UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"});

}  // namespace

// Whether it may be an error to set it.
bool Walker::is_fixed(std::string_view name, const ShellState& state) {
  const Variable* const old = state.find(name);
  return kFixed.has(name) || (old != nullptr && old->readonly);
}

void Walker::add_sway(std::string_view name, Span span, Change change) {
  const bool switches =
      change == Change::kSet ? is_client_switch(name) : kPolicyVariables.has(name);
  if (switches)
    add_unknown("`" + std::string(name) + "` " + std::string(kClientSwitchWhy), span,
                kClientSwitch);
  else
    add_unknown("`" + std::string(name) + "` changes what programs load or run", span);
}

void Walker::set_variable(std::string_view name, Value value, Span span, ShellState& state,
                          Change change) {
  const Sways sway = sways(name);
  if (sway == Sways::kLoading) add_sway(name, span, change);
  if (sway == Sways::kProgram) {
    state.environment = environment_seen_ = true;
    ++heeded_;
  }
  if (name == "IFS") state.odd_split = true;
  constexpr std::string_view kIntegers[] = {"RANDOM", "OPTIND",  "SECONDS", "SRANDOM",
                                            "LINENO", "HISTCMD", "BASHPID", "EPOCHSECONDS"};
  const Variable* old = state.find(name);
  const bool integer =
      (old != nullptr && old->integer) || std::ranges::find(kIntegers, name) != std::end(kIntegers);
  const bool map = old != nullptr && old->map;
  // What is evaluated may set further variables; `old` is not valid behind it.
  if (integer) {
    // LIMIT: what is evaluated here may set a variable that evaluates again, itself among them.
    constexpr int kMaxNested = 8;
    const bool follows = ++evaluating_ <= kMaxNested;
    Value given = {a_number()};
    for (const Possible& one : value) {
      if (one.known() && follows && affords(64 + one.text.size()))
        expander(state).evaluate(one.text, span, value.size() > 1);
      else if (!one.number)
        cannot_follow("`" + std::string(name) + "` evaluates what it is given", span);
      // On some way it may be a plain variable, and hold the text.
      if (one.known() && !is_plain_number(one.text)) add_possibilities(given, {one});
    }
    --evaluating_;
    value = std::move(given);
  }
  // The shell says what these are, whatever they are given.
  constexpr std::string_view kOwn[] = {"UID",      "EUID",     "PPID",      "GROUPS",
                                       "DIRSTACK", "FUNCNAME", "PIPESTATUS"};
  if (std::ranges::find(kOwn, name) != std::end(kOwn)) value = unknown_value();
  state.set(name, std::move(value));
  Variable& set = state.entry(name);
  set.integer = integer;
  set.map = map;
}

// Word by word what any of the ways has there; nothing where they are not as many words each.
std::optional<std::vector<Value>> Walker::values_of(const std::vector<Fields>& ways) {
  std::vector<Value> values(ways[0].size());
  for (const Fields& fields : ways) {
    if (fields.size() != values.size() || std::ranges::any_of(fields, &Word::several))
      return std::nullopt;
    for (std::size_t i = 0; i < fields.size(); ++i)
      add_possibilities(values[i], {possible_of(fields[i])});
  }
  return values;
}

// What any of the values would do where it is evaluated.
void Walker::evaluate_all(const Value& values, Span span, ShellState& state) {
  const ShellState untaken = copy(state);
  for (const Possible& one : values) {
    if (one.number) continue;
    if (one.known())
      expander(state).evaluate(one.text, span, values.size() > 1);
    else
      cannot_follow("a value that is not known is evaluated", span);
  }
  state.join(untaken);
}

// One element of an array that is known, or the one behind them. False where it is another thing.
bool Walker::set_element(std::string_view name, std::int64_t place, const Value& value,
                         ShellState& state) {
  const Variable* const array = state.find(name);
  if (array == nullptr || !array->array || !array->elements_known || array->perhaps ||
      array->unset || array->readonly || array->integer || array->map || array->cased ||
      sways(name) == Sways::kLoading || is_layered(name))
    return false;
  const auto size = static_cast<std::int64_t>(array->elements.size());
  if (place < 0 || place > size || !affords(size_of(array->elements))) return false;
  Variable& own = state.entry(name);
  const auto at = static_cast<std::size_t>(place);
  if (place == size)
    own.elements.push_back(value);
  else
    own.elements[at] = value;
  if (place == 0) own.value = value;
  return true;
}

void Walker::assign(const shell::Assignment& assignment, ShellState& state) {
  Expander words = expander(state);
  if (is_fixed(assignment.name, state)) may_fail();
  if (assignment.subscripted) {
    // Words that are evaluated may set further variables, so that no pointer to one is kept.
    const Variable* array = state.find(assignment.name);
    const bool map = array != nullptr && array->map;
    const bool integer = array != nullptr && array->integer;
    const Value subscripts = words.value(assignment.subscript);
    std::optional<std::int64_t> place;
    for (const Possible& one : subscripts) {
      // An empty one, and one before the first element, is an error.
      std::optional<std::int64_t> index = one.number ? std::nullopt : std::optional(0);
      if (one.known() && !map)
        index = words.evaluate(one.text, assignment.span, subscripts.size() > 1);
      if (!one.known() && !map && !one.number)
        cannot_follow("a subscript that is not known is evaluated", assignment.span);
      if (!index || *index < 0 || (one.text.empty() && !one.number)) may_fail();
      if (one.known() && subscripts.size() == 1) place = index;
    }
    const Value value = words.assigned(assignment.value);
    if (integer)
      for (const Possible& one : value) {
        if (one.known())
          words.evaluate(one.text, assignment.span, value.size() > 1);
        else if (!one.number)
          cannot_follow("a value that is not known is evaluated", assignment.span);
      }
    for (const shell::Element& element : assignment.elements) words.fields(element.value);
    if (place && !assignment.append && !assignment.compound &&
        set_element(assignment.name, *place, value, state))
      return;
    Variable& variable = state.entry(assignment.name);
    variable.value = unknown_value();
    variable.array = true;
    variable.elements_known = false;
    if (sways(assignment.name) == Sways::kLoading)
      set_variable(assignment.name, unknown_value(), assignment.span, state);
    return;
  }
  if (!assignment.compound) {
    Value value = words.assigned(assignment.value);
    // What an integer is given more is evaluated by itself.
    const Variable* const appended = assignment.append ? state.find(assignment.name) : nullptr;
    const bool evaluated = appended != nullptr && appended->integer;
    if (evaluated) evaluate_all(value, assignment.span, state);
    if (assignment.append) {
      const Value old = words.variable(assignment.name);
      Value joined;
      for (const Possible& before : old)
        for (const Possible& after : value) {
          Possible one = before;
          if (before.known()) {
            one = after;
            one.text = before.text + after.text;
            one.operand = one.identifier = false;
            one.number = false;
            if (after.rest == Rest::kPattern) one = anything();
            if (!one.known()) one.code = true;
          } else {
            one = anything();
            one.text = before.rest == Rest::kPattern ? "" : before.text;
          }
          one.secret = before.secret || after.secret;
          add_possibilities(joined, {one});
        }
      const Variable* variable = state.find(assignment.name);
      value = variable != nullptr && variable->array ? unknown_value() : std::move(joined);
    }
    std::optional<ShellState> before;
    if (evaluated) before = copy(state);
    set_variable(assignment.name, std::move(value), assignment.span, state);
    // The text of both together is evaluated on no way.
    if (before) state.join(*before);
    return;
  }
  std::vector<Value> elements;
  bool secret = false;
  const Variable* old = state.find(assignment.name);
  const bool map = old != nullptr && old->map;
  const bool integer = old != nullptr && old->integer;
  bool known = !assignment.append || (old != nullptr && old->array && old->elements_known);
  if (assignment.append && known) elements = old->elements;
  for (const shell::Element& element : assignment.elements) {
    if (!steps(1)) {
      known = false;
      break;
    }
    if (element.subscripted) {
      known = false;
      if (map)
        words.value(element.subscript);
      else
        evaluate_all(words.value(element.subscript), assignment.span, state);
      const Value given = words.assigned(element.value);
      if (integer) evaluate_all(given, assignment.span, state);
      continue;
    }
    const auto ways = words.fields(element.value);
    for (const Fields& way : ways) secret = secret || std::ranges::any_of(way, &Word::secret);
    const auto values = values_of(ways);
    known = known && values;
    if (values) elements.insert(elements.end(), values->begin(), values->end());
    if (!values && integer)
      cannot_follow("values that are not known are evaluated", assignment.span);
  }
  if (integer)
    for (const Value& element : elements)
      set_variable(assignment.name, element, assignment.span, state);
  set_variable(assignment.name, elements.empty() ? known_value("") : elements[0], assignment.span,
               state);
  Variable& variable = state.entry(assignment.name);
  known = known && !variable.readonly && !variable.integer && !variable.map && !variable.cased;
  variable.array = variable.indexed = true;
  variable.elements_known = known;
  variable.elements = known ? std::move(elements) : std::vector<Value>();
  if (known) return;
  variable.value = unknown_value();
  variable.value[0].secret = secret;
}

// Variables for one command only. True when the command may do otherwise because of them.
bool Walker::set_for_command(const shell::SimpleCommand& command, ShellState& state,
                             std::uint32_t owner, Given& given) {
  if (command.assignments.empty()) return false;
  bool swayed = false;
  // Each sees those before it.
  std::vector<std::pair<std::string_view, std::optional<Variable>>> before;
  const std::string_view program =
      command.words.empty() ? std::string_view() : command.words[0].literal();
  const bool reads = (program == "read" || program == "mapfile" || program == "readarray") &&
                     state.function(program) == nullptr;
  for (const shell::Assignment& one : command.assignments) {
    if (given.size() > kMaxGiven) {
      add_unknown("more variables for a command than are followed", one.span, kBeyondLimit, owner);
      break;
    }
    Value value = expander(state).assigned(one.value);
    for (const shell::Element& element : one.elements) expander(state).assigned(element.value);
    if (one.subscripted) expander(state).value(one.subscript);
    if (reads && one.name == "IFS") continue;  // it holds for this builtin alone
    const Sways sway = one.subscripted || one.compound ? Sways::kLoading : sways(one.name);
    if (sway == Sways::kLoading)
      add_sway(one.name, one.span);
    else if (!is_known(value) && sway != Sways::kNothing)
      add_unknown("the value of `" + std::string(one.name) + "` is not known", one.span, {}, owner);
    swayed = swayed || sway != Sways::kNothing;
    const Variable* old = state.find(one.name);
    if (old != nullptr && old->integer) evaluate_all(value, one.span, state);
    old = state.find(one.name);
    if (one.append || one.subscripted || one.compound || (old != nullptr && old->integer))
      value = unknown_value();
    if (command.assignments.size() > 1) {
      before.emplace_back(one.name, state.saved(one.name));
      state.set(one.name, value);
    }
    given.emplace_back(one.name, std::move(value));
  }
  for (auto at = before.rbegin(); at != before.rend(); ++at) {
    // One that a later value has set itself stays so.
    const Variable* const now = state.find(at->first);
    const auto is_given = [&](const auto& one) {
      return one.first == at->first && now != nullptr && now->value == one.second;
    };
    const bool same = std::ranges::any_of(given, is_given);
    std::optional<Variable> changed = same ? std::nullopt : state.saved(at->first);
    state.restore(at->first, std::move(at->second));
    if (!same) state.may_be(at->first, changed);
  }
  return swayed;
}

// Builtins that set variables may keep those that were set for them.
bool Walker::keeps_given(std::string_view builtin) {
  constexpr std::string_view kKeep[] = {"export", "declare",  "typeset",
                                        "local",  "readonly", "unset"};
  return std::ranges::find(kKeep, builtin) != std::end(kKeep);
}

// A builtin with variables of its own. Those that set variables may keep them, and so do other
// shells.
bool Walker::run_builtin(const Handler& handler, std::span<const Word> argv, const Given& given,
                         ShellState& state, std::uint32_t index) {
  const std::size_t outer_layers = seldom_->layers.size();
  std::vector<std::pair<std::string_view, std::optional<Variable>>> before;
  for (const auto& [name, value] : given) {
    before.emplace_back(name, state.saved(name));
    seldom_.change().layers.push_back({name, before.back().second, Layer::Of::kBuiltin});
    state.set(name, value);
  }
  // What is left in the midst of it has the old values again.
  std::optional<ShellState> left;
  std::optional<ShellState>* const outer = abandoned_;
  if (!given.empty()) abandoned_ = &left;
  const bool listed = (this->*handler.run)(argv, state, index);
  abandoned_ = outer;
  if (left && outer != nullptr) {
    for (const auto& [name, old] : before) left->may_be(name, old);
    abandon(*outer, *left);
  }
  if (!given.empty()) seldom_.change().layers.resize(outer_layers);
  const bool runs_text = handler.name == "eval";
  for (std::size_t i = before.size(); i-- > 0;) {
    const std::string_view name = before[i].first;
    if (posix_ || seldom_->tangled.contains(std::string(name))) {
      state.may_be(name, before[i].second);
      state.may_be(name, std::nullopt);
    } else if (keeps_given(handler.name)) {
      state.may_be(name, before[i].second);
      state.may_be(name, Variable{.name = std::string(name), .value = given[i].second});
    } else {
      // Some builtins change the one behind it.
      const Variable* const now = state.find(name);
      const bool same = runs_text || (now != nullptr && now->value == given[i].second);
      if (same)
        state.restore(name, std::move(before[i].second));
      else
        state.may_be(name, before[i].second);
    }
  }
  return listed;
}

// Whether one of that name is there for a call or a builtin alone.
bool Walker::is_given(std::string_view name) const {
  return std::ranges::any_of(seldom_->layers, [&](const Layer& layer) {
    return layer.of != Layer::Of::kFunction && layer.name == name;
  });
}

// Whether behind the variable of that name there may be another.
bool Walker::is_layered(std::string_view name) const {
  return std::ranges::find(seldom_->layers, name, &Layer::name) != seldom_->layers.end();
}

// Which of the variables of that name a builtin changed, and which is seen then, is not certain.
// Once that is so, it is no more known what any of them is when it is seen again.
void Walker::tangle(std::string_view name, ShellState& state) {
  if (seldom_.change().tangled.insert(std::string(name)).second) {
    for (const Layer& layer : seldom_->layers)
      if (layer.name == name) state.may_be(name, layer.behind);
    const auto local = find_named(state.locals, name);
    if (local != state.locals.end()) state.may_be(name, std::optional(local->outer));
  } else {
    state.may_be(name, std::nullopt);
  }
  state.entry(name).perhaps = true;
}

void Walker::assignment(const Word& word, const Surroundings& around) {
  const std::string_view text = word.text;
  const std::string_view name = text.substr(0, text.find('='));
  const Sways sway = sways(name);
  // With more words than one the command is another.
  if (word.several) add_unknown("words that are not known stand before a command", word.span);
  if (sway == Sways::kLoading || (!word.known && text.find('=') == text.npos))
    add_sway(name, word.span);
  else if (!word.known && sway != Sways::kNothing)
    add_unknown("the value of `" + std::string(name) + "` is not known", word.span, {},
                around.owner);
  swayed_ = swayed_ || sway != Sways::kNothing;
}

}  // namespace tollgate
