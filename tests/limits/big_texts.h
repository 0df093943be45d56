// Texts that repeat one construct up to any size: whatever could take more than its length.
// The tests count the work that they cause, and the benchmarks measure it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tollgate {

// `begin`, `unit` over and over, `middle`, `close` as often as `unit`, `end`. In `unit` a `#` is a
// number, another one each time, and `##` is the letter.
struct BigText {
  std::string_view name;
  std::string_view begin, unit, end;
  bool variables = false;  // many are set before
  std::string_view middle = {}, close = {};

  // About `size` letters.
  std::string text(std::size_t size) const;
};

std::span<const BigText> big_texts();

}  // namespace tollgate
