// JSON-RPC messages out of JSON.
#include "protocol/mcp_rpc.h"

#include <utility>

#include "base/text.h"
#include "core/tool_call.h"
#include "json/json.h"

namespace tollgate {
namespace {

using namespace mcp_code;

// A request, a notification or a response, by what it has. `id` is one that may be told.
RpcResult<RpcMessage> classified(json::Value& value, const json::Value& id) {
  const json::Value* method = value.find("method");
  const json::Value* result = value.find("result");
  const json::Value* error = value.find("error");
  const bool has_id = value.find("id") != nullptr;
  RpcMessage message;
  message.id = id;
  if (method != nullptr) {
    if (!method->is_string() || method->as_string().empty())
      return refuse(id, kInvalidRequest, "`method` is not a name");
    if (result != nullptr || error != nullptr)
      return refuse(id, kInvalidRequest, "a message is a request or a response, not both");
    message.kind = has_id ? RpcKind::kRequest : RpcKind::kNotification;
    message.method = method->as_string();
    return message;
  }
  if (!has_id || (result == nullptr) == (error == nullptr))
    return refuse(id, kInvalidRequest, "the message is no request, notification or response");
  message.kind = RpcKind::kResponse;
  message.result = value.take("result");
  message.error = value.take("error");
  return message;
}

}  // namespace

std::unexpected<RpcRefusal> refuse(const json::Value& id, int code, std::string message,
                                   json::Value data) {
  return std::unexpected(RpcRefusal{id, {code, std::move(message), std::move(data)}});
}

RpcResult<json::Value> parse_rpc(std::string_view text) {
  Result<json::Value> value = json::parse(text, {.max_bytes = kMaxCallBytes});
  if (value) return std::move(*value);
  const Error& error = value.error();
  return refuse({}, kParseError,
                error.message + " (line " + std::to_string(error.where.line) + ", column " +
                    std::to_string(error.where.column) + ")");
}

RpcResult<RpcMessage> rpc_message(json::Value value) {
  if (!value.is_object()) return refuse({}, kInvalidRequest, "the message is not an object");
  const json::Value* sent = value.find("id");
  if (sent != nullptr && !is_rpc_id(*sent))
    return refuse({}, kInvalidRequest,
                  "`id` is neither a number nor a string of at most " +
                      std::to_string(kMaxMcpIdBytes) + " bytes");
  const json::Value id = sent == nullptr ? json::Value() : *sent;
  const json::Value* version = value.find("jsonrpc");
  if (version == nullptr || version->as_string() != "2.0")
    return refuse(id, kInvalidRequest, "`jsonrpc` is not \"2.0\"");
  RpcResult<RpcMessage> message = classified(value, id);
  const json::Value* params = value.find("params");
  if (!message || params == nullptr) return message;
  if (!params->is_object()) return refuse(id, kInvalidParams, "`params` is not an object");
  message->params = value.take("params");
  return message;
}

bool is_rpc_id(const json::Value& value) {
  if (value.is_string()) return value.as_string().size() <= kMaxMcpIdBytes;
  return value.kind() == json::Kind::kNumber && value.number_text().size() <= kMaxMcpIdBytes;
}

const json::Value* member(const json::Value* object, std::string_view name) {
  return object == nullptr ? nullptr : object->find(name);
}

const std::string* text_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value != nullptr && value->is_string() ? &value->as_string() : nullptr;
}

}  // namespace tollgate
