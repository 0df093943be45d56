// The server on loopback: where it listens, how connections are kept, the loop, and the end.
// Nothing sleeps: what is waited for is an event.
#include <gtest/gtest.h>

#include <atomic>

#include "server/test_server.h"

namespace tollgate::server {
namespace {

TEST(Listener, OneConnectionServesManyRequests) {
  TestServer server;
  RawPeer peer(server.port());
  for (int i = 0; i < 100; ++i) {
    const RawPeer::Answer answer = peer.say(post("/x", std::string(i, 'a'))).answer();
    ASSERT_EQ(answer.body, "POST /x " + std::to_string(i));
  }
  EXPECT_EQ(server.on_loop([&] { return server.server().connection_count(); }), 1u);
}

TEST(Listener, RequestsThatComeTogetherAreAnsweredInTheirOrder) {
  TestServer server;
  RawPeer peer(server.port());
  std::string all;
  for (int i = 0; i < 500; ++i) all += get("/" + std::to_string(i));
  peer.say(all);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(peer.answer().body, "GET /" + std::to_string(i) + " 0");
}

TEST(Listener, ARequestBehindOneThatWaitsComesLater) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/wait/1") + get("/2"));
  server.await_waiting(1);
  peer.say(get("/wait/3") + get("/4"));
  server.answer("first");
  EXPECT_EQ(peer.answer().body, "first");
  EXPECT_EQ(peer.answer().body, "GET /2 0");
  server.await_waiting(1);
  server.answer("third");
  EXPECT_EQ(peer.answer().body, "third");
  EXPECT_EQ(peer.answer().body, "GET /4 0");
}

TEST(Listener, EndsTheConnectionWhereThePeerAsksForIt) {
  TestServer server;
  RawPeer peer(server.port());
  const RawPeer::Answer answer = peer.say(get("/x", "Connection: close\r\n")).answer();
  EXPECT_NE(answer.head.find("Connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(peer.has_ended());
  RawPeer old(server.port());
  EXPECT_EQ(old.say("GET /x HTTP/1.0\r\nHost: localhost\r\n\r\n").answer().body, "GET /x 0");
  EXPECT_TRUE(old.has_ended());
}

TEST(Listener, APeerThatEndsItsSideIsAnswered) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/x")).end_writing();
  EXPECT_EQ(peer.answer().body, "GET /x 0");
  EXPECT_TRUE(peer.has_ended());
}

TEST(Listener, HeadHasALengthAndNoBody) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say("HEAD /x HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/y"));
  const std::string head = peer.until("\r\n\r\n");
  EXPECT_NE(head.find("Content-Length: 9\r\n"), std::string::npos);
  EXPECT_EQ(peer.answer().body, "GET /y 0");
}

TEST(Listener, ABodyIsAskedForWhereThePeerWaits) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(
      "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(peer.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(peer.say("abc").answer().body, "POST /x 3");
}

TEST(Listener, AThousandMayWaitAtOnce) {
  constexpr std::size_t kCount = 1'000;
  TestServer server;
  std::vector<RawPeer> peers;
  for (std::size_t i = 0; i < kCount; ++i) {
    peers.emplace_back(server.port());
    ASSERT_TRUE(peers.back().connected());
    peers.back().say(post("/wait", std::string(200, 'a')));
  }
  server.await_waiting(kCount);
  EXPECT_EQ(server.on_loop([&] { return server.server().connection_count(); }), kCount);
  // Another is served meanwhile.
  RawPeer other(server.port());
  EXPECT_EQ(other.say(get("/x")).status(), 200);
  server.on_loop([&] {
    for (std::size_t i = 0; i < kCount; ++i) server.take_waiting()->reply(json_response(200, "ok"));
  });
  for (RawPeer& peer : peers) ASSERT_EQ(peer.answer().body, "ok");
}

TEST(Listener, RaisesTheLimitOnOpenFiles) {
  TestServer server;
  const OpenFiles files = server.server().open_files();
  EXPECT_GT(files.soft, 0u);
  EXPECT_EQ(files.soft, files.hard);
}

TEST(Listener, WhatOthersCouldReachNeedsTls) {
  ServerOptions options = test_options();
  options.host = "0.0.0.0";
  const auto refused = Server::open(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "listen-insecure");
  options.insecure = true;
  EXPECT_TRUE(Server::open(options));
}

