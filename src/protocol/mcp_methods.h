// The methods of both eras: one message that was read to what is to be done about it.
// mcp.cc chooses the era; mcp_legacy.cc and mcp_modern.cc are the eras.
#pragma once

#include <string>
#include <string_view>

#include "protocol/mcp.h"
#include "protocol/mcp_rpc.h"

namespace tollgate {

// Where a message comes from.
struct McpSource {
  const McpServer& server;
  const HttpIn* http = nullptr;  // nothing over stdio
  std::string version;           // legacy: the one that was settled or is assumed
  bool accepts_sse = true;
  bool accepts_json = true;
};

RpcResult<McpPart> legacy_part(RpcMessage message, const McpSource& source);
RpcResult<McpPart> modern_part(const RpcMessage& message, const McpSource& source);

// Whether a message is of the modern era, by its `_meta` and its method.
bool is_modern(const RpcMessage& message);
// `_meta` of its parameters, nothing where there is none.
const json::Value* meta_of(const RpcMessage& message);
// The version that a modern message is of; nothing where it does not say.
const json::Value* stated_version(const RpcMessage& message);

// What the eras share. The call of tools/call or prompts/get, checked against the server's lists.
RpcResult<McpCall> call_of(RpcMessage message, const McpSource& source, McpEra era);
RpcResult<McpPart> notification_part(const RpcMessage& message);
// {"tools": …}, with what the version knows of a tool. Refuses a cursor: there is one page.
RpcResult<json::Value> listed(const RpcMessage& message, const McpServer& server,
                              std::string_view version);
McpError unsupported_version(std::string_view requested);

}  // namespace tollgate
