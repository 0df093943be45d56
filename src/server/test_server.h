// A real server on a free port of loopback, and a client that sends bytes as they are.
// Included by tests only.
// Whatever waits has a deadline that only a broken server reaches.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "os/clock.h"
#include "os/descriptor.h"
#include "os/files.h"
#include "os/paths.h"
#include "server/listener.h"

namespace tollgate::server {

inline constexpr std::int64_t kTestDeadline = 60'000;

// A private directory, gone at the end.
class TestDirectory {
 public:
  TestDirectory() {
    std::string pattern = "/tmp/tollgate-server-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    if (made == nullptr) std::abort();
    path_ = made;
  }
  ~TestDirectory() {
    std::vector<std::string> all = os::walk_below(path_, 1'000).paths;
    std::sort(all.rbegin(), all.rend());
    for (const std::string& path : all)
      if (::unlink(path.c_str()) != 0) ::rmdir(path.c_str());
    ::rmdir(path_.c_str());
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  std::string at(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) {
    const std::string path = at(name);
    EXPECT_TRUE(os::make_private_directory(path.substr(0, path.rfind('/'))));
    EXPECT_TRUE(os::write_atomically(path, text));
  }

 private:
  std::string path_;
};

// A peer on the wire.
class RawPeer {
 public:
  explicit RawPeer(std::uint16_t port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    open(AF_INET, reinterpret_cast<sockaddr*>(&address), sizeof address);
  }
  explicit RawPeer(const std::string& path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    open(AF_UNIX, reinterpret_cast<sockaddr*>(&address), sizeof address);
  }

  bool connected() const { return socket_.valid(); }
  int number() const { return socket_.number(); }
  void leave() { socket_ = os::Descriptor(); }
  void end_writing() { ::shutdown(socket_.number(), SHUT_WR); }

  // What cannot be sent because the server has ended is not sent.
  RawPeer& say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return *this;
  }
  // Everything up to and with that text, which is taken away; what came where the stream ended.
  std::string until(std::string_view text) {
    std::size_t found = early_.find(text);
    while (found == early_.npos && receive()) found = early_.find(text);
    return take(found == early_.npos ? early_.size() : found + text.size());
  }
  std::string exactly(std::size_t count) {
    while (early_.size() < count && receive()) {
    }
    return take(std::min(count, early_.size()));
  }
  std::string rest() {
    while (receive()) {
    }
    return take(early_.size());
  }
  // The next answer with a length, head and body; 0 where the stream ended.
  struct Answer {
    int status = 0;
    std::string head, body;
  };
  Answer answer() {
    Answer out;
    out.head = until("\r\n\r\n");
    if (out.head.size() > 12) out.status = std::stoi(out.head.substr(9, 3));
    const std::size_t length = out.head.find("Content-Length: ");
    if (length != out.head.npos) out.body = exactly(std::stoul(out.head.substr(length + 16)));
    return out;
  }
  int status() { return answer().status; }
  bool has_ended() { return early_.empty() && !receive(); }

 private:
  void open(int family, const sockaddr* address, socklen_t size) {
    socket_ = os::Descriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(socket_.number(), address, size) != 0) socket_ = os::Descriptor();
  }
  bool receive() {
    pollfd one = {.fd = socket_.number(), .events = POLLIN, .revents = 0};
    if (::poll(&one, 1, kTestDeadline) <= 0) {
      ADD_FAILURE() << "nothing came in time; so far: " << early_;
      return false;
    }
    char buffer[16u << 10];
    const ssize_t got = ::recv(socket_.number(), buffer, sizeof buffer, 0);
    if (got > 0) early_.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }
  std::string take(std::size_t count) {
    std::string out = early_.substr(0, count);
    early_.erase(0, count);
    return out;
  }

  os::Descriptor socket_;
  std::string early_;
};

inline std::string get(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
}
inline std::string post(const std::string& target, const std::string& body,
                        const std::string& more = "") {
  return "POST " + target +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         more + "\r\n" + body;
}

// Set once, waited for with a deadline.
class TestEvent {
 public:
  TestEvent() : future_(promise_.get_future()) {}
  void set() { promise_.set_value(); }
  bool came() {
    return future_.wait_for(std::chrono::milliseconds(kTestDeadline)) == std::future_status::ready;
  }

 private:
  std::promise<void> promise_;
  std::future<void> future_;
};

// Limits of a test: no rate, and deadlines that are never reached unless a test asks for them.
inline ServerOptions test_options() {
  ServerOptions options;
  options.port = 0;
  options.workers = 1;
  options.limits.requests_per_second = 1e9;
  options.limits.burst = 1e9;
  options.limits.header_ms = options.limits.body_ms = options.limits.idle_ms = 10 * kTestDeadline;
  return options;
}

class TestServer {
 public:
  explicit TestServer(ServerOptions options = test_options(), Handlers handlers = {}) {
    options.log = [this](std::string words) {
      const std::lock_guard lock(mutex_);
      log_.push_back(std::move(words));
    };
    Result<std::unique_ptr<Server>> opened = Server::open(std::move(options));
    if (!opened) {
      ADD_FAILURE() << render(opened.error());
      std::abort();
    }
    server_ = std::move(*opened);
    if (!handlers.request)
      handlers.request = [this](std::shared_ptr<Exchange> exchange) { serve(std::move(exchange)); };
    server_->set_handlers(std::move(handlers));
    thread_ = std::thread([this] { server_->run(nullptr); });
  }
  ~TestServer() {
    stop();
    waiting_.clear();
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  Server& server() { return *server_; }
  std::uint16_t port() const { return server_->port(); }
  void stop() {
    if (!thread_.joinable()) return;
    server_->loop().post([this] { server_->stop(0); });
    thread_.join();
  }
  void join() { thread_.join(); }

  // Runs it on the loop and waits for it.
  template <class Work>
  auto on_loop(Work work) {
    std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
    auto done = task.get_future();
    server_->loop().post([&task] { task(); });
    return done.get();
  }

  // The exchanges of `/wait`, once there are that many.
  void await_waiting(std::size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::milliseconds(kTestDeadline),
                                  [&] { return waiting_.size() >= count; }))
        << waiting_.size() << " of " << count << " wait";
  }
  // Answers the oldest of them.
  void answer(std::string body) {
    on_loop([&] { take_waiting()->reply(json_response(200, std::move(body))); });
  }
  std::shared_ptr<Exchange> take_waiting() {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Exchange> first = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return first;
  }
  std::vector<std::string> log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

 private:
  // Says what it was asked; `/wait` is kept until a test answers.
  void serve(std::shared_ptr<Exchange> exchange) {
    const Request& request = exchange->request();
    if (!request.segments.empty() && request.segments[0] == "wait") {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(exchange));
      changed_.notify_all();
      return;
    }
    exchange->reply(json_response(
        200, request.method + " " + request.target + " " + std::to_string(request.body.size())));
  }

  std::unique_ptr<Server> server_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Exchange>> waiting_;
  std::vector<std::string> log_;
};

}  // namespace tollgate::server
