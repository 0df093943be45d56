#include "webauthn/es256.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <memory>

namespace tollgate::webauthn {
namespace {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* held) const {
    kFree(held);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<::EVP_PKEY_free>>;

constexpr std::size_t kPointBytes = 65;

const unsigned char* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Null where it is no point of the curve.
Key key_of(std::string_view point) {
  if (point.size() != kPointBytes || point[0] != 4) return nullptr;
  const std::unique_ptr<EVP_PKEY_CTX, Freed<::EVP_PKEY_CTX_free>> context(
      ::EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  if (context == nullptr || ::EVP_PKEY_fromdata_init(context.get()) != 1) return nullptr;
  std::string group = "prime256v1", bytes(point);
  const std::array<OSSL_PARAM, 3> parameters = {
      ::OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), 0),
      ::OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes.data(), bytes.size()),
      ::OSSL_PARAM_construct_end()};
  EVP_PKEY* made = nullptr;
  const int good = ::EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY,
                                       const_cast<OSSL_PARAM*>(parameters.data()));
  Key key(made);
  if (good != 1 || key == nullptr) return nullptr;
  const std::unique_ptr<EVP_PKEY_CTX, Freed<::EVP_PKEY_CTX_free>> check(
      ::EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
  if (check == nullptr || ::EVP_PKEY_public_check(check.get()) != 1) return nullptr;
  return key;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  if (::EVP_Digest(data_of(bytes), bytes.size(), out.data(), &size, ::EVP_sha256(), nullptr) != 1)
    return "";
  return {reinterpret_cast<const char*>(out.data()), size};
}

bool is_point(std::string_view point) {
  const bool good = key_of(point) != nullptr;
  ::ERR_clear_error();
  return good;
}

bool is_signed(std::string_view point, std::string_view bytes, std::string_view signature) {
  const Key key = key_of(point);
  const std::unique_ptr<EVP_MD_CTX, Freed<::EVP_MD_CTX_free>> context(::EVP_MD_CTX_new());
  const bool good =
      key != nullptr && context != nullptr &&
      ::EVP_DigestVerifyInit(context.get(), nullptr, ::EVP_sha256(), nullptr, key.get()) == 1 &&
      ::EVP_DigestVerify(context.get(), data_of(signature), signature.size(), data_of(bytes),
                         bytes.size()) == 1;
  ::ERR_clear_error();
  return good;
}

}  // namespace tollgate::webauthn
