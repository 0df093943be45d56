// The quoting rules.
#include "native/quote.h"

#include "base/text.h"
#include "json/json.h"

namespace tollgate::native {
namespace {

bool is_special(char c) {
  return std::string_view(".*+?^${}()|[]\\").find(c) != std::string_view::npos;
}

}  // namespace

json::Value text(std::string_view value) { return json::Value::string(std::string(value)); }

json::Value texts(const std::vector<std::string>& list) {
  json::Value array = json::Value::array();
  for (const std::string& each : list) array.push(text(each));
  return array;
}

std::string quoted(std::string_view text) { return json::quote(text); }

std::string regex_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_special(c)) out += '\\';
    out += c;
  }
  return out;
}

std::string regex_folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char small = lower(c);
    if (small >= 'a' && small <= 'z') {
      out += '[';
      out += small;
      out += static_cast<char>(small - 32);
      out += ']';
    } else {
      out += regex_escaped(std::string_view(&c, 1));
    }
  }
  return out;
}

}  // namespace tollgate::native
