// Strings and plain words of TOML: numbers, dates, true and false.
#include <algorithm>

#include "base/text.h"
#include "providers/toml_reader.h"

namespace tollgate::providers {
namespace {

void add_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6), put(0x80 | (code & 63));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  } else {
    put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 63));
    put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  }
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == text.npos;
}

// Digits with single underscores between them.
bool is_digits(std::string_view text, std::string_view digits) {
  return all(text, std::string(digits) + "_") && text.front() != '_' && text.back() != '_' &&
         text.find("__") == text.npos;
}

bool is_integer(std::string_view text) {
  return is_digits(text, "0123456789") && (text.size() == 1 || text[0] != '0');
}

bool is_float(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e != text.npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
    if (!is_digits(power, "0123456789")) return false;
    text = text.substr(0, e);
  }
  const std::size_t dot = text.find('.');
  if (dot == text.npos) return is_integer(text);
  return is_integer(text.substr(0, dot)) && is_digits(text.substr(dot + 1), "0123456789");
}

// 0 stands for a digit; what follows a whole pattern is judged by the caller.
bool fits(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i)
    if (pattern[i] == '0' ? !is_digit(text[i]) : text[i] != pattern[i]) return false;
  return true;
}

// Two digits from `at` on, between the two bounds.
bool within(std::string_view text, std::size_t at, int least, int most) {
  const int value = (text[at] - '0') * 10 + (text[at + 1] - '0');
  return value >= least && value <= most;
}

bool is_time(std::string_view text) {
  if (!fits(text, "00:00:00") || !within(text, 0, 0, 23) || !within(text, 3, 0, 59) ||
      !within(text, 6, 0, 59))
    return false;
  text.remove_prefix(8);
  return text.empty() || (text[0] == '.' && all(text.substr(1), "0123456789"));
}

bool is_moment(std::string_view text) {
  if (!fits(text, "0000-00-00")) return is_time(text);
  if (!within(text, 5, 1, 12) || !within(text, 8, 1, 31)) return false;
  text.remove_prefix(10);
  if (text.empty()) return true;
  if (text[0] != 'T' && text[0] != 't' && text[0] != ' ') return false;
  text.remove_prefix(1);
  if (text.ends_with('Z') || text.ends_with('z'))
    text.remove_suffix(1);
  else if (const std::size_t sign = text.find_last_of("+-"); sign != text.npos) {
    if (text.size() - sign != 6 || !fits(text.substr(sign + 1), "00:00")) return false;
    text = text.substr(0, sign);
  }
  return is_time(text);
}

bool is_number(std::string_view text) {
  if (text.starts_with("0x")) return is_digits(text.substr(2), "0123456789abcdefABCDEF");
  if (text.starts_with("0o")) return is_digits(text.substr(2), "01234567");
  if (text.starts_with("0b")) return is_digits(text.substr(2), "01");
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text == "inf" || text == "nan" || is_float(text);
}

}  // namespace

bool TomlReader::word(std::string& out) {
  const std::size_t begin = at_;
  const auto to_end = [&] {
    at_ = std::min(text_.find_first_of(",]}# \t\r\n", at_), text_.size());
    out = std::string(text_.substr(begin, at_ - begin));
  };
  to_end();
  // A date and its time may have a blank between them.
  if (out.size() == 10 && fits(out, "0000-00-00") && peek() == ' ' && is_digit(peek(1))) {
    ++at_;
    to_end();
  }
  if (out == "true" || out == "false" || is_number(out) || is_moment(out)) return true;
  at_ = begin;
  return fail(out.empty() ? "a value is expected" : "`" + shortened(out) + "` is no value");
}

bool TomlReader::text_value(std::string& out) {
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("\"\"\"")) return long_basic(out);
  if (rest.starts_with("'''")) return long_literal(out);
  return peek() == '"' ? basic(out) : literal(out);
}

bool TomlReader::basic(std::string& out) {
  const std::size_t begin = at_;
  for (++at_; !ended() && peek() != '"' && peek() != '\n';) {
    if (peek() == '\\') {
      if (!escape(out)) return false;
      continue;
    }
    if (is_control(peek())) return fail("a string holds a control character");
    out += text_[at_++];
  }
  if (take('"')) return true;
  at_ = begin;
  return fail("a string does not end");
}

bool TomlReader::literal(std::string& out) {
  const std::size_t begin = at_;
  for (++at_; !ended() && peek() != '\'' && peek() != '\n'; ++at_) {
    if (is_control(peek())) return fail("a string holds a control character");
    out += peek();
  }
  if (take('\'')) return true;
  at_ = begin;
  return fail("a string does not end");
}

bool TomlReader::long_basic(std::string& out) {
  const std::size_t begin = at_;
  at_ += 3;
  if (peek() == '\r' && peek(1) == '\n') ++at_;
  take('\n');
  while (!ended()) {
    if (text_.substr(at_).starts_with("\"\"\"")) {
      at_ += 3;
      // Two more quotes may belong to the text.
      for (int more = 0; more < 2 && take('"'); ++more) out += '"';
      return true;
    }
    if (peek() == '\\') {
      const std::size_t word = text_.find_first_not_of(" \t\r", at_ + 1);
      if (word != text_.npos && text_[word] == '\n') {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", word), text_.size());
        continue;
      }
      if (!escape(out)) return false;
      continue;
    }
    if (is_control(peek()) && peek() != '\n' && peek() != '\r')
      return fail("a string holds a control character");
    out += text_[at_++];
  }
  at_ = begin;
  return fail("a string does not end");
}

bool TomlReader::long_literal(std::string& out) {
  const std::size_t begin = at_;
  at_ += 3;
  if (peek() == '\r' && peek(1) == '\n') ++at_;
  take('\n');
  const std::size_t close = text_.find("'''", at_);
  if (close == text_.npos) {
    at_ = begin;
    return fail("a string does not end");
  }
  for (; at_ < close; ++at_) {
    if (is_control(peek()) && peek() != '\n' && peek() != '\r')
      return fail("a string holds a control character");
    out += peek();
  }
  at_ += 3;
  for (int more = 0; more < 2 && take('\''); ++more) out += '\'';
  return true;
}

bool TomlReader::escape(std::string& out) {
  constexpr std::string_view kLetters = "btnfre\"\\", kMeant = "\b\t\n\f\r\x1b\"\\";
  const char letter = peek(1);
  const std::size_t known = letter == '\0' ? kLetters.npos : kLetters.find(letter);
  if (known != kLetters.npos) {
    out += kMeant[known];
    at_ += 2;
    return true;
  }
  const std::size_t count = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  const std::string_view digits = text_.substr(std::min(at_ + 2, text_.size())).substr(0, count);
  if (count == 0 || digits.size() != count || !all(digits, "0123456789abcdefABCDEF"))
    return fail("an escape is not one that TOML knows");
  std::uint32_t code = 0;
  for (const char c : digits)
    code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower(c) - 'a' + 10);
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return fail("an escape names no character");
  add_utf8(out, code);
  at_ += 2 + count;
  return true;
}

}  // namespace tollgate::providers
