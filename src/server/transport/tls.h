// The certificate that connections are served with.
// Wires take one state each from it; a certificate that is loaded anew counts for later ones.
// SAFETY: TLS 1.2 at least, forward secrecy always, no renegotiation, no compression, no tickets.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace tollgate::server {

struct TlsContextEnd {
  void operator()(SSL_CTX* context) const;
};
struct TlsStateEnd {
  void operator()(SSL* state) const;
};
using TlsContext = std::unique_ptr<SSL_CTX, TlsContextEnd>;
using TlsState = std::unique_ptr<SSL, TlsStateEnd>;

// Error: tls-unusable.
Result<TlsContext> tls_context(const std::string& certificate_file, const std::string& key_file);

// A server's side of a connection on that descriptor; nothing when memory is short.
TlsState tls_state(SSL_CTX* context, int descriptor);

}  // namespace tollgate::server
