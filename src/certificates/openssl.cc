#include "certificates/openssl.h"

#include <openssl/err.h>

namespace tollgate::certificates {

std::string text_in(BIO* memory) {
  char* bytes = nullptr;
  const long size = memory == nullptr ? 0 : BIO_get_mem_data(memory, &bytes);
  return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
}

Memory reading(std::string_view text) {
  return Memory(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string last_words() {
  const unsigned long number = ::ERR_peek_last_error();
  const char* words = number == 0 ? nullptr : ::ERR_reason_error_string(number);
  ::ERR_clear_error();
  return words == nullptr ? "the library does not say why" : words;
}

Error failed(const std::string& what) {
  return {.code = "certificate-failed",
          .message = "cannot " + what + ": " + last_words(),
          .hint = "check that the disk has room and that OpenSSL works on this machine",
          .where = {}};
}

}  // namespace tollgate::certificates
