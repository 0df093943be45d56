// What routes read from a request, the errors they give, and the twins in memory that test them.
#include "server/exchange.h"

#include <gtest/gtest.h>

#include "server/memory_exchange.h"

namespace tollgate::server {
namespace {

std::string shown(const std::optional<Target>& target) {
  if (!target) return "refused";
  std::string out;
  for (const std::string& segment : target->segments) out += "/" + segment;
  for (const auto& [name, value] : target->query) out += " " + name + "=" + value;
  return out.empty() ? "/" : out;
}

struct TargetCase {
  std::string_view name, target, want;
};
const TargetCase kTargets[] = {
    {"the root", "/", "/"},
    {"a path", "/api/permissions", "/api/permissions"},
    {"a slash at the end says nothing", "/api/", "/api"},
    {"a query", "/api/audit?limit=5&text=a%20b", "/api/audit limit=5 text=a b"},
    {"a plus is a blank in a query", "/a+b?q=a+b", "/a+b q=a b"},
    {"a member without a value", "/x?all&&n=", "/x all= n="},
    {"a second question mark belongs to the value", "/x?a=b?c", "/x a=b?c"},
    {"encoded letters", "/m%63p/%C3%A4", "/mcp/\xC3\xA4"},
    {"an empty segment", "/api//x", "refused"},
    {"two slashes", "//", "refused"},
    {"a parent", "/api/../x", "refused"},
    {"an encoded parent", "/api/%2e%2E/x", "refused"},
    {"a dot", "/./x", "refused"},
    {"an encoded slash", "/api%2fx", "refused"},
    {"a backslash", "/api\\x", "refused"},
    {"an encoded backslash", "/api%5cx", "refused"},
    {"an encoded NUL", "/x%00", "refused"},
    {"an encoded NUL in a query", "/x?a=%00", "refused"},
    {"an encoded line break", "/x%0a", "refused"},
    {"half an encoding", "/x%4", "refused"},
    {"no digits", "/x%zz", "refused"},
    {"a broken encoding in a query", "/x?a=%", "refused"},
    {"bytes that are no UTF-8", "/x%ff", "refused"},
    {"an overlong slash", "/x%c0%af", "refused"},
    {"raw bytes beyond ASCII", "/\xC3\xA4", "refused"},
    {"a fragment", "/x#y", "refused"},
    {"no path", "", "refused"},
    {"an absolute target", "http://localhost/x", "refused"},
    {"an authority", "localhost:80", "refused"},
    {"an asterisk", "*", "refused"},
};

TEST(Target, IsReadOneWayOrRefused) {
  for (const TargetCase& one : kTargets)
    EXPECT_EQ(shown(target_of(one.target)), one.want) << one.name;
  EXPECT_EQ(shown(target_of("/" + std::string(kMostTargetBytes, 'a'))), "refused");
  std::string deep;
  for (std::size_t i = 0; i <= kMostSegments; ++i) deep += "/a";
  EXPECT_EQ(shown(target_of(deep)), "refused");
  EXPECT_NE(shown(target_of(deep.substr(2))), "refused");
}

TEST(Request, WhatStandsTwiceIsMissing) {
  const Request request = memory_request(
      "GET", "/x?a=1&b=2&a=3", "",
      {{"authorization", "Bearer x"}, {"authorization", "Bearer y"}, {"accept", "text/html"}});
  EXPECT_EQ(request.header("authorization"), std::nullopt);
  EXPECT_EQ(request.header("accept"), "text/html");
  EXPECT_EQ(request.header("origin"), std::nullopt);
  EXPECT_EQ(request.query_value("a"), std::nullopt);
  EXPECT_EQ(request.query_value("b"), "2");
}

TEST(Request, CookiesAreFoundByTheirWholeName) {
  const Request request =
      memory_request("GET", "/", "", {{"cookie", "xid=1; id=a=b;  twice=1; twice=2; id2=3"}});
  EXPECT_EQ(request.cookie("id"), "a=b");
  EXPECT_EQ(request.cookie("xid"), "1");
  EXPECT_EQ(request.cookie("twice"), std::nullopt);
  EXPECT_EQ(request.cookie("i"), std::nullopt);
}

TEST(Peer, HasOneNameAPlace) {
  EXPECT_EQ((Peer{.address = "127.0.0.1"}.name()), "127.0.0.1");
  EXPECT_EQ((Peer{.address = "::1"}.name()), "::1");
  EXPECT_EQ((Peer{.address = "2001:db8:1:2:3:4:5:6"}.name()), "2001:db8:1:2::/64");
  EXPECT_EQ((Peer{.local_socket = true, .uid = 1000, .pid = 7}.name()), "uid 1000");
}

TEST(ErrorResponse, HasTheShapeThatEverybodyGets) {
  const Response response = error_response(404, "unknown-session", "no `\"x\"`", "make one");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body,
            R"({"error":{"code":"unknown-session","message":"no `\"x\"`","hint":"make one"}})");
}

TEST(MemoryExchange, IsAnsweredOnceAndTellsWhenItWasSent) {
  MemoryExchange exchange(memory_request("GET", "/x"));
  int sent = 0, gone = 0;
  exchange.on_sent([&] { ++sent; });
  exchange.on_gone([&] { ++gone; });
  exchange.begin_stream({});
  exchange.send("a");
  exchange.reply(json_response(200, "late"));
  EXPECT_EQ(sent, 0);
  exchange.finish();
  exchange.send("b");
  exchange.leave();
  EXPECT_EQ(exchange.streamed(), "a");
  EXPECT_EQ(sent, 1);
  EXPECT_EQ(gone, 0);
}

TEST(ManualLoop, RunsTimersAtTheirOwnTime) {
  ManualLoop loop(1000);
  std::string said;
  const auto say = [&](const std::string& text) {
    return [&loop, &said, text] { said += text + "@" + std::to_string(loop.now()) + " "; };
  };
  const auto late = loop.after(20, say("late"));
  const auto soon = loop.after(10, say("soon"));
  auto dropped = loop.after(5, say("dropped"));
  dropped.reset();
  loop.work(say("heavy"), say("then"));
  loop.advance(15);
  EXPECT_EQ(said, "heavy@1000 then@1000 soon@1010 ");
  loop.advance(15);
  EXPECT_EQ(said, "heavy@1000 then@1000 soon@1010 late@1020 ");
  EXPECT_EQ(loop.now(), 1030);
}

}  // namespace
}  // namespace tollgate::server
