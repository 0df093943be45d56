// Making and reading JSON values.
// Accessors of the wrong kind give a shared empty value, so that callers need no second check.
// A Value made by hand keeps the invariants because set() replaces and text comes from our code.
#include "json/value.h"

#include <cassert>

namespace tollgate::json {
namespace {

// Made at first use, so that values may be read before main() begins.
template <class T>
const T& nothing() {
  static const T none;
  return none;
}

}  // namespace

// SAFETY: each content is copied before it gets its room. A variant of libstdc++ 12 whose own copy
// runs out of memory is destroyed as something that it never was.
Value::Value(const Value& other) : kind_(other.kind_) {
  std::visit(
      [this](const auto& content) {
        auto copy = content;
        content_ = std::move(copy);
      },
      other.content_);
}

Value& Value::operator=(const Value& other) {
  Value copy = other;
  return *this = std::move(copy);
}

Value Value::boolean(bool value) { return {Kind::kBool, value}; }

Value Value::integer(std::int64_t value) { return number(std::to_string(value)); }

Value Value::number(std::string canonical_text) {
  return {Kind::kNumber, std::move(canonical_text)};
}

Value Value::string(std::string text) { return {Kind::kString, std::move(text)}; }

Value Value::array(std::vector<Value> items) { return {Kind::kArray, std::move(items)}; }

Value Value::object(std::vector<Member> members) { return {Kind::kObject, std::move(members)}; }

const std::string& Value::as_string() const& {
  return kind_ == Kind::kString ? *std::get_if<std::string>(&content_) : nothing<std::string>();
}

const std::string& Value::number_text() const& {
  return kind_ == Kind::kNumber ? *std::get_if<std::string>(&content_) : nothing<std::string>();
}

const std::vector<Value>& Value::items() const& {
  const auto* items = std::get_if<std::vector<Value>>(&content_);
  return items != nullptr ? *items : nothing<std::vector<Value>>();
}

const std::vector<Value::Member>& Value::members() const& {
  const auto* members = std::get_if<std::vector<Member>>(&content_);
  return members != nullptr ? *members : nothing<std::vector<Member>>();
}

const Value* Value::find(std::string_view key) const& {
  for (const Member& member : members())
    if (member.first == key) return &member.second;
  return nullptr;
}

Value Value::take(std::string_view key) {
  if (auto* members = std::get_if<std::vector<Member>>(&content_))
    for (Member& member : *members)
      if (member.first == key) return std::exchange(member.second, {});
  return {};
}

Value& Value::set(std::string key, Value value) {
  assert(kind_ == Kind::kObject);
  std::vector<Member>& members = std::get<std::vector<Member>>(content_);
  for (Member& member : members) {
    if (member.first != key) continue;
    member.second = std::move(value);
    return *this;
  }
  if (members.empty()) members.reserve(4);  // few objects have but one member
  members.emplace_back(std::move(key), std::move(value));
  return *this;
}

Value& Value::push(Value value) {
  assert(kind_ == Kind::kArray);
  std::get<std::vector<Value>>(content_).push_back(std::move(value));
  return *this;
}

}  // namespace tollgate::json
