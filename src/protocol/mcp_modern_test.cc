// The modern era of MCP: what a request has to say of itself, twice, and what comes back.
#include <gtest/gtest.h>

#include "json/json.h"
#include "protocol/mcp_reply.h"
#include "protocol/test_mcp.h"

namespace tollgate {
namespace {

TEST(McpModern, TellsWhatItIs) {
  EXPECT_EQ(
      body_of(modern("server/discover")),
      R"({"jsonrpc":"2.0","id":7,"result":{"supportedVersions":["2026-07-28","2025-11-25",)"
      R"("2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"tools":{},"prompts":{},)"
      R"("resources":{}},"instructions":"be careful","ttlMs":5,"cacheScope":"private",)"
      R"("resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"gate","version":"1"}}}})");
}

TEST(McpModern, AnswersEveryList) {
  struct Case {
    std::string_view method, begins;
  };
  constexpr Case kCases[] = {
      {"tools/list", R"({"tools":[{"name":"approve")"},
      {"prompts/list", R"({"prompts":[])"},
      {"resources/list", R"({"resources":[])"},
      {"resources/templates/list", R"({"resourceTemplates":[])"},
  };
  for (const Case& c : kCases) {
    const std::string body = body_of(modern(c.method));
    EXPECT_NE(body.find(R"("result":)" + std::string(c.begins)), std::string::npos) << body;
    EXPECT_NE(body.find(R"("ttlMs":5,"cacheScope":"private","resultType":"complete")"),
              std::string::npos);
  }
}

struct ModernCase {
  std::string_view name;
  HttpIn in;
  int status, code;  // 0: it is a call
};

TEST(McpModern, HoldsHeadersToTheBody) {
  const Headers none;
  const Headers named = {{"mcp-name", "approve"}};
  const std::string_view call = R"("name":"approve","arguments":{})";
  const std::string_view regional = R"("name":"approve","arguments":{"region":"Hello"})";
  const auto with = [](Headers headers, std::pair<std::string, std::string> more) {
    headers.push_back(std::move(more));
    return headers;
  };
  HttpIn other_method = modern("tools/list");
  other_method.headers[3].second = "prompts/list";
  HttpIn upper_method = modern("tools/list");
  upper_method.headers[3].second = "TOOLS/LIST";
  HttpIn no_method = modern("tools/list");
  no_method.headers.pop_back();
  HttpIn old_header = modern("tools/list");
  old_header.headers[2].second = "2025-11-25";
  HttpIn no_header = modern("tools/list");
  no_header.headers.erase(no_header.headers.begin() + 2);

  const ModernCase cases[] = {
      {"a whole call", modern("tools/call", call, named), 0, 0},
      {"blanks around a header are not its value",
       modern("tools/call", call, {{"mcp-name", "  approve\t"}}), 0, 0},
      {"a name in base64", modern("tools/call", call, {{"mcp-name", "=?base64?YXBwcm92ZQ==?="}}), 0,
       0},
      {"a name that has to be in base64",
       modern("tools/call", "\"name\":\"na\u00efve\"", {{"mcp-name", "=?base64?bmHDr3Zl?="}}), 0,
       0},
      {"the same as it is",
       modern("tools/call", "\"name\":\"na\u00efve\"", {{"mcp-name", "na\u00efve"}}), 400, -32020},
      {"another name", modern("tools/call", call, {{"mcp-name", "ask_user"}}), 400, -32020},
      {"no name", modern("tools/call", call), 400, -32020},
      {"two names", modern("tools/call", call, with(named, named[0])), 400, -32020},
      {"another method", other_method, 400, -32020},
      {"the method in capitals", upper_method, 400, -32020},
      {"no method", no_method, 400, -32020},
      {"a legacy version in the header", old_header, 400, -32020},
      {"no version in the header", no_header, 400, -32020},
      {"a parameter's header",
       modern("tools/call", regional, with(named, {"mcp-param-region", "Hello"})), 0, 0},
      {"the same in base64",
       modern("tools/call", regional, with(named, {"mcp-param-region", "=?base64?SGVsbG8=?="})), 0,
       0},
      {"base64 without its padding",
       modern("tools/call", regional, with(named, {"mcp-param-region", "=?base64?SGVsbG8?="})), 400,
       -32020},
      {"base64 with other characters",
       modern("tools/call", regional, with(named, {"mcp-param-region", "=?base64?SGV!bG8=?="})),
       400, -32020},
      {"base64 with bits that nobody reads",
       modern("tools/call", regional, with(named, {"mcp-param-region", "=?base64?SGVsbG9=?="})),
       400, -32020},
      {"base64 of no text",
       modern("tools/call", regional, with(named, {"mcp-param-region", "=?base64?/w==?="})), 400,
       -32020},
      {"no header for a parameter that is there", modern("tools/call", regional, named), 400,
       -32020},
      {"a header for a parameter that is not",
       modern("tools/call", call, with(named, {"mcp-param-region", "Hello"})), 400, -32020},
      {"a null needs no header",
       modern("tools/call", R"("name":"approve","arguments":{"region":null})", named), 0, 0},
      {"a parameter inside another, as a number",
       modern("tools/call", R"("name":"approve","arguments":{"deep":{"count":42}})",
              with(named, {"mcp-param-count", "42.0"})),
       0, 0},
      {"another number",
       modern("tools/call", R"("name":"approve","arguments":{"deep":{"count":42}})",
              with(named, {"mcp-param-count", "43"})),
       400, -32020},
      {"a list where a text belongs",
       modern("tools/call", R"("name":"approve","arguments":{"region":["Hello"]})",
              with(named, {"mcp-param-region", "Hello"})),
       400, -32020},
  };
  for (const ModernCase& c : cases) {
    const McpTurn turn = read_mcp(c.in, small_server());
    if (c.status == 0) {
      const auto* run = std::get_if<McpCall>(&turn);
      ASSERT_NE(run, nullptr) << c.name << "\n" << out_of(turn).body;
      EXPECT_EQ(run->era, McpEra::kModern) << c.name;
      continue;
    }
    const HttpOut out = out_of(turn);
    EXPECT_EQ(out.status, c.status) << c.name << "\n" << out.body;
    EXPECT_EQ(code_in(out), c.code) << c.name << "\n" << out.body;
    EXPECT_NE(out.body.find(R"("id":7)"), std::string::npos) << c.name;
  }
}

