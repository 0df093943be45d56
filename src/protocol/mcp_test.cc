// MCP as a server reads it: which request gets which answer, in both eras, over HTTP and lines.
// Answers are compared as whole JSON where clients read them, by code and status where they refuse.
#include "protocol/mcp.h"

#include <gtest/gtest.h>

#include "json/json.h"
#include "protocol/mcp_reply.h"
#include "protocol/test_mcp.h"

namespace tollgate {
namespace {

// --- what is refused, and how ------------------------------------------------------------------

struct Refused {
  std::string_view name, body;
  int status, code;
};

constexpr Refused kRefused[] = {
    {"no JSON", "{", 400, -32700},
    {"a key that stands twice", R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})", 400, -32700},
    {"bytes that are no text", "\"\xff\"", 400, -32700},
    {"no object", "7", 400, -32600},
    {"an empty batch", "[]", 400, -32600},
    {"no version of JSON-RPC", R"({"id":1,"method":"ping"})", 400, -32600},
    {"another version of JSON-RPC", R"({"jsonrpc":"1.0","id":1,"method":"ping"})", 400, -32600},
    {"an id that is null", R"({"jsonrpc":"2.0","id":null,"method":"ping"})", 400, -32600},
    {"an id that is an object", R"({"jsonrpc":"2.0","id":{},"method":"ping"})", 400, -32600},
    {"a method that is a number", R"({"jsonrpc":"2.0","id":1,"method":1})", 400, -32600},
    {"an empty method", R"({"jsonrpc":"2.0","id":1,"method":""})", 400, -32600},
    {"a request that is a response too", R"({"jsonrpc":"2.0","id":1,"method":"ping","result":{}})",
     400, -32600},
    {"a response with both ends", R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})", 400,
     -32600},
    {"nothing but an id", R"({"jsonrpc":"2.0","id":1})", 400, -32600},
    {"parameters in a list", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", 200,
     -32602},
    {"a notification with parameters in a list",
     R"({"jsonrpc":"2.0","method":"notifications/x","params":[]})", 400, -32602},
    {"an unknown method", R"({"jsonrpc":"2.0","id":1,"method":"tools/lisp"})", 200, -32601},
    {"a method that only other servers have", R"({"jsonrpc":"2.0","id":1,"method":"prompts/list"})",
     200, -32601},
    {"initialize without a version", R"({"jsonrpc":"2.0","id":1,"method":"initialize"})", 200,
     -32602},
    {"a version that is a number",
     R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}})", 200,
     -32602},
    {"a page that does not exist",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}})", 200, -32602},
    {"a call of nothing", R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", 200, -32602},
    {"a call of an unknown tool",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Approve"}})", 200, -32602},
    {"a tool's name in a list",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["approve"]}})", 200,
     -32602},
    {"arguments in a text",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":"{}"}})",
     200, -32602},
    {"arguments that are null",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":null}})",
     200, -32602},
    {"`_meta` in a list",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","_meta":[]}})",
     200, -32602},
    {"a progress token that is true",
     R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","_meta":{"progressToken":true}}})",
     200, -32602},
    {"a cancellation of nothing", R"({"jsonrpc":"2.0","method":"notifications/cancelled"})", 400,
     -32600},
    {"a cancellation for no reason that can be told",
     R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":[]}})",
     400, -32600},
    {"the modern era without its header",
     R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})",
     400, -32020},
    {"a legacy version in `_meta` alone",
     R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}})",
     400, -32020},
};

TEST(Mcp, RefusesWhatIsNoRequest) {
  for (const Refused& c : kRefused) {
    const HttpOut out = out_of(read_mcp(post(std::string(c.body)), small_server()));
    EXPECT_EQ(out.status, c.status) << c.name << "\n" << out.body;
    EXPECT_EQ(code_in(out), c.code) << c.name << "\n" << out.body;
  }
}

