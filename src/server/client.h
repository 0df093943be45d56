// Asks the daemon of this machine something, and waits for the answer: for the command line.
// Plain HTTP over the socket in the data directory or over loopback; no TLS, no redirects.
// SAFETY: everything has a deadline and a bound, and a body that was cut off is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "os/descriptor.h"
#include "server/exchange.h"
#include "server/transport/chunks.h"

namespace tollgate::server {

struct ClientRequest {
  std::string local_socket;        // a path; else `host` and `port`
  std::string host = "127.0.0.1";  // numeric
  std::uint16_t port = 1615;
  std::string method = "GET";
  std::string target = "/";
  std::vector<std::pair<std::string, std::string>>
      headers;  // `Host` and lengths come by themselves
  std::string body;
  std::int64_t within_ms = 30'000;  // for all of it; of a stream, for its head
  std::size_t most_bytes = 64u << 20;
};

// Header names come in lower case. A status of any kind is an answer.
// Errors: no-daemon, socket-failed, socket-timeout, bad-response.
Result<Response> fetch(const ClientRequest& request);

// An answer that is read while it comes.
class ClientStream {
 public:
  // Errors as fetch().
  static Result<ClientStream> open(const ClientRequest& request);

  const Response& head() const& { return head_; }
  // The next bytes of the body, nothing at its end. Errors: socket-failed, socket-timeout where
  // nothing came within the time, bad-response.
  Result<std::optional<std::string>> next(std::int64_t within_ms);
  // After the request, where the answer was a change of protocol. Errors: socket-failed,
  // socket-timeout.
  Result<void> write(std::string_view bytes, std::int64_t within_ms);

 private:
  explicit ClientStream(os::Descriptor descriptor, std::size_t most)
      : descriptor_(std::move(descriptor)), chunks_(most), most_(most) {}
  Result<void> send(std::string_view bytes, std::int64_t until);
  Result<void> read_head(const std::string& method, std::int64_t until);
  Result<bool> receive(std::string& into, std::int64_t until);  // false at the end
  Result<std::optional<std::string>> take(std::string bytes, bool ended);

  enum class BodyEnd { kLength, kChunks, kClose };
  os::Descriptor descriptor_;
  Response head_;
  std::string early_;  // of the body, came with the head
  BodyEnd end_ = BodyEnd::kLength;
  ChunkReader chunks_;
  std::uint64_t left_ = 0;
  std::size_t most_;
  bool done_ = false;
};

// One server-sent event.
struct ServerEvent {
  std::string name = "message";
  std::string data;
  std::string id;

  bool operator==(const ServerEvent&) const = default;
};

// Bytes of a `text/event-stream` to events.
class EventReader {
 public:
  void feed(std::string_view bytes) { text_ += bytes; }
  std::optional<ServerEvent> next();

 private:
  std::string text_;
};

}  // namespace tollgate::server
