// JSON-RPC as MCP uses it: text to one message, or to several where a batch may come.
// Only the MCP files of this room use it; era and method are theirs to judge.
// SAFETY: a message that could be two things, or whose id is neither string nor number, is none.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "json/value.h"
#include "protocol/mcp_reply.h"

namespace tollgate {

enum class RpcKind : std::uint8_t { kRequest, kNotification, kResponse };

struct RpcMessage {
  RpcKind kind = RpcKind::kRequest;
  json::Value id;  // null of a notification
  std::string method;
  json::Value params;  // an object; null where there are none
  json::Value result;
  json::Value error;
};

// Why a message is refused, and whom to tell: the id is null where it cannot be known.
struct RpcRefusal {
  json::Value id;
  McpError error;
};

template <class T>
using RpcResult = std::expected<T, RpcRefusal>;

std::unexpected<RpcRefusal> refuse(const json::Value& id, int code, std::string message,
                                   json::Value data = {});

// Any JSON, within the bounds of a call. Error: -32700.
RpcResult<json::Value> parse_rpc(std::string_view text);
// Error: -32600, and -32602 for parameters that are no object.
RpcResult<RpcMessage> rpc_message(json::Value value);

// A string or a number that is not too long: an id, or a progress token.
bool is_rpc_id(const json::Value& value);

// A member of an object; nothing where either is missing.
const json::Value* member(const json::Value* object, std::string_view name);
// The same for a string; nothing where it is of another kind.
const std::string* text_member(const json::Value& object, std::string_view name);

}  // namespace tollgate
