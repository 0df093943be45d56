// A JSON value that the gate judges: what was sent, and nothing that could be read in two ways.
// Built only by parse() (bounded, strict) or by hand; members keep the order they were sent in.
// INVARIANT: an object holds no key twice, text is valid UTF-8, a number is canonical text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tollgate::json {

enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

class Value {
 public:
  using Member = std::pair<std::string, Value>;

  Value() = default;  // null
  Value(const Value& other);
  Value& operator=(const Value& other);
  Value(Value&& other) noexcept = default;
  Value& operator=(Value&& other) noexcept = default;
  ~Value() = default;
  static Value boolean(bool value);
  static Value integer(std::int64_t value);
  static Value number(std::string canonical_text);  // REQUIRES: text from canonical_number()
  static Value string(std::string text);
  static Value array(std::vector<Value> items = {});
  static Value object(std::vector<Member> members = {});

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_array() const { return kind_ == Kind::kArray; }

  // Each gives an empty value of its kind when this is of another kind.
  bool as_bool() const { return kind_ == Kind::kBool && *std::get_if<bool>(&content_); }
  const std::string& as_string() const&;        // the text of a string
  const std::string& number_text() const&;      // the canonical text of a number
  const std::vector<Value>& items() const&;     // of an array
  const std::vector<Member>& members() const&;  // of an object
  const std::string& as_string() const&& = delete;
  const std::vector<Value>& items() const&& = delete;
  const std::vector<Member>& members() const&& = delete;

  // The member called `key`, or nothing (also when this is no object). Lives as long as this.
  const Value* find(std::string_view key) const&;
  const Value* find(std::string_view key) const&& = delete;
  // Gives the member's value away, and leaves null in its place; null where there is none.
  Value take(std::string_view key);

  // Sets or replaces a member, adds an item. REQUIRES: an object, an array.
  Value& set(std::string key, Value value);
  Value& push(Value value);

  bool operator==(const Value&) const = default;

 private:
  // One room for all kinds: thousands of values wait in a daemon.
  using Content =
      std::variant<std::monostate, bool, std::string, std::vector<Value>, std::vector<Member>>;
  template <class T>
  Value(Kind kind, T&& content) : kind_(kind), content_(std::forward<T>(content)) {}

  Kind kind_ = Kind::kNull;
  Content content_;  // as the kind has it: a number is text
};

}  // namespace tollgate::json
