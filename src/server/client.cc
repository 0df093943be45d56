#include "server/client.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "os/clock.h"
#include "os/system_error.h"
#include "server/transport/fields.h"

namespace tollgate::server {
namespace {

constexpr std::size_t kMostHead = 64u << 10;

std::unexpected<Error> bad(std::string message) {
  return Fail({.code = "bad-response",
               .message = std::move(message),
               .hint = "is the daemon of this version?",
               .where = {}});
}

std::unexpected<Error> no_daemon(const std::string& where) {
  return Fail({.code = "no-daemon",
               .message = "no daemon answers at `" + where + "`",
               .hint = "start it with `tollgate serve`",
               .where = {}});
}

std::unexpected<Error> late() {
  return Fail({.code = "socket-timeout",
               .message = "the daemon did not answer in time",
               .hint = "try again; its log may say why",
               .where = {}});
}

std::string place_of(const ClientRequest& request) {
  if (!request.local_socket.empty()) return request.local_socket;
  return request.host + ":" + std::to_string(request.port);
}

bool wait_for(int descriptor, short events, std::int64_t until) {
  for (;;) {
    const std::int64_t left = until - os::now_monotonic();
    if (left <= 0) return false;
    pollfd one = {.fd = descriptor, .events = events, .revents = 0};
    if (::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) > 0) return true;
  }
}

// The system's form of the address, or a length of 0.
socklen_t fill_address(const ClientRequest& request, sockaddr_storage& storage) {
  if (!request.local_socket.empty()) {
    auto* local = reinterpret_cast<sockaddr_un*>(&storage);
    if (request.local_socket.size() >= sizeof local->sun_path) return 0;
    local->sun_family = AF_UNIX;
    std::memcpy(local->sun_path, request.local_socket.c_str(), request.local_socket.size() + 1);
    return sizeof *local;
  }
  auto* four = reinterpret_cast<sockaddr_in*>(&storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
  if (::inet_pton(AF_INET, request.host.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(request.port);
    return sizeof *four;
  }
  if (::inet_pton(AF_INET6, request.host.c_str(), &six->sin6_addr) != 1) return 0;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(request.port);
  return sizeof *six;
}

Result<os::Descriptor> connected(const ClientRequest& request, std::int64_t until) {
  sockaddr_storage storage = {};
  const socklen_t size = fill_address(request, storage);
  if (size == 0) return no_daemon(place_of(request));
  os::Descriptor socket(::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid())
    return Fail(os::system_error("socket-failed", "connect to", place_of(request), errno));
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&storage), size) == 0)
    return socket;
  if (errno != EINPROGRESS) return no_daemon(place_of(request));
  if (!wait_for(socket.number(), POLLOUT, until)) return late();
  int failure = 0;
  socklen_t length = sizeof failure;
  ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &failure, &length);
  if (failure != 0) return no_daemon(place_of(request));
  return socket;
}

using Header = std::pair<std::string, std::string>;

std::string text_of(const ClientRequest& request) {
  std::string host = "localhost";
  if (request.local_socket.empty())
    host = (request.host.find(':') == std::string::npos ? request.host : "[" + request.host + "]") +
           ":" + std::to_string(request.port);
  std::string text = request.method + " " + request.target + " HTTP/1.1\r\nHost: " + host + "\r\n";
  if (std::ranges::find(request.headers, "Connection", &Header::first) == request.headers.end())
    text += "Connection: close\r\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
  if (!request.body.empty() || request.method != "GET")
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  return text + "\r\n" + request.body;
}

// The number of a first line like `HTTP/1.1 200 OK`.
std::optional<int> status_in(std::string_view line) {
  if (!line.starts_with("HTTP/1.1 ") || line.size() < 12) return {};
  int status = 0;
  for (const char c : line.substr(9, 3)) {
    if (c < '0' || c > '9') return {};
    status = status * 10 + (c - '0');
  }
  return status;
}

// What a line of an event says under that name.
bool is_field(std::string_view line, std::string_view name, std::string& value) {
  if (!line.starts_with(name)) return false;
  line.remove_prefix(name.size());
  if (!line.empty() && !line.starts_with(':')) return false;
  if (!line.empty()) line.remove_prefix(line.starts_with(": ") ? 2 : 1);
  value = line;
  return true;
}

}  // namespace

Result<ClientStream> ClientStream::open(const ClientRequest& request) {
  const std::int64_t until = os::now_monotonic() + request.within_ms;
  Result<os::Descriptor> descriptor = connected(request, until);
  if (!descriptor) return Fail(descriptor.error());
  ClientStream stream(std::move(*descriptor), request.most_bytes);
  if (const Result<void> sent = stream.send(text_of(request), until); !sent)
    return Fail(sent.error());
  if (const Result<void> read = stream.read_head(request.method, until); !read)
    return Fail(read.error());
  return stream;
}

// A daemon that refuses may answer before it has read everything: then its answer counts.
Result<void> ClientStream::send(std::string_view bytes, std::int64_t until) {
  while (!bytes.empty()) {
    if (!wait_for(descriptor_.number(), POLLOUT, until)) return late();
    const ssize_t sent = ::send(descriptor_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno == EPIPE || errno == ECONNRESET)
      return {};
    else if (errno != EINTR && errno != EAGAIN)
      return Fail(os::system_error("socket-failed", "write to", "the daemon", errno));
  }
  return {};
}

