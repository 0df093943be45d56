// Bytes to one request after another, within limits.
// The connection feeds it; it knows neither sockets nor time.
// SAFETY: a request comes out whole and unambiguous, or a response that refuses it does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/exchange.h"
#include "server/transport/chunks.h"
#include "server/transport/fields.h"

namespace tollgate::server {

class RequestReader {
 public:
  struct Limits {
    std::size_t header_bytes = 16u << 10;
    std::size_t body_bytes = 4u << 20;
  };
  explicit RequestReader(Limits limits) : limits_(limits) {}

  // Gives how many bytes it used; what comes behind the request is left. REQUIRES: not done() and
  // no refusal().
  std::size_t feed(std::string_view bytes);

  bool started() const { return started_; }  // something of a request has come
  bool has_head() const { return has_head_; }
  bool done() const { return done_; }
  const std::optional<Response>& refusal() const& { return refusal_; }

  // About the request whose head is read.
  bool keep_alive() const { return keep_alive_; }
  bool wants_continue() const { return wants_continue_; }
  bool wants_upgrade() const { return framing_.upgrade; }
  bool is_old() const { return is_old_; }  // HTTP/1.0, which knows no chunks

  // The request that is done, but for its peer; the reader is ready for the next one.
  Request take();

 private:
  std::size_t feed_head(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  void read_head(std::string_view head);
  bool read_first_line(std::string_view line);
  bool read_version(std::string_view version);
  void begin_body();
  bool check_host();
  void refuse(int status, std::string_view code, std::string_view message, std::string_view hint);
  void malformed(std::string_view message);

  Limits limits_;
  std::string partial_;  // of a head that came in pieces
  Request request_;
  Framing framing_;
  ChunkReader chunks_;
  std::optional<Response> refusal_;
  bool in_empty_line_ = false;  // a carriage return came, and nothing else yet
  bool started_ = false;
  bool has_head_ = false;
  bool done_ = false;
  bool keep_alive_ = false;
  bool wants_continue_ = false;
  bool is_old_ = false;
};

}  // namespace tollgate::server
