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

// SAFETY: TOML takes no DEL and YAML none of the control characters behind it, which JSON does; and
// a file that a client cannot read is one that it leaves aside.
std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::string json = json::quote(text);
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
    const bool wide = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    const unsigned char control = wide ? next : byte;
    if (!wide && byte != 0x7f) {
      out += json[i];
      continue;
    }
    out += "\\u00";
    out += kDigits[control >> 4];
    out += kDigits[control & 15];
    if (wide) ++i;
  }
  return out;
}

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
