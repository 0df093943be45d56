// The server on loopback: keep-alive, waiting, streams, limits, and the end.
// Nothing sleeps: limits are short where one is to be reached, and the event is waited for.
#include "server/listener.h"

#include <gtest/gtest.h>

#include <atomic>

#include "server/client.h"
#include "server/test_server.h"

namespace tollgate::server {
namespace {

// Set once, waited for with a deadline.
class Event {
 public:
  Event() : future_(promise_.get_future()) {}
  void set() { promise_.set_value(); }
  bool came() {
    return future_.wait_for(std::chrono::milliseconds(kTestDeadline)) == std::future_status::ready;
  }

 private:
  std::promise<void> promise_;
  std::future<void> future_;
};

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

TEST(Exchange, APeerThatLeavesIsNoticedWhileNothingIsSent) {
  TestServer server;
  RawPeer peer(server.port());
  peer.say(get("/wait"));
  server.await_waiting(1);
  Event gone;
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
  Event gone;
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
  Event sent;
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
  Event gone;
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
  handlers.request = [](std::shared_ptr<Exchange> exchange) {
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
  third.leave();
  second.leave();
  while (server.on_loop([&] { return server.server().connection_count(); }) > 1) {
  }
  EXPECT_EQ(RawPeer(server.port()).say(get("/x")).status(), 200);
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
  Event done;
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

TEST(Loop, WhatThrowsEndsNothing) {
  TestServer server;
  Loop& loop = server.server().loop();
  Event ticked;
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

TEST(Client, FetchesOverLoopback) {
  TestServer server;
  ClientRequest request;
  request.port = server.port();
  request.method = "POST";
  request.target = "/x?y";
  request.body = std::string(100'000, 'a');
  request.within_ms = kTestDeadline;
  const Result<Response> response = fetch(request);
  ASSERT_TRUE(response) << render(response.error());
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "POST /x?y 100000");
  request.body = std::string(5u << 20, 'a');
  EXPECT_EQ(fetch(request)->status, 413);
}

TEST(Client, SaysWhenThereIsNoDaemonOrNoAnswer) {
  ClientRequest request;
  request.local_socket = "/nonexistent/gate.sock";
  EXPECT_EQ(fetch(request).error().code, "no-daemon");
  TestServer server;
  request = {};
  request.port = server.port();
  request.target = "/wait";
  request.within_ms = 30;
  EXPECT_EQ(fetch(request).error().code, "socket-timeout");
}

TEST(Client, ReadsAStreamAsItComes) {
  TestServer server;
  Event asked;
  std::thread answering([&] {
    server.await_waiting(1);
    std::shared_ptr<Exchange> exchange = server.take_waiting();
    server.on_loop([&] {
      exchange->begin_stream({});
      exchange->send(": hello\n\nevent: new\nid: 7\ndata: a\nda");
      exchange->send("ta: b\n\ndata: c\n\n");
    });
    EXPECT_TRUE(asked.came());
    server.on_loop([&] {
      exchange->finish();
      exchange.reset();
    });
  });
  ClientRequest request;
  request.port = server.port();
  request.target = "/wait";
  Result<ClientStream> stream = ClientStream::open(request);
  ASSERT_TRUE(stream) << render(stream.error());
  EventReader reader;
  std::vector<ServerEvent> events;
  while (events.size() < 2) {
    const auto piece = stream->next(kTestDeadline);
    ASSERT_TRUE(piece && *piece);
    reader.feed(**piece);
    while (auto event = reader.next()) events.push_back(*event);
  }
  EXPECT_EQ(events[0], (ServerEvent{.name = "new", .data = "a\nb", .id = "7"}));
  EXPECT_EQ(events[1], (ServerEvent{.name = "message", .data = "c", .id = ""}));
  asked.set();
  const auto end = stream->next(kTestDeadline);
  ASSERT_TRUE(end) << render(end.error());
  EXPECT_FALSE(*end);
  answering.join();
}

}  // namespace
}  // namespace tollgate::server