TEST(Listener, ATakenPortAndAStrangeNameAreErrors) {
  TestServer server;
  ServerOptions options = test_options();
  options.port = server.port();
  EXPECT_EQ(Server::open(options).error().code, "listen-failed");
  options.host = "no-such-host.invalid";
  EXPECT_EQ(Server::open(options).error().code, "listen-failed");
  options.host = "::1";
  options.port = 0;
  const auto six = Server::open(options);
  if (!six) GTEST_SKIP() << "this machine has no IPv6";
  EXPECT_EQ((*six)->url(), "http://[::1]:" + std::to_string((*six)->port()));
}

TEST(Listener, TakesOverASocketThatListens) {
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(number, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ServerOptions options = test_options();
  options.inherited = number;
  EXPECT_EQ(Server::open(options).error().code, "listen-failed") << "it does not listen yet";
  ASSERT_EQ(::listen(number, 8), 0);
  TestServer server(std::move(options));
  EXPECT_EQ(RawPeer(server.port()).say(get("/x")).status(), 200);
}

TEST(Loop, WorkHappensElsewhereAndItsEndOnTheLoop) {
  TestServer server;
  TestEvent done;
  std::thread::id loop, heavy, then;
  server.on_loop([&] {
    loop = std::this_thread::get_id();
    server.server().loop().work([&] { heavy = std::this_thread::get_id(); },
                                [&] {
                                  then = std::this_thread::get_id();
                                  done.set();
                                });
  });
  ASSERT_TRUE(done.came());
  EXPECT_NE(heavy, loop);
  EXPECT_EQ(then, loop);
}

TEST(Loop, ManyTimersHoldUpNobody) {
  TestServer server;
  Loop& loop = server.server().loop();
  TestEvent all;
  int ran = 0, ran_before = -1;
  std::vector<std::unique_ptr<Timer>> timers;
  server.on_loop([&] {
    for (int i = 0; i < 1'000; ++i)
      timers.push_back(loop.after(0, [&] {
        if (++ran == 1) loop.post([&] { ran_before = ran; });
        if (ran == 1'000) all.set();
      }));
  });
  ASSERT_TRUE(all.came());
  server.on_loop([&] { timers.clear(); });
  EXPECT_GT(ran_before, 0);
  EXPECT_LT(ran_before, 100) << "what was posted waited for all of them";
}

TEST(Loop, WhatThrowsEndsNothing) {
  TestServer server;
  Loop& loop = server.server().loop();
  TestEvent ticked;
  std::atomic<bool> told = false;
  loop.post([] { throw std::runtime_error("posted"); });
  server.on_loop(
      [&] { loop.work([] { throw std::runtime_error("heavy"); }, [&] { told = true; }); });
  std::unique_ptr<Timer> thrower, timer, dropped;
  server.on_loop([&] {
    dropped = loop.after(0, [&] { ADD_FAILURE() << "it was dropped"; });
    dropped.reset();
    thrower = loop.after(1, [] { throw std::runtime_error("timer"); });
    timer = loop.after(2, [&] { ticked.set(); });
  });
  EXPECT_TRUE(ticked.came());
  server.stop();
  EXPECT_FALSE(told);
  EXPECT_EQ(server.log().size(), 3u);
  thrower.reset();
  timer.reset();
}

TEST(Stop, LetsAnswersGoOutAndTakesNothingNew) {
  TestServer server;
  RawPeer idle(server.port()), waiting(server.port());
  EXPECT_EQ(idle.say(get("/x")).status(), 200);
  waiting.say(get("/wait"));
  server.await_waiting(1);
  server.on_loop([&] { server.server().stop(10 * kTestDeadline); });
  EXPECT_TRUE(idle.has_ended());
  EXPECT_FALSE(RawPeer(server.port()).connected());
  server.answer("at last");
  const RawPeer::Answer answer = waiting.answer();
  EXPECT_EQ(answer.body, "at last");
  EXPECT_NE(answer.head.find("Connection: close"), std::string::npos);
  waiting.leave();
  server.join();
}

TEST(Stop, EndsAtTheEndOfTheGrace) {
  TestServer server;
  RawPeer waiting(server.port());
  waiting.say(get("/wait"));
  server.await_waiting(1);
  server.on_loop([&] { server.server().stop(20); });
  EXPECT_TRUE(waiting.has_ended());
  server.join();
}

TEST(Stop, SignalsAreHeardOnTheLoop) {
  auto server = *Server::open(test_options());
  int heard = 0;
  server->loop().post([] { ::kill(::getpid(), SIGHUP); });
  server->run([&](int number) {
    heard = heard * 100 + number;
    if (number == SIGHUP)
      ::kill(::getpid(), SIGTERM);
    else
      server->stop(0);
  });
  EXPECT_EQ(heard, SIGHUP * 100 + SIGTERM);
}

}  // namespace
}  // namespace tollgate::server
