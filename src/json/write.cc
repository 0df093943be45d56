// Values to text: one line, indented, or canonical.
// What is written here parse() reads back to an equal value.
// Text that is no UTF-8 cannot come from parse(); it is written with replacement characters.
#include <algorithm>
#include <array>
#include <functional>

#include "base/text.h"
#include "json/append.h"
#include "json/json.h"

namespace tollgate::json {
namespace {

enum class Style { kLine, kPretty, kCanonical };

// RFC 8785 sorts by UTF-16 units: there, what needs a surrogate pair comes before U+E000 and up.
bool utf16_less(std::string_view a, std::string_view b) {
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (x == a.end() || y == b.end()) return x == a.end() && y != b.end();
  const auto left = static_cast<unsigned char>(*x);
  const auto right = static_cast<unsigned char>(*y);
  const bool reversed = left >= 0xEE && right >= 0xEE && (left >= 0xF0) != (right >= 0xF0);
  return reversed ? left > right : left < right;
}

class Writer {
 public:
  Writer(Style style, std::string& out) : style_(style), out_(out) {}

  void put(const Value& value) {
    switch (value.kind()) {
      case Kind::kNull:
        out_ += "null";
        break;
      case Kind::kBool:
        out_ += value.as_bool() ? "true" : "false";
        break;
      case Kind::kNumber:
        out_ += value.number_text();
        break;
      case Kind::kString:
        append_quoted(out_, value.as_string());
        break;
      case Kind::kArray:
        put_array(value.items());
        break;
      case Kind::kObject:
        put_object(value.members());
        break;
    }
  }

 private:
  void put_array(const std::vector<Value>& items) {
    open('[');
    for (std::size_t i = 0; i < items.size(); ++i) {
      next(i);
      put(items[i]);
    }
    close(']', items.size());
  }

  void put_object(const std::vector<Value::Member>& members) {
    open('{');
    if (style_ == Style::kCanonical)
      put_sorted(members);
    else
      for (std::size_t i = 0; i < members.size(); ++i) put_member(i, members[i]);
    close('}', members.size());
  }

  void put_sorted(const std::vector<Value::Member>& members) {
    std::vector<std::reference_wrapper<const Value::Member>> order(members.begin(), members.end());
    std::sort(order.begin(), order.end(), [](const Value::Member& a, const Value::Member& b) {
      return utf16_less(a.first, b.first);
    });
    for (std::size_t i = 0; i < order.size(); ++i) put_member(i, order[i]);
  }

  void put_member(std::size_t index, const Value::Member& member) {
    next(index);
    append_quoted(out_, member.first);
    out_ += style_ == Style::kPretty ? ": " : ":";
    put(member.second);
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
  }

  void next(std::size_t index) {
    if (index > 0) out_ += ',';
    if (style_ == Style::kPretty) indent();
  }

  void close(char bracket, std::size_t count) {
    --depth_;
    if (style_ == Style::kPretty && count > 0) indent();
    out_ += bracket;
  }

  void indent() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  Style style_;
  std::size_t depth_ = 0;
  std::string& out_;
};

std::string text_of(const Value& value, Style style) {
  std::string out;
  Writer(style, out).put(value);
  return out;
}

void append_escape(std::string& out, char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += kDigits[static_cast<unsigned char>(c) >> 4];
  out += kDigits[static_cast<unsigned char>(c) & 15];
}

// Each byte that belongs to no character becomes U+FFFD.
std::string with_replacements(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t good = valid_utf8_prefix(text);
    out += text.substr(0, good);
    if (good == text.size()) return out;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(good + 1);
  }
}

// Which bytes stand for themselves in a string, whatever is around them.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = 0x20; c < 0x80; ++c) plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return plain;
}();

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return kPlain[static_cast<unsigned char>(c)]; })) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  if (!is_valid_utf8(text)) return append_quoted(out, with_replacements(text));
  out += '"';
  std::size_t kept = 0;  // what lies before is written
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) continue;
    out.append(text, kept, i - kept);
    append_escape(out, c);
    kept = i + 1;
  }
  out.append(text, kept);
  out += '"';
}

void append(std::string& out, const Value& value) { Writer(Style::kLine, out).put(value); }

std::string write(const Value& value) { return text_of(value, Style::kLine); }

std::string write_pretty(const Value& value) { return text_of(value, Style::kPretty) + '\n'; }

std::string canonical(const Value& value) { return text_of(value, Style::kCanonical); }

std::string quote(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

}  // namespace tollgate::json
