#include "certificates/facts.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>

#include "base/host.h"
#include "base/text.h"
#include "certificates/openssl.h"

namespace tollgate::certificates {
namespace {

using Names = std::unique_ptr<GENERAL_NAMES, Freed<::GENERAL_NAMES_free>>;

std::string digest_of(const X509* certificate) {
  constexpr std::string_view kHex = "0123456789abcdef";
  unsigned char bytes[EVP_MAX_MD_SIZE] = {};
  unsigned size = 0;
  if (::X509_digest(certificate, ::EVP_sha256(), bytes, &size) != 1) return "";
  std::string out;
  for (unsigned i = 0; i < size; ++i) {
    out += kHex[bytes[i] >> 4];
    out += kHex[bytes[i] & 15];
  }
  return out;
}

std::int64_t milliseconds(const ASN1_TIME* time) {
  std::tm parts = {};
  if (time == nullptr || ::ASN1_TIME_to_tm(time, &parts) != 1) return 0;
  return static_cast<std::int64_t>(::timegm(&parts)) * 1000;
}

std::string address_in(const ASN1_OCTET_STRING* bytes) {
  const int size = ::ASN1_STRING_length(bytes);
  char text[INET6_ADDRSTRLEN] = {};
  const int family = size == 4 ? AF_INET : size == 16 ? AF_INET6 : 0;
  if (family == 0) return "";
  const char* made = ::inet_ntop(family, ::ASN1_STRING_get0_data(bytes), text, sizeof text);
  return made == nullptr ? "" : canonical_host(made);
}

std::vector<std::string> names_of(const X509* certificate) {
  std::vector<std::string> out;
  const Names names(static_cast<GENERAL_NAMES*>(
      ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    std::string text;
    if (name->type == GEN_DNS)
      text.assign(reinterpret_cast<const char*>(::ASN1_STRING_get0_data(name->d.dNSName)),
                  static_cast<std::size_t>(::ASN1_STRING_length(name->d.dNSName)));
    if (name->type == GEN_IPADD) text = address_in(name->d.iPAddress);
    // A name with odd characters is nobody's; a star may begin one.
    const std::string_view bare = text.starts_with("*.") ? std::string_view(text).substr(2) : text;
    if (!canonical_host(bare).empty()) out.push_back(lower(text));
  }
  return out;
}

std::string subject_of(const X509* certificate) {
  char text[256] = {};
  const int size = ::X509_NAME_get_text_by_NID(::X509_get_subject_name(certificate), NID_commonName,
                                               text, sizeof text);
  return size > 0 ? std::string(text) : std::string();
}

Facts facts_of(X509* certificate) {
  Facts facts;
  facts.subject = subject_of(certificate);
  facts.sha256 = digest_of(certificate);
  facts.names = names_of(certificate);
  facts.not_before = milliseconds(::X509_get0_notBefore(certificate));
  facts.not_after = milliseconds(::X509_get0_notAfter(certificate));
  facts.is_authority = ::X509_check_ca(certificate) == 1;
  const Memory memory(::BIO_new(::BIO_s_mem()));
  if (memory != nullptr && ::PEM_write_bio_X509(memory.get(), certificate) == 1)
    facts.pem = text_in(memory.get());
  return facts;
}

}  // namespace

Result<std::vector<Facts>> facts_in(std::string_view pem, const std::string& file) {
  ::ERR_clear_error();
  const Memory memory = reading(pem);
  std::vector<Facts> out;
  while (memory != nullptr) {
    const Certificate next(::PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
    if (next == nullptr) break;
    out.push_back(facts_of(next.get()));
  }
  // The end of the text is an error to the library; anything else is one to us as well.
  const unsigned long last = ::ERR_peek_last_error();
  const bool ended = last == 0 || ERR_GET_REASON(last) == PEM_R_NO_START_LINE;
  const std::string words = last_words();
  if (ended && !out.empty()) return out;
  return Fail({.code = "tls-unusable",
               .message = "there is no certificate to be read in `" + file + "`" +
                          (ended ? "" : ": " + words),
               .hint = "`tollgate pair --certificate` makes one",
               .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}});
}

bool covers(const Facts& certificate, std::string_view host) {
  const std::string wanted = canonical_host(host);
  if (wanted.empty()) return false;
  const std::size_t dot = wanted.find('.');
  const std::string starred =
      is_address(wanted) || dot == wanted.npos ? std::string() : "*" + wanted.substr(dot);
  return std::ranges::any_of(certificate.names, [&](const std::string& name) {
    return name == wanted || (!starred.empty() && name == starred);
  });
}

std::string spelled(std::string_view sha256) {
  std::string out;
  for (std::size_t i = 0; i < sha256.size(); ++i) {
    if (i > 0 && i % 2 == 0) out += ':';
    const char c = sha256[i];
    out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return out;
}

}  // namespace tollgate::certificates
