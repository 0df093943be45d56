// MCP as a server speaks it, both eras on one address: a request to what is to be done about it.
// Legacy is 2024-11-05 to 2025-11-25, which begin with `initialize`; modern is 2026-07-28, where
// each request says all there is to know. Nothing is kept between requests and no session id is
// ever given out; mcp_reply.h has the way back, mcp_tools.h the gate's own tools.
// SAFETY: what is ambiguous or of a wrong type is refused; only a whole tools/call is a call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "json/value.h"

namespace tollgate {

enum class McpEra : std::uint8_t { kLegacy, kModern };

inline constexpr std::string_view kMcpModern = "2026-07-28";
inline constexpr std::string_view kMcpNewestLegacy = "2025-11-25";
// The only revision with batches, and the one that a request without a version is of.
inline constexpr std::string_view kMcpBatches = "2025-03-26";

// LIMIT: what one request may hold.
inline constexpr std::size_t kMaxMcpIdBytes = 1'024;  // an id or progress token as text
inline constexpr std::size_t kMaxMcpBatch = 64;       // members of a batch
inline constexpr std::size_t kMaxMcpReasonBytes =
    1'024;  // why a call was cancelled; then it is cut

// A request as it came. Names of headers are lower case, each line of a header is one pair.
struct HttpIn {
  std::string method;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// An answer as it goes. Over stdio only the body counts: it is the line, and empty is no line.
struct HttpOut {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  bool operator==(const HttpOut&) const = default;
};

struct McpTool {
  std::string name;
  std::string title;
  std::string description;
  json::Value input_schema = json::Value::object({{"type", json::Value::string("object")}});
  json::Value annotations;  // null for none
};

// What a server says of itself. The order of the tools is the order of the list.
struct McpServer {
  std::string name;
  std::string version;
  std::string instructions;  // "" for none
  std::vector<McpTool> tools;
  std::int64_t ttl_ms = 0;  // how long a modern client may keep a list
  // Of test servers; the gate has neither.
  std::vector<json::Value> prompts;  // as they are listed
  bool logging = false;              // takes logging/setLevel
};

// A call that has to be run, and then answered by mcp_reply.h with the same value.
struct McpCall {
  McpEra era = McpEra::kLegacy;
  std::string version;
  json::Value id;              // a string or a number, as it was sent
  std::string method;          // tools/call; prompts/get only where the server has prompts
  std::string tool;            // or prompt; it is one of the server's
  json::Value arguments;       // always an object
  json::Value params;          // the others; null stands where those of the members here were
  json::Value progress_token;  // a string or a number; null where progress is not wanted
  json::Value meta;            // `_meta`, always an object
  bool accepts_sse = true;
  bool accepts_json = true;

  bool operator==(const McpCall&) const = default;
};

// A call was taken back. The wire is told accepted().
struct McpCancelled {
  json::Value request_id;
  std::string reason;

  bool operator==(const McpCancelled&) const = default;
};

// A legacy client answers a request of the server; the gate makes none and leaves it at accepted().
struct McpResponse {
  json::Value id;
  json::Value result;  // null where it failed
  json::Value error;   // null where it did not

  bool operator==(const McpResponse&) const = default;
};

// What is said at once; a null message is nothing (a notification was taken).
struct McpReply {
  json::Value message;
  int status = 200;

  bool operator==(const McpReply&) const = default;
};

using McpPart = std::variant<McpReply, McpCall, McpCancelled, McpResponse>;

// Several messages of a 2025-03-26 client at once. Each call is run for itself; when all are
// answered, the answers of replies and calls go out together by batch_reply().
struct McpBatch {
  std::vector<McpPart> parts;
  bool accepts_sse = true;
  bool accepts_json = true;

  bool operator==(const McpBatch&) const = default;
};

using McpTurn = std::variant<HttpOut, McpCall, McpCancelled, McpResponse, McpBatch>;

// A request to the server's one address. GET and DELETE are refused with 405 in both eras.
McpTurn read_mcp(const HttpIn& in, const McpServer& server);

// A line on standard input. `version` is what `initialize` settled, "" before it; the caller keeps
// it from line to line.
McpTurn read_mcp_line(std::string_view line, const McpServer& server, std::string& version);

// Every version that is spoken here, newest first.
std::vector<std::string_view> mcp_versions();
bool is_legacy_mcp(std::string_view version);

}  // namespace tollgate
