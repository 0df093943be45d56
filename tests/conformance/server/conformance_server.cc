// A small server on the loopback for the conformance suite of MCP: HTTP/1.1, a thread a connection.
// Usage: conformance_server [--port N]; prints its address on one line and serves until it is
// ended. The protocol is src/protocol's and the tools are fixtures.cc's; this is only the wire, for
// tests.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>

#include "base/text.h"
#include "conformance/fixtures.h"
#include "json/json.h"
#include "os/descriptor.h"

namespace {

using namespace tollgate;
using conformance::Fixtures;
using conformance::Outcome;

constexpr std::size_t kMaxRequest = 8u << 20;

// Requests of the server's own that wait for the client's answer.
class Asked {
 public:
  std::string begin() {
    const std::lock_guard lock(mutex_);
    const std::string id = "server-" + std::to_string(++last_);
    open_[id] = std::nullopt;
    return id;
  }
  void answer(const McpResponse& response) {
    const std::lock_guard lock(mutex_);
    const auto place = open_.find(response.id.as_string());
    if (place == open_.end()) return;
    place->second = response.result;
    came_.notify_all();
  }
  std::optional<json::Value> wait(const std::string& id) {
    std::unique_lock lock(mutex_);
    came_.wait_for(lock, std::chrono::seconds(10), [&] { return open_[id].has_value(); });
    std::optional<json::Value> out = std::move(open_[id]);
    open_.erase(id);
    return out;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::string, std::optional<json::Value>> open_;
  int last_ = 0;
};

struct Shop {
  McpServer server;
  Fixtures fixtures;
  Asked asked;
};

bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string head_of(const HttpOut& out) {
  std::string head = "HTTP/1.1 " + std::to_string(out.status) + " Status\r\n";
  for (const auto& [name, value] : out.headers) head += name + ": " + value + "\r\n";
  return head;
}

bool send_reply(int socket, const HttpOut& out) {
  return send_all(socket, head_of(out) + "Content-Length: " + std::to_string(out.body.size()) +
                              "\r\n\r\n" + out.body);
}

// Begins a stream when the first message comes; ends it by closing the connection.
class Stream : public conformance::Line {
 public:
  Stream(int socket, Asked& asked) : socket_(socket), asked_(asked) {}

  void tell(const json::Value& message) override {
    if (!begun) send_all(socket_, head_of(stream_head()) + "Connection: close\r\n\r\n");
    begun = true;
    send_all(socket_, event(message));
  }
  std::optional<json::Value> ask(std::string_view method, json::Value params) override {
    const std::string id = asked_.begin();
    json::Value message = notification(method, std::move(params));
    tell(message.set("id", json::Value::string(id)));
    return asked_.wait(id);
  }

  bool begun = false;

 private:
  int socket_;
  Asked& asked_;
};

// False where the connection is done with.
bool run_call(int socket, const McpCall& call, Shop& shop) {
  Stream stream(socket, shop.asked);
  const Outcome outcome = shop.fixtures.run(call, stream);
  const auto* error = std::get_if<McpError>(&outcome);
  const json::Value message =
      error != nullptr ? error_message(call.id, *error)
                       : result_message(call, shop.server, std::get<json::Value>(outcome));
  if (stream.begun) {
    stream.tell(message);
    return false;
  }
  return send_reply(socket, whole_reply(call, message,
                                        error == nullptr ? 200 : status_of(call.era, error->code)));
}

bool is_ours(std::string_view host) {
  if (host.starts_with("http://")) host.remove_prefix(7);
  const std::size_t colon = host.rfind(':');
  if (colon != host.npos && !host.ends_with(']')) host = host.substr(0, colon);
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

bool is_foreign(const HttpIn& in) {
  for (const auto& [name, value] : in.headers)
    if ((name == "host" || name == "origin") && !is_ours(trim(value))) return true;
  return false;
}

bool serve_request(int socket, const HttpIn& in, Shop& shop) {
  if (is_foreign(in)) return send_reply(socket, {.status = 403, .headers = {}, .body = {}});
  const McpTurn turn = read_mcp(in, shop.server);
  if (const auto* out = std::get_if<HttpOut>(&turn)) return send_reply(socket, *out);
  if (const auto* call = std::get_if<McpCall>(&turn)) return run_call(socket, *call, shop);
  if (const auto* response = std::get_if<McpResponse>(&turn)) shop.asked.answer(*response);
  return send_reply(socket, accepted());
}

// Reads one request off the front of `bytes`, taking more from the socket as needed.
std::optional<HttpIn> next_request(int socket, std::string& bytes) {
  std::size_t end = bytes.npos, length = 0;
  HttpIn in;
  for (;;) {
    const bool head_is_new = end == bytes.npos;
    if (head_is_new) end = bytes.find("\r\n\r\n");
    if (head_is_new && end != bytes.npos) {
      const std::string head = bytes.substr(0, end);
      const std::vector<std::string_view> lines = split(head, '\n');
      in.method = std::string(split(lines[0], ' ')[0]);
      for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::size_t colon = std::min(lines[i].find(':'), lines[i].size() - 1);
        in.headers.emplace_back(lower(lines[i].substr(0, colon)), trim(lines[i].substr(colon + 1)));
        const std::string& value = in.headers.back().second;
        if (in.headers.back().first == "content-length")
          std::from_chars(value.data(), value.data() + value.size(), length);
      }
    }
    if (length > kMaxRequest || bytes.size() > 2 * kMaxRequest) return std::nullopt;
    if (end != bytes.npos && bytes.size() >= end + 4 + length) break;
    char buffer[16384];
    const ssize_t got = ::recv(socket, buffer, sizeof buffer, 0);
    if (got <= 0) return std::nullopt;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
  in.body = bytes.substr(end + 4, length);
  bytes.erase(0, end + 4 + length);
  return in;
}

void serve_connection(os::Descriptor socket, Shop& shop) {
  std::string bytes;
  while (const std::optional<HttpIn> in = next_request(socket.number(), bytes))
    if (!serve_request(socket.number(), *in, shop)) return;
}

std::string random_key() {
  std::random_device device;
  std::string out;
  for (int i = 0; i < 8; ++i) out += std::to_string(device()) + ".";
  return out;
}

}  // namespace

int main(int count, char** words) {
  const bool plain_tools = count == 2 && std::string_view(words[1]) == "--plain";
  const os::Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener.number(), plain, size) != 0 || ::listen(listener.number(), 64) != 0 ||
      ::getsockname(listener.number(), plain, &size) != 0) {
    std::perror("conformance_server");
    return 1;
  }
  std::printf("http://127.0.0.1:%d/mcp\n", ntohs(address.sin_port));
  std::fflush(stdout);
  Shop shop{.server = plain_tools ? conformance::plain_server() : conformance::fixture_server(),
            .fixtures = Fixtures(random_key())};
  for (;;) {
    os::Descriptor peer(::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer.valid()) continue;
    std::thread([peer = std::move(peer), &shop]() mutable {
      serve_connection(std::move(peer), shop);
    }).detach();
  }
}
