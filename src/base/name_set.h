// A fixed set of names that says no to most other words at a glance.
// Made at compile time; a word that passes the glance is compared with the few names of its shelf.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace tollgate {

template <std::size_t kSize>
class NameSet {
 public:
  constexpr NameSet(const std::string_view (&names)[kSize]) {  // NOLINT: a list is a set
    std::ranges::copy(names, names_.begin());
    std::ranges::sort(names_, {}, place);
    for (const std::string_view name : names) {
      glance_[place(name) / 64] |= bit(name);
      for (std::size_t i = shelf(name) + 1; i < shelves_.size(); ++i) ++shelves_[i];
    }
  }

  constexpr const std::array<std::string_view, kSize>& names() const { return names_; }

  constexpr bool has(std::string_view word) const {
    if (word.empty() || (glance_[place(word) / 64] & bit(word)) == 0) return false;
    const std::size_t end = shelves_[shelf(word) + 1];
    for (std::size_t i = shelves_[shelf(word)]; i < end; ++i)
      if (names_[i] == word) return true;
    return false;
  }

 private:
  static constexpr std::size_t place(std::string_view word) {
    const auto first = static_cast<unsigned char>(word.front());
    const auto last = static_cast<unsigned char>(word.back());
    return (first * 31u + last * 7u + word.size()) % 512;
  }
  static constexpr std::uint64_t bit(std::string_view word) {
    return std::uint64_t{1} << place(word) % 64;
  }
  static constexpr std::size_t shelf(std::string_view word) { return place(word) / 16; }

  std::array<std::string_view, kSize> names_{};  // by their places
  std::array<std::uint64_t, 8> glance_{};
  std::array<std::uint16_t, 33> shelves_{};  // where the names of each 16 places begin
};

// Every name of every set.
template <std::size_t... kSizes>
constexpr NameSet<(kSizes + ...)> joined(const NameSet<kSizes>&... sets) {
  std::string_view names[(kSizes + ...)];
  std::string_view* end = names;
  ((end = std::ranges::copy(sets.names(), end).out), ...);
  return NameSet(names);
}

}  // namespace tollgate
