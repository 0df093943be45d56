#include "server/transport/wire_socket.h"

#include <algorithm>

#include "os/clock.h"

namespace tollgate::server {
namespace {

// How long the other side may take to say goodbye.
constexpr std::int64_t kGoodbyeMs = 2'000;

}  // namespace

WireSocket::WireSocket(std::shared_ptr<Connection> connection, Request request)
    : connection_(std::move(connection)),
      frontier_(connection_->shared_frontier()),
      request_(std::move(request)),
      reader_(frontier_->limits.socket_text_bytes),
      last_heard_(os::now_monotonic()),
      last_ping_(last_heard_) {}

void WireSocket::send(std::string text) {
  if (connection_ != nullptr && closing_ == 0) send_frame(FrameKind::kText, text);
}

void WireSocket::send_frame(FrameKind kind, std::string_view bytes) {
  std::string frame;
  frame.reserve(bytes.size() + 10);
  append_frame(frame, kind, bytes);
  const std::shared_ptr<Connection> connection = connection_;
  connection->send_bytes(frame);
}

void WireSocket::close(int code, std::string reason) {
  if (connection_ == nullptr || closing_ != 0) return;
  closing_ = os::now_monotonic();
  std::string frame;
  append_close(frame, code, reason);
  const std::shared_ptr<Connection> connection = connection_;
  connection->send_bytes(frame);
}

void WireSocket::finish(int code) {
  close(code, "");
  const std::shared_ptr<Connection> connection = connection_;
  if (connection != nullptr) connection->end_socket();
}

void WireSocket::on_gone(std::function<void()> gone) {
  if (connection_ != nullptr)
    gone_ = std::move(gone);
  else
    frontier_->post(std::move(gone));
}

std::size_t WireSocket::backlog() const {
  return connection_ == nullptr ? 0 : connection_->backlog();
}

void WireSocket::feed(std::string_view bytes) {
  last_heard_ = os::now_monotonic();
  while (connection_ != nullptr) {
    std::optional<Frame> frame = reader_.next(bytes);
    if (!frame) return;
    const bool last = frame->kind == FrameKind::kClose || frame->kind == FrameKind::kWrong;
    take(std::move(*frame));
    if (last) return;
  }
}

void WireSocket::take(Frame frame) {
  switch (frame.kind) {
    case FrameKind::kText:
      if (closing_ == 0) tell(std::move(frame.bytes));
      return;
    case FrameKind::kPing:
      if (closing_ == 0) send_frame(FrameKind::kPong, frame.bytes);
      return;
    case FrameKind::kPong:
      return;
    case FrameKind::kClose:
    case FrameKind::kWrong:
      return finish(frame.code);
  }
}

void WireSocket::tell(std::string text) {
  const std::function<void(std::string)> heard = heard_;
  if (!heard) return;
  try {
    heard(std::move(text));
  } catch (const std::exception& error) {
    frontier_->say("a text of a web socket could not be served: " + std::string(error.what()));
    close(1011, "the daemon could not serve this text");
  }
}

void WireSocket::tick(std::int64_t now) {
  const std::shared_ptr<Connection> connection = connection_;
  if (connection == nullptr) return;
  const std::int64_t ping = frontier_->limits.ping_ms;
  if ((closing_ != 0 && now - closing_ >= kGoodbyeMs) || now - last_heard_ >= 2 * ping)
    return connection->close();
  if (closing_ != 0 || now - std::max(last_heard_, last_ping_) < ping) return;
  last_ping_ = now;
  send_frame(FrameKind::kPing, "");
}

void WireSocket::end() {
  connection_ = nullptr;
  heard_ = nullptr;
  frontier_->post(std::exchange(gone_, nullptr));
}

}  // namespace tollgate::server
