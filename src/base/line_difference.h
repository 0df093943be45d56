// What changed between two texts, line by line: for people in cli/, for records as a unified
// difference. Pure.
// LIMIT: two texts that share little and are long are all gone and all new.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

struct LineStep {
  char mark = ' ';       // ' ' in both, '-' gone, '+' new
  std::size_t line = 0;  // from 0: of the text after for '+', else of the text before

  bool operator==(const LineStep&) const = default;
};

// The lines of both texts in the order in which one reads a change.
std::vector<LineStep> line_steps(std::span<const std::string_view> before,
                                 std::span<const std::string_view> after);

// As `diff -u` writes it, with `name` for both sides; "" when the texts are equal.
// The bytes are as they are: whoever shows them to people makes them visible.
std::string unified_difference(std::string_view before, std::string_view after,
                               std::string_view name);

}  // namespace tollgate
