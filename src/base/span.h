// A piece of a text, as two numbers that cannot dangle.
// Spans point into the text of the call they came from (the command, the path, the rule).
// A span of size 0 means "no particular place".
#pragma once

#include <cstdint>
#include <string_view>

namespace tollgate {

struct Span {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;

  constexpr std::uint32_t end() const { return begin + size; }
  constexpr bool empty() const { return size == 0; }
  bool operator==(const Span&) const = default;
};

// The part of `text` that `span` names; empty where the span lies outside.
constexpr std::string_view slice(std::string_view text, Span span) {
  if (span.begin > text.size()) return {};
  return text.substr(span.begin, span.size);
}

}  // namespace tollgate
