// Small values to bytes and back, for the parts of a compiled policy that are read only once.
// A Reader never runs past its bytes: after the first short read it gives empty values and
// `good()` is false for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

class PackWriter {
 public:
  void number(std::uint64_t value) {
    char raw[8];
    std::memcpy(raw, &value, 8);
    bytes_.append(raw, 8);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) text(value);
  }
  const std::string& bytes() const& { return bytes_; }

 private:
  std::string bytes_;
};

class PackReader {
 public:
  explicit PackReader(std::string_view bytes) : rest_(bytes) {}

  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    if (rest_.size() < 8) {
      fail();
      return 0;
    }
    std::memcpy(&value, rest_.data(), 8);
    rest_.remove_prefix(8);
    return value;
  }
  // A number that must lie below `limit`, as enumerators do.
  std::uint64_t below(std::uint64_t limit) {
    const std::uint64_t value = number();
    if (value < limit) return value;
    fail();
    return 0;
  }
  // How many items follow. Each takes at least 8 bytes, which bounds what a liar can ask for.
  std::size_t count() { return static_cast<std::size_t>(below(rest_.size() / 8 + 1)); }

  std::string text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    std::string value(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values;
    for (std::size_t n = count(); n > 0 && good_; --n) values.push_back(text());
    return values;
  }

 private:
  void fail() {
    good_ = false;
    rest_ = {};
  }
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace tollgate
