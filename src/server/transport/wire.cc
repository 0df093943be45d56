#include "server/transport/wire.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <cerrno>

namespace tollgate::server {

Moved Wire::tls_outcome(int result) const {
  switch (::SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_NONE:
      return Moved::kSome;
    case SSL_ERROR_WANT_READ:
      return Moved::kWantRead;
    case SSL_ERROR_WANT_WRITE:
      return Moved::kWantWrite;
    case SSL_ERROR_ZERO_RETURN:
      return Moved::kEnd;
    default:
      ::ERR_clear_error();
      return Moved::kBroken;
  }
}

Moved Wire::handshake() {
  if (tls_ == nullptr) return Moved::kSome;
  ::ERR_clear_error();
  return tls_outcome(::SSL_do_handshake(tls_.get()));
}

Moved Wire::read(char* into, std::size_t room, std::size_t& count) {
  count = 0;
  if (tls_ != nullptr) {
    ::ERR_clear_error();
    return tls_outcome(::SSL_read_ex(tls_.get(), into, room, &count));
  }
  for (;;) {
    const ssize_t got = ::recv(descriptor_, into, room, 0);
    count = got > 0 ? static_cast<std::size_t>(got) : 0;
    if (got > 0) return Moved::kSome;
    if (got == 0) return Moved::kEnd;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Moved::kWantRead;
    if (errno != EINTR) return Moved::kBroken;
  }
}

Moved Wire::write(std::string_view bytes, std::size_t& count) {
  count = 0;
  if (tls_ != nullptr) {
    ::ERR_clear_error();
    return tls_outcome(::SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &count));
  }
  for (;;) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    count = sent > 0 ? static_cast<std::size_t>(sent) : 0;
    if (sent >= 0) return Moved::kSome;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return Moved::kWantWrite;
    if (errno != EINTR) return Moved::kBroken;
  }
}

void Wire::end_writing() {
  if (tls_ != nullptr) {
    ::ERR_clear_error();
    if (::SSL_is_init_finished(tls_.get()) != 0) ::SSL_shutdown(tls_.get());
    ::ERR_clear_error();
  }
  ::shutdown(descriptor_, SHUT_WR);
}

}  // namespace tollgate::server
