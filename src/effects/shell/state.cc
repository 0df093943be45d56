// Two states into one: what either may be, the joined one may be.
#include "effects/shell/state.h"

#include <span>

namespace tollgate {
namespace {

// False where there are not as many, and so nothing is known of them.
bool join_values(std::vector<Value>& mine, std::span<const Value> theirs) {
  if (mine.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < mine.size(); ++i) add_possibilities(mine[i], theirs[i]);
  return true;
}

// Two arrays with as many elements.
bool join_elements(Variable& mine, const Variable& theirs) {
  Variable other = mine;
  other.value = theirs.value;
  other.elements = theirs.elements;
  // Else they differ in more than that.
  if (!mine.elements_known || other != theirs) return false;
  if (!join_values(other.elements, mine.elements)) return false;
  mine.elements = std::move(other.elements);
  add_possibilities(mine.value, theirs.value);
  return true;
}

}  // namespace

std::size_t ShellState::weight() const {
  std::size_t weight = variables.size() * sizeof(Variable);
  for (const Variable& variable : variables)
    weight += size_of(variable.value) + size_of(variable.elements);
  return weight;
}

namespace {

void join_variable(Variable& mine, const Variable* theirs) {
  const bool arrays = mine.array || (theirs != nullptr && theirs->array);
  if (arrays && theirs != nullptr && join_elements(mine, *theirs)) return;
  // Not set on the other way: it is then whatever the environment says.
  add_possibilities(mine.value, theirs == nullptr || arrays ? unknown_value() : theirs->value);
  mine.array = arrays;
  mine.indexed |= arrays || (theirs != nullptr && theirs->indexed);
  mine.integer |= theirs != nullptr && theirs->integer;
  mine.cased |= theirs != nullptr && theirs->cased;
  // Whether what it is given is an element or a key is not known, then.
  mine.cased |= mine.map != (theirs != nullptr && theirs->map);
  mine.map = mine.map && theirs != nullptr && theirs->map;
  mine.perhaps |= theirs == nullptr || theirs->perhaps || theirs->unset != mine.unset;
  mine.unset = mine.unset && theirs != nullptr && theirs->unset;
  mine.readonly |= theirs != nullptr && theirs->readonly;
  mine.elements_known = false;
  mine.elements.clear();
}

// Of one name; mostly it stands at the same place in both lists.
const Variable* counterpart(const ShellState& state, std::string_view name, std::size_t place) {
  if (place < state.variables.size() && state.variables[place].name == name)
    return &state.variables[place];
  return state.find(name);
}

}  // namespace

void ShellState::may_be(std::string_view name, const std::optional<Variable>& other) {
  if (find(name) == nullptr) entry(name).perhaps = true;
  join_variable(entry(name), other ? &*other : nullptr);
}

void ShellState::join_variables(const ShellState& other) {
  if (variables.is_same(other.variables)) return;
  copied += weight() + other.weight();  // each is looked at
  const std::size_t mine = variables.size();
  for (std::size_t i = 0; i < mine; ++i) {
    const Variable* theirs = counterpart(other, variables[i].name, i);
    if (theirs == nullptr || *theirs != variables[i]) join_variable(own_variables()[i], theirs);
  }
  for (std::size_t i = 0; i < other.variables.size(); ++i) {
    const Variable& theirs = other.variables[i];
    if (counterpart(*this, theirs.name, i) != nullptr) continue;
    Variable joined = theirs;
    add_possibilities(joined.value, unknown_value());
    joined.elements_known = false;
    joined.elements.clear();
    joined.unset = false;
    joined.perhaps = true;
    own_variables().push_back(std::move(joined));
  }
}

void ShellState::join_functions(const ShellState& other) {
  if (functions == other.functions) return;
  std::vector<ShellFunction>& own = functions.change();
  for (ShellFunction& mine : own)
    mine.certain =
        mine.certain && std::ranges::find(other.functions, mine) != other.functions.end();
  for (const ShellFunction& theirs : other.functions)
    if (std::ranges::none_of(own, [&](const ShellFunction& mine) {
          return mine.name == theirs.name && mine.body == theirs.body;
        }))
      own.push_back({theirs.name, theirs.body, false});
  copied += own.size() * other.functions.size() * sizeof(void*);  // each is looked for
}

void ShellState::join(const ShellState& other) {
  join_variables(other);
  join_locals(other);
  join_functions(other);
  if (!aliases_defined.is_same(other.aliases_defined))
    for (const Alias& theirs : other.aliases_defined)
      if (std::ranges::find(aliases_defined, theirs) == aliases_defined.end())
        aliases_defined.change().push_back(theirs);
  add_directories(directories, other.directories);
  if (otherwise.empty() != other.otherwise.empty()) {
    if (otherwise.empty()) otherwise = directories;
    add_directories(otherwise, other.otherwise.empty() ? other.directories : other.otherwise);
  } else {
    add_directories(otherwise, other.otherwise);
  }
  positional_known =
      positional_known && other.positional_known && positional_listed == other.positional_listed &&
      (positional == other.positional || join_values(positional.change(), other.positional));
  if (!positional_known) positional_listed.clear();
  stack_known = stack_known && other.stack_known && stack == other.stack;
  forgotten |= other.forgotten;
  overflown |= other.overflown;
  placed = placed && other.placed;
  no_glob = no_glob && other.no_glob;
  no_braces |= other.no_braces;
  odd_match |= other.odd_match;
  physical |= other.physical;
  fragile |= other.fragile;
  inherits |= other.inherits;
  nounset |= other.nounset;
  odd_split |= other.odd_split;
  odd_glob |= other.odd_glob;
  fails_glob |= other.fails_glob;
  aliases |= other.aliases;
  environment |= other.environment;
}

// Whoever is a function's own on one way only is what it was outside, or what it is now.
void ShellState::join_locals(const ShellState& other) {
  if (locals == other.locals) return;
  std::vector<Local>& own = locals.change();
  for (Local& mine : own) {
    const auto theirs = find_named(other.locals, mine.name);
    if (theirs == other.locals.end()) {
      mine.certain = false;
    } else if (*theirs != mine) {
      mine.certain = false;
      mine.outer.reset();
      mine.readonly |= theirs->readonly;
    }
  }
  for (const Local& theirs : other.locals) {
    if (find_named(own, theirs.name) != own.end()) continue;
    own.push_back(theirs);
    own.back().certain = false;
  }
  copied += own.size() * other.locals.size() * sizeof(void*);  // each is looked for
}

void ShellState::make_local(std::string_view name) {
  if (find_named(locals, name) != locals.end()) return;
  const Variable* const now = find(name);
  locals.change().push_back(
      {std::string(name), saved(name), true, now != nullptr && now->readonly});
}

void ShellState::end_locals() {
  const Shared<Local> ended = std::exchange(locals, {});
  for (const Local& local : ended) {
    if (local.certain) {
      restore(local.name, local.outer);
      continue;
    }
    // Inside the function it may have been the outer one that was changed.
    const Variable* now = find(local.name);
    const bool map = now != nullptr && now->map;
    const bool readonly = local.readonly || (now != nullptr && now->readonly);
    if (now != nullptr) entry(local.name).readonly = false;
    set(local.name, unknown_value());
    entry(local.name).perhaps = true;
    entry(local.name).map = map;
    entry(local.name).readonly = readonly;
  }
}

}  // namespace tollgate
