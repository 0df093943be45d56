#include "server/transport/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace tollgate::server {
namespace {

constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";  // of TLS 1.2; 1.3 has its own

// What the library says, without its numbers; its list of errors is empty afterwards.
std::string last_words() {
  const unsigned long number = ::ERR_peek_last_error();
  const char* words = number == 0 ? nullptr : ::ERR_reason_error_string(number);
  ::ERR_clear_error();
  return words == nullptr ? "it cannot be used" : words;
}

std::unexpected<Error> unusable(const std::string& what, const std::string& file) {
  return Fail({.code = "tls-unusable",
               .message = "cannot use " + what + " `" + file + "`: " + last_words(),
               .hint = "check that the file is readable PEM, and that both belong together; "
                       "`tollgate pair --certificate` makes one",
               .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}});
}

// Clients that speak of protocols hear that this is HTTP/1.1.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* offered, unsigned size, void*) {
  static constexpr unsigned char kOurs[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* chosen = nullptr;
  const int found = ::SSL_select_next_proto(&chosen, out_size, kOurs, sizeof kOurs, offered, size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

void TlsContextEnd::operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
void TlsStateEnd::operator()(SSL* state) const { ::SSL_free(state); }

Result<TlsContext> tls_context(const std::string& certificate_file, const std::string& key_file) {
  ::ERR_clear_error();
  TlsContext made(::SSL_CTX_new(::TLS_server_method()));
  SSL_CTX* context = made.get();
  if (context == nullptr) return unusable("the TLS library for", certificate_file);
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
  ::SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_num_tickets(context, 0);
  // A connection that waits keeps no buffers.
  ::SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  ::SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  if (::SSL_CTX_set_cipher_list(context, kCiphers) != 1)
    return unusable("the ciphers for", certificate_file);
  if (::SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1)
    return unusable("the certificate", certificate_file);
  if (::SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    return unusable("the key", key_file);
  if (::SSL_CTX_check_private_key(context) != 1) return unusable("the key", key_file);
  return made;
}

TlsState tls_state(SSL_CTX* context, int descriptor) {
  TlsState state(::SSL_new(context));
  if (state == nullptr || ::SSL_set_fd(state.get(), descriptor) != 1) return nullptr;
  ::SSL_set_accept_state(state.get());
  return state;
}

}  // namespace tollgate::server
