// Two states into one: what either may be, the joined one may be.
#include "effects/shell/state.h"

namespace tollgate {

void ShellState::join(const ShellState& other) {
  for (Variable& mine : variables) {
    const Variable* theirs = other.find(mine.name);
    if (theirs != nullptr && *theirs == mine) continue;
    const bool arrays = mine.array || (theirs != nullptr && theirs->array);
    // Not set on the other way: it is then whatever the environment says.
    add_possibilities(mine.value, theirs == nullptr || arrays ? unknown_value() : theirs->value);
    mine.array = arrays;
    mine.integer |= theirs != nullptr && theirs->integer;
    mine.map = mine.map && theirs != nullptr && theirs->map;
    mine.elements_known = false;
    mine.elements.clear();
  }
  for (const Variable& theirs : other.variables) {
    if (find(theirs.name) != nullptr) continue;
    Variable joined = theirs;
    add_possibilities(joined.value, unknown_value());
    joined.elements_known = false;
    joined.elements.clear();
    variables.push_back(std::move(joined));
  }
  if (functions != other.functions) {
    for (ShellFunction& mine : functions) mine.certain = false;
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
  if (positional != other.positional || positional_known != other.positional_known)
    positional_known = false;
  forgotten |= other.forgotten;
  no_glob = no_glob && other.no_glob;
  odd_split |= other.odd_split;
  odd_glob |= other.odd_glob;
  aliases |= other.aliases;
  environment |= other.environment;
}

}  // namespace tollgate
