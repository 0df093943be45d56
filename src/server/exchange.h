// One request and its answer, and one web socket, as routes see them: no wire, no library.
// The transport makes them; tests make them in memory. All of it happens on the daemon's own
// thread.
// INVARIANT: an exchange is answered once: by reply(), or by begin_stream() and finish().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tollgate::server {

// Where a request came from. It is recorded and proves nothing.
struct Peer {
  bool local_socket = false;  // the socket in the data directory
  std::string address;        // "127.0.0.1", "" for the local socket
  std::int64_t uid = -1;      // of the local socket
  std::int64_t pid = -1;
  bool tls = false;

  // One name a place, for counting what it does.
  std::string name() const;
};

struct Request {
  std::string method;                 // GET, POST …
  std::string target;                 // as sent
  std::vector<std::string> segments;  // of the path, percent-decoded; "/api/x" is {"api", "x"}
  std::vector<std::pair<std::string, std::string>> query;    // percent-decoded, as sent
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case, as sent
  std::string body;
  Peer peer;

  // The value, or nothing; a header that stands twice counts as nothing here.
  std::optional<std::string> header(std::string_view lower_name) const;
  std::optional<std::string> query_value(std::string_view name) const;
  std::optional<std::string> cookie(std::string_view name) const;

  // All of it but `peer`, which both have then.
  Request take();
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual const Request& request() const& = 0;
  // Hands the request over; of the one that is kept only `peer` is left.
  virtual Request take_request() = 0;

  virtual void reply(Response response) = 0;

  // A body without a length, sent in pieces (server-sent events). Headers go out at once.
  virtual void begin_stream(Response head) = 0;
  virtual void send(std::string_view piece) = 0;  // what comes after the peer is gone is dropped
  virtual void finish() = 0;

  virtual bool answered() const = 0;
  // Called once when the peer has gone before the answer was complete. It is noticed at once, also
  // while nothing is sent.
  virtual void on_gone(std::function<void()> gone) = 0;
  // Called once when the whole answer has been handed to the system.
  virtual void on_sent(std::function<void()> sent) = 0;
};

// A web socket that was accepted. Texts only.
class Socket {
 public:
  virtual ~Socket() = default;

  virtual const Request& request() const& = 0;
  virtual void send(std::string text) = 0;
  virtual void close(int code, std::string reason) = 0;
  virtual void on_text(std::function<void(std::string)> heard) = 0;
  virtual void on_gone(std::function<void()> gone) = 0;
  // What was sent and has not been taken by the system yet, in bytes: a screen that does not read
  // is closed by whoever sends.
  virtual std::size_t backlog() const = 0;
};

// What the transport hands requests to. The handler keeps the exchange until it has answered.
struct Handlers {
  std::function<void(std::shared_ptr<Exchange>)> request;
  // Before a web socket is accepted: nothing lets it in, a response refuses it.
  std::function<std::optional<Response>(const Request&)> may_upgrade;
  std::function<void(std::shared_ptr<Socket>)> socket;
};

// Errors in the one shape that everybody gets: {"error": {"code", "message", "hint"}}.
Response error_response(int status, std::string_view code, std::string_view message,
                        std::string_view hint);
Response json_response(int status, std::string body);

}  // namespace tollgate::server
