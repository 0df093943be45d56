// Where brackets and substitutions close, by where they open: no text is read twice for that.
// A flat table that is only added to; a text without brackets never allocates for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tollgate::shell {

struct Script;

class KnownEnds {
 public:
  struct Known {
    std::uint64_t key = kNoKey;
    std::uint32_t end = 0;  // 0: it does not close
    const Script* script = nullptr;
  };

  // nullptr where it was never put in. Valid until the next one is put in.
  const Known* find(std::uint64_t key) const {
    if (table_.empty()) return nullptr;
    const Known& found = table_[place_of(key)];
    return found.key == kNoKey ? nullptr : &found;
  }

  // In place of what was known of it.
  void put(std::uint64_t key, std::uint32_t end, const Script* script) {
    if (2 * count_ >= table_.size()) grow();
    Known& place = table_[place_of(key)];
    if (place.key == kNoKey) ++count_;
    place = {key, end, script};
  }

 private:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
  static constexpr std::size_t kFirstSize = 16;

  // Its own place, or the first free one behind; there always is one.
  std::size_t place_of(std::uint64_t key) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (table_[at].key != key && table_[at].key != kNoKey) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Known> old(table_.empty() ? kFirstSize : table_.size() * 2);
    std::swap(old, table_);
    for (const Known& one : old)
      if (one.key != kNoKey) table_[place_of(one.key)] = one;
  }

  std::vector<Known> table_;  // its size is a power of two
  std::size_t count_ = 0;
};

}  // namespace tollgate::shell
