// The command line's web socket, frame by frame; tests/top plays it against a daemon.
#include "server/socket_client.h"

#include <gtest/gtest.h>

#include "server/test_server.h"

namespace tollgate::server {
namespace {

TEST(SocketClient, WhatIsNoWebSocketIsAnError) {
  TestServer server;
  ClientRequest request;
  request.port = server.port();
  request.target = "/x";
  const Result<SocketClient> socket = SocketClient::open(request);
  ASSERT_FALSE(socket);
  EXPECT_EQ(socket.error().code, "bad-response");
  request.local_socket = "/nonexistent/gate.sock";
  EXPECT_EQ(SocketClient::open(request).error().code, "no-daemon");
}

TEST(Frames, AreReadByTheSideThatTheyAreFor) {
  std::string masked, bare;
  append_masked(masked, FrameKind::kText, "hello", "\x01\x02\x03\x04");
  append_frame(bare, FrameKind::kText, "hello");
  const auto read = [](const std::string& bytes, FramesOf side) {
    FrameReader reader(1'000, side);
    std::string_view view = bytes;
    const std::optional<Frame> frame = reader.next(view);
    return frame ? (frame->kind == FrameKind::kText ? frame->bytes : "wrong") : "nothing";
  };
  EXPECT_EQ(read(masked, FramesOf::kClient), "hello");
  EXPECT_EQ(read(bare, FramesOf::kServer), "hello");
  EXPECT_EQ(read(bare, FramesOf::kClient), "wrong");
  EXPECT_EQ(read(masked, FramesOf::kServer), "wrong");
  EXPECT_TRUE(accept_key(request_key(std::string(16, 'x'))));
}

}  // namespace
}  // namespace tollgate::server
