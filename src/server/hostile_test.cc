// What malformed, ambiguous and oversized requests get, on the wire and from the reader alone.
// Whatever is refused never reaches a handler, and the connection ends behind the refusal.
#include <gtest/gtest.h>

#include "server/test_server.h"
#include "server/transport/request_reader.h"

namespace tollgate::server {
namespace {

using std::string_literals::operator""s;

struct Case {
  std::string_view name;
  std::string bytes;
  int want;
};

const std::string kHost = "Host: localhost\r\n";

std::string with(const std::string& headers, const std::string& body = "") {
  return "POST /x HTTP/1.1\r\n" + kHost + headers + "\r\n" + body;
}
std::string line(const std::string& first) { return first + "\r\n" + kHost + "\r\n"; }
std::string chunked(const std::string& body) {
  return with("Transfer-Encoding: chunked\r\n", body);
}

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"a plain request", line("GET /x HTTP/1.1"), 200},
      {"an empty line before it is forgiven", "\r\n" + line("GET /x HTTP/1.1"), 200},
      {"a body", with("Content-Length: 3\r\n", "abc"), 200},
      {"chunks", chunked("3\r\nabc\r\n0\r\n\r\n"), 200},
      {"chunks with an extension", chunked("3;a=b\r\nabc\r\n0\r\n\r\n"), 200},
      {"chunks with a trailer", chunked("3\r\nabc\r\n0\r\nX: y\r\n\r\n"), 200},
      {"a header in UTF-8", with("X: \xC3\xA4\r\n"), 200},
      {"the old version", "GET /x HTTP/1.0\r\n" + kHost + "\r\n", 200},

