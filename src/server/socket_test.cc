// Web sockets: with the client of Boost.Beast, and with frames that no client would send.
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include "server/test_server.h"
#include "server/transport/frames.h"

namespace tollgate::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using std::string_literals::operator""s;

// Says back what it hears; `bye` makes it close, `throw` fails.
struct EchoSockets {
  std::shared_ptr<Socket> last;
  std::promise<void> gone;

  Handlers handlers() {
    Handlers out;
    out.request = [](const std::shared_ptr<Exchange>& exchange) { exchange->reply({}); };
    out.may_upgrade = [](const Request& request) -> std::optional<Response> {
      if (request.segments == std::vector<std::string>{"ws"}) return {};
      return error_response(404, "malformed-request", "no socket here", "use /ws");
    };
    out.socket = [this](const std::shared_ptr<Socket>& socket) {
      last = socket;
      socket->on_gone([this] { gone.set_value(); });
      socket->on_text([one = socket.get()](const std::string& text) {
        if (text == "throw") throw std::runtime_error("a broken handler");
        if (text == "bye")
          one->close(4001, "as you like");
        else
          one->send(text);
      });
    };
    return out;
  }
  bool is_gone() {
    return gone.get_future().wait_for(std::chrono::milliseconds(kTestDeadline)) ==
           std::future_status::ready;
  }
};

std::string handshake(const std::string& target = "/ws", const std::string& version = "13",
                      const std::string& key = "dGhlIHNhbXBsZSBub25jZQ==",
                      const std::string& more = "") {
  return get(target,
             "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Version: " +
                 version + "\r\nSec-WebSocket-Key: " + key + "\r\n" + more);
}

// A frame as a client sends it, masked with zeros so that it can be read here.
std::string frame(unsigned first, std::string_view bytes) {
  std::string out = {static_cast<char>(first), static_cast<char>(0x80u | bytes.size())};
  return out + "\0\0\0\0"s + std::string(bytes);
}

TEST(Socket, SpeaksWithAnOrdinaryClient) {
  EchoSockets echo;
  TestServer server(test_options(), echo.handlers());
  asio::io_context context;
  beast::websocket::stream<asio::ip::tcp::socket> client(context);
  client.next_layer().connect({asio::ip::address_v4::loopback(), server.port()});
  client.handshake("localhost", "/ws");
  for (const std::size_t size : {0u, 1u, 125u, 126u, 65'535u, 65'536u, 1'000'000u}) {
    const std::string text(size, 'x');
    client.text(true);
    client.auto_fragment(size % 2 == 0);
    client.write(asio::buffer(text));
    beast::flat_buffer buffer;
    client.read(buffer);
    ASSERT_EQ(beast::buffers_to_string(buffer.data()), text);
  }
  client.ping("x");
  client.write(asio::buffer("bye"s));
  beast::flat_buffer buffer;
  boost::system::error_code failure;
  client.read(buffer, failure);
  EXPECT_EQ(failure, beast::websocket::error::closed);
  EXPECT_EQ(client.reason().code, 4001);
  EXPECT_EQ(std::string(client.reason().reason.c_str()), "as you like");
  EXPECT_TRUE(echo.is_gone());
  server.stop();
  echo.last.reset();
}

TEST(Socket, HandshakesThatAreRefused) {
  EchoSockets echo;
  TestServer server(test_options(), echo.handlers());
  RawPeer peer(server.port());
  EXPECT_EQ(peer.say(handshake("/other")).status(), 404);
  EXPECT_EQ(peer.say(handshake("/ws", "8")).status(), 426);
  EXPECT_EQ(peer.say(handshake("/ws", "13", "short")).status(), 400);
  EXPECT_EQ(peer.say(handshake("/ws", "13",
                               "dGhlIHNhbXBsZSBub25jZQ==", "Origin: https://evil.example\r\n"))
                .status(),
            403);
  const std::string accepted = peer.say(handshake()).until("\r\n\r\n");
  EXPECT_TRUE(accepted.starts_with("HTTP/1.1 101 ")) << accepted;
  EXPECT_NE(accepted.find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"),
            std::string::npos);
  server.stop();
  echo.last.reset();
}

struct FrameCase {
  std::string_view name;
  std::string bytes;
  int want;  // the code that it is closed with
};

