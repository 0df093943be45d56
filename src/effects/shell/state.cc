// Two states into one: what either may be, the joined one may be.
#include "effects/shell/state.h"

namespace tollgate {
namespace {

// False where there are not as many, and so nothing is known of them.
bool join_values(std::vector<Value>& mine, const std::vector<Value>& theirs) {
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
  // Names are looked for one by one.
  const std::size_t names = variables.size() + functions.size() + locals.size();
  std::size_t weight = sizeof *this + names * (sizeof(Variable) + 8 * names) + size_of(positional);
  for (const Variable& variable : variables)
    weight += size_of(variable.value) + size_of(variable.elements);
  for (const Local& local : locals)
    if (local.outer) weight += size_of(local.outer->value) + size_of(local.outer->elements);
  for (const Alias& alias : aliases_defined) weight += sizeof alias + alias.text.size();
  return weight;
}

void ShellState::join(const ShellState& other) {
  for (Variable& mine : variables) {
    const Variable* theirs = other.find(mine.name);
    if (theirs != nullptr && *theirs == mine) continue;
    const bool arrays = mine.array || (theirs != nullptr && theirs->array);
    if (arrays && theirs != nullptr && join_elements(mine, *theirs)) continue;
    // Not set on the other way: it is then whatever the environment says.
    add_possibilities(mine.value, theirs == nullptr || arrays ? unknown_value() : theirs->value);
    mine.array = arrays;
    mine.integer |= theirs != nullptr && theirs->integer;
    mine.cased |= theirs != nullptr && theirs->cased;
    mine.map = mine.map && theirs != nullptr && theirs->map;
    mine.perhaps |= theirs == nullptr || theirs->perhaps || theirs->unset != mine.unset;
    mine.unset = mine.unset && theirs != nullptr && theirs->unset;
    mine.readonly |= theirs != nullptr && theirs->readonly;
    mine.elements_known = false;
    mine.elements.clear();
  }
  for (const Variable& theirs : other.variables) {
    if (find(theirs.name) != nullptr) continue;
    Variable joined = theirs;
    add_possibilities(joined.value, unknown_value());
    joined.elements_known = false;
    joined.elements.clear();
    joined.unset = false;
    joined.perhaps = true;
    variables.push_back(std::move(joined));
  }
  join_locals(other);
  if (functions != other.functions) {
    for (ShellFunction& mine : functions)
      mine.certain =
          mine.certain && std::ranges::find(other.functions, mine) != other.functions.end();
    for (const ShellFunction& theirs : other.functions)
      if (std::ranges::none_of(functions, [&](const ShellFunction& mine) {
            return mine.name == theirs.name && mine.body == theirs.body;
          }))
        functions.push_back({theirs.name, theirs.body, false});
  }
  for (const Alias& theirs : other.aliases_defined)
    if (std::ranges::find(aliases_defined, theirs) == aliases_defined.end())
      aliases_defined.push_back(theirs);
  add_directories(directories, other.directories);
  if (otherwise.empty() != other.otherwise.empty()) {
    if (otherwise.empty()) otherwise = directories;
    add_directories(otherwise, other.otherwise.empty() ? other.directories : other.otherwise);
  } else {
    add_directories(otherwise, other.otherwise);
  }
  positional_known = positional_known && other.positional_known &&
                     positional_listed == other.positional_listed &&
                     join_values(positional, other.positional);
  if (!positional_known) positional_listed.clear();
  stack_known = stack_known && other.stack_known && stack == other.stack;
  forgotten |= other.forgotten;
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
  aliases |= other.aliases;
  environment |= other.environment;
}

// Whoever is a function's own on one way only is what it was outside, or what it is now.
void ShellState::join_locals(const ShellState& other) {
  for (Local& mine : locals) {
    const auto theirs = std::ranges::find(other.locals, mine.name, &Local::name);
    if (theirs == other.locals.end()) {
      mine.certain = false;
    } else if (*theirs != mine) {
      mine.certain = false;
      mine.outer.reset();
    }
  }
  for (const Local& theirs : other.locals) {
    if (std::ranges::find(locals, theirs.name, &Local::name) != locals.end()) continue;
    locals.push_back(theirs);
    locals.back().certain = false;
  }
}

void ShellState::make_local(std::string_view name) {
  if (std::ranges::find(locals, name, &Local::name) != locals.end()) return;
  const Variable* outer = find(name);
  locals.push_back({std::string(name), outer == nullptr ? std::nullopt : std::optional(*outer)});
}

void ShellState::end_locals() {
  for (const Local& local : locals) {
    const auto now = std::ranges::find(variables, local.name, &Variable::name);
    if (!local.certain) {
      // Inside the function it may have been the outer one that was changed.
      const bool map = now != variables.end() && now->map;
      if (now != variables.end()) now->readonly = false;
      set(local.name, unknown_value());
      entry(local.name).perhaps = true;
      entry(local.name).map = map;
      continue;
    }
    if (now != variables.end()) variables.erase(now);
    if (local.outer) variables.push_back(*local.outer);
  }
  locals.clear();
}

}  // namespace tollgate
