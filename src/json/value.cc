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

Value Value::boolean(bool value) {
  Value made;
  made.kind_ = Kind::kBool;
  made.bool_ = value;
  return made;
}

Value Value::integer(std::int64_t value) { return number(std::to_string(value)); }

Value Value::number(std::string canonical_text) {
  Value made;
  made.kind_ = Kind::kNumber;
  made.text_ = std::move(canonical_text);
  return made;
}

Value Value::string(std::string text) {
  Value made;
  made.kind_ = Kind::kString;
  made.text_ = std::move(text);
  return made;
}

Value Value::array(std::vector<Value> items) {
  Value made;
  made.kind_ = Kind::kArray;
  made.items_ = std::move(items);
  return made;
}

Value Value::object(std::vector<Member> members) {
  Value made;
  made.kind_ = Kind::kObject;
  made.members_ = std::move(members);
  return made;
}

const std::string& Value::as_string() const& {
  return kind_ == Kind::kString ? text_ : nothing<std::string>();
}

const std::string& Value::number_text() const& {
  return kind_ == Kind::kNumber ? text_ : nothing<std::string>();
}

const std::vector<Value>& Value::items() const& {
  return kind_ == Kind::kArray ? items_ : nothing<std::vector<Value>>();
}

const std::vector<Value::Member>& Value::members() const& {
  return kind_ == Kind::kObject ? members_ : nothing<std::vector<Member>>();
}

const Value* Value::find(std::string_view key) const& {
  for (const Member& member : members())
    if (member.first == key) return &member.second;
  return nullptr;
}

Value& Value::set(std::string key, Value value) {
  assert(kind_ == Kind::kObject);
  for (Member& member : members_) {
    if (member.first != key) continue;
    member.second = std::move(value);
    return *this;
  }
  if (members_.empty()) members_.reserve(4);  // few objects have but one member
  members_.emplace_back(std::move(key), std::move(value));
  return *this;
}

Value& Value::push(Value value) {
  assert(kind_ == Kind::kArray);
  items_.push_back(std::move(value));
  return *this;
}

}  // namespace tollgate::json
