// Text that is built up for one look-up and thrown away: no allocation for the usual size.
// Falls back to the heap when it grows, so there is no limit to get wrong.
#pragma once

#include <array>
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
      for (const char c : text) short_[size_++] = lower(c);
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
  void grow() {
    if (long_.empty()) long_.assign(short_.data(), size_);
  }
  std::array<char, 512> short_;  // only the first size_ characters mean anything
  std::size_t size_ = 0;
  std::string long_;
};

}  // namespace tollgate
