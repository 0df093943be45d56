// What a connection does with a request that has come whole, and how answers leave.
// SAFETY: a handler that throws or forgets is answered for with an error; a stream that cannot be
// finished is cut, never ended.
#include <new>

#include "os/clock.h"
#include "server/transport/connection.h"
#include "server/transport/frames.h"
#include "server/transport/wire_exchange.h"
#include "server/transport/wire_socket.h"

namespace tollgate::server {
namespace {

// A small buffer is kept for the next answer, a large one is not.
constexpr std::size_t kKeptRoom = 4u << 10;

Response too_many(std::int64_t seconds) {
  Response response =
      error_response(429, "too-many-requests", "requests come faster than this daemon takes them",
                     "wait " + std::to_string(seconds) + " s and try again");
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

Response busy(std::string_view message) {
  Response response = error_response(503, "server-busy", message, "try again in a moment");
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

}  // namespace

void Connection::dispatch() {
  keep_alive_ = reader_->keep_alive() && !frontier_->stopping;
  is_old_ = reader_->is_old();
  const bool upgrade = reader_->wants_upgrade();
  Request request = reader_->take();
  request.peer = peer_;
  head_only_ = request.method == "HEAD";
  deadline_ = 0;
  answered_ = streaming_ = false;
  state_ = State::kWaiting;
  if (const std::optional<Response> refused = refuse_at_the_door(request))
    reply(*refused);
  else if (upgrade && wants_socket(request))
    open_socket(std::move(request));
  else
    hand_over(std::move(request));
}

std::optional<Response> Connection::refuse_at_the_door(const Request& request) {
  if (std::optional<Response> foreign = refuse_foreign(request, frontier_->own_hosts))
    return foreign;
  const std::int64_t seconds = frontier_->rates.take(peer_name_, os::now_monotonic());
  if (seconds > 0) return too_many(seconds);
  if (!frontier_->handlers.request) return busy("the daemon is not ready yet");
  return {};
}

void Connection::hand_over(Request request) {
  const auto exchange = std::make_shared<WireExchange>(shared_from_this(), std::move(request));
  current_ = exchange.get();
  try {
    frontier_->handlers.request(exchange);
  } catch (const std::bad_alloc&) {
    exchange->reply(busy("there is not enough memory for this request"));
  } catch (const std::exception& error) {
    exchange->reply(failed(error.what()));
  } catch (...) {
    exchange->reply(failed("something unknown"));
  }
}

Response Connection::failed(const std::string& words) const {
  frontier_->say("a request could not be answered: " + words);
  return error_response(500, "handler-failed", "the daemon could not answer this request",
                        "its log says why");
}

void Connection::forget_exchange() {
  current_ = nullptr;
  if (state_ != State::kWaiting) return;
  if (streaming_)
    close();
  else
    reply(failed("its handler has dropped it"));
}

bool Connection::wants_socket(const Request& request) const {
  if (!frontier_->handlers.may_upgrade || !frontier_->handlers.socket || is_old_) return false;
  const std::optional<std::string> upgrade = request.header("upgrade");
  return request.method == "GET" && upgrade && lists(*upgrade, "websocket");
}

std::optional<Response> Connection::refuse_socket(const Request& request) const {
  if (request.header("sec-websocket-version") != "13") {
    Response response = error_response(
        426, "malformed-request", "the version of the web socket is not known", "speak version 13");
    response.headers.emplace_back("Sec-WebSocket-Version", "13");
    return response;
  }
  if (!accept_key(request.header("sec-websocket-key").value_or("")) || !request.body.empty())
    return error_response(400, "malformed-request", "the web socket's handshake is malformed",
                          "send a key of 16 bytes in base64, and no body");
  try {
    return frontier_->handlers.may_upgrade(request);
  } catch (const std::exception& error) {
    return failed(error.what());
  }
}

void Connection::open_socket(Request request) {
  if (const std::optional<Response> refused = refuse_socket(request)) return reply(*refused);
  // A browser that names protocols must be told one of them. The other name is a page's key, which
  // is not said again.
  const bool named = lists(request.header("sec-websocket-protocol").value_or(""), "tollgate");
  out_ +=
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: " +
      *accept_key(request.header("sec-websocket-key").value_or("")) +
      (named ? "\r\nSec-WebSocket-Protocol: tollgate" : "") + "\r\n\r\n";
  state_ = State::kSocket;
  const auto socket = std::make_shared<WireSocket>(shared_from_this(), std::move(request));
  socket_ = socket;
  flush();
  try {
    frontier_->handlers.socket(socket);
  } catch (const std::exception& error) {
    failed(error.what());
    socket->close(1011, "the daemon could not serve this socket");
  }
  if (frontier_->stopping) socket->close(1001, "the daemon stops");
}

// An answer before the end, after which nothing of this peer is read any more.
void Connection::refuse(const Response& response) {
  keep_alive_ = head_only_ = answered_ = streaming_ = false;
  deadline_ = 0;
  state_ = State::kWaiting;
  reply(response);
}

void Connection::reply(const Response& response) {
  if (state_ != State::kWaiting || std::exchange(answered_, true)) return;
  keep_alive_ = keep_alive_ && !frontier_->stopping;
  append_response(out_, response, {.keep_alive = keep_alive_, .head_only = head_only_},
                  os::now_seconds());
  state_ = State::kFlushing;
  flush();
}

void Connection::begin_stream(const Response& head) {
  if (state_ != State::kWaiting || std::exchange(answered_, true)) return;
  streaming_ = true;
  reader_ = nullptr;  // there may be thousands that wait
  keep_alive_ = keep_alive_ && !is_old_ && !frontier_->stopping;
  append_response(out_, head,
                  {.end = is_old_ ? BodyEnd::kClose : BodyEnd::kChunks,
                   .keep_alive = keep_alive_,
                   .head_only = head_only_},
                  os::now_seconds());
  flush();
}

void Connection::send_piece(std::string_view piece) {
  if (!streaming_ || state_ != State::kWaiting || piece.empty() || head_only_) return;
  if (is_old_)
    out_ += piece;
  else
    append_chunk(out_, piece);
  flush();
  if (backlog() > frontier_->limits.send_backlog) close();
}

void Connection::finish_stream() {
  if (!streaming_ || state_ != State::kWaiting) return;
  streaming_ = false;
  if (!is_old_ && !head_only_) out_ += "0\r\n\r\n";
  state_ = State::kFlushing;
  flush();
}

void Connection::send_bytes(std::string_view bytes) {
  if (state_ != State::kSocket) return;
  out_ += bytes;
  flush();
  if (backlog() > frontier_->limits.send_backlog) close();
}

void Connection::end_socket() {
  socket_ends_ = true;
  flush();
}

void Connection::flush() {
  if (writing_ || state_ == State::kClosed) return;
  while (backlog() > 0)
    if (!write_some()) return;
  stalled_ = 0;
  out_at_ = 0;
  // A stream may wait for hours for its next piece. Assigning {} would keep the room.
  if (out_.capacity() > kKeptRoom || streaming_)
    out_ = std::string();
  else
    out_.clear();
  if (state_ == State::kFlushing) return answer_is_out();
  if (state_ == State::kSocket && socket_ends_) linger();
}

bool Connection::write_some() {
  std::size_t count = 0;
  switch (wire_.write(std::string_view(out_).substr(out_at_), count)) {
    case Moved::kSome:
      out_at_ += count;
      stalled_ = 0;
      return true;
    case Moved::kWantWrite:
      out_.erase(0, std::exchange(out_at_, 0));
      if (stalled_ == 0) stalled_ = os::now_monotonic() + frontier_->limits.idle_ms;
      arm_write();
      return false;
    case Moved::kWantRead:
    case Moved::kEnd:
    case Moved::kBroken:
      close();
      return false;
  }
  return false;
}

void Connection::answer_is_out() {
  if (current_ != nullptr) std::exchange(current_, nullptr)->end(WireExchange::End::kSent);
  gone_ = nullptr;
  frontier_->post(std::exchange(sent_, nullptr));
  if (keep_alive_ && !frontier_->stopping && !peer_has_ended_)
    begin_idle();
  else
    linger();
}

}  // namespace tollgate::server
