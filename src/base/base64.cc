#include "base/base64.h"

#include <cstdint>

namespace tollgate {
namespace {

constexpr std::string_view kPlain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encoded(std::string_view bytes, std::string_view letters) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t kept = 0;
  int bits = 0;
  for (const char c : bytes) {
    kept = kept << 8 | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) out += letters[kept >> (bits - 6) & 63];
  }
  if (bits > 0) out += letters[kept << (6 - bits) & 63];
  return out;
}

std::optional<std::string> decoded(std::string_view text, std::string_view letters) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  std::uint32_t kept = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = letters.find(c);
    if (value == letters.npos) return std::nullopt;
    kept = kept << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(kept >> bits & 255);
  }
  return out;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out = encoded(bytes, kPlain);
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::string base64url(std::string_view bytes) { return encoded(bytes, kUrl); }

std::optional<std::string> bytes_of_base64url(std::string_view text) { return decoded(text, kUrl); }
std::optional<std::string> bytes_of_base64(std::string_view text) { return decoded(text, kPlain); }

}  // namespace tollgate