      {"a length beside an encoding",
       with("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400},
      {"an encoding beside a length",
       with("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "abc"), 400},
      {"two lengths", with("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd"), 400},
      {"the same length twice", with("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), 400},
      {"a list of lengths", with("Content-Length: 3, 3\r\n", "abc"), 400},
      {"a length with a sign", with("Content-Length: +3\r\n", "abc"), 400},
      {"a negative length", with("Content-Length: -3\r\n", "abc"), 400},
      {"a length in hexadecimal", with("Content-Length: 0x3\r\n", "abc"), 400},
      {"an empty length", with("Content-Length:\r\n"), 400},
      {"a length without end", with("Content-Length: 99999999999999999999\r\n"), 400},
      {"an encoding twice", with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
       400},
      {"another encoding", with("Transfer-Encoding: gzip, chunked\r\n"), 400},
      {"no encoding", with("Transfer-Encoding: identity\r\n"), 400},
      {"an odd blank in the encoding", with("Transfer-Encoding: \vchunked\r\n"), 400},
      {"chunks in the old version",
       "POST /x HTTP/1.0\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"a chunk of no size", chunked("\r\nabc"), 400},
      {"a chunk of a bad size", chunked("3x\r\nabc\r\n"), 400},
      {"a chunk with a sign", chunked("-1\r\nabc\r\n"), 400},
      {"a chunk size beyond numbers", chunked("fffffffffffffffff\r\n"), 400},
      {"a chunk that is longer than it says", chunked("3\r\nabcd\r\n0\r\n\r\n"), 400},
      {"a chunk line that ends with a line feed", chunked("3\nabc\r\n"), 400},
      {"a chunk extension without end", chunked("3;" + std::string(300, 'a')), 400},
      {"a malformed trailer", chunked("0\r\nX y\r\n\r\n"), 400},

      {"a folded header", with("X: a\r\n b\r\n"), 400},
      {"a folded first header", "GET /x HTTP/1.1\r\n " + kHost + "\r\n", 400},
      {"a blank before the colon", with("X : a\r\n"), 400},
      {"a header without a colon", with("X\r\n"), 400},
      {"a header without a name", with(": a\r\n"), 400},
      {"a NUL in a header", with("X: a\0b\r\n"s), 400},
      {"a NUL in a name", with("X\0: a\r\n"s), 400},
      {"a carriage return in a header", with("X: a\rb\r\n"), 400},
      {"a control character", with("X: a\x01\r\n"), 400},
      {"a delete character", with("X: a\x7f\r\n"), 400},
      {"bytes that are no text", with("X: \xff\xfe\r\n"), 400},
      {"lines that end with a line feed", "GET /x HTTP/1.1\nHost: localhost\n\n", 400},
      {"one line that ends with a line feed", "GET /x HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n",
       400},

      {"no host", "GET /x HTTP/1.1\r\n\r\n", 400},
      {"two hosts", line("GET /x HTTP/1.1\r\nHost: localhost"), 400},
      {"an empty host", "GET /x HTTP/1.1\r\nHost:\r\n\r\n", 400},
      {"a host with a path", "GET /x HTTP/1.1\r\nHost: localhost/x\r\n\r\n", 400},
      {"a host with a user", "GET /x HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n", 400},
      {"a host with a bad port", "GET /x HTTP/1.1\r\nHost: localhost:80x\r\n\r\n", 400},
      {"another host", "GET /x HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
      {"a host that begins like ours", "GET /x HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n",
       421},

      {"an absolute target", line("GET http://localhost/x HTTP/1.1"), 400},
      {"an authority", line("CONNECT localhost:80 HTTP/1.1"), 400},
      {"an asterisk", line("OPTIONS * HTTP/1.1"), 400},
      {"a parent directory", line("GET /x/../y HTTP/1.1"), 400},
      {"an encoded parent directory", line("GET /x/%2e%2e/y HTTP/1.1"), 400},
      {"an encoded slash", line("GET /x%2fy HTTP/1.1"), 400},
      {"an encoded NUL", line("GET /x%00 HTTP/1.1"), 400},
      {"a NUL in the path", line("GET /x\0y HTTP/1.1"s), 400},
      {"a broken encoding", line("GET /x%4 HTTP/1.1"), 400},
      {"a blank in the path", line("GET /x y HTTP/1.1"), 400},
      {"a path beyond ASCII", line("GET /\xC3\xA4 HTTP/1.1"), 400},
      {"a path that is too long", line("GET /" + std::string(9'000, 'a') + " HTTP/1.1"), 414},

      {"no version", line("GET /x"), 400},
      {"a version in lower case", line("GET /x http/1.1"), 400},
      {"a version to come", line("GET /x HTTP/3.0"), 505},
      {"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"a method in lower case", line("get /x HTTP/1.1"), 400},
      {"a method that is too long", line(std::string(100, 'A') + " /x HTTP/1.1"), 400},
      {"two blanks", line("GET  /x HTTP/1.1"), 400},
      {"a blank at the beginning", line(" GET /x HTTP/1.1"), 400},
      {"TLS where none is spoken", std::string("\x16\x03\x01\x02\0\x01\0", 7), 400},
      {"an expectation that is not known", with("Expect: a-miracle\r\n"), 417},

      {"a head that is too long", with("X: " + std::string(20'000, 'a') + "\r\n"), 431},
      {"a head without end", "GET /x HTTP/1.1\r\nX: " + std::string(20'000, 'a'), 431},
      {"too many headers",
       [] {
         std::string headers;
         for (int i = 0; i < 101; ++i) headers += "X: y\r\n";
         return with(headers);
       }(),
       431},
      {"a body that says it is too long", with("Content-Length: 5000\r\n"), 413},
      {"chunks that say they are too long", chunked("1388\r\n"), 413},
      {"chunks that grow too long",
       [] {
         std::string body;
         for (int i = 0; i < 5; ++i) body += "3e8\r\n" + std::string(1000, 'a') + "\r\n";
         return chunked(body);
       }(),
       413},
  };
  return kCases;
}

TEST(Hostile, RequestsGetTheirRefusal) {
  ServerOptions options = test_options();
  options.limits.body_bytes = 4'000;
  TestServer server(std::move(options));
  for (const Case& one : cases()) {
    RawPeer peer(server.port());
    const RawPeer::Answer answer = peer.say(one.bytes).answer();
    EXPECT_EQ(answer.status, one.want) << one.name;
    const bool own = answer.body.starts_with(R"({"error":{"code":")");
    EXPECT_EQ(own, one.want != 200) << one.name << ": " << answer.body;
    // Where the request could be read, the next one on this connection can be too.
    if (one.want == 200 || one.want == 421 ||
        answer.body.find("`Host` is malf") != std::string::npos)
      continue;
    EXPECT_NE(answer.head.find("Connection: close"), std::string::npos) << one.name;
    EXPECT_TRUE(peer.has_ended()) << one.name;
  }
}

// The status that the reader refuses with, 200 for a whole request, 0 for one that is not.
int outcome(const std::string& bytes, std::size_t step) {
  RequestReader reader({.header_bytes = 16u << 10, .body_bytes = 4'000});
  std::size_t at = 0;
  while (at < bytes.size() && !reader.done() && !reader.refusal()) {
    const std::string_view piece = std::string_view(bytes).substr(at, step);
    at += reader.feed(piece);
  }
  if (reader.refusal()) return reader.refusal()->status;
  return reader.done() ? 200 : 0;
}

TEST(Hostile, HowTheBytesArriveChangesNothing) {
  for (const Case& one : cases()) {
    const int whole = outcome(one.bytes, one.bytes.size());
    for (const std::size_t step : {1, 2, 3, 7, 64})
      EXPECT_EQ(outcome(one.bytes, step), whole) << one.name << " in pieces of " << step;
  }
}

TEST(RequestReader, LeavesTheNextRequestAlone) {
  RequestReader reader({});
  const std::string first = post("/a?b=c", "xyz", "X-Y: z\r\n"), second = get("/d");
  EXPECT_EQ(reader.feed(first + second), first.size());
  ASSERT_TRUE(reader.done());
  const Request request = reader.take();
  EXPECT_EQ(request.method + " " + request.target + " " + request.body, "POST /a?b=c xyz");
  EXPECT_EQ(request.query_value("b"), "c");
  EXPECT_EQ(request.header("x-y"), "z");
  EXPECT_EQ(reader.feed(second), second.size());
  EXPECT_EQ(reader.take().target, "/d");
}

struct ForeignCase {
  std::string_view name, host, origin;
  int want;
};
constexpr ForeignCase kForeign[] = {
    {"localhost", "localhost", "", 0},
    {"localhost in capitals, with a port", "LocalHost:1615", "", 0},
    {"the address", "127.0.0.1:99", "http://127.0.0.1:99", 0},
    {"the address of IPv6", "[::1]:1615", "http://[::1]:8080", 0},
    {"a page of this machine", "localhost", "http://localhost:3000", 0},
    {"the public name", "gate.example.com", "https://gate.example.com", 0},
    {"the public name with a port", "gate.example.com:443", "", 0},
    {"the address it listens at", "192.0.2.7:1615", "https://192.0.2.7:1615", 0},
    {"a name that was pointed here", "evil.example", "", 421},
    {"a name below localhost", "evil.localhost", "", 421},
    {"another loopback address", "127.0.0.2", "", 421},
    {"a number that means loopback", "2130706433", "", 421},
    {"a page of somebody else", "localhost", "https://evil.example", 403},
    {"a page that hides", "localhost", "null", 403},
    {"an empty origin", "localhost", " ", 403},
    {"a page below our name", "localhost", "https://x.gate.example.com", 403},
    {"a page that begins like us", "localhost", "http://localhost.evil.example", 403},
    {"a page with a user", "localhost", "http://localhost@evil.example", 403},
    {"an extension", "localhost", "chrome-extension://localhost", 403},
    {"a page with a path", "localhost", "http://localhost/", 403},
    {"two pages", "localhost", "http://localhost http://evil.example", 403},
};

TEST(Foreign, HostsAndOriginsAreRefused) {
  const std::vector<std::string> own = {"https://gate.example.com", "192.0.2.7"};
  for (const ForeignCase& one : kForeign) {
    Request request;
    request.headers = {{"host", std::string(one.host)}};
    if (!one.origin.empty()) request.headers.emplace_back("origin", one.origin);
    const std::optional<Response> refused = refuse_foreign(request, own);
    EXPECT_EQ(refused ? refused->status : 0, one.want) << one.name;
  }
}

TEST(Foreign, OnTheLocalSocketAnyHostAndNoPageIsFine) {
  Request request;
  request.peer.local_socket = true;
  request.headers = {{"host", "anything"}};
  EXPECT_FALSE(refuse_foreign(request, {}));
  request.headers = {{"host", "any thing"}};
  EXPECT_EQ(refuse_foreign(request, {})->status, 400);
  request.headers = {{"host", "localhost"}, {"origin", "http://localhost"}};
  EXPECT_EQ(refuse_foreign(request, {})->status, 403);
}

TEST(Foreign, LoopbackIsToldFromTheRest) {
  for (const char* host : {"localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "10.0.0.1", "example.com", "", "127.1", "1.127.0.0"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace tollgate::server
