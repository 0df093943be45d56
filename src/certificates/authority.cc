#include "certificates/authority.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>

#include "base/host.h"
#include "certificates/openssl.h"

namespace tollgate::certificates {
namespace {

using Store = std::unique_ptr<X509_STORE, Freed<::X509_STORE_free>>;
using Check = std::unique_ptr<X509_STORE_CTX, Freed<::X509_STORE_CTX_free>>;
using Number = std::unique_ptr<BIGNUM, Freed<::BN_free>>;

// A phone whose clock is behind ours takes it all the same.
constexpr std::int64_t kEarlier = 3600 * 1000;
constexpr int kSerialBits = 127;

// Names that no certificate authority of the world gives out, and networks that end at a router.
constexpr std::string_view kPrivate =
    "permitted;DNS:localhost,permitted;DNS:local,permitted;DNS:lan,permitted;DNS:internal,"
    "permitted;DNS:home.arpa,permitted;IP:127.0.0.0/255.0.0.0,permitted;IP:10.0.0.0/255.0.0.0,"
    "permitted;IP:172.16.0.0/255.240.0.0,permitted;IP:192.168.0.0/255.255.0.0,"
    "permitted;IP:100.64.0.0/255.192.0.0,permitted;IP:169.254.0.0/255.255.0.0,"
    "permitted;IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,permitted;IP:fc00::/fe00::,"
    "permitted;IP:fe80::/ffc0::";

// In canonical spelling, each once. SAFETY: such a name has no character that means something to
// the library where extensions are written as text.
Result<std::vector<std::string>> canonical(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    const std::string host = canonical_host(name);
    if (host.empty())
      return Fail({.code = "name-not-permitted",
                   .message = "`" + name + "` is no name of a machine",
                   .hint = "give a host name or an address, without a port",
                   .where = {}});
    if (std::ranges::find(out, host) == out.end()) out.push_back(host);
  }
  if (out.empty() || out.size() > kMostNames)
    return Fail({.code = "name-not-permitted",
                 .message = "a certificate is for 1 to " + std::to_string(kMostNames) + " names",
                 .hint = "name fewer of them",
                 .where = {}});
  return out;
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names)
    out += std::string(out.empty() ? "" : ",") + (is_address(name) ? "IP:" : "DNS:") + name;
  return out;
}

