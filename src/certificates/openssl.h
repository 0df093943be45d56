// The pieces of OpenSSL that this room holds, each freed by its owner, and its last words.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tollgate::certificates {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* held) const {
    kFree(held);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<::EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<::X509_free>>;
using Memory = std::unique_ptr<BIO, Freed<::BIO_free_all>>;

// What is written into it, as text.
std::string text_in(BIO* memory);
// A memory that reads this text, which has to outlive it.
Memory reading(std::string_view text);

// `what` could not be done: certificate-failed with the library's words.
Error failed(const std::string& what);
// The library's words alone; its list of errors is empty afterwards.
std::string last_words();

}  // namespace tollgate::certificates