TEST(Mcp, RefusesWhatIsTooLarge) {
  const std::string long_id(kMaxMcpIdBytes + 1, 'x');
  const HttpOut id =
      out_of(read_mcp(post(R"({"jsonrpc":"2.0","id":")" + long_id + R"(","method":"ping"})"), {}));
  EXPECT_EQ(code_in(id), -32600);
  EXPECT_EQ(id.body.find("xxx"), std::string::npos) << "a long id is not sent back";

  std::string deep = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":)";
  for (int i = 0; i < 200; ++i) deep += "[";
  EXPECT_EQ(code_in(out_of(read_mcp(post(deep), {}))), -32700);

  std::string batch = "[";
  for (std::size_t i = 0; i <= kMaxMcpBatch; ++i)
    batch += std::string(i == 0 ? "" : ",") + R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  EXPECT_EQ(code_in(out_of(read_mcp(post(batch + "]"), {}))), -32600);
}

struct Transport {
  std::string_view name, method;
  Headers headers;
  int status;
};

TEST(Mcp, HoldsTheTransportToItsRules) {
  const std::string json = "application/json", events = "text/event-stream";
  const Transport cases[] = {
      {"a stream of our own is not offered", "GET", {{"accept", events}}, 405},
      {"there is no session to end", "DELETE", {}, 405},
      {"and nothing to put", "PUT", {{"content-type", json}}, 405},
      {"a body of another type", "POST", {{"content-type", "text/plain"}}, 415},
      {"a body of no type", "POST", {}, 415},
      {"a type that stands twice", "POST", {{"content-type", json}, {"content-type", json}}, 415},
      {"a client that takes no form of ours",
       "POST",
       {{"content-type", json}, {"accept", "text/html"}},
       406},
      {"a client that refuses both", "POST", {{"content-type", json}, {"accept", "*/*;q=0"}}, 406},
      {"an answer as JSON is enough", "POST", {{"content-type", json}, {"accept", json}}, 200},
      {"as events too", "POST", {{"content-type", json}, {"accept", events}}, 200},
      {"without a word all is taken", "POST", {{"content-type", json}}, 200},
      {"a charset does not matter",
       "POST",
       {{"content-type", "Application/JSON; charset=utf-8"}, {"accept", "*/*"}},
       200},
      {"any legacy version is spoken",
       "POST",
       {{"content-type", json}, {"mcp-protocol-version", "2024-11-05"}},
       200},
      {"an unknown version is not",
       "POST",
       {{"content-type", json}, {"mcp-protocol-version", "2024-11-06"}},
       400},
      {"nor two at once",
       "POST",
       {{"content-type", json},
        {"mcp-protocol-version", "2025-11-25"},
        {"mcp-protocol-version", "2025-11-25"}},
       400},
  };
  for (const Transport& c : cases) {
    HttpIn in{.method = std::string(c.method),
              .headers = c.headers,
              .body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"};
    const HttpOut out = out_of(read_mcp(in, small_server()));
    EXPECT_EQ(out.status, c.status) << c.name << "\n" << out.body;
    if (c.status != 405) continue;
    EXPECT_EQ(out.headers.back(), (std::pair<std::string, std::string>("Allow", "POST")));
  }
}

TEST(Mcp, AnswersWithAnEventWhereNothingElseIsTaken) {
  HttpIn in = post(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  in.headers = {{"content-type", "application/json"}, {"accept", "text/event-stream"}};
  HttpOut want = stream_head();
  want.body = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
  EXPECT_EQ(out_of(read_mcp(in, small_server())), want);
}

// --- the legacy era ----------------------------------------------------------------------------

TEST(McpLegacy, SettlesTheVersion) {
  struct Case {
    std::string_view asked, told;
  };
  constexpr Case kCases[] = {{"2024-11-05", "2024-11-05"}, {"2025-03-26", "2025-03-26"},
                             {"2025-06-18", "2025-06-18"}, {"2025-11-25", "2025-11-25"},
                             {"2026-07-28", "2025-11-25"}, {"1999-01-01", "2025-11-25"}};
  for (const Case& c : kCases) {
    const HttpOut out = out_of(read_mcp(
        post(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
             std::string(c.asked) + R"(","capabilities":{}}})"),
        small_server()));
    EXPECT_EQ(out.body, R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":")" +
                            std::string(c.told) +
                            R"(","capabilities":{"tools":{}},"serverInfo":{"name":"gate",)"
                            R"("version":"1"},"instructions":"be careful"}})");
    for (const auto& [name, value] : out.headers) EXPECT_NE(name, "Mcp-Session-Id");
  }
}

