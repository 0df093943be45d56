#include "notify/push_key.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>

#include "json/json.h"
#include "notify/codes.h"
#include "notify/secret_file.h"
#include "os/files.h"

namespace tollgate::notify {
namespace {

constexpr std::size_t kHalf = 32;  // of a signature, and of a point

Error failed(std::string message) {
  return {.code = "notify-failed",
          .message = std::move(message),
          .hint = "remove the file and let the gate make a new key; devices subscribe again then",
          .where = {}};
}

struct MemoryEnd {
  void operator()(BIO* bio) const { ::BIO_free(bio); }
};
using Memory = std::unique_ptr<BIO, MemoryEnd>;

struct DigestEnd {
  void operator()(EVP_MD_CTX* context) const { ::EVP_MD_CTX_free(context); }
};

// JWT wants both numbers of a signature one behind the other, 32 bytes each; OpenSSL gives DER.
std::string both_numbers(const std::string& der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  ECDSA_SIG* read = ::d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
  if (read == nullptr) return "";
  std::array<unsigned char, 2 * kHalf> out{};
  const bool fits =
      ::BN_bn2binpad(::ECDSA_SIG_get0_r(read), out.data(), kHalf) == static_cast<int>(kHalf) &&
      ::BN_bn2binpad(::ECDSA_SIG_get0_s(read), out.data() + kHalf, kHalf) ==
          static_cast<int>(kHalf);
  ::ECDSA_SIG_free(read);
  return fits ? std::string(reinterpret_cast<const char*>(out.data()), out.size()) : "";
}

std::string signature_of(EVP_PKEY* key, const std::string& text) {
  const std::unique_ptr<EVP_MD_CTX, DigestEnd> context(::EVP_MD_CTX_new());
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  if (context == nullptr ||
      ::EVP_DigestSignInit(context.get(), nullptr, ::EVP_sha256(), nullptr, key) != 1 ||
      ::EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) != 1)
    return "";
  std::string der(size, '\0');
  if (::EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(der.data()), &size, bytes,
                       text.size()) != 1)
    return "";
  der.resize(size);
  return both_numbers(der);
}

}  // namespace

void KeyEnd::operator()(EVP_PKEY* key) const { ::EVP_PKEY_free(key); }

Key new_key() { return Key(::EVP_EC_gen("P-256")); }

std::string public_point(const EVP_PKEY* key) {
  std::array<unsigned char, 1 + 2 * kHalf> out{};
  std::size_t size = 0;
  std::array<char, 32> group{};
  if (key == nullptr || ::EVP_PKEY_get_group_name(key, group.data(), group.size(), nullptr) != 1 ||
      std::string_view(group.data()) != "prime256v1" ||
      ::EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, out.data(), out.size(),
                                        &size) != 1 ||
      size != out.size() || out[0] != 4)
    return "";
  return {reinterpret_cast<const char*>(out.data()), size};
}

Result<PushKey> PushKey::of(Key key) {
  std::string point = public_point(key.get());
  if (point.empty()) return Fail(failed("the key for push messages is no key on P-256"));
  return PushKey(std::move(key), base64url(point));
}

Result<PushKey> PushKey::make() { return of(new_key()); }

Result<PushKey> PushKey::read(const std::string& pem) {
  const Memory memory(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (memory == nullptr) return Fail(failed("no memory for the key"));
  return of(Key(::PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr)));
}

std::string PushKey::pem() const {
  const Memory memory(::BIO_new(::BIO_s_mem()));
  if (memory == nullptr || ::PEM_write_bio_PrivateKey(memory.get(), key_.get(), nullptr, nullptr, 0,
                                                      nullptr, nullptr) != 1)
    return "";
  char* text = nullptr;
  const long size = ::BIO_get_mem_data(memory.get(), &text);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "";
}

Result<PushKey> PushKey::in_file(const std::string& path) {
  Result<std::string> kept = secret_in(path);
  if (kept) return read(*kept + "\n");
  if (kept.error().code != "file-missing") return Fail(std::move(kept).error());
  Result<PushKey> made = make();
  if (!made) return made;
  const std::string pem = made->pem();
  if (pem.empty()) return Fail(failed("the key for push messages cannot be written"));
  Result<bool> written = os::write_once(path, pem);
  if (!written) return Fail(std::move(written).error());
  if (*written) return made;
  kept = secret_in(path);  // another process was first
  if (!kept) return Fail(std::move(kept).error());
  return read(*kept + "\n");
}

Result<std::string> PushKey::authorization(const std::string& audience, const std::string& contact,
                                           std::int64_t expires_seconds) const {
  using json::Value;
  const Value head =
      Value::object({{"typ", Value::string("JWT")}, {"alg", Value::string("ES256")}});
  const Value claims = Value::object({{"aud", Value::string(audience)},
                                      {"exp", Value::integer(expires_seconds)},
                                      {"sub", Value::string(contact)}});
  const std::string text = base64url(json::write(head)) + "." + base64url(json::write(claims));
  const std::string signature = signature_of(key_.get(), text);
  if (signature.empty()) return Fail(failed("a push message cannot be signed"));
  return "vapid t=" + text + "." + base64url(signature) + ", k=" + public_text_;
}

}  // namespace tollgate::notify
