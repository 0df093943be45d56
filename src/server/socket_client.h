// The daemon's web socket as a command hears it: texts, one after the other.
// Pings are answered here, while next() waits.
// SAFETY: as fetch(), everything has a deadline and a bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "server/client.h"
#include "server/transport/frames.h"

namespace tollgate::server {

class SocketClient {
 public:
  // `request` names the target and carries the credential. Errors: as fetch(), bad-credential where
  // the daemon refuses it.
  static Result<SocketClient> open(ClientRequest request);

  // The next text, nothing where the daemon has closed. Errors: socket-timeout where none came
  // within the time, socket-failed, bad-response.
  Result<std::optional<std::string>> next(std::int64_t within_ms);

 private:
  SocketClient(ClientStream stream, std::size_t most)
      : stream_(std::move(stream)), reader_(most, FramesOf::kServer) {}
  Result<void> answer_ping(const std::string& bytes);

  ClientStream stream_;
  FrameReader reader_;
  std::string bytes_;  // came, not read yet
};

}  // namespace tollgate::server
