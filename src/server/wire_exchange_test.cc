// Exchanges on the wire: answers, streams, peers that leave, handlers that fail.
#include <gtest/gtest.h>

#include <atomic>

#include "server/test_server.h"

namespace tollgate::server {
namespace {

TEST(Exchange, APeerThatLeavesIsNoticedWhileNothingIsSent) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/wait"));
  server.await_waiting(1);
  TestEvent gone;
  std::shared_ptr<Exchange> exchange = server.take_waiting();
  server.on_loop([&] { exchange->on_gone([&] { gone.set(); }); });
  peer.leave();
  EXPECT_TRUE(gone.came());
  server.on_loop([&] {
    exchange->reply(json_response(200, "too late"));
    EXPECT_TRUE(exchange->answered());
    EXPECT_EQ(server.server().connection_count(), 0u);
    exchange.reset();
  });
}

TEST(Exchange, APeerThatLeavesBehindAnEarlyRequestIsNoticedToo) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/wait") + get("/early"));
  server.await_waiting(1);
  peer.leave();
  TestEvent gone;
  // Also by one who asks only after it has happened.
  while (server.on_loop([&] { return server.server().connection_count(); }) > 0) {
  }
  std::shared_ptr<Exchange> exchange = server.take_waiting();
  server.on_loop([&] { exchange->on_gone([&] { gone.set(); }); });
  EXPECT_TRUE(gone.came());
  server.on_loop([&] { exchange.reset(); });
}

TEST(Exchange, TellsWhenTheAnswerIsWithTheSystem) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/wait"));
  server.await_waiting(1);
  TestEvent sent;
  std::atomic<bool> gone = false;
  std::shared_ptr<Exchange> exchange = server.take_waiting();
  server.on_loop([&] {
    exchange->on_sent([&] { sent.set(); });
    exchange->on_gone([&] { gone = true; });
    exchange->reply(json_response(200, std::string(3'000'000, 'a')));
    exchange->reply(json_response(200, "twice"));
    exchange.reset();
  });
  EXPECT_EQ(peer.answer().body.size(), 3'000'000u);
  EXPECT_TRUE(sent.came());
  peer.leave();
  while (server.on_loop([&] { return server.server().connection_count(); }) > 0) {
  }
  EXPECT_FALSE(gone);
}

TEST(Exchange, AStreamIsSeenPieceByPiece) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/wait"));
  server.await_waiting(1);
  std::shared_ptr<Exchange> exchange = server.take_waiting();
  server.on_loop([&] {
    exchange->begin_stream({.headers = {{"Content-Type", "text/event-stream"}}, .body = {}});
  });
  EXPECT_NE(peer.until("\r\n\r\n").find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  server.on_loop([&] { exchange->send(": hello\n\n"); });
  EXPECT_EQ(peer.until("\n\n\r\n"), "9\r\n: hello\n\n\r\n");
  server.on_loop([&] {
    exchange->send("");
    exchange->send("data: 1\n\n");
    exchange->finish();
    exchange->send("nothing more");
    exchange.reset();
  });
  EXPECT_EQ(peer.until("0\r\n\r\n"), "9\r\ndata: 1\n\n\r\n0\r\n\r\n");
  EXPECT_EQ(peer.say(get("/next")).answer().body, "GET /next 0");
}

TEST(Exchange, AStreamThatNobodyReadsIsCut) {
  ServerOptions options = test_options();
  options.limits.send_backlog = 1u << 20;
  TestServer server(std::move(options));
  RawPeer peer(server.port());
  peer.say(get("/wait"));
  server.await_waiting(1);
  TestEvent gone;
  std::shared_ptr<Exchange> exchange = server.take_waiting();
  server.on_loop([&] {
    exchange->on_gone([&] { gone.set(); });
    exchange->begin_stream({});
    for (int i = 0; i < 64; ++i) exchange->send(std::string(1u << 20, 'a'));
    exchange.reset();
  });
  EXPECT_TRUE(gone.came());
  EXPECT_FALSE(peer.rest().ends_with("0\r\n\r\n"));
}

TEST(Exchange, AHandlerThatFailsIsAnsweredFor) {
  Handlers handlers;
  handlers.request = [](const std::shared_ptr<Exchange>& exchange) {
    const std::string what = exchange->request().segments.at(0);
    if (what == "throws") throw std::runtime_error("a broken handler");
    if (what == "odd") throw 7;
    if (what == "memory") throw std::bad_alloc();
    if (what == "stream") exchange->begin_stream({});
    if (what == "breaks") exchange->reply({.headers = {{"X-A", "a\r\nX-B: b"}}, .body = "ok"});
  };
  TestServer server(test_options(), std::move(handlers));
  RawPeer peer(server.port());
  EXPECT_EQ(peer.say(get("/throws")).status(), 500);
  EXPECT_EQ(peer.say(get("/odd")).status(), 500);
  EXPECT_EQ(peer.say(get("/memory")).status(), 503);
  EXPECT_EQ(peer.say(get("/drops")).status(), 500);
  const RawPeer::Answer broken = peer.say(get("/breaks")).answer();
  EXPECT_EQ(broken.body, "ok");
  EXPECT_EQ(broken.head.find("X-B"), std::string::npos);
  EXPECT_NE(server.log().at(0).find("a broken handler"), std::string::npos);
  // A stream that nobody will finish does not look whole.
  EXPECT_FALSE(peer.say(get("/stream")).rest().ends_with("0\r\n\r\n"));
}

}  // namespace
}  // namespace tollgate::server
