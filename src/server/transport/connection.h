// One connection: reads a request, hands it over, sends the answer, and again.
// Reading goes on while a handler thinks, so that a peer who leaves is noticed; what it sends early
// is kept for later. A connection that waits holds no buffers.
// INVARIANT: at most one request is with a handler; answers go out in the order of the requests.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/exchange.h"
#include "server/transport/event_loop.h"
#include "server/transport/frontier.h"
#include "server/transport/request_reader.h"
#include "server/transport/response_text.h"
#include "server/transport/wire.h"

namespace tollgate::server {

class WireExchange;
class WireSocket;

class Connection : public Watched, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Frontier> frontier, std::unique_ptr<Watch> watch, Wire wire,
             Peer peer);
  ~Connection() override;

  // `refusal`: what it is told instead of being served.
  void start(std::optional<Response> refusal);
  // Looks at its deadlines. `now` is monotonic, in milliseconds.
  void tick(std::int64_t now);
  // No further request; what is under way may end.
  void stop();
  void close();
  bool is_closed() const { return state_ == State::kClosed; }

  void on_readable() override;
  void on_writable() override;

  // For its exchange, while that is the current one.
  bool is_current(const WireExchange* exchange) const { return current_ == exchange; }
  void reply(const Response& response);
  void begin_stream(const Response& head);
  void send_piece(std::string_view piece);
  void finish_stream();
  void hear_gone(std::function<void()> gone) { gone_ = std::move(gone); }
  void hear_sent(std::function<void()> sent) { sent_ = std::move(sent); }
  void forget_exchange();  // it is destroyed
  Frontier& frontier() const { return *frontier_; }
  const std::shared_ptr<Frontier>& shared_frontier() const { return frontier_; }

  // For its web socket.
  void send_bytes(std::string_view bytes);
  void end_socket();  // after what is queued has gone out
  std::size_t backlog() const { return out_.size() - out_at_; }

 private:
  enum class State {
    kHandshake,
    kRequest,   // reads one, or waits for one to begin
    kWaiting,   // a handler has it
    kFlushing,  // the answer is whole and goes out
    kSocket,
    kLinger,  // everything is said; the peer may take its time to hear it
    kClosed,
  };
  enum class Phase : std::uint8_t { kIdle, kHead, kBody };  // of kRequest

  void read_on();
  void shake_hands();
  bool read_once();  // false when there is nothing more to read now
  void take(std::string_view bytes);
  void take_requests(std::string_view bytes);
  void await_rest();
  void begin_idle();
  void make_reader();
  void resume();
  void arm_read();
  bool may_read() const;
  void arm_write();

  void dispatch();
  std::optional<Response> refuse_at_the_door(const Request& request);
  bool wants_socket(const Request& request) const;
  std::optional<Response> refuse_socket(const Request& request) const;
  void hand_over(Request request);
  void open_socket(Request request);
  void refuse(const Response& response);  // and end
  Response failed(const std::string& words) const;

  void flush();
  bool write_some();  // false when nothing more can be written now
  void answer_is_out();
  void linger();
  void peer_ended();
  void leave_frontier();
  void guarded(void (Connection::*step)());

  std::shared_ptr<Frontier> frontier_;
  std::unique_ptr<Watch> watch_;
  Wire wire_;
  Peer peer_;
  std::string peer_name_;
  std::list<Connection*>::iterator place_;
  State state_ = State::kRequest;
  Phase phase_ = Phase::kIdle;
  std::unique_ptr<RequestReader> reader_;  // nothing while a stream waits
  std::string in_;                         // came early
  std::string out_;                        // not sent yet, from out_at_ on
  std::size_t out_at_ = 0;
  std::int64_t deadline_ = 0;  // 0: none
  std::int64_t stalled_ = 0;   // when the peer must have read something
  std::optional<Response> refusal_;
  WireExchange* current_ = nullptr;
  std::shared_ptr<WireSocket> socket_;
  std::function<void()> gone_;
  std::function<void()> sent_;
  bool counted_as_refused_ = false;
  bool reading_ = false;
  bool writing_ = false;
  bool in_loop_ = false;  // take_requests() is on the stack and goes on by itself
  bool peer_has_ended_ = false;
  bool read_wants_write_ = false;
  bool socket_ends_ = false;
  bool keep_alive_ = true;
  bool head_only_ = false;
  bool is_old_ = false;
  bool answered_ = false;
  bool streaming_ = false;
};

}  // namespace tollgate::server
