// Listens, reads requests within limits, and hands them over: HTTP/1.1, web sockets, TLS.
// What it is made of stays behind this header, in transport/.
// SAFETY: what is too large, too slow, ambiguous or for another host never reaches a handler.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "certificates/facts.h"
#include "server/exchange.h"
#include "server/loop.h"

namespace tollgate::server {

struct ServerLimits {
  std::size_t header_bytes = 16u << 10;  // 431 above
  std::size_t body_bytes = 4u << 20;     // 413 above
  std::size_t connections = 0;           // 0: what the open-file limit leaves, see open_files
  std::size_t connections_of_peer = 0;   // 0: no bound of its own
  std::int64_t header_ms = 10'000;       // a request's head, and then its body, must come within
  std::int64_t body_ms = 30'000;
  std::int64_t idle_ms = 75'000;       // keep-alive
  double requests_per_second = 2'000;  // of one peer; 429 with Retry-After above
  double burst = 4'000;
  std::size_t socket_text_bytes = 1u << 20;
  std::int64_t ping_ms = 30'000;        // a web socket that is silent for two of them is closed
  std::size_t send_backlog = 8u << 20;  // a stream that is not read is cut above this
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 1615;  // 0: any free one
  std::string local_socket;   // path; "" for none
  std::string certificate;    // file; "" for plain HTTP
  std::string key;
  // Beyond localhost, 127.0.0.1, [::1] and the listen address: what `Host` and `Origin` may say.
  std::vector<std::string> public_urls;
  bool insecure = false;  // plain HTTP on an address that others reach
  int inherited = -1;     // a listening descriptor from systemd, or -1
  ServerLimits limits;
  std::function<void(std::string)> log;  // what failed inside; from any thread
  unsigned workers = 4;                  // threads for Loop::work
  std::function<std::int64_t()> clock;   // the loop's now; nothing: the time of day
};

struct OpenFiles {
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;
};

class Server {
 public:
  // Binds and listens; nothing is accepted before run(). Errors: listen-failed, listen-insecure,
  // tls-unusable.
  static Result<std::unique_ptr<Server>> open(ServerOptions options);
  virtual ~Server() = default;

  virtual Loop& loop() = 0;
  virtual void set_handlers(Handlers handlers) = 0;
  virtual std::string url() const = 0;  // http://127.0.0.1:1615
  virtual std::uint16_t port() const = 0;
  virtual OpenFiles open_files() const = 0;
  virtual std::size_t connection_count() const = 0;
  // Reads both files again, for connections that come later; where it fails, the old one stays.
  // From the loop. Error: tls-unusable.
  virtual Result<void> reload_certificate() = 0;
  // What connections are shown, the server's own first; empty without TLS. From the loop.
  virtual std::vector<certificates::Facts> certificates() const = 0;

  // Runs until stop(). Signals: `on_signal` hears SIGTERM, SIGINT and SIGHUP on the loop.
  virtual void run(std::function<void(int signal)> on_signal) = 0;
  // Accepts nothing more, lets answers that are on their way go out for at most `grace`, and
  // returns from run(). From the loop.
  virtual void stop(std::int64_t grace_ms) = 0;
};

// True where only this machine can reach the address.
bool is_loopback(const std::string& host);

// Whether `Host` and `Origin` are ours: nothing, or the response that refuses (421, 403).
// `own` are hosts (with any port) and URLs that are accepted besides the loopback names.
std::optional<Response> refuse_foreign(const Request& request, const std::vector<std::string>& own);

}  // namespace tollgate::server
