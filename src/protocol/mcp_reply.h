// The way back of MCP: results, errors and progress, as one JSON body or as server-sent events.
// A call is answered with the value that mcp.h made of it, so that each era gets its own form.
// INVARIANT: every message is one line of JSON; an event is never cut by what a text holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/mcp.h"

namespace tollgate {

struct McpError {
  int code = 0;
  std::string message;
  json::Value data;  // null for none
};

namespace mcp_code {
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternal = -32603;
inline constexpr int kHeaderMismatch = -32020;     // modern: a header says other than the body
inline constexpr int kMissingCapability = -32021;  // modern: the client did not declare it
inline constexpr int kUnsupportedVersion = -32022;
}  // namespace mcp_code

// Results of a tool: one text, and one that says the tool failed.
json::Value text_result(std::string text);
json::Value error_result(std::string text);

// {"jsonrpc", "id", "result"}; for a modern call with `resultType` ("complete" unless it is there)
// and the server's name in `_meta`.
json::Value result_message(const McpCall& call, const McpServer& server, json::Value result);
json::Value result_message(McpEra era, const json::Value& id, const McpServer& server,
                           json::Value result);
// Without an `id` where it is null: then nobody knows which request was meant.
json::Value error_message(const json::Value& id, const McpError& error);
json::Value notification(std::string_view method, json::Value params);
// Nothing where the call did not ask for progress. `progress` has to rise from one to the next.
std::optional<json::Value> progress_message(const McpCall& call, std::int64_t progress,
                                            std::string text);

// Which status an error of a request has; legacy clients take all but 200 for a broken transport.
int status_of(McpEra era, int code);

HttpOut json_reply(const json::Value& message, int status = 200);
HttpOut event_reply(const json::Value& message, int status = 200);
// The whole answer to a call, as JSON, or as one event where the client takes nothing else.
HttpOut whole_reply(const McpCall& call, const json::Value& message, int status = 200);
// All answers to a batch, or accepted() where there is none to give.
HttpOut batch_reply(const McpBatch& batch, const std::vector<json::Value>& messages);
HttpOut accepted();

// An answer that comes later: the head goes out at once, then events, at last the result's.
HttpOut stream_head();
std::string event(const json::Value& message);
// A comment, which keeps the connection from looking dead.
std::string keep_alive();

}  // namespace tollgate
