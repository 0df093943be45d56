#include "notify/push_cipher.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>

#include "notify/codes.h"

namespace tollgate::notify {
namespace {

constexpr std::size_t kPoint = 65, kAuth = 16, kSalt = 16, kCek = 16, kNonce = 12, kTag = 16;
constexpr std::string_view kRecordSize("\0\0\x10\0", 4);  // 4096

using namespace std::string_literals;

Error failed() {
  return {.code = "notify-failed",
          .message = "a push message cannot be encrypted",
          .hint = "let the device subscribe again",
          .where = {}};
}

Error malformed(std::string message) {
  return {.code = "malformed-request",
          .message = std::move(message),
          .hint = "send what PushSubscription.toJSON() gives",
          .where = {}};
}

struct KeyContextEnd {
  void operator()(EVP_PKEY_CTX* context) const { ::EVP_PKEY_CTX_free(context); }
};
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, KeyContextEnd>;

struct CipherEnd {
  void operator()(EVP_CIPHER_CTX* context) const { ::EVP_CIPHER_CTX_free(context); }
};

// The library checks that the point lies on the curve.
Key key_at(std::string point) {
  const KeyContext context(::EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  std::string group = "prime256v1";
  const std::array<OSSL_PARAM, 3> parameters = {
      ::OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), group.size()),
      ::OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
      ::OSSL_PARAM_construct_end()};
  EVP_PKEY* made = nullptr;
  if (context == nullptr || ::EVP_PKEY_fromdata_init(context.get()) != 1 ||
      ::EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY,
                          const_cast<OSSL_PARAM*>(parameters.data())) != 1)
    return nullptr;
  return Key(made);
}

std::string shared_secret(const Key& own, const Key& other) {
  const KeyContext context(::EVP_PKEY_CTX_new(own.get(), nullptr));
  std::string out(32, '\0');
  std::size_t size = out.size();
  if (context == nullptr || ::EVP_PKEY_derive_init(context.get()) != 1 ||
      ::EVP_PKEY_derive_set_peer(context.get(), other.get()) != 1 ||
      ::EVP_PKEY_derive(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size) != 1 ||
      size != out.size())
    return "";
  return out;
}

std::string sealed(std::string_view text, const std::string& key, const std::string& nonce) {
  const std::unique_ptr<EVP_CIPHER_CTX, CipherEnd> context(::EVP_CIPHER_CTX_new());
  const auto bytes = [](const std::string_view part) {
    return reinterpret_cast<const unsigned char*>(part.data());
  };
  std::string out(text.size() + kTag, '\0');
  auto* to = reinterpret_cast<unsigned char*>(out.data());
  int size = 0, rest = 0;
  if (context == nullptr ||
      ::EVP_EncryptInit_ex(context.get(), ::EVP_aes_128_gcm(), nullptr, bytes(key), bytes(nonce)) !=
          1 ||
      ::EVP_EncryptUpdate(context.get(), to, &size, bytes(text), static_cast<int>(text.size())) !=
          1 ||
      ::EVP_EncryptFinal_ex(context.get(), to + size, &rest) != 1 ||
      ::EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTag, to + text.size()) != 1)
    return "";
  return out;
}

}  // namespace

Result<void> check_subscription(const Subscription& subscription) {
  const auto point = bytes_of_base64url(subscription.p256dh);
  if (!point || point->size() != kPoint || key_at(*point) == nullptr)
    return Fail(malformed("`keys.p256dh` is no point on P-256"));
  const auto auth = bytes_of_base64url(subscription.auth);
  if (!auth || auth->size() != kAuth) return Fail(malformed("`keys.auth` must have 16 bytes"));
  return {};
}

Result<std::string> encrypted(std::string_view text, const Subscription& subscription,
                              const Key& own, std::string_view salt) {
  if (Result<void> good = check_subscription(subscription); !good)
    return Fail(std::move(good).error());
  if (text.size() > kMostPushText || salt.size() != kSalt) return Fail(failed());
  const std::string theirs = *bytes_of_base64url(subscription.p256dh);
  const std::string auth = *bytes_of_base64url(subscription.auth);
  const std::string ours = public_point(own.get());
  const Key other = key_at(theirs);
  const std::string secret = own == nullptr || ours.empty() ? "" : shared_secret(own, other);
  if (secret.empty()) return Fail(failed());
  const std::string ikm =
      hmac_sha256(hmac_sha256(auth, secret), "WebPush: info\0"s + theirs + ours + "\x01"s);
  const std::string prk = hmac_sha256(salt, ikm);
  const std::string cek = hmac_sha256(prk, "Content-Encoding: aes128gcm\0\x01"s).substr(0, kCek);
  const std::string nonce = hmac_sha256(prk, "Content-Encoding: nonce\0\x01"s).substr(0, kNonce);
  if (cek.size() != kCek || nonce.size() != kNonce) return Fail(failed());
  // One record, which is the last: it ends in 2.
  const std::string body = sealed(std::string(text) + "\x02", cek, nonce);
  if (body.empty()) return Fail(failed());
  return std::string(salt) + std::string(kRecordSize) + static_cast<char>(kPoint) + ours + body;
}

}  // namespace tollgate::notify