TEST(Socket, FramesThatEndIt) {
  const FrameCase kCases[] = {
      {"a goodbye is answered", frame(0x88, "\x03\xe8"), 1000},
      {"a goodbye without a code", frame(0x88, ""), 0},
      {"a binary frame", frame(0x82, "x"), 1003},
      {"a frame without a mask", "\x81\x01x"s, 1002},
      {"a frame with an extension", frame(0xc1, "x"), 1002},
      {"an unknown frame", frame(0x83, "x"), 1002},
      {"a continuation of nothing", frame(0x80, "x"), 1002},
      {"a text within a text", frame(0x01, "x") + frame(0x81, "y"), 1002},
      {"a ping in pieces", frame(0x09, "x"), 1002},
      {"a ping that is too long", "\x89\xfe\x01\x00\0\0\0\0"s, 1002},
      {"a goodbye with half a code", frame(0x88, "x"), 1002},
      {"a goodbye with a code that nobody may send", frame(0x88, "\x03\xed"), 1002},
      {"a goodbye that is no text", frame(0x88, "\x03\xe8\xff"), 1007},
      {"a text that is none", frame(0x81, "\xff"), 1007},
      {"a text that is too long", "\x81\xff\0\0\0\0\0\x20\0\0\0\0\0\0"s, 1009},
      {"a length beyond numbers", "\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"s, 1009},
      {"a text that its handler fails on", frame(0x81, "throw"), 1011},
  };
  for (const FrameCase& one : kCases) {
    EchoSockets echo;
    TestServer server(test_options(), echo.handlers());
    RawPeer peer(server.port());
    peer.say(handshake() + one.bytes).until("\r\n\r\n");
    const std::string head = peer.exactly(2);
    ASSERT_EQ(head.size(), 2u) << one.name;
    EXPECT_EQ(static_cast<unsigned char>(head[0]), 0x88) << one.name;
    const std::string code = peer.exactly(static_cast<unsigned char>(head[1])).substr(0, 2);
    const int got = code.empty() ? 0
                                 : static_cast<unsigned char>(code[0]) * 256 +
                                       static_cast<unsigned char>(code[1]);
    EXPECT_EQ(got, one.want) << one.name;
    peer.leave();
    EXPECT_TRUE(echo.is_gone()) << one.name;
    server.stop();
    echo.last.reset();
  }
}

TEST(Socket, TextsInPiecesWithAPingBetweenThem) {
  EchoSockets echo;
  TestServer server(test_options(), echo.handlers());
  RawPeer peer(server.port());
  peer.say(handshake() + frame(0x01, "a") + frame(0x89, "p") + frame(0x00, "") + frame(0x80, "b"));
  peer.until("\r\n\r\n");
  EXPECT_EQ(peer.exactly(3), "\x8a\x01p");
  EXPECT_EQ(peer.exactly(4), "\x81\x02"s + "ab");
  server.stop();
  echo.last.reset();
}

TEST(Socket, ASilentPeerIsAskedAndThenLeftAlone) {
  EchoSockets echo;
  ServerOptions options = test_options();
  options.limits.ping_ms = 60;
  TestServer server(std::move(options), echo.handlers());
  RawPeer peer(server.port());
  peer.say(handshake()).until("\r\n\r\n");
  EXPECT_EQ(peer.exactly(2), "\x89\0"s);
  EXPECT_TRUE(echo.is_gone());
  EXPECT_EQ(peer.rest().find('\x81'), std::string::npos);
  server.stop();
  echo.last.reset();
}

TEST(Socket, APeerThatDoesNotReadHasABacklogAndIsCut) {
  EchoSockets echo;
  ServerOptions options = test_options();
  options.limits.send_backlog = 2u << 20;
  TestServer server(std::move(options), echo.handlers());
  RawPeer peer(server.port());
  peer.say(handshake()).until("\r\n\r\n");
  // The answer may be on the wire before the handler has the socket.
  while (server.on_loop([&] { return echo.last == nullptr; })) {
  }
  std::size_t most = 0;
  server.on_loop([&] {
    for (int i = 0; i < 100; ++i) {
      echo.last->send(std::string(1u << 20, 'a'));
      most = std::max(most, echo.last->backlog());
    }
    EXPECT_EQ(echo.last->backlog(), 0u);
  });
  EXPECT_GT(most, 1u << 20);
  EXPECT_TRUE(echo.is_gone());
  server.stop();
  echo.last.reset();
}

TEST(Socket, IsToldThatTheDaemonStops) {
  EchoSockets echo;
  TestServer server(test_options(), echo.handlers());
  RawPeer peer(server.port());
  peer.say(handshake()).until("\r\n\r\n");
  server.on_loop([&] { server.server().stop(10 * kTestDeadline); });
  EXPECT_EQ(peer.exactly(4), "\x88\x12\x03\xe9"s);
  peer.say(frame(0x88, "\x03\xe9")).rest();
  peer.leave();
  server.join();
  echo.last.reset();
}

}  // namespace
}  // namespace tollgate::server
