#include "audit/members.h"

#include <charconv>

namespace tollgate {

std::int64_t integer_in(const json::Value& object, std::string_view name) {
  const json::Value* found = object.find(name);
  if (found == nullptr) return -1;
  const std::string& text = found->number_text();
  std::int64_t value = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

std::string text_in(const json::Value& object, std::string_view name) {
  const json::Value* found = object.find(name);
  return found == nullptr ? std::string() : found->as_string();
}

}  // namespace tollgate
