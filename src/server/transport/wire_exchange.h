// An exchange over a connection.
// It outlives the connection where a handler keeps it; then it does nothing.
// SAFETY: one that is dropped without an answer is answered with an error, a stream that is dropped
// is cut and never looks whole.
#pragma once

#include <memory>

#include "server/transport/connection.h"

namespace tollgate::server {

class WireExchange : public Exchange {
 public:
  WireExchange(std::shared_ptr<Connection> connection, Request request)
      : connection_(std::move(connection)), request_(std::move(request)) {}
  ~WireExchange() override {
    if (is_current()) connection_->forget_exchange();
  }

  const Request& request() const& override { return request_; }
  Request take_request() override { return request_.take(); }
  void reply(Response response) override;
  void begin_stream(Response head) override;
  void send(std::string_view piece) override;
  void finish() override;
  bool answered() const override { return answered_; }
  void on_gone(std::function<void()> gone) override;
  void on_sent(std::function<void()> sent) override;

  // By the connection, when it is done with it.
  enum class End { kSent, kGone };
  void end(End how);

 private:
  enum class Ended { kNot, kSent, kGone };
  bool is_current() const { return ended_ == Ended::kNot && connection_->is_current(this); }

  std::shared_ptr<Connection> connection_;
  Request request_;
  bool answered_ = false;
  Ended ended_ = Ended::kNot;
};

}  // namespace tollgate::server
