// A web socket over a connection.
// The connection keeps it until the end; whoever holds it longer holds something that does nothing.
// SAFETY: a peer that breaks the rules, or is silent for two pings, is cut off.
#pragma once

#include <memory>
#include <string>

#include "server/transport/connection.h"
#include "server/transport/frames.h"

namespace tollgate::server {

class WireSocket : public Socket {
 public:
  WireSocket(std::shared_ptr<Connection> connection, Request request);

  const Request& request() const& override { return request_; }
  void send(std::string text) override;
  void close(int code, std::string reason) override;
  void on_text(std::function<void(std::string)> heard) override { heard_ = std::move(heard); }
  void on_gone(std::function<void()> gone) override;
  std::size_t backlog() const override;

  // By the connection.
  void feed(std::string_view bytes);
  void tick(std::int64_t now);
  void end();

 private:
  void take(Frame frame);
  void tell(std::string text);
  void send_frame(FrameKind kind, std::string_view bytes);
  void finish(int code);  // says goodbye and ends at once

  std::shared_ptr<Connection> connection_;  // none once it is over
  std::shared_ptr<Frontier> frontier_;
  Request request_;
  FrameReader reader_;
  std::function<void(std::string)> heard_;
  std::function<void()> gone_;
  std::int64_t last_heard_;
  std::int64_t last_ping_;
  std::int64_t closing_ = 0;  // since when
};

}  // namespace tollgate::server
