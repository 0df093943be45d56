// What is too slow, too often or too much, with limits that are short enough to be reached.
#include <gtest/gtest.h>

#include "server/test_server.h"

namespace tollgate::server {
namespace {

TEST(Limits, AHeadOrBodyThatComesTooSlowlyIsRefused) {
  ServerOptions options = test_options();
  options.limits.header_ms = 60;
  options.limits.body_ms = 60;
  TestServer server(std::move(options));
  for (const std::string& part :
       {std::string("GET /x HT"), std::string("POST /x HTTP/1.1\r\nHost: localhost\r\n"),
        std::string("POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab")}) {
    RawPeer peer(server.port());
    peer.say(part);
    EXPECT_EQ(peer.status(), 408) << part;
    EXPECT_TRUE(peer.has_ended()) << part;
  }
  RawPeer silent(server.port());
  EXPECT_TRUE(silent.has_ended());
}

// Each byte is in time, the whole is not.
TEST(Limits, ASlowPeerDoesNotGetLongerByTrickling) {
  ServerOptions options = test_options();
  options.limits.header_ms = 80;
  TestServer server(std::move(options));
  RawPeer peer(server.port());
  peer.say("GET /x HTTP/1.1\r\nX: ");
  for (;;) {
    pollfd one = {.fd = peer.number(), .events = POLLIN, .revents = 0};
    if (::poll(&one, 1, 10) > 0) break;
    peer.say("a");
  }
  EXPECT_EQ(peer.status(), 408);
}

TEST(Limits, AnIdleConnectionIsClosed) {
  ServerOptions options = test_options();
  options.limits.idle_ms = 60;
  TestServer server(std::move(options));
  RawPeer peer(server.port());
  EXPECT_EQ(peer.say(get("/x")).status(), 200);
  EXPECT_TRUE(peer.has_ended());
}

TEST(Limits, TooManyRequestsAreToldWhenToComeBack) {
  ServerOptions options = test_options();
  options.limits.requests_per_second = 0.01;
  options.limits.burst = 3;
  TestServer server(std::move(options));
  RawPeer peer(server.port());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(peer.say(get("/x")).status(), 200);
  const RawPeer::Answer refused = RawPeer(server.port()).say(get("/x")).answer();
  EXPECT_EQ(refused.status, 429);
  EXPECT_NE(refused.head.find("Retry-After: 100\r\n"), std::string::npos) << refused.head;
}

TEST(Limits, ConnectionsAboveTheLimitAreToldSo) {
  ServerOptions options = test_options();
  options.limits.connections = 2;
  TestServer server(std::move(options));
  RawPeer first(server.port()), second(server.port());
  EXPECT_EQ(first.say(get("/x")).status(), 200);
  EXPECT_EQ(second.say(get("/x")).status(), 200);
  RawPeer third(server.port());
  const RawPeer::Answer refused = third.say(get("/x")).answer();
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.head.find("Retry-After: 1\r\n"), std::string::npos);
  EXPECT_TRUE(third.has_ended());
  // A place that is free again is given away, also while others are still being refused.
  RawPeer stays(server.port());
  EXPECT_EQ(stays.status(), 503);
  second.leave();
  const std::int64_t until = os::now_monotonic() + kTestDeadline;
  // Above so many refusals at once a peer is closed without an answer.
  int status = 0;
  while (status != 200 && os::now_monotonic() < until)
    status = RawPeer(server.port()).say(get("/x")).status();
  EXPECT_EQ(status, 200);
  EXPECT_EQ(first.say(get("/x")).status(), 200);
}

TEST(Limits, OnePeerMayHaveItsOwnBound) {
  ServerOptions options = test_options();
  options.limits.connections_of_peer = 1;
  TestServer server(std::move(options));
  RawPeer first(server.port());
  EXPECT_EQ(first.say(get("/x")).status(), 200);
  EXPECT_EQ(RawPeer(server.port()).say(get("/x")).status(), 429);
}

}  // namespace
}  // namespace tollgate::server
