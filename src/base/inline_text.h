// Text that is built up for one look-up and thrown away: no allocation for the usual size.
// Falls back to the heap when it grows, so there is no limit to get wrong.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/text.h"

namespace tollgate {

class InlineText {
 public:
  void append(std::string_view text) {
    if (long_.empty() && size_ + text.size() <= short_.size()) {
      std::memcpy(short_.data() + size_, text.data(), text.size());
      size_ += text.size();
      return;
    }
    grow();
    long_.append(text);
  }
  void append(char c) { append(std::string_view(&c, 1)); }
  void append_lower(std::string_view text) {
    if (long_.empty() && size_ + text.size() <= short_.size()) {
      lower_into(text, short_.data() + size_);
      size_ += text.size();
      return;
    }
    grow();
    for (const char c : text) long_ += lower(c);
  }

  // Lives until the next append.
  std::string_view view() const& {
    return long_.empty() ? std::string_view(short_.data(), size_) : std::string_view(long_);
  }
  std::string_view view() const&& = delete;

 private:
  // Eight characters at a time: a byte of `capitals` is 0x20 where the letter is a capital.
  static void lower_into(std::string_view text, char* to) {
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
      constexpr std::uint64_t kEach = 0x0101010101010101, kHigh = 0x80 * kEach;
      std::uint64_t eight = 0;
      std::memcpy(&eight, text.data() + at, 8);
      const std::uint64_t low = eight & ~kHigh;
      const std::uint64_t from_a = low + (0x80 - 'A') * kEach;
      const std::uint64_t behind_z = low + (0x80 - 'Z' - 1) * kEach;
      const std::uint64_t capitals = (from_a & ~behind_z & ~eight & kHigh) >> 2;
      eight |= capitals;
      std::memcpy(to + at, &eight, 8);
    }
    for (; at < text.size(); ++at) to[at] = lower(text[at]);
  }
  void grow() {
    if (long_.empty()) long_.assign(short_.data(), size_);
  }
  std::array<char, 512> short_;  // only the first size_ characters mean anything
  std::size_t size_ = 0;
  std::string long_;
};

}  // namespace tollgate