std::string constraints(const std::vector<std::string>& names) {
  std::string out = "critical," + std::string(kPrivate);
  for (const std::string& name : names) {
    const bool six = name.find(':') != name.npos;
    out += !is_address(name)
               ? ",permitted;DNS:" + name
               : ",permitted;IP:" + name +
                     (six ? "/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "/255.255.255.255");
  }
  return out;
}

bool add_extension(X509* to, X509* issuer, int kind, const std::string& text) {
  X509V3_CTX context = {};
  X509V3_set_ctx_nodb(&context);
  ::X509V3_set_ctx(&context, issuer, to, nullptr, nullptr, 0);
  using Extension = std::unique_ptr<X509_EXTENSION, Freed<::X509_EXTENSION_free>>;
  const Extension made(::X509V3_EXT_conf_nid(nullptr, &context, kind, text.c_str()));
  return made != nullptr && ::X509_add_ext(to, made.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  const Number serial(::BN_new());
  return serial != nullptr &&
         ::BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
         ::BN_to_ASN1_INTEGER(serial.get(), ::X509_get_serialNumber(certificate)) != nullptr;
}

bool set_times(X509* certificate, std::int64_t from, std::int64_t until) {
  return ::ASN1_TIME_set(::X509_getm_notBefore(certificate), from / 1000) != nullptr &&
         ::ASN1_TIME_set(::X509_getm_notAfter(certificate), until / 1000) != nullptr;
}

bool set_subject(X509* certificate, const std::string& title) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(title.data());
  // LIMIT: X.509 has 64 characters for it.
  const int size = static_cast<int>(std::min<std::size_t>(title.size(), 64));
  return ::X509_NAME_add_entry_by_NID(::X509_get_subject_name(certificate), NID_commonName,
                                      MBSTRING_ASC, bytes, size, -1, 0) == 1;
}

struct Blank {
  Key key;
  Certificate certificate;
};

// Everything but who signs it and what it may do.
Result<Blank> blank(const std::string& title, std::int64_t now, std::int64_t lifetime) {
  ::ERR_clear_error();
  Blank out{.key = Key(::EVP_EC_gen("P-256")), .certificate = Certificate(::X509_new())};
  X509* made = out.certificate.get();
  if (out.key == nullptr || made == nullptr) return Fail(failed("make a key"));
  if (::X509_set_version(made, X509_VERSION_3) != 1 || !set_serial(made) ||
      !set_times(made, now - kEarlier, now - kEarlier + lifetime) || !set_subject(made, title) ||
      ::X509_set_pubkey(made, out.key.get()) != 1)
    return Fail(failed("make a certificate"));
  return out;
}

Result<Signed> written(const Key& key, const Certificate& certificate) {
  const Memory keys(::BIO_new(::BIO_s_mem())), certificates(::BIO_new(::BIO_s_mem()));
  if (keys == nullptr || certificates == nullptr ||
      ::PEM_write_bio_PrivateKey(keys.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1 ||
      ::PEM_write_bio_X509(certificates.get(), certificate.get()) != 1)
    return Fail(failed("write a certificate"));
  return Signed{.key = text_in(keys.get()), .certificate = text_in(certificates.get())};
}

Error not_permitted(const std::string& names) {
  return {.code = "name-not-permitted",
          .message = "the authority of this machine may not vouch for " + names,
          .hint =
              "`tollgate pair --certificate --new-authority` makes one that may; phones have to "
              "trust it again",
          .where = {}};
}

// Verifies as a client would that trusts this authority alone.
Result<void> verified(X509* certificate, X509* authority, std::int64_t now) {
  const Store store(::X509_STORE_new());
  const Check check(::X509_STORE_CTX_new());
  if (store == nullptr || check == nullptr || ::X509_STORE_add_cert(store.get(), authority) != 1 ||
      ::X509_STORE_CTX_init(check.get(), store.get(), certificate, nullptr) != 1 ||
      ::X509_STORE_CTX_set_purpose(check.get(), X509_PURPOSE_SSL_SERVER) != 1)
    return Fail(failed("verify a certificate"));
  ::X509_STORE_CTX_set_time(check.get(), 0, now / 1000);
  if (::X509_verify_cert(check.get()) == 1) return {};
  const int why = ::X509_STORE_CTX_get_error(check.get());
  if (why == X509_V_ERR_PERMITTED_VIOLATION) return Fail(not_permitted(""));
  ::ERR_clear_error();
  return Fail({.code = "certificate-failed",
               .message = "the new certificate does not verify: " +
                          std::string(::X509_verify_cert_error_string(why)),
               .hint = "check the clock of this machine; `--new-authority` makes all of it anew",
               .where = {}});
}

// Which of the names it may not vouch for: each is tried alone.
Error with_names(const Signed& authority, Wish wish, const std::vector<std::string>& names) {
  std::string which;
  for (const std::string& name : names) {
    wish.names = {name};
    if (names.size() == 1 || !sign_server(authority, wish))
      which += (which.empty() ? "`" : ", `") + name + "`";
  }
  return not_permitted(which);
}

}  // namespace

Result<Signed> make_authority(const Wish& wish) {
  const Result<std::vector<std::string>> names = canonical(wish.names);
  if (!names) return Fail(names.error());
  Result<Blank> made = blank("Tollgate on " + wish.machine, wish.now, kAuthorityLifetime);
  if (!made) return Fail(std::move(made).error());
  X509* self = made->certificate.get();
  if (::X509_set_issuer_name(self, ::X509_get_subject_name(self)) != 1 ||
      !add_extension(self, self, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") ||
      !add_extension(self, self, NID_key_usage, "critical,keyCertSign,cRLSign") ||
      !add_extension(self, self, NID_ext_key_usage, "serverAuth") ||
      !add_extension(self, self, NID_subject_key_identifier, "hash") ||
      !add_extension(self, self, NID_name_constraints, constraints(*names)) ||
      ::X509_sign(self, made->key.get(), ::EVP_sha256()) <= 0)
    return Fail(failed("sign the authority"));
  return written(made->key, made->certificate);
}

Result<Signed> sign_server(const Signed& authority, const Wish& wish) {
  const Result<std::vector<std::string>> names = canonical(wish.names);
  if (!names) return Fail(names.error());
  ::ERR_clear_error();
  const Memory key_text = reading(authority.key), certificate_text = reading(authority.certificate);
  const Key key(::PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr));
  const Certificate issuer(::PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr));
  if (key == nullptr || issuer == nullptr || ::X509_check_private_key(issuer.get(), key.get()) != 1)
    return Fail({.code = "certificate-failed",
                 .message = "cannot use the authority of this machine: " + last_words(),
                 .hint = "`tollgate pair --certificate --new-authority` makes another; phones have "
                         "to trust it again",
                 .where = {}});
  Result<Blank> made = blank("Tollgate server on " + wish.machine, wish.now, kServerLifetime);
  if (!made) return Fail(std::move(made).error());
  X509* server = made->certificate.get();
  if (::X509_set_issuer_name(server, ::X509_get_subject_name(issuer.get())) != 1 ||
      !add_extension(server, issuer.get(), NID_basic_constraints, "critical,CA:FALSE") ||
      !add_extension(server, issuer.get(), NID_key_usage, "critical,digitalSignature") ||
      !add_extension(server, issuer.get(), NID_ext_key_usage, "serverAuth") ||
      !add_extension(server, issuer.get(), NID_subject_key_identifier, "hash") ||
      !add_extension(server, issuer.get(), NID_authority_key_identifier, "keyid:always") ||
      !add_extension(server, issuer.get(), NID_subject_alt_name, alternatives(*names)) ||
      ::X509_sign(server, key.get(), ::EVP_sha256()) <= 0)
    return Fail(failed("sign a certificate"));
  const Result<void> held = verified(server, issuer.get(), wish.now);
  if (held) return written(made->key, made->certificate);
  return Fail(held.error().code == "name-not-permitted" ? with_names(authority, wish, *names)
                                                        : held.error());
}

}  // namespace tollgate::certificates