Result<void> ClientStream::write(std::string_view bytes, std::int64_t within_ms) {
  return send(bytes, os::now_monotonic() + within_ms);
}

Result<bool> ClientStream::receive(std::string& into, std::int64_t until) {
  for (;;) {
    if (!wait_for(descriptor_.number(), POLLIN, until)) return late();
    char buffer[16u << 10];
    const ssize_t got = ::recv(descriptor_.number(), buffer, sizeof buffer, 0);
    if (got == 0) return false;
    if (got > 0) {
      into.append(buffer, static_cast<std::size_t>(got));
      return true;
    }
    if (errno != EINTR && errno != EAGAIN)
      return Fail(os::system_error("socket-failed", "read from", "the daemon", errno));
  }
}

Result<void> ClientStream::read_head(const std::string& method, std::int64_t until) {
  std::string text;
  HeadEnd head;
  while (head.end == 0) {
    const std::size_t before = text.size();
    const Result<bool> more = receive(text, until);
    if (!more) return Fail(more.error());
    if (!*more) return bad("the daemon ended its answer before it had begun");
    head = find_head_end(text, before);
    if (head.broken || (head.end == 0 && text.size() > kMostHead))
      return bad("the daemon did not answer in HTTP");
    if (head.end > 0 && text.starts_with("HTTP/1.1 100 ")) {
      text.erase(0, head.end);
      head = find_head_end(text, 0);
    }
  }
  const std::size_t first = text.find("\r\n");
  const std::optional<int> status = status_in(std::string_view(text).substr(0, first));
  const std::string_view lines = std::string_view(text).substr(first + 2, head.end - first - 4);
  Framing framing;
  if (!status || read_fields(lines, head_.headers) || read_framing(head_.headers, framing))
    return bad("the daemon did not answer in HTTP");
  head_.status = *status;
  early_ = text.substr(head.end);
  const bool none = method == "HEAD" || *status == 204 || *status == 304;
  left_ = none ? 0 : framing.length.value_or(0);
  if (!none && framing.chunked) end_ = BodyEnd::kChunks;
  if (!none && !framing.chunked && !framing.length) end_ = BodyEnd::kClose;
  return {};
}

Result<std::optional<std::string>> ClientStream::next(std::int64_t within_ms) {
  const std::int64_t until = os::now_monotonic() + within_ms;
  while (!done_) {
    if (end_ == BodyEnd::kLength && left_ == 0) break;
    std::string bytes = std::exchange(early_, {});
    bool ended = false;
    if (bytes.empty()) {
      const Result<bool> more = receive(bytes, until);
      if (!more) return Fail(more.error());
      ended = !*more;
    }
    Result<std::optional<std::string>> piece = take(std::move(bytes), ended);
    if (!piece || (*piece && !(*piece)->empty())) return piece;
  }
  done_ = true;
  return std::optional<std::string>();
}

// Nothing or an empty piece where more must come first, or where the end is.
Result<std::optional<std::string>> ClientStream::take(std::string bytes, bool ended) {
  std::string piece;
  switch (end_) {
    case BodyEnd::kLength:
      if (ended) return bad("the daemon's answer was cut off");
      piece =
          bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
      left_ -= piece.size();
      break;
    case BodyEnd::kChunks:
      if (ended) return bad("the daemon's answer was cut off");
      chunks_.feed(bytes, piece);
      if (chunks_.state() > ChunkReader::State::kDone)
        return bad("the daemon's answer is malformed");
      done_ = chunks_.state() == ChunkReader::State::kDone;
      break;
    case BodyEnd::kClose:
      done_ = ended;
      piece = std::move(bytes);
      break;
  }
  return std::optional<std::string>(std::move(piece));
}

Result<Response> fetch(const ClientRequest& request) {
  const std::int64_t until = os::now_monotonic() + request.within_ms;
  Result<ClientStream> stream = ClientStream::open(request);
  if (!stream) return Fail(stream.error());
  Response response = stream->head();
  for (;;) {
    Result<std::optional<std::string>> piece = stream->next(until - os::now_monotonic());
    if (!piece) return Fail(piece.error());
    if (!*piece) return response;
    response.body += **piece;
    if (response.body.size() > request.most_bytes) return bad("the daemon's answer is too long");
  }
}

std::optional<ServerEvent> EventReader::next() {
  for (;;) {
    const std::size_t end = text_.find("\n\n");
    if (end == text_.npos) return {};
    const std::string block = text_.substr(0, end);
    text_.erase(0, end + 2);
    ServerEvent event;
    bool has_data = false;
    for (const std::string_view line : split(block, '\n')) {
      std::string value;
      if (is_field(line, "data", value)) {
        event.data += (has_data ? "\n" : "") + value;
        has_data = true;
      } else if (is_field(line, "event", value)) {
        event.name = value;
      } else if (is_field(line, "id", value)) {
        event.id = value;
      }
    }
    if (has_data) return event;
  }
}

}  // namespace tollgate::server
