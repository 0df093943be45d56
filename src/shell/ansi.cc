// $'…': the escapes of ANSI C, decoded as bash does.
#include "shell/reader.h"

namespace tollgate::shell {
namespace {

int digit(char c, int base) {
  int value = -1;
  if (c >= '0' && c <= '9') value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18 & 7));
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

}  // namespace

// A NUL ends the text, as it does in bash.
std::string decode_ansi(std::string_view raw) {
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      out += raw[i];
      continue;
    }
    const char c = raw[++i];
    const auto number = [&](std::size_t from, std::size_t most, int base, std::uint32_t& value) {
      std::size_t used = 0;
      while (used < most && from + used < raw.size() && digit(raw[from + used], base) >= 0) {
        value = value * static_cast<std::uint32_t>(base) +
                static_cast<std::uint32_t>(digit(raw[from + used], base));
        ++used;
      }
      return used;
    };
    std::uint32_t value = 0;
    switch (c) {
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'e':
      case 'E':
        out += '\033';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'v':
        out += '\v';
        break;
      case '\\':
      case '\'':
      case '"':
      case '?':
        out += c;
        break;
      case 'x': {
        std::size_t from = i + 1;
        const bool braced = from < raw.size() && raw[from] == '{';
        if (braced) ++from;
        const std::size_t used = number(from, braced ? 8 : 2, 16, value);
        if (used == 0) {
          out += "\\x";
          if (braced) {
            // bash drops the brace and keeps what follows
            i = from - 1;
          }
          break;
        }
        i = from + used - 1;
        if (braced && i + 1 < raw.size() && raw[i + 1] == '}') ++i;
        value &= 0xff;
        if (value == 0) return out;
        out += static_cast<char>(value);
        break;
      }
      case 'u':
      case 'U': {
        const std::size_t used = number(i + 1, c == 'u' ? 4 : 8, 16, value);
        if (used == 0) {
          out += '\\';
          out += c;
          break;
        }
        i += used;
        if (value == 0) return out;
        append_utf8(value, out);
        break;
      }
      case 'c':
        if (i + 1 < raw.size()) {
          char of = raw[++i];
          if (of == '\\' && i + 1 < raw.size() && raw[i + 1] == '\\') ++i;
          const char control = of == '?' ? '\x7f' : static_cast<char>(of & 0x1f);
          if (control == '\0') return out;
          out += control;
        } else {
          out += "\\c";
        }
        break;
      default:
        if (digit(c, 8) >= 0) {
          const std::size_t used = number(i, 3, 8, value);
          i += used - 1;
          value &= 0xff;
          if (value == 0) return out;
          out += static_cast<char>(value);
        } else {
          out += '\\';
          out += c;
        }
    }
  }
  return out;
}

// At the quote; `begin` is the dollar.
void Reader::read_ansi(Pile<Part>& parts, std::uint32_t begin) {
  const std::uint32_t close = skip_single(at_ + 1, true);
  if (close == 0) {
    at_ = end_;
    fail(begin, "the quote `$'` is not closed", true);
    return;
  }
  Part part;
  part.kind = PartKind::kAnsi;
  part.text =
      shared_.arena.copy(std::string_view(decode_ansi(text_.substr(at_ + 1, close - at_ - 2))));
  at_ = close;
  part.span = span_from(begin);
  parts.add(part);
}

}  // namespace tollgate::shell
