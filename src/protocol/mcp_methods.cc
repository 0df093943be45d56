// What both eras of MCP do alike: calls, lists, notifications.
#include "protocol/mcp_methods.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace tollgate {
namespace {

using namespace mcp_code;

constexpr std::string_view kVersionMember = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kTitles = "2025-06-18";  // the first revision with titles of tools

json::Value tool_value(const McpTool& tool, std::string_view version) {
  json::Value out = json::Value::object({{"name", json::Value::string(tool.name)}});
  if (!tool.title.empty() && version >= kTitles) out.set("title", json::Value::string(tool.title));
  out.set("description", json::Value::string(tool.description));
  out.set("inputSchema", tool.input_schema);
  if (!tool.annotations.is_null() && version >= kMcpBatches)
    out.set("annotations", tool.annotations);
  return out;
}

bool is_offered(const McpServer& server, const std::string& method, const std::string& name) {
  if (method == "tools/call")
    return std::ranges::find(server.tools, name, &McpTool::name) != server.tools.end();
  return std::ranges::any_of(server.prompts, [&](const json::Value& prompt) {
    const std::string* listed_name = text_member(prompt, "name");
    return listed_name != nullptr && *listed_name == name;
  });
}

// At most so many bytes, cut between characters.
std::string beginning(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  return text.substr(0, valid_utf8_prefix(std::string_view(text).substr(0, most)));
}

}  // namespace

const json::Value* meta_of(const RpcMessage& message) { return message.params.find("_meta"); }

const json::Value* stated_version(const RpcMessage& message) {
  return member(meta_of(message), kVersionMember);
}

bool is_modern(const RpcMessage& message) {
  // These exist in no other era, so that even a broken one is told what is wrong in modern words.
  if (message.method == "server/discover" || message.method == "subscriptions/listen") return true;
  const json::Value* version = stated_version(message);
  return version != nullptr && !is_legacy_mcp(version->as_string());
}

RpcResult<McpCall> call_of(RpcMessage message, const McpSource& source, McpEra era) {
  const std::string* name = text_member(message.params, "name");
  if (name == nullptr) return refuse(message.id, kInvalidParams, "there is no `name`");
  if (!is_offered(source.server, message.method, *name))
    return refuse(message.id, kInvalidParams, "there is no `" + shortened(*name) + "` here");
  McpCall call{.era = era,
               .version = era == McpEra::kModern ? std::string(kMcpModern) : source.version,
               .id = {},
               .method = {},
               .tool = *name,
               .arguments = json::Value::object(),
               .params = {},
               .progress_token = {},
               .meta = json::Value::object(),
               .accepts_sse = source.accepts_sse,
               .accepts_json = source.accepts_json};
  if (const json::Value* arguments = message.params.find("arguments"); arguments != nullptr) {
    if (!arguments->is_object())
      return refuse(message.id, kInvalidParams, "`arguments` is not an object");
    call.arguments = message.params.take("arguments");
  }
  if (const json::Value* meta = meta_of(message); meta != nullptr) {
    if (!meta->is_object()) return refuse(message.id, kInvalidParams, "`_meta` is not an object");
    const json::Value* token = meta->find("progressToken");
    if (token != nullptr && !is_rpc_id(*token))
      return refuse(message.id, kInvalidParams, "`progressToken` is neither a string nor a number");
    if (token != nullptr) call.progress_token = *token;
    call.meta = message.params.take("_meta");
  }
  call.id = std::move(message.id);
  call.method = std::move(message.method);
  call.params = std::move(message.params);
  return call;
}

RpcResult<McpPart> notification_part(const RpcMessage& message) {
  if (message.method != "notifications/cancelled") return McpReply{.message = {}, .status = 202};
  const json::Value* id = message.params.find("requestId");
  if (id == nullptr || !is_rpc_id(*id))
    return refuse({}, kInvalidRequest, "`requestId` is neither a string nor a number");
  const json::Value* reason = message.params.find("reason");
  if (reason != nullptr && !reason->is_string())
    return refuse({}, kInvalidRequest, "`reason` is not a string");
  return McpCancelled{
      .request_id = *id,
      .reason = reason == nullptr ? "" : beginning(reason->as_string(), kMaxMcpReasonBytes)};
}

RpcResult<json::Value> listed(const RpcMessage& message, const McpServer& server,
                              std::string_view version) {
  const json::Value* cursor = message.params.find("cursor");
  if (cursor != nullptr && !cursor->is_null())
    return refuse(message.id, kInvalidParams, "there is no such `cursor`");
  json::Value items = json::Value::array();
  std::string key = "tools";
  if (message.method == "tools/list") {
    for (const McpTool& tool : server.tools) items.push(tool_value(tool, version));
  } else if (message.method == "prompts/list") {
    key = "prompts";
    items = json::Value::array(server.prompts);
  } else {
    key = message.method == "resources/list" ? "resources" : "resourceTemplates";
  }
  return json::Value::object({{std::move(key), std::move(items)}});
}

McpError unsupported_version(std::string_view requested) {
  json::Value supported = json::Value::array();
  for (const std::string_view version : mcp_versions())
    supported.push(json::Value::string(std::string(version)));
  json::Value data = json::Value::object({{"supported", std::move(supported)}});
  data.set("requested", json::Value::string(std::string(requested)));
  return {kUnsupportedVersion, "unsupported protocol version `" + shortened(requested) + "`",
          std::move(data)};
}

}  // namespace tollgate
