// An exchange, a web socket and a loop in memory, for tests of routes: no wire, no threads, a clock
// that stands until it is moved.
// Included by tests only. What the transport promises of these types holds here too.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "server/exchange.h"
#include "server/loop.h"
#include "server/target.h"

namespace tollgate::server {

// A request as the transport would hand it over. REQUIRES: a target that the transport takes.
inline Request memory_request(std::string method, std::string target, std::string body = {},
                              std::vector<std::pair<std::string, std::string>> headers = {}) {
  Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  Target split = target_of(request.target).value();
  request.segments = std::move(split.segments);
  request.query = std::move(split.query);
  request.headers = {{"host", "localhost"}};
  request.headers.insert(request.headers.end(), headers.begin(), headers.end());
  request.body = std::move(body);
  request.peer.address = "127.0.0.1";
  return request;
}

class MemoryExchange : public Exchange {
 public:
  explicit MemoryExchange(Request request) : request_(std::move(request)) {}

  const Request& request() const& override { return request_; }
  Request take_request() override { return request_.take(); }
  void reply(Response answer) override {
    if (answered_) return;
    answered_ = complete_ = true;
    response = std::move(answer);
    tell_sent();
  }
  void begin_stream(Response head) override {
    if (answered_) return;
    answered_ = streaming = true;
    response = std::move(head);
  }
  void send(std::string_view piece) override {
    if (streaming && !complete_ && !gone_) pieces.emplace_back(piece);
  }
  void finish() override {
    if (!streaming || complete_) return;
    complete_ = true;
    tell_sent();
  }
  bool answered() const override { return answered_; }
  void on_gone(std::function<void()> gone) override { heard_gone_ = std::move(gone); }
  void on_sent(std::function<void()> sent) override {
    heard_sent_ = std::move(sent);
    tell_sent();
  }

  // The peer leaves: on_gone is called unless the answer is complete.
  void leave() {
    if (gone_) return;
    gone_ = true;
    const auto gone = std::exchange(heard_gone_, nullptr);
    if (!complete_ && gone) gone();
  }
  bool complete() const { return complete_; }
  std::string streamed() const {
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return all;
  }
  // The response's header, or "".
  std::string header(std::string_view name) const {
    for (const auto& [key, value] : response.headers)
      if (key == name) return value;
    return "";
  }

  Response response;                // what was replied, or the head of the stream
  bool streaming = false;           // begun by begin_stream()
  std::vector<std::string> pieces;  // of the stream

 private:
  void tell_sent() {
    if (!complete_ || gone_ || !heard_sent_) return;
    std::exchange(heard_sent_, nullptr)();
  }

  Request request_;
  bool answered_ = false;
  bool complete_ = false;
  bool gone_ = false;
  std::function<void()> heard_gone_;
  std::function<void()> heard_sent_;
};

class MemorySocket : public Socket {
 public:
  explicit MemorySocket(Request request) : request_(std::move(request)) {}

  const Request& request() const& override { return request_; }
  void send(std::string text) override {
    if (!gone_) sent.push_back(std::move(text));
  }
  // As on the wire, on_gone follows a close() too.
  void close(int code, std::string reason) override {
    if (gone_) return;
    closed = {code, std::move(reason)};
    leave();
  }
  void on_text(std::function<void(std::string)> heard) override { heard_text_ = std::move(heard); }
  void on_gone(std::function<void()> gone) override { heard_gone_ = std::move(gone); }
  std::size_t backlog() const override { return waiting; }

  // The other side says something, or leaves.
  void say(std::string text) {
    const auto heard = heard_text_;
    if (!gone_ && heard) heard(std::move(text));
  }
  void leave() {
    if (gone_) return;
    gone_ = true;
    if (const auto gone = std::exchange(heard_gone_, nullptr)) gone();
  }
  bool gone() const { return gone_; }

  std::vector<std::string> sent;
  std::pair<int, std::string> closed = {0, ""};  // by us
  std::size_t waiting = 0;                       // what backlog() says

 private:
  Request request_;
  bool gone_ = false;
  std::function<void(std::string)> heard_text_;
  std::function<void()> heard_gone_;
};

// Nothing runs before run() or advance(). REQUIRES: it outlives its timers.
class ManualLoop : public Loop {
 public:
  explicit ManualLoop(std::int64_t now = 1'700'000'000'000) : now_(now) {}

  void post(std::function<void()> work) override {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
  }
  void work(std::function<void()> heavy, std::function<void()> then) override {
    ++works;
    post([this, heavy = std::move(heavy), then = std::move(then)] {
      heavy();
      post(then);
    });
  }
  std::unique_ptr<Timer> after(std::int64_t milliseconds, std::function<void()> run) override {
    const Key key{now_ + std::max<std::int64_t>(milliseconds, 0), ++last_};
    timers_[key] = std::move(run);
    return std::make_unique<ManualTimer>(*this, key);
  }
  std::int64_t now() const override { return now_; }
  std::int64_t step() const override { return set_by; }

  std::int64_t set_by = 0;  // somebody set the time of day

  // What is posted, and what that posts, and the timers that are due.
  void run() {
    do {
      while (std::function<void()> next = take_posted()) next();
    } while (run_due_timer(now_));
  }
  // Moves the clock from timer to timer, each at its own time.
  void advance(std::int64_t milliseconds) {
    const std::int64_t until = now_ + milliseconds;
    run();
    while (run_due_timer(until)) run();
    now_ = until;
  }
  std::size_t timers() const { return timers_.size(); }

  int works = 0;  // that were asked for

 private:
  using Key = std::pair<std::int64_t, std::uint64_t>;  // when, and in which order they were made
  class ManualTimer : public Timer {
   public:
    ManualTimer(ManualLoop& loop, Key key) : loop_(loop), key_(key) {}
    ~ManualTimer() override { loop_.timers_.erase(key_); }

   private:
    ManualLoop& loop_;
    Key key_;
  };

  std::function<void()> take_posted() {
    const std::lock_guard lock(mutex_);
    if (posted_.empty()) return nullptr;
    std::function<void()> next = std::move(posted_.front());
    posted_.pop_front();
    return next;
  }
  bool run_due_timer(std::int64_t until) {
    if (timers_.empty() || timers_.begin()->first.first > until) return false;
    auto next = timers_.extract(timers_.begin());
    now_ = std::max(now_, next.key().first);
    next.mapped()();
    return true;
  }

  std::int64_t now_;
  std::uint64_t last_ = 0;
  std::mutex mutex_;
  std::deque<std::function<void()>> posted_;
  std::map<Key, std::function<void()>> timers_;
};

}  // namespace tollgate::server
