#include "server/socket_client.h"

#include <algorithm>
#include <utility>

#include "os/clock.h"
#include "os/random.h"

namespace tollgate::server {
namespace {

constexpr std::int64_t kPongMs = 5'000;

std::unexpected<Error> bad(std::string message) {
  return Fail({.code = "bad-response",
               .message = std::move(message),
               .hint = "is the daemon of this version?",
               .where = {}});
}

std::unexpected<Error> refused(int status) {
  if (status != 401 && status != 403)
    return bad("the daemon gave no web socket but status " + std::to_string(status));
  return Fail({.code = "bad-credential",
               .message = "the daemon no longer takes this credential",
               .hint = "start again and log in",
               .where = {}});
}

}  // namespace

Result<SocketClient> SocketClient::open(ClientRequest request) {
  const Result<std::string> random = os::random_bytes(16);
  if (!random) return Fail(random.error());
  const std::string key = request_key(*random);
  request.headers.emplace_back("Connection", "Upgrade");
  request.headers.emplace_back("Upgrade", "websocket");
  request.headers.emplace_back("Sec-WebSocket-Version", "13");
  request.headers.emplace_back("Sec-WebSocket-Key", key);
  Result<ClientStream> stream = ClientStream::open(request);
  if (!stream) return Fail(stream.error());
  if (stream->head().status != 101) return refused(stream->head().status);
  const auto& headers = stream->head().headers;
  const auto accepted = std::ranges::find_if(
      headers, [](const auto& header) { return header.first == "sec-websocket-accept"; });
  if (accepted == headers.end() || accepted->second != accept_key(key))
    return bad("the daemon did not answer to this request for a web socket");
  return SocketClient(std::move(*stream), request.most_bytes);
}

Result<std::optional<std::string>> SocketClient::next(std::int64_t within_ms) {
  const std::int64_t until = os::now_monotonic() + within_ms;
  for (;;) {
    std::string_view view = bytes_;
    const std::optional<Frame> frame = reader_.next(view);
    bytes_.erase(0, bytes_.size() - view.size());
    if (!frame) {
      Result<std::optional<std::string>> more =
          stream_.next(std::max<std::int64_t>(until - os::now_monotonic(), 0));
      if (!more) return Fail(more.error());
      if (!*more) return std::optional<std::string>();
      bytes_ += **more;
      continue;
    }
    if (frame->kind == FrameKind::kText) return std::optional<std::string>(frame->bytes);
    if (frame->kind == FrameKind::kClose) return std::optional<std::string>();
    if (frame->kind == FrameKind::kWrong) return bad("the daemon's web socket is malformed");
    if (frame->kind == FrameKind::kPing)
      if (const Result<void> sent = answer_ping(frame->bytes); !sent) return Fail(sent.error());
  }
}

Result<void> SocketClient::answer_ping(const std::string& bytes) {
  const Result<std::string> mask = os::random_bytes(4);
  if (!mask) return Fail(mask.error());
  std::string pong;
  append_masked(pong, FrameKind::kPong, bytes, *mask);
  return stream_.write(pong, kPongMs);
}

}  // namespace tollgate::server
