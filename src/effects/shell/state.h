// What a shell knows while it goes through a text: variables, directories, functions.
// Every value is a set of possibilities, because a branch may or may not have been taken.
// SAFETY: what is not known is one possibility without text; nothing is ever left out of a set.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/effect.h"
#include "shell/tree.h"

namespace tollgate {

// One text that a value may be.
struct Possible {
  std::string text;  // the known beginning, or a pattern of file names
  Rest rest = Rest::kNothing;
  bool number = false;      // a number, whatever else is known of it
  bool operand = false;     // not known, but it never begins with a dash
  bool code = false;        // not known, and it may hold text that arithmetic would run
  bool identifier = false;  // not known, but it is a number, a hash or a name, and no file
  bool computed = false;    // known, as what a program in the text prints
  bool secret = false;      // the value of a variable whose name is a secret's

  bool known() const { return rest == Rest::kNothing; }
  bool operator==(const Possible&) const = default;
};

inline Possible anything() { return {.text = {}, .rest = Rest::kAnything, .code = true}; }
inline Possible a_number() {
  return {.text = {}, .rest = Rest::kAnything, .number = true, .operand = false};
}

inline Possible possible_of(const Word& word) {
  return {.text = word.text,
          .rest = word.rest,
          .operand = word.operand,
          .code = !word.known,
          .secret = word.secret};
}

// LIMIT: a value with more possibilities than this can be anything.
inline constexpr std::size_t kMaxPossible = 16;

using Value = std::vector<Possible>;  // never empty

inline bool is_plain_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == text.npos;
}

inline Value known_value(std::string text) { return {{.text = std::move(text)}}; }
inline Value unknown_value() { return {anything()}; }
inline bool is_known(const Value& value) {
  return std::ranges::all_of(value, [](const Possible& one) { return one.known(); });
}

inline void add_possibilities(Value& to, const Value& from) {
  for (const Possible& one : from)
    if (std::ranges::find(to, one) == to.end()) to.push_back(one);
  if (to.size() <= kMaxPossible) return;
  const bool secret = std::ranges::any_of(to, &Possible::secret);
  to = unknown_value();
  to[0].secret = secret;
}

inline std::size_t size_of(const Value& value) {
  std::size_t size = 0;
  for (const Possible& one : value) size += sizeof(Possible) + one.text.size();
  return size;
}
template <class Values>
std::size_t size_of(const Values& values)
  requires std::same_as<std::ranges::range_value_t<Values>, Value>
{
  std::size_t size = 0;
  for (const Value& value : values) size += sizeof(Value) + size_of(value);
  return size;
}

// A list that copies of a state have in common until one of them changes it.
template <class Item>
class Shared {
 public:
  Shared() = default;
  Shared(std::initializer_list<Item> items) : Shared(items.begin(), items.end()) {}
  template <class Iterator>
  Shared(Iterator first, Iterator last) : list_(std::make_shared<std::vector<Item>>(first, last)) {}
  // REQUIRES: the items outlive every copy of the list.
  static Shared lent(std::span<const Item> items) {
    Shared list;
    list.lent_ = items;
    return list;
  }

  const Item* begin() const { return list_ == nullptr ? lent_.data() : list_->data(); }
  const Item* end() const { return begin() + size(); }
  std::size_t size() const { return list_ == nullptr ? lent_.size() : list_->size(); }
  bool empty() const { return size() == 0; }
  const Item& operator[](std::size_t index) const { return begin()[index]; }

  bool has_others() const { return list_.use_count() > 1; }
  bool is_same(const Shared& other) const {
    return list_ == other.list_ && lent_.data() == other.lent_.data() &&
           lent_.size() == other.lent_.size();
  }
  bool operator==(const Shared& other) const {
    return is_same(other) || std::equal(begin(), end(), other.begin(), other.end());
  }

  // To be changed: from here on it is this state's own.
  std::vector<Item>& change() {
    if (list_ == nullptr || has_others())
      list_ = std::make_shared<std::vector<Item>>(begin(), end());
    lent_ = {};
    return *list_;
  }
  void clear() { *this = {}; }

 private:
  std::shared_ptr<std::vector<Item>> list_;
  std::span<const Item> lent_;  // somebody else's, where there is no list
};

// Among many names most differ in their last letter.
inline bool is_same_name(std::string_view one, std::string_view other) {
  return one.size() == other.size() && (one.empty() || one.back() == other.back()) && one == other;
}

// The item of that name; the end where there is none.
template <class Items>
auto find_named(Items& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(),
                      [&](const auto& item) { return is_same_name(item.name, name); });
}

struct Variable {
  std::string name;
  Value value;                  // of an array the element 0
  std::vector<Value> elements;  // of an array: from 0 on without gaps
  bool array = false;
  bool elements_known = false;
  bool indexed = false;   // it is or was an array on some way
  bool integer = false;   // what it is given is evaluated
  bool map = false;       // its subscripts are text
  bool cased = false;     // what it is given is written in other letters
  bool unset = false;     // it is not set; the value is empty
  bool perhaps = false;   // it may be unset on some way
  bool readonly = false;  // on some way it cannot be changed

  bool operator==(const Variable&) const = default;
};

struct ShellFunction {
  std::string name;
  const shell::Command* body = nullptr;  // in a tree that outlives the state
  bool certain = true;                   // false: on another way it is not defined, or otherwise

  bool operator==(const ShellFunction&) const = default;
};

// A variable that a function made its own, with what it was outside; nothing: never set here.
struct Local {
  std::string name;
  std::optional<Variable> outer;
  bool certain = true;    // false: on another way it is not the function's own
  bool readonly = false;  // what it was outside cannot be changed, on some way

  bool operator==(const Local&) const = default;
};

