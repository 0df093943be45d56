// Ways to say the same in other words: each makes another shell text that does what the first did,
// or that and something harmless. Some do not apply to every text.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace tollgate::metamorphic {

using Random = std::mt19937_64;

struct Transformation {
  std::string_view name;
  // Nothing where it does not apply.
  std::optional<std::string> (*apply)(const std::string& text, Random& random);
  // Why a deny may become a question by it, though never a yes; "" where it may not.
  std::string_view hides = {};
};

std::span<const Transformation> transformations();

}  // namespace tollgate::metamorphic
