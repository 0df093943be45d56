// Requests of MCP for the tests of both eras, and a small server to put them to.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/json.h"
#include "protocol/mcp.h"

namespace tollgate {

using Headers = std::vector<std::pair<std::string, std::string>>;

inline McpServer small_server() {
  McpServer server{.name = "gate",
                   .version = "1",
                   .instructions = "be careful",
                   .tools = {},
                   .ttl_ms = 5,
                   .prompts = {},
                   .logging = false};
  server.tools.push_back({.name = "approve",
                          .title = "Approve",
                          .description = "asks",
                          .input_schema = json::parse(R"({"type":"object","properties":{
                             "region":{"type":"string","x-mcp-header":"Region"},
                             "deep":{"properties":{"count":{"type":"integer","x-mcp-header":"Count"}}}
                           }})")
                                              .value_or(json::Value()),
                          .annotations = json::Value::object()});
  server.tools.push_back(
      {.name = "na\u00efve", .title = {}, .description = "odd", .annotations = {}});
  return server;
}

inline HttpIn post(std::string body, Headers more = {}) {
  HttpIn in{.method = "POST",
            .headers = {{"content-type", "application/json"},
                        {"accept", "application/json, text/event-stream"}},
            .body = std::move(body)};
  for (auto& header : more) in.headers.push_back(std::move(header));
  return in;
}

inline std::string with_meta(std::string_view method, std::string_view params,
                             std::string_view id = "7") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{}})" +
         (params.empty() ? "" : "," + std::string(params)) + "}}";
}

inline HttpIn modern(std::string_view method, std::string_view params = "", Headers more = {}) {
  HttpIn in = post(with_meta(method, params),
                   {{"mcp-protocol-version", "2026-07-28"}, {"mcp-method", std::string(method)}});
  for (auto& header : more) in.headers.push_back(std::move(header));
  return in;
}

inline HttpOut out_of(const McpTurn& turn) {
  const auto* out = std::get_if<HttpOut>(&turn);
  EXPECT_NE(out, nullptr) << "not answered at once";
  return out == nullptr ? HttpOut{} : *out;
}

inline int code_in(const HttpOut& out) {
  const Result<json::Value> body = json::parse(out.body);
  const json::Value* error = body ? body->find("error") : nullptr;
  const json::Value* code = error == nullptr ? nullptr : error->find("code");
  return code == nullptr ? 0 : std::stoi(code->number_text());
}

inline std::string body_of(const HttpIn& in) { return out_of(read_mcp(in, small_server())).body; }

}  // namespace tollgate
