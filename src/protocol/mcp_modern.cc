// MCP since 2026-07-28: each request carries its version and what its client can do, and over HTTP
// the headers say again what the body says.
// SAFETY: where header and body differ, whoever looked only at the header was deceived: refused.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "protocol/mcp_headers.h"
#include "protocol/mcp_methods.h"

namespace tollgate {
namespace {

using namespace mcp_code;

constexpr std::string_view kCapabilitiesMember = "io.modelcontextprotocol/clientCapabilities";
constexpr std::array<std::string_view, 4> kLists = {"tools/list", "prompts/list", "resources/list",
                                                    "resources/templates/list"};

std::unexpected<RpcRefusal> mismatch(const RpcMessage& message, std::string_view header) {
  return refuse(message.id, kHeaderMismatch,
                "the header `" + std::string(header) +
                    "` is missing, stands twice or does not say what the body says");
}

// Every list is answered, also where it is empty: clients of this era ask for all of them to learn
// how long they may keep each.
json::Value discovered(const McpServer& server) {
  json::Value result = json::Value::object();
  json::Value versions = json::Value::array();
  for (const std::string_view version : mcp_versions())
    versions.push(json::Value::string(std::string(version)));
  result.set("supportedVersions", std::move(versions));
  result.set("capabilities", json::Value::object({{"tools", json::Value::object()},
                                                  {"prompts", json::Value::object()},
                                                  {"resources", json::Value::object()}}));
  if (!server.instructions.empty())
    result.set("instructions", json::Value::string(server.instructions));
  return result;
}

// The version of the request: what header and `_meta` say, if it is one and the same and spoken
// here.
RpcResult<void> check_version(const RpcMessage& message, const HttpIn* http) {
  constexpr std::string_view kHeader = "MCP-Protocol-Version";
  const HeaderValue header =
      http == nullptr ? HeaderValue{} : header_of(*http, "mcp-protocol-version");
  const json::Value* stated = stated_version(message);
  if (http != nullptr && header.count != HeaderValue::Count::kOne)
    return mismatch(message, kHeader);
  // A header that nobody here understands: neither era can serve it.
  if (stated == nullptr && http != nullptr && header.text != kMcpModern &&
      !is_legacy_mcp(header.text))
    return std::unexpected(RpcRefusal{message.id, unsupported_version(header.text)});
  if (stated == nullptr || !stated->is_string())
    return refuse(message.id, kInvalidParams, "`_meta` has no protocol version");
  if (http != nullptr && !header.says(stated->as_string())) return mismatch(message, kHeader);
  if (stated->as_string() != kMcpModern)
    return std::unexpected(RpcRefusal{message.id, unsupported_version(stated->as_string())});
  const json::Value* capabilities = member(meta_of(message), kCapabilitiesMember);
  if (capabilities == nullptr || !capabilities->is_object())
    return refuse(message.id, kInvalidParams, "`_meta` has no client capabilities");
  return {};
}

// The name that `Mcp-Name` has to repeat; "" where the method has none.
std::string_view name_member(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : "";
}

RpcResult<void> check_headers(const RpcMessage& message, const HttpIn* http) {
  if (http == nullptr) return {};
  if (!header_of(*http, "mcp-method").says(message.method)) return mismatch(message, "Mcp-Method");
  const std::string_view key = name_member(message.method);
  const std::string* name = key.empty() ? nullptr : text_member(message.params, key);
  if (name == nullptr) return {};
  const HeaderValue header = header_of(*http, "mcp-name");
  const std::optional<std::string> said =
      header.count == HeaderValue::Count::kOne ? decoded_header(header.text) : std::nullopt;
  if (said != *name) return mismatch(message, "Mcp-Name");
  return {};
}

RpcResult<McpPart> called(const RpcMessage& message, const McpSource& source) {
  RpcResult<McpCall> call = call_of(message, source, McpEra::kModern);
  if (!call) return std::unexpected(std::move(call).error());
  const auto tool = std::ranges::find(source.server.tools, call->tool, &McpTool::name);
  if (source.http != nullptr && message.method == "tools/call" &&
      tool != source.server.tools.end()) {
    const std::string wrong =
        mismatched_parameter(*source.http, tool->input_schema, call->arguments);
    if (!wrong.empty()) return mismatch(message, wrong);
  }
  return std::move(*call);
}

RpcResult<json::Value> result_of(const RpcMessage& message, const McpServer& server) {
  if (message.method == "resources/read")
    return refuse(message.id, kInvalidParams, "there is no such resource here");
  json::Value result;
  if (message.method == "server/discover") {
    result = discovered(server);
  } else if (std::ranges::find(kLists, message.method) != kLists.end()) {
    RpcResult<json::Value> list = listed(message, server, kMcpModern);
    if (!list) return list;
    result = std::move(*list);
  } else {
    return refuse(message.id, kMethodNotFound, "there is no such method here");
  }
  // What a session may use is its own business.
  result.set("ttlMs", json::Value::integer(server.ttl_ms));
  result.set("cacheScope", json::Value::string("private"));
  return result;
}

}  // namespace

RpcResult<McpPart> modern_part(const RpcMessage& message, const McpSource& source) {
  if (message.kind == RpcKind::kResponse)
    return refuse(message.id, kInvalidRequest, "a response is expected by nobody");
  if (message.kind == RpcKind::kNotification) {
    // This era defines no headers for them; one that is there still has to be true.
    const HeaderValue header =
        source.http == nullptr ? HeaderValue{} : header_of(*source.http, "mcp-method");
    if (!header.missing() && !header.says(message.method)) return mismatch(message, "Mcp-Method");
    return notification_part(message);
  }
  if (RpcResult<void> version = check_version(message, source.http); !version)
    return std::unexpected(std::move(version).error());
  if (RpcResult<void> headers = check_headers(message, source.http); !headers)
    return std::unexpected(std::move(headers).error());
  if (message.method == "tools/call" || message.method == "prompts/get")
    return called(message, source);
  RpcResult<json::Value> result = result_of(message, source.server);
  if (!result) return std::unexpected(std::move(result).error());
  return McpReply{
      .message = result_message(McpEra::kModern, message.id, source.server, std::move(*result)),
      .status = 200};
}

}  // namespace tollgate
