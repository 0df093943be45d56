// Loops: bodies that run for known words, or any number of times.
#include <algorithm>
#include <utility>

#include "base/name_set.h"
#include "effects/shell/walker.h"

namespace tollgate {
namespace {

using shell::ArithmeticFor;
using shell::CommandKind;
using shell::For;
using shell::Loop;

// LIMIT: how often the body of a loop over known words is followed.
constexpr std::size_t kMaxRounds = 64;

}  // namespace

void Walker::unsettle(const Settings& settings, ShellState& state) {
  bool anything = settings.anything;
  for (const std::string& name : settings.programs)
    anything = anything || std::ranges::find(settings.names, name) != settings.names.end();
  for (const std::string& name : settings.evaluated) {
    const Variable* old = state.find(name);
    if (old == nullptr) continue;  // what it holds is told to be unknown where it is evaluated
    for (const Possible& one : old->value)
      anything = anything || (one.known() && one.text.find_first_of("=+-[") != one.text.npos &&
                              !is_plain_number(one.text));
  }
  if (anything) {
    state.forget();
    for (Variable& variable : state.own_variables()) {
      variable.value = unknown_value();
      variable.elements_known = false;
      variable.unset = false;
      variable.perhaps = true;
    }
    return;
  }
  for (const std::string& name : settings.names) {
    if (name.empty()) continue;
    const Variable* old = state.find(name);
    // A counter stays a number if all it is ever given are numbers; that is not looked into.
    const bool number = old != nullptr && std::ranges::all_of(old->value, [](const Possible& one) {
                          return one.number || (one.known() && is_plain_number(one.text));
                        });
    // A body that gives it anything but arithmetic makes it anything.
    Possible one = number && settings.counts(name) ? a_number() : tollgate::anything();
    one.secret = old != nullptr && std::ranges::any_of(old->value, &Possible::secret);
    state.set(name, {one});
    state.entry(name).perhaps = true;
  }
  if (settings.moves) {
    state.directories = {""};
    state.stack_known = false;
  }
  if (settings.parameters) {
    state.positional_known = false;
    state.positional_listed.clear();
  }
  if (settings.options)
    state.odd_glob = state.odd_match = state.no_braces = state.aliases = state.fragile = true;
}

// Of later rounds little may be known, but the first one begins as it is written.
void Walker::first_round(const Settings& settings, const ShellState& before,
                         const std::function<void(ShellState&)>& round) {
  const bool loses = settings.anything || settings.moves || !settings.programs.empty();
  if (!loses || !may_repeat()) return;
  spend();
  ShellState first = copy(before);
  round(first);
}

void Walker::loop(const Loop& command, ShellState& state) {
  const ShellState before = copy(state);
  Settings settings(state);
  settings.look(command.condition);
  settings.look(command.body);
  std::optional<ShellState> left;
  seldom_.change().left_states.push_back(&left);
  first_round(settings, before, [&](ShellState& first) {
    walk(command.condition, first);
    perhaps([&] { walk(command.body, first); });
  });
  unsettle(settings, state);
  walk(command.condition, state);
  const ShellState ended = copy(state);
  perhaps([&] { walk(command.body, state); });
  seldom_.change().left_states.pop_back();
  state.join(ended);
  state.join(before);
  if (left) state.join(*left);
  lose_output();
}

void Walker::for_each(const For& command, ShellState& state) {
  const std::string_view name = command.name.literal();
  std::vector<Value> rounds;
  bool known = command.kind == CommandKind::kFor && !name.empty(), certain = true;
  if (command.has_words) {
    for (const shell::Word& word : command.words) {
      const auto ways = expander(state).fields(word);
      if (auto values = values_of(ways); ways.size() > 1 && values) {
        rounds.insert(rounds.end(), values->begin(), values->end());
        continue;
      }
      known = known && ways.size() == 1;
      for (const Fields& fields : ways)
        for (const Word& field : fields) {
          known = known && (field.known || field.rest == Rest::kPattern || !field.several);
          certain = certain && !field.several;
          rounds.push_back({possible_of(field)});
        }
    }
  } else {
    known = known && state.positional_known;
    if (known) rounds.assign(state.positional.begin(), state.positional.end());
  }
  const ShellState before = copy(state);
  std::optional<ShellState> left;
  seldom_.change().left_states.push_back(&left);
  // Where its variable cannot be set, the body does not run.
  static constexpr NameSet kIgnored(
      {"FUNCNAME", "GROUPS", "DIRSTACK", "BASH_ARGC", "BASH_ARGV", "BASH_LINENO", "BASH_SOURCE"});
  const bool fixed = is_fixed(name, state) || kIgnored.has(name);
  if (fixed) {
    may_fail();
    ++maybe_;
  }
  // Over no words it never runs, but it is written, and so it counts.
  if (known && !rounds.empty() && rounds.size() <= kMaxRounds) {
    // A pattern stands for any number of names.
    if (!certain) {
      Settings settings(state);
      settings.look(command.body);
      first_round(settings, before, [&](ShellState& first) {
        set_variable(name, Value(rounds[0]), command.span, first);
        perhaps([&] { walk(command.body, first); });
      });
      unsettle(settings, state);
      ++maybe_;
    }
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      if (i > 0 && !may_repeat()) {
        lose_everything(state);
        lose_output();
        break;
      }
      spend();
      if (left) state.join(*left);
      // A body may have made it one that cannot be set.
      const bool stuck = i > 0 && !fixed && is_fixed(name, state);
      const ShellState stopped = copy(state);
      maybe_ += stuck ? 1 : 0;
      set_variable(name, std::move(rounds[i]), command.span, state);
      walk(command.body, state);
      maybe_ -= stuck ? 1 : 0;
      if (stuck) state.join(stopped);
      if (!state.otherwise.empty()) {
        state.directories = state.everywhere();
        state.otherwise.clear();
      }
    }
    if (!certain) {
      --maybe_;
      state.join(before);
    }
  } else {
    Settings settings(state);
    settings.look(command.body);
    // Over no words it has no value.
    Possible item = known && rounds.empty() ? Possible{} : anything();
    for (const Value& value : rounds) item.secret = item.secret || value[0].secret;
    first_round(settings, before, [&](ShellState& first) {
      if (!name.empty()) set_variable(name, {item}, command.span, first);
      perhaps([&] { walk(command.body, first); });
    });
    unsettle(settings, state);
    if (!name.empty()) set_variable(name, {item}, command.span, state);
    if (command.kind == CommandKind::kSelect)
      set_variable("REPLY", unknown_value(), command.span, state);
    perhaps([&] { walk(command.body, state); });
    state.join(before);
    lose_output();
  }
  seldom_.change().left_states.pop_back();
  if (left) state.join(*left);
  if (!fixed) return;
  --maybe_;
  state.join(before);
}

void Walker::count(const ArithmeticFor& command, ShellState& state) {
  expander(state).arithmetic(command.parts[0]);
  // Behind a mistake there nothing more of it happens, and what follows goes on.
  const ShellState begun = copy(state);
  Settings settings(state);
  settings.look(command.body);
  settings.look(command.parts[1]);
  settings.look(command.parts[2]);
  unsettle(settings, state);
  expander(state).arithmetic(command.parts[1]);
  const ShellState before = copy(state);
  std::optional<ShellState> left;
  seldom_.change().left_states.push_back(&left);
  perhaps([&] { walk(command.body, state); });
  seldom_.change().left_states.pop_back();
  if (left) state.join(*left);
  expander(state).arithmetic(command.parts[2]);
  state.join(before);
  state.join(begun);
  if (left) state.join(*left);
  lose_output();
}

}  // namespace tollgate
