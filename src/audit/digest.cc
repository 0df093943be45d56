#include "audit/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <memory>

namespace tollgate {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::optional<Digest> sha256(std::string_view bytes) {
  // Asked for by its name each time, it would be looked for in a list under a lock.
  static EVP_MD* const kKind = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> kRoom(
      EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  Digest out;
  unsigned size = 0;
  if (kKind == nullptr || kRoom == nullptr || EVP_DigestInit_ex(kRoom.get(), kKind, nullptr) != 1 ||
      EVP_DigestUpdate(kRoom.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(kRoom.get(), out.bytes.data(), &size) != 1 || size != out.bytes.size())
    return std::nullopt;
  return out;
}

std::optional<Digest> hmac_sha256(std::string_view key, std::string_view bytes) {
  Digest out;
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.bytes.data(),
           &size) == nullptr ||
      size != out.bytes.size())
    return std::nullopt;
  return out;
}

std::string text_of(const Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest.bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<Digest> digest_from(std::string_view digits) {
  Digest out;
  if (digits.size() != out.bytes.size() * 2) return std::nullopt;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t value = kDigits.find(digits[i]);
    if (value == kDigits.npos) return std::nullopt;
    out.bytes[i / 2] = static_cast<std::uint8_t>(out.bytes[i / 2] * 16 + value);
  }
  return out;
}

std::optional<Digest> digest_of_bytes(std::string_view bytes) {
  Digest out;
  if (bytes.size() != out.bytes.size()) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), out.bytes.begin());
  return out;
}

}  // namespace tollgate