struct Alias {
  std::string name, text;

  bool operator==(const Alias&) const = default;
};

// Where a shell may stand. "" is a directory that is not known.
using Directories = Shared<std::string>;

// LIMIT: more directories than this count as "anywhere".
inline constexpr std::size_t kMaxDirectories = 8;

inline void add_directories(Directories& to, const Directories& from) {
  if (to.is_same(from)) return;
  if (to.empty() && from.size() == 1) {
    to = from;
    return;
  }
  for (const std::string& directory : from)
    if (std::ranges::find(to, directory) == to.end()) to.change().push_back(directory);
  if (to.size() > kMaxDirectories) to = {""};
}

struct ShellState {
  Shared<Variable> variables;
  Shared<ShellFunction> functions;
  Shared<Alias> aliases_defined;
  Shared<Local> locals;            // of the function that runs
  std::vector<Directories> stack;  // of pushd, the last one on top
  bool stack_known = true;
  Directories directories;  // after the last command came to a good end
  Directories otherwise;    // after it failed; empty when that is the same
  Value own_name;           // $0; empty: not known
  Shared<Value> positional;
  bool positional_known = false;
  // Where they are not known, but listed: what is not known among them stands for any number of
  // words, and patterns were looked up in these directories. Empty: they are not listed.
  Directories positional_listed;
  bool forgotten = false;    // anything may have been set: no variable is known
  bool placed = false;       // then $PWD is known all the same
  bool no_glob = false;      // set -f
  bool posix = false;        // for a shell that may not be bash
  bool no_braces = false;    // set +B, on some way
  bool odd_match = false;    // patterns are matched otherwise: extglob, nocasematch
  bool physical = false;     // cd -P: the directory's own name is not known
  bool fragile = false;      // set -e: what follows may not happen
  bool inherits = false;     // inherit_errexit
  bool nounset = false;      // set -u
  bool odd_split = false;    // IFS is not the usual one
  bool odd_glob = false;     // nullglob, dotglob, globstar and their like
  bool fails_glob = false;   // failglob: a pattern that matches nothing is an error
  bool aliases = false;      // expand_aliases is on
  bool environment = false;  // a variable that programs may heed was set
  bool overflown = false;    // there were too many variables, and none is known any more
  std::size_t copied = 0;    // bytes that had to be copied to be changed; see Walker::work_

  const Variable* find(std::string_view name) const {
    const auto found = find_named(variables, name);
    return found == variables.end() ? nullptr : &*found;
  }

  void set(std::string_view name, Value value) {
    Variable& variable = entry(name);
    if (variable.cased) value = unknown_value();
    if (variable.readonly) {
      // It keeps its value, but what kept it may be on another way.
      add_possibilities(variable.value, value);
      variable.perhaps = true;
    } else {
      variable.value = std::move(value);
      variable.unset = variable.perhaps = false;
    }
    variable.indexed |= variable.array;
    variable.array = variable.elements_known = false;
    variable.elements.clear();
  }

  void unset(std::string_view name) {
    set(name, known_value(""));
    Variable& variable = entry(name);
    if (!variable.readonly) variable = {.name = std::string(name), .value = known_value("")};
    variable.unset = !variable.readonly;
  }

  // For all changes of variables: it counts what they cost.
  std::vector<Variable>& own_variables() {
    if (variables.has_others()) copied += weight();
    return variables.change();
  }

  Variable& entry(std::string_view name) {
    std::vector<Variable>& own = own_variables();
    const auto found = find_named(own, name);
    if (found != own.end()) return *found;
    // LIMIT: variables that one command may set; walk() allows fewer.
    constexpr std::size_t kMaxVariables = 160;
    if (own.size() >= kMaxVariables) {
      own.clear();
      forget();
      overflown = true;
    }
    own.push_back({.name = std::string(name), .value = unknown_value(), .elements = {}});
    return own.back();
  }

  // To be restored; nothing: it is not set.
  std::optional<Variable> saved(std::string_view name) const {
    const Variable* const now = find(name);
    return now == nullptr ? std::nullopt : std::optional(*now);
  }
  // It may also be as it is there; nothing: as the environment says.
  void may_be(std::string_view name, const std::optional<Variable>& other);
  void restore(std::string_view name, std::optional<Variable> old) {
    std::vector<Variable>& own = own_variables();
    std::erase_if(own, [&](const Variable& now) { return is_same_name(now.name, name); });
    if (old) own.push_back(std::move(*old));
  }

  const ShellFunction* function(std::string_view name) const {
    const auto found = find_named(functions, name);
    return found == functions.end() ? nullptr : &*found;
  }

  Directories everywhere() const {
    Directories all = directories;
    add_directories(all, otherwise);
    return all;
  }

  // In place of a function of the same name.
  void define(const ShellFunction& function) {
    undefine(function.name);
    functions.change().push_back(function);
  }
  void undefine(std::string_view name) {
    if (this->function(name) == nullptr) return;
    std::erase_if(functions.change(), [&](const ShellFunction& old) { return old.name == name; });
  }

  // What a copy of its variables costs, about.
  std::size_t weight() const;

  // The other way that things may have gone.
  void join(const ShellState& other);

  // A variable becomes the function's own, until the function ends.
  void make_local(std::string_view name);
  void end_locals();

  // After something that may have set anything.
  void forget() {
    forgotten = true;
    placed = false;
    positional_known = false;
    positional_listed.clear();
    directories = {""};
    otherwise.clear();
    stack_known = false;
    odd_split = odd_glob = odd_match = environment = fragile = no_braces = nounset = true;
  }

 private:
  void join_variables(const ShellState& other);
  void join_functions(const ShellState& other);
  void join_locals(const ShellState& other);
};

}  // namespace tollgate
