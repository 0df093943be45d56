#include "notify/codes.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <cstdint>

namespace tollgate::notify {
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

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string as_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  // The library takes no null pointer for a key.
  const char* begin = key.empty() ? "" : key.data();
  if (::HMAC(::EVP_sha256(), begin, static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data(),
             &size) == nullptr)
    return "";
  return {reinterpret_cast<const char*>(out.data()), size};
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.empty() || a.size() != b.size()) return false;
  return ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tollgate::notify