TEST(McpLegacy, KeepsIdsAsTheyWereSent) {
  for (const std::string_view id : {R"("a\"b")", "-1", "1.5", "0", "12345678901234567890", R"("")"})
    EXPECT_EQ(body_of(post(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})")),
              R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{}})");
}

TEST(McpLegacy, ListsToolsAsTheVersionKnowsThem) {
  const std::string list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
  McpServer server = small_server();
  server.tools = {{.name = "approve",
                   .title = "Approve",
                   .description = "asks",
                   .annotations = json::Value::object()}};
  struct Case {
    std::string_view version, tool;
  };
  constexpr Case kCases[] = {
      {"2024-11-05", R"({"name":"approve","description":"asks","inputSchema":{"type":"object"}})"},
      {"2025-03-26",
       R"({"name":"approve","description":"asks","inputSchema":{"type":"object"},"annotations":{}})"},
      {"2025-11-25",
       R"({"name":"approve","title":"Approve","description":"asks","inputSchema":{"type":"object"},"annotations":{}})"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(
        out_of(read_mcp(post(list, {{"mcp-protocol-version", std::string(c.version)}}), server))
            .body,
        R"({"jsonrpc":"2.0","id":1,"result":{"tools":[)" + std::string(c.tool) + "]}}");
}

TEST(McpLegacy, GivesACallToBeRun) {
  const McpTurn turn = read_mcp(
      post(R"({"method":"tools/call","params":{"name":"approve","arguments":{"tool_name":"Bash"},)"
           R"("_meta":{"claudecode/toolUseId":"t","progressToken":2}},"jsonrpc":"2.0","id":3})",
           {{"mcp-protocol-version", "2025-11-25"}, {"mcp-session-id", "ignored"}}),
      small_server());
  const auto* call = std::get_if<McpCall>(&turn);
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->era, McpEra::kLegacy);
  EXPECT_EQ(call->version, "2025-11-25");
  EXPECT_EQ(json::write(call->id), "3");
  EXPECT_EQ(call->method, "tools/call");
  EXPECT_EQ(call->tool, "approve");
  EXPECT_EQ(json::write(call->arguments), R"({"tool_name":"Bash"})");
  EXPECT_EQ(json::write(call->progress_token), "2");
  EXPECT_EQ(json::write(call->meta), R"({"claudecode/toolUseId":"t","progressToken":2})");
  EXPECT_TRUE(call->accepts_sse && call->accepts_json);

  EXPECT_EQ(json::write(result_message(*call, small_server(), text_result("x"))),
            R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"x"}]}})");
  EXPECT_EQ(json::write(progress_message(*call, 4, "waiting").value_or(json::Value())),
            R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
            R"({"progressToken":2,"progress":4,"message":"waiting"}})");
}

TEST(McpLegacy, TakesNotificationsAndResponses) {
  const HttpOut noted =
      out_of(read_mcp(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), {}));
  EXPECT_EQ(noted, accepted());
  EXPECT_EQ(noted.status, 202);
  EXPECT_EQ(noted.body, "");

  const McpTurn cancelled = read_mcp(
      post(
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"late"}})"),
      {});
  EXPECT_EQ(cancelled, McpTurn(McpCancelled{json::Value::string("a"), "late"}));

  const McpTurn response = read_mcp(post(R"({"jsonrpc":"2.0","id":1,"result":{"a":1}})"), {});
  EXPECT_EQ(response, McpTurn(McpResponse{json::Value::integer(1),
                                          json::Value::object({{"a", json::Value::integer(1)}}),
                                          json::Value()}));
}

TEST(McpLegacy, CutsALongReasonBetweenCharacters) {
  std::string reason;
  while (reason.size() <= kMaxMcpReasonBytes) reason += "\u00e9x";
  const McpTurn turn = read_mcp(
      post(
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":")" +
          reason + R"("}})"),
      {});
  const auto* cancelled = std::get_if<McpCancelled>(&turn);
  ASSERT_NE(cancelled, nullptr);
  EXPECT_LE(cancelled->reason.size(), kMaxMcpReasonBytes);
  EXPECT_GT(cancelled->reason.size(), kMaxMcpReasonBytes - 4);
  EXPECT_TRUE(json::parse(json::quote(cancelled->reason)).has_value());
}

