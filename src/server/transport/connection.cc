// How a connection lives: reading, deadlines, the end. What it does with requests and answers is in
// connection_answers.cc.
#include "server/transport/connection.h"

#include <new>

#include "os/clock.h"
#include "server/transport/wire_exchange.h"
#include "server/transport/wire_socket.h"

namespace tollgate::server {
namespace {

// LIMIT: what a peer may send while its last request is not answered.
constexpr std::size_t kMostEarly = 64u << 10;
// How long a peer that was told everything may take to end its side.
constexpr std::int64_t kLingerMs = 2'000;
// A peer that sends without end gets its turns like everybody.
constexpr int kReadsATurn = 4;

}  // namespace

Connection::Connection(std::shared_ptr<Frontier> frontier, std::unique_ptr<Watch> watch, Wire wire,
                       Peer peer)
    : frontier_(std::move(frontier)),
      watch_(std::move(watch)),
      wire_(std::move(wire)),
      peer_(std::move(peer)),
      peer_name_(peer_.name()) {
  make_reader();
  if (frontier_->limits.connections_of_peer > 0) ++frontier_->of_peer[peer_name_];
  place_ = frontier_->connections.insert(frontier_->connections.end(), this);
}

Connection::~Connection() { close(); }

void Connection::start(std::optional<Response> refusal) {
  refusal_ = std::move(refusal);
  counted_as_refused_ = refusal_.has_value();
  if (counted_as_refused_) ++frontier_->refused;
  deadline_ = os::now_monotonic() + frontier_->limits.header_ms;
  if (wire_.is_tls())
    state_ = State::kHandshake;
  else if (refusal_)
    refuse(*refusal_);
  arm_read();
}

void Connection::on_readable() {
  reading_ = false;
  guarded(&Connection::read_on);
}

void Connection::on_writable() {
  writing_ = false;
  if (std::exchange(read_wants_write_, false) || state_ == State::kHandshake)
    guarded(&Connection::read_on);
  guarded(&Connection::flush);
}

// Nothing that a request causes may end the daemon.
void Connection::guarded(void (Connection::*step)()) {
  if (state_ == State::kClosed) return;
  try {
    (this->*step)();
    return;
  } catch (const std::exception& error) {
    frontier_->say("a connection failed: " + std::string(error.what()));
  }
  close();
}

void Connection::read_on() {
  if (state_ == State::kHandshake) shake_hands();
  if (state_ == State::kHandshake || state_ == State::kClosed) return;
  int turns = 0;
  while (may_read() && turns < kReadsATurn && read_once()) ++turns;
  // What TLS has taken from the system already makes nothing readable.
  if (turns == kReadsATurn && wire_.is_tls())
    frontier_->post([self = shared_from_this()] { self->guarded(&Connection::read_on); });
  else
    arm_read();
}

void Connection::shake_hands() {
  switch (wire_.handshake()) {
    case Moved::kSome:
      state_ = State::kRequest;
      deadline_ = os::now_monotonic() + frontier_->limits.header_ms;
      if (refusal_) refuse(*refusal_);
      return;
    case Moved::kWantRead:
      return arm_read();
    case Moved::kWantWrite:
      return arm_write();
    case Moved::kEnd:
    case Moved::kBroken:
      return close();
  }
}

bool Connection::read_once() {
  std::vector<char>& room = frontier_->scratch;
  std::size_t count = 0;
  switch (wire_.read(room.data(), room.size(), count)) {
    case Moved::kSome:
      take({room.data(), count});
      return state_ != State::kClosed && (wire_.is_tls() || count == room.size());
    case Moved::kWantRead:
      return false;
    case Moved::kWantWrite:
      read_wants_write_ = true;
      arm_write();
      return false;
    case Moved::kEnd:
      peer_ended();
      return false;
    case Moved::kBroken:
      close();
      return false;
  }
  return false;
}

void Connection::take(std::string_view bytes) {
  switch (state_) {
    case State::kRequest:
      // What came early comes first; resume() is on its way.
      if (in_.empty()) return take_requests(bytes);
      [[fallthrough]];
    case State::kWaiting:
    case State::kFlushing:
      in_ += bytes;
      return;
    case State::kSocket:
      return socket_->feed(bytes);
    case State::kHandshake:
    case State::kLinger:
    case State::kClosed:
      return;  // nobody listens any more
  }
}

void Connection::take_requests(std::string_view bytes) {
  in_loop_ = true;
  while (!bytes.empty() && state_ == State::kRequest) {
    bytes.remove_prefix(reader_->feed(bytes));
    if (reader_->refusal()) {
      refuse(*reader_->refusal());
    } else if (reader_->done()) {
      dispatch();
    } else {
      await_rest();
    }
  }
  in_loop_ = false;
  if (bytes.empty()) return;
  if (state_ == State::kSocket)
    socket_->feed(bytes);
  else if (state_ == State::kWaiting || state_ == State::kFlushing)
    in_ += bytes;
}

// A head and a body have one deadline each, however slowly their bytes come.
void Connection::await_rest() {
  if (reader_->has_head() && phase_ != Phase::kBody) {
    phase_ = Phase::kBody;
    deadline_ = os::now_monotonic() + frontier_->limits.body_ms;
    if (!reader_->wants_continue()) return;
    out_ += "HTTP/1.1 100 Continue\r\n\r\n";
    flush();
  } else if (reader_->started() && phase_ == Phase::kIdle) {
    phase_ = Phase::kHead;
    deadline_ = os::now_monotonic() + frontier_->limits.header_ms;
  }
}

void Connection::make_reader() {
  const RequestReader::Limits limits{.header_bytes = frontier_->limits.header_bytes,
                                     .body_bytes = frontier_->limits.body_bytes};
  reader_ = std::make_unique<RequestReader>(limits);
}

// The next request may have come already.
void Connection::begin_idle() {
  if (reader_ == nullptr) make_reader();
  state_ = State::kRequest;
  phase_ = Phase::kIdle;
  deadline_ = os::now_monotonic() + frontier_->limits.idle_ms;
  if (in_loop_) return;
  if (!in_.empty())
    frontier_->post([self = shared_from_this()] { self->guarded(&Connection::resume); });
  else
    arm_read();
}

void Connection::resume() {
  if (state_ != State::kRequest) return;
  const std::string bytes = std::exchange(in_, {});
  take_requests(bytes);
  arm_read();
}

bool Connection::may_read() const {
  return state_ != State::kClosed && !peer_has_ended_ && in_.size() <= kMostEarly;
}

void Connection::arm_read() {
  if (reading_ || in_loop_ || !may_read()) return;
  reading_ = true;
  watch_->await_readable(shared_from_this());
}

void Connection::arm_write() {
  if (writing_) return;
  writing_ = true;
  watch_->await_writable(shared_from_this());
}

void Connection::tick(std::int64_t now) {
  if (socket_ != nullptr) socket_->tick(now);
  if (state_ == State::kClosed) return;
  if (stalled_ != 0 && now >= stalled_) return close();
  if (deadline_ == 0 || now < deadline_) return;
  deadline_ = 0;
  if (state_ != State::kRequest || phase_ == Phase::kIdle) return close();
  refuse(error_response(408, "request-too-slow",
                        phase_ == Phase::kHead ? "the head of the request did not come in time"
                                               : "the body of the request did not come in time",
                        "send the request at once"));
}

void Connection::stop() {
  switch (state_) {
    case State::kRequest:
      if (!reader_->started() && in_.empty()) close();
      return;
    case State::kSocket:
      return socket_->close(1001, "the daemon stops");
    case State::kHandshake:
      return close();
    case State::kWaiting:
    case State::kFlushing:
    case State::kLinger:
    case State::kClosed:
      return;  // ends by itself: frontier_->stopping is seen
  }
}

void Connection::linger() {
  state_ = State::kLinger;
  deadline_ = os::now_monotonic() + kLingerMs;
  in_ = {};
  wire_.end_writing();
  if (peer_has_ended_)
    close();
  else
    arm_read();
}

void Connection::peer_ended() {
  peer_has_ended_ = true;
  // An answer that is whole goes out still: some clients end their side as soon as they have asked.
  if (state_ != State::kFlushing) close();
}

void Connection::close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  watch_.reset();
  if (current_ != nullptr) std::exchange(current_, nullptr)->end(WireExchange::End::kGone);
  frontier_->post(std::exchange(gone_, nullptr));
  sent_ = nullptr;
  if (socket_ != nullptr) std::exchange(socket_, nullptr)->end();
  in_ = {};
  out_ = {};
  out_at_ = 0;
  leave_frontier();
}

void Connection::leave_frontier() {
  frontier_->connections.erase(place_);
  if (counted_as_refused_) --frontier_->refused;
  if (frontier_->limits.connections_of_peer > 0) {
    const auto found = frontier_->of_peer.find(peer_name_);
    if (found != frontier_->of_peer.end() && --found->second == 0) frontier_->of_peer.erase(found);
  }
  if (frontier_->closed) frontier_->closed();
}

}  // namespace tollgate::server
