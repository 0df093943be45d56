// The bytes of one connection, plain or encrypted: what can be had now is had, nothing waits.
// The descriptor belongs to whoever watches it; a wire only uses the number.
// Not for two threads.
#pragma once

#include <cstddef>
#include <string_view>

#include "server/transport/tls.h"

namespace tollgate::server {

enum class Moved {
  kSome,       // bytes have moved
  kWantRead,   // again when there is something to read
  kWantWrite,  // again when there is room to write
  kEnd,        // the peer sends nothing more
  kBroken,
};

class Wire {
 public:
  Wire(int descriptor, TlsState tls) : descriptor_(descriptor), tls_(std::move(tls)) {}

  bool is_tls() const { return tls_ != nullptr; }
  // kSome once it is done.
  Moved handshake();
  Moved read(char* into, std::size_t room, std::size_t& count);
  Moved write(std::string_view bytes, std::size_t& count);
  // Says that nothing more follows; reading goes on.
  void end_writing();

 private:
  Moved tls_outcome(int result) const;

  int descriptor_;
  TlsState tls_;
};

}  // namespace tollgate::server
