// Results, errors and progress of MCP; which era wants what in them.
#include "protocol/mcp_reply.h"

#include <utility>

#include "json/append.h"
#include "json/json.h"

namespace tollgate {
namespace {

constexpr std::string_view kServerMember = "io.modelcontextprotocol/serverInfo";
// Most answers are shorter.
constexpr std::size_t kUsualBody = 256;

json::Value message_with(const json::Value& id) {
  json::Value message = json::Value::object();
  message.set("jsonrpc", json::Value::string("2.0"));
  if (!id.is_null()) message.set("id", id);
  return message;
}

json::Value content_of(std::string text) {
  json::Value block = json::Value::object();
  block.set("type", json::Value::string("text"));
  block.set("text", json::Value::string(std::move(text)));
  // A list in braces would be copied.
  json::Value content = json::Value::array();
  content.push(std::move(block));
  return content;
}

}  // namespace

json::Value text_result(std::string text) {
  json::Value result = json::Value::object();
  result.set("content", content_of(std::move(text)));
  return result;
}

json::Value error_result(std::string text) {
  json::Value result = text_result(std::move(text));
  result.set("isError", json::Value::boolean(true));
  return result;
}

json::Value result_message(McpEra era, const json::Value& id, const McpServer& server,
                           json::Value result) {
  if (era == McpEra::kModern) {
    if (result.find("resultType") == nullptr)
      result.set("resultType", json::Value::string("complete"));
    const json::Value* given = result.find("_meta");
    json::Value meta = given != nullptr && given->is_object() ? *given : json::Value::object();
    meta.set(std::string(kServerMember),
             json::Value::object({{"name", json::Value::string(server.name)},
                                  {"version", json::Value::string(server.version)}}));
    result.set("_meta", std::move(meta));
  }
  json::Value message = message_with(id);
  message.set("result", std::move(result));
  return message;
}

json::Value result_message(const McpCall& call, const McpServer& server, json::Value result) {
  return result_message(call.era, call.id, server, std::move(result));
}

json::Value error_message(const json::Value& id, const McpError& error) {
  json::Value inner = json::Value::object({{"code", json::Value::integer(error.code)},
                                           {"message", json::Value::string(error.message)}});
  if (!error.data.is_null()) inner.set("data", error.data);
  json::Value message = message_with(id);
  message.set("error", std::move(inner));
  return message;
}

json::Value notification(std::string_view method, json::Value params) {
  json::Value message = message_with({});
  message.set("method", json::Value::string(std::string(method)));
  message.set("params", std::move(params));
  return message;
}

std::optional<json::Value> progress_message(const McpCall& call, std::int64_t progress,
                                            std::string text) {
  if (call.progress_token.is_null()) return std::nullopt;
  json::Value params = json::Value::object(
      {{"progressToken", call.progress_token}, {"progress", json::Value::integer(progress)}});
  // 2024-11-05 knows no text here.
  if (!text.empty() && call.version >= kMcpBatches)
    params.set("message", json::Value::string(std::move(text)));
  return notification("notifications/progress", std::move(params));
}

int status_of(McpEra era, int code) {
  if (code == mcp_code::kParseError || code == mcp_code::kInvalidRequest) return 400;
  if (code == mcp_code::kHeaderMismatch || code == mcp_code::kUnsupportedVersion) return 400;
  if (era == McpEra::kLegacy) return 200;
  if (code == mcp_code::kMethodNotFound) return 404;
  return code == mcp_code::kInternal ? 500 : 400;
}

HttpOut json_reply(const json::Value& message, int status) {
  HttpOut out{.status = status, .headers = {}, .body = {}};
  out.headers.reserve(2);
  out.headers.emplace_back("Content-Type", "application/json");
  out.headers.emplace_back("Cache-Control", "no-store");
  out.body.reserve(kUsualBody);
  json::append(out.body, message);
  return out;
}

HttpOut event_reply(const json::Value& message, int status) {
  HttpOut out = stream_head();
  out.status = status;
  out.body = event(message);
  return out;
}

HttpOut whole_reply(const McpCall& call, const json::Value& message, int status) {
  return call.accepts_json ? json_reply(message, status) : event_reply(message, status);
}

HttpOut batch_reply(const McpBatch& batch, const std::vector<json::Value>& messages) {
  if (messages.empty()) return accepted();
  if (batch.accepts_json) return json_reply(json::Value::array(messages));
  HttpOut out = stream_head();
  for (const json::Value& message : messages) out.body += event(message);
  return out;
}

HttpOut accepted() {
  return {.status = 202, .headers = {{"Cache-Control", "no-store"}}, .body = {}};
}

HttpOut stream_head() {
  return {.status = 200,
          .headers = {{"Content-Type", "text/event-stream"},
                      {"Cache-Control", "no-store"},
                      {"X-Accel-Buffering", "no"}},
          .body = {}};
}

std::string event(const json::Value& message) {
  return "event: message\ndata: " + json::write(message) + "\n\n";
}

std::string keep_alive() { return ": keep-alive\n\n"; }

}  // namespace tollgate
