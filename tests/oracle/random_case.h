// Random policies and calls that meet each other often: few names, many combinations.
// The same seed gives the same case on every machine (only raw generator output is used).
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/situation.h"
#include "core/tool_call.h"
#include "gate/decide.h"
#include "policy/policy_set.h"

namespace tollgate::oracle {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <std::size_t N>
  std::string pick(const std::string_view (&items)[N]) {
    return std::string(items[below(N)]);
  }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64 engine_;
};

Rule random_rule(Random& random, std::uint32_t line);
PolicySet random_policy(Random& random);
ToolCall random_call(Random& random);
Situation random_situation(Random& random, const ToolCall& call, const Effects& effects);
DecideOptions random_options(Random& random);

// For failure messages: everything needed to see the case.
std::string show(const PolicySet& set);

}  // namespace tollgate::oracle
