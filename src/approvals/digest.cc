// Digests by OpenSSL, and the digest of a call.
// The call's parts are written with their lengths, so that no two calls write the same text.
#include "approvals/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <memory>

#include "approvals/desk.h"
#include "json/json.h"

namespace tollgate::approvals {
namespace {

constexpr std::size_t kHandleDigits = 10;

using Bytes = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string text_of(const Bytes& bytes, unsigned size) {
  return hexadecimal({reinterpret_cast<const char*>(bytes.data()), size});
}

}  // namespace

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  // Asked for by its name each time, it would be looked for in a list under a lock.
  static EVP_MD* const kKind = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> kRoom(
      EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  Bytes out = {};
  unsigned size = 0;
  if (kKind == nullptr || kRoom == nullptr || EVP_DigestInit_ex(kRoom.get(), kKind, nullptr) != 1 ||
      EVP_DigestUpdate(kRoom.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(kRoom.get(), out.data(), &size) != 1)
    return {};
  return text_of(out, size);
}

std::string handle_of(std::string_view session) { return sha256(session).substr(0, kHandleDigits); }

bool is_handle(std::string_view text) {
  return text.size() == kHandleDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
  Bytes out = {};
  unsigned size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data(),
           &size) == nullptr)
    return {};
  return text_of(out, size);
}

bool same_secret(std::string_view a, std::string_view b) {
  return !a.empty() && a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string digest_of(const ToolCall& call) {
  std::string all = "tollgate call 1\n";
  const auto add = [&](std::string_view part) {
    all += std::to_string(part.size()) + ":";
    all += part;
  };
  add(call.session);
  add(call.agent);
  add(call.cwd);
  add(call.tool);
  add(json::canonical(call.input));
  return sha256(all);
}

}  // namespace tollgate::approvals