constexpr std::string_view kBatch = R"([
  {"jsonrpc":"2.0","id":1,"method":"ping"},
  {"jsonrpc":"2.0","method":"notifications/initialized"},
  {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"approve"}},
  {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26"}},
  {"jsonrpc":"2.0","id":4,"method":"server/discover"},
  7])";

TEST(McpLegacy, TakesABatchApart) {
  const McpTurn turn = read_mcp(post(std::string(kBatch)), small_server());
  const auto* batch = std::get_if<McpBatch>(&turn);
  ASSERT_NE(batch, nullptr);
  ASSERT_EQ(batch->parts.size(), 6u);
  EXPECT_EQ(json::write(std::get<McpReply>(batch->parts[0]).message),
            R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_TRUE(std::get<McpReply>(batch->parts[1]).message.is_null());
  EXPECT_EQ(std::get<McpCall>(batch->parts[2]).version, "2025-03-26");
  for (const std::size_t refused : {3u, 4u, 5u})
    EXPECT_NE(std::get<McpReply>(batch->parts[refused]).message.find("error"), nullptr);

  EXPECT_EQ(batch_reply(*batch, {}), accepted());
  EXPECT_EQ(batch_reply(*batch, {json::Value::integer(1), json::Value::integer(2)}).body, "[1,2]");
}

TEST(McpLegacy, KnowsBatchesInOneVersionOnly) {
  for (const std::string_view version : {"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"}) {
    const HttpOut out =
        out_of(read_mcp(post(std::string(kBatch), {{"mcp-protocol-version", std::string(version)}}),
                        small_server()));
    EXPECT_EQ(out.status, 400) << version;
  }
}

TEST(Mcp, ServesAVersionThatBothPlacesCallLegacy) {
  const HttpOut out = out_of(read_mcp(
      post(
          R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}})",
          {{"mcp-protocol-version", "2025-11-25"}}),
      small_server()));
  EXPECT_EQ(out.status, 200) << out.body;
}

// --- lines -------------------------------------------------------------------------------------

TEST(McpLine, SpeaksBothEras) {
  std::string version;
  const McpServer server = small_server();
  const auto line = [&](std::string_view text) {
    return out_of(read_mcp_line(text, server, version)).body;
  };
  EXPECT_NE(line(with_meta("server/discover", "")).find("supportedVersions"), std::string::npos);
  EXPECT_EQ(version, "");
  EXPECT_NE(line(kBatch).find("-32600"), std::string::npos) << "no version was settled yet";
  line(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}})");
  EXPECT_EQ(version, "2025-03-26");
  EXPECT_TRUE(std::holds_alternative<McpBatch>(
      read_mcp_line(R"([{"jsonrpc":"2.0","id":2,"method":"ping"}])", server, version)));
  EXPECT_EQ(line(R"({"jsonrpc":"2.0","id":3,"method":"ping"})"),
            R"({"jsonrpc":"2.0","id":3,"result":{}})");
  EXPECT_EQ(line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_EQ(line(" \r\n"), "");
  EXPECT_NE(line("{").find("-32700"), std::string::npos);
  const McpTurn call =
      read_mcp_line(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"approve"}})",
                    server, version);
  ASSERT_TRUE(std::holds_alternative<McpCall>(call));
  EXPECT_EQ(std::get<McpCall>(call).version, "2025-03-26");
  const McpTurn modern_call =
      read_mcp_line(with_meta("tools/call", R"("name":"approve")"), server, version);
  ASSERT_TRUE(std::holds_alternative<McpCall>(modern_call));
  EXPECT_EQ(std::get<McpCall>(modern_call).era, McpEra::kModern);
}

// --- the stream --------------------------------------------------------------------------------

TEST(McpStream, CutsNoMessage) {
  const json::Value message = json::Value::object({{"a", json::Value::string("1\n\ndata: 2\r3")}});
  const std::string text = event(message);
  EXPECT_EQ(text, "event: message\ndata: {\"a\":\"1\\n\\ndata: 2\\r3\"}\n\n");
  EXPECT_EQ(keep_alive(), ": keep-alive\n\n");
  const HttpOut head = stream_head();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers, (Headers{{"Content-Type", "text/event-stream"},
                                   {"Cache-Control", "no-store"},
                                   {"X-Accel-Buffering", "no"}}));
}

}  // namespace
}  // namespace tollgate
