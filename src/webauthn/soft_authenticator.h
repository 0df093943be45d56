// An authenticator made of software, and the browser before it: for tests.
// Included by tests only. What it says can be changed piece by piece, for attacks.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>

#include <cstdint>
#include <string>

#include "base/base64.h"
#include "webauthn/cbor.h"
#include "webauthn/ceremony.h"
#include "webauthn/es256.h"

namespace tollgate::webauthn {

// What one ceremony says; each field may lie.
struct Saying {
  std::string type;
  std::string challenge;  // bytes
  std::string origin;
  std::string rp_id;
  unsigned flags = 0x01;
  std::uint32_t counter = 0;
  bool cross_origin = false;
};

class SoftAuthenticator {
 public:
  explicit SoftAuthenticator(std::string id) : id_(std::move(id)), key_(::EVP_EC_gen("P-256")) {}
  ~SoftAuthenticator() { ::EVP_PKEY_free(key_); }
  SoftAuthenticator(const SoftAuthenticator&) = delete;
  SoftAuthenticator& operator=(const SoftAuthenticator&) = delete;

  const std::string& id() const& { return id_; }
  std::string point() const {
    std::string out(65, '\0');
    std::size_t size = 0;
    ::EVP_PKEY_get_octet_string_param(key_, OSSL_PKEY_PARAM_PUB_KEY,
                                      reinterpret_cast<unsigned char*>(out.data()), out.size(),
                                      &size);
    return out;
  }

  static std::string client_data(const Saying& said) {
    return R"({"type":")" + said.type + R"(","challenge":")" + base64url(said.challenge) +
           R"(","origin":")" + said.origin + R"(","crossOrigin":)" +
           (said.cross_origin ? "true" : "false") + "}";
  }
  static std::string authenticator_data(const Saying& said) {
    std::string out = sha256(said.rp_id);
    out += static_cast<char>(said.flags);
    for (int bits = 24; bits >= 0; bits -= 8) out += static_cast<char>(said.counter >> bits & 255);
    return out;
  }
  Cbor cose_key() const {
    const std::string bytes = point();
    return cbor_map({cbor_number(1), cbor_number(2), cbor_number(3), cbor_number(-7),
                     cbor_number(-1), cbor_number(1), cbor_number(-2),
                     cbor_bytes(bytes.substr(1, 32)), cbor_number(-3),
                     cbor_bytes(bytes.substr(33))});
  }
  // Of a registration. `flags` must have 0x40 for a key to follow.
  std::string attestation(const Saying& said, const Cbor& key) const {
    std::string data = authenticator_data(said) + std::string(16, '\0');
    data += static_cast<char>(id_.size() >> 8);
    data += static_cast<char>(id_.size() & 255);
    data += id_ + write_cbor(key);
    return write_cbor(cbor_map({cbor_text("fmt"), cbor_text("none"), cbor_text("attStmt"),
                                cbor_map({}), cbor_text("authData"), cbor_bytes(data)}));
  }
  std::string attestation(const Saying& said) const { return attestation(said, cose_key()); }

  std::string signature(const Saying& said) const {
    const std::string bytes = authenticator_data(said) + sha256(client_data(said));
    EVP_MD_CTX* context = ::EVP_MD_CTX_new();
    ::EVP_DigestSignInit(context, nullptr, ::EVP_sha256(), nullptr, key_);
    std::size_t size = 128;
    std::string out(size, '\0');
    ::EVP_DigestSign(context, reinterpret_cast<unsigned char*>(out.data()), &size,
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    ::EVP_MD_CTX_free(context);
    out.resize(size);
    return out;
  }

 private:
  std::string id_;
  EVP_PKEY* key_;
};

}  // namespace tollgate::webauthn
