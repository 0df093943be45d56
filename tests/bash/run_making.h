// What the makers of constructs share among their files, and nobody else needs.
#pragma once

#include <algorithm>
#include <utility>

#include "bash/run_maker.h"

namespace tollgate::bash {

// Where a construct may stand.
inline constexpr unsigned kS = 1;       // in scripts whose words are all known
inline constexpr unsigned kP = 2;       // in text for a plain sh
inline constexpr unsigned kQ = 4;       // inside double quotes
inline constexpr unsigned kD = 8;       // it holds further commands
inline constexpr unsigned kL = 16;      // it is a list or pipeline
inline constexpr unsigned kOften = 32;  // half of the others are passed over
inline constexpr unsigned kM = 64;      // it is several commands, and stands in braces in a list

// A value that is back to what it was at the end of the block.
template <class T>
class Restored {
 public:
  Restored(T& place, T value) : place_(place), before_(std::exchange(place, std::move(value))) {}
  explicit Restored(T& place) : place_(place), before_(place) {}
  ~Restored() { place_ = std::move(before_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  T& place_;
  T before_;
};

template <class Make>
std::string RunMaker::aside(Make make) {
  const Restored scope(scope_);
  const Restored touched(touched_);
  const Restored breakable(breakable_, false);
  return make();
}

template <class Make>
std::string RunMaker::perhaps(Make make) {
  const Scope before = scope_;
  std::vector<std::string> outer;
  outer.swap(touched_);
  std::string text;
  {
    const Restored branch(branch_, true);
    text = make();
  }
  const Scope after = std::exchange(scope_, before);
  const auto is_touched = [&](const std::string& name) {
    return std::ranges::find(touched_, name) != touched_.end();
  };
  // What is gone on one way, or something else, is neither behind it.
  std::erase_if(scope_.variables, [&](const Variable& one) {
    return std::ranges::none_of(after.variables, [&](const Variable& other) {
      return other.name == one.name && other.kind == one.kind;
    });
  });
  for (Variable& one : scope_.variables) {
    one.single = one.single && !is_touched(one.name);
    for (const Variable& other : after.variables)
      if (other.name == one.name) one.odd = one.odd || other.odd;
  }
  std::erase_if(scope_.unset, is_touched);
  if (is_touched("@")) scope_.positional = false;
  touched_.insert(touched_.end(), outer.begin(), outer.end());
  return text;
}

}  // namespace tollgate::bash
