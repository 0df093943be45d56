// The client of the command line against a real server.
#include "server/client.h"

#include <gtest/gtest.h>

#include "server/test_server.h"

namespace tollgate::server {
namespace {

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
  TestEvent asked;
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