TEST(McpModern, NeedsToKnowVersionAndCapabilities) {
  struct Case {
    std::string_view name, header, params;
    int status, code;
  };
  constexpr Case kCases[] = {
      {"no parameters", "2026-07-28", "", 400, -32602},
      {"no `_meta`", "2026-07-28", R"(,"params":{})", 400, -32602},
      {"`_meta` that is a text", "2026-07-28", R"(,"params":{"_meta":"x"})", 400, -32602},
      {"no version", "2026-07-28",
       R"(,"params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}})", 400, -32602},
      {"a version that is a number", "2026-07-28",
       R"(,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":1}})", 400, -32602},
      {"no capabilities", "2026-07-28",
       R"(,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})", 400,
       -32602},
      {"capabilities in a list", "2026-07-28",
       R"(,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}})",
       400, -32602},
      {"an unknown version", "v9",
       R"(,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"v9"}})", 400, -32022},
      {"an unknown version in the header alone", "v9", "", 400, -32022},
      {"an unknown version in the body alone", "2026-07-28",
       R"(,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"v9"}})", 400, -32020},
  };
  for (const Case& c : kCases) {
    const HttpOut out = out_of(read_mcp(
        post(R"({"jsonrpc":"2.0","id":7,"method":"tools/list")" + std::string(c.params) + "}",
             {{"mcp-protocol-version", std::string(c.header)}, {"mcp-method", "tools/list"}}),
        small_server()));
    EXPECT_EQ(out.status, c.status) << c.name << "\n" << out.body;
    EXPECT_EQ(code_in(out), c.code) << c.name << "\n" << out.body;
  }
}

TEST(McpModern, SaysWhichVersionsThereAre) {
  const std::string body = body_of(
      post(R"({"jsonrpc":"2.0","id":7,"method":"ping"})", {{"mcp-protocol-version", "v9"}}));
  EXPECT_NE(body.find(R"("data":{"supported":["2026-07-28","2025-11-25","2025-06-18",)"
                      R"("2025-03-26","2024-11-05"],"requested":"v9"})"),
            std::string::npos)
      << body;
}

TEST(McpModern, HasNoMethodsOfTheOtherEra) {
  for (const std::string_view method :
       {"initialize", "ping", "logging/setLevel", "resources/subscribe", "subscriptions/listen",
        "unknown/method", "completion/complete"}) {
    const HttpOut out = out_of(read_mcp(modern(method), small_server()));
    EXPECT_EQ(out.status, 404) << method;
    EXPECT_EQ(code_in(out), -32601) << method;
  }
}

TEST(McpModern, RefusesWhatDoesNotExist) {
  struct Case {
    std::string_view method, params, header;
  };
  constexpr Case kCases[] = {
      {"tools/call", R"("name":"nothing")", "nothing"},
      {"prompts/get", R"("name":"nothing")", "nothing"},
      {"resources/read", R"("uri":"file:///x")", "file:///x"},
  };
  for (const Case& c : kCases) {
    const HttpOut out = out_of(read_mcp(
        modern(c.method, c.params, {{"mcp-name", std::string(c.header)}}), small_server()));
    EXPECT_EQ(out.status, 400) << c.method;
    EXPECT_EQ(code_in(out), -32602) << c.method;
  }
}

TEST(McpModern, MarksItsResults) {
  const McpTurn turn = read_mcp(
      modern("tools/call", R"("name":"approve","requestState":"s")", {{"mcp-name", "approve"}}),
      small_server());
  const auto* call = std::get_if<McpCall>(&turn);
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call->version, "2026-07-28");
  EXPECT_EQ(call->params.find("requestState")->as_string(), "s");
  EXPECT_EQ(progress_message(*call, 1, "x"), std::nullopt) << "nobody asked for it";
  EXPECT_EQ(
      json::write(result_message(*call, small_server(), error_result("no"))),
      R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"no"}],"isError":true,)"
      R"("resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"gate","version":"1"}}}})");
  const json::Value more =
      json::Value::object({{"resultType", json::Value::string("input_required")}});
  EXPECT_NE(json::write(result_message(*call, small_server(), more))
                .find(R"("resultType":"input_required")"),
            std::string::npos);
}

TEST(McpModern, TakesNoResponsesAndBelievesNoWrongHeader) {
  const Headers version = {{"mcp-protocol-version", "2026-07-28"}};
  EXPECT_EQ(code_in(out_of(read_mcp(post(R"({"jsonrpc":"2.0","id":1,"result":{}})", version), {}))),
            -32600);
  const std::string noted = R"({"jsonrpc":"2.0","method":"notifications/x"})";
  EXPECT_EQ(out_of(read_mcp(post(noted, version), {})), accepted());
  Headers wrong = version;
  wrong.emplace_back("mcp-method", "notifications/y");
  EXPECT_EQ(code_in(out_of(read_mcp(post(noted, wrong), {}))), -32020);
}

}  // namespace
}  // namespace tollgate
