// MCP as it was until 2025-11-25: a handshake, then requests under the version it settled.
// The handshake leaves nothing behind here; the version comes with each request.
#include <utility>

#include "protocol/mcp_methods.h"

namespace tollgate {
namespace {

using namespace mcp_code;

json::Value capabilities(const McpServer& server) {
  json::Value out = json::Value::object({{"tools", json::Value::object()}});
  if (!server.prompts.empty()) out.set("prompts", json::Value::object());
  if (server.logging) out.set("logging", json::Value::object());
  return out;
}

// The client's version where it is spoken here, else the newest: then the client decides.
RpcResult<json::Value> initialized(const RpcMessage& message, const McpServer& server) {
  const std::string* wanted = text_member(message.params, "protocolVersion");
  if (wanted == nullptr)
    return refuse(message.id, kInvalidParams, "`protocolVersion` is not a string");
  const std::string version = is_legacy_mcp(*wanted) ? *wanted : std::string(kMcpNewestLegacy);
  json::Value result = json::Value::object({{"protocolVersion", json::Value::string(version)}});
  result.set("capabilities", capabilities(server));
  result.set("serverInfo", json::Value::object({{"name", json::Value::string(server.name)},
                                                {"version", json::Value::string(server.version)}}));
  if (!server.instructions.empty())
    result.set("instructions", json::Value::string(server.instructions));
  return result;
}

RpcResult<json::Value> result_of(const RpcMessage& message, const McpSource& source) {
  const McpServer& server = source.server;
  const std::string& method = message.method;
  if (method == "initialize") return initialized(message, server);
  if (method == "ping") return json::Value::object();
  if (method == "tools/list") return listed(message, server, source.version);
  if (method == "prompts/list" && !server.prompts.empty())
    return listed(message, server, source.version);
  if (method == "logging/setLevel" && server.logging) return json::Value::object();
  return refuse(message.id, kMethodNotFound, "there is no such method here");
}

}  // namespace

RpcResult<McpPart> legacy_part(RpcMessage message, const McpSource& source) {
  if (message.kind == RpcKind::kNotification) return notification_part(message);
  if (message.kind == RpcKind::kResponse)
    return McpResponse{.id = message.id, .result = message.result, .error = message.error};
  const bool gets_prompt = message.method == "prompts/get" && !source.server.prompts.empty();
  if (message.method == "tools/call" || gets_prompt) {
    RpcResult<McpCall> call = call_of(std::move(message), source, McpEra::kLegacy);
    if (!call) return std::unexpected(std::move(call).error());
    return std::move(*call);
  }
  RpcResult<json::Value> result = result_of(message, source);
  if (!result) return std::unexpected(std::move(result).error());
  return McpReply{
      .message = result_message(McpEra::kLegacy, message.id, source.server, std::move(*result)),
      .status = 200};
}

}  // namespace tollgate
