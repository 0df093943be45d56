#include "protocol/payload.h"

#include <utility>

#include "core/tool_table.h"
#include "json/json.h"

namespace tollgate {
namespace {

// LIMIT: reasons that are told; a model acts on the first ones.
constexpr std::size_t kMostTold = 4;

// Some clients have sent the arguments as a text that holds them.
Result<json::Value> input_of(const json::Value& payload, std::string_view name) {
  const json::Value* value = payload.find(name);
  if (value != nullptr && value->is_object()) return *value;
  if (value != nullptr && value->is_string()) {
    Result<json::Value> inner = json::parse(value->as_string(), {.max_bytes = kMaxCallBytes});
    if (inner && inner->is_object()) return inner;
  }
  return malformed("`" + std::string(name) + "` is not an object",
                   "the client sends the tool's arguments as an object");
}

}  // namespace

std::unexpected<Error> malformed(std::string message, std::string hint) {
  return Fail({.code = "malformed-call",
               .message = std::move(message),
               .hint = std::move(hint),
               .where = {}});
}

Result<json::Value> parse_payload(std::string_view text) {
  Result<json::Value> value = json::parse(text, {.max_bytes = kMaxCallBytes});
  if (!value) {
    Error error = std::move(value).error();
    error.code = "malformed-call";
    return Fail(std::move(error));
  }
  if (!value->is_object())
    return malformed("the payload is not an object", "the client sends one JSON object");
  return value;
}

Result<std::string> text_of(const json::Value& payload, std::string_view name) {
  const json::Value* value = name.empty() ? nullptr : payload.find(name);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string())
    return malformed("`" + std::string(name) + "` is not a string",
                     "the client sends `" + std::string(name) + "` as a string");
  return value->as_string();
}

Result<std::string> event_in(const json::Value& payload, std::string_view name) {
  Result<std::string> event = text_of(payload, name);
  if (event && event->empty())
    return malformed("there is no `" + std::string(name) + "`",
                     "the client names the event that the hook is called for");
  return event;
}

bool holds_call(const json::Value& payload, const PayloadNames& names) {
  return payload.find(names.tool) != nullptr || payload.find(names.input) != nullptr;
}

Result<HookRequest> request_of(const json::Value& payload, const PayloadNames& names,
                               HookEvent event) {
  HookRequest request{.event = event, .call = {}, .child = {}, .child_type = {}};
  ToolCall& call = request.call;
  call.provider = names.provider;
  struct Part {
    std::string_view name;
    std::string* place;
  };
  const Part parts[] = {
      {names.session, &call.session}, {names.cwd, &call.cwd},
      {names.id, &call.id},           {names.mode, &call.client_mode},
      {names.child, &request.child},  {names.child_type, &request.child_type},
  };
  for (const Part& part : parts) {
    Result<std::string> text = text_of(payload, part.name);
    if (!text) return Fail(std::move(text).error());
    *part.place = std::move(*text);
  }
  if (!call.cwd.empty() && (call.cwd[0] != '/' || call.cwd.find('\0') != std::string::npos))
    return malformed("`" + std::string(names.cwd) + "` is not an absolute path",
                     "the client sends the whole path, from `/` on");
  if (event != HookEvent::kTool && event != HookEvent::kPermission) return request;
  Result<std::string> tool = text_of(payload, names.tool);
  if (!tool) return Fail(std::move(tool).error());
  if (tool->empty())
    return malformed("there is no `" + std::string(names.tool) + "`",
                     "the client names the tool that is called");
  call.native_tool = std::move(*tool);
  call.tool = canonical_tool(call.provider, call.native_tool);
  Result<json::Value> input = input_of(payload, names.input);
  if (!input) return Fail(std::move(input).error());
  call.input = std::move(*input);
  return request;
}

std::string told(const Decision& decision) {
  std::string text = "Tollgate: ";
  std::size_t count = 0, left = 0;
  for (const Reason& reason : decision.reasons) {
    if (reason.verdict != decision.verdict && count > 0) continue;
    if (count == kMostTold) {
      ++left;
      continue;
    }
    if (count++ > 0) text += "; ";
    text += reason.text.empty() ? name(reason.kind) : reason.text;
    if (reason.rule.empty()) continue;
    text += " (" + reason.rule;
    if (!reason.source.empty()) text += ", " + reason.source;
    text += ")";
  }
  if (count == 0) text += "no reason was given";
  if (left > 0) text += "; and " + std::to_string(left) + " more";
  // A line stays a line, whatever a rule or a path holds.
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

std::string told(const Error& error) {
  return "Tollgate: " + error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
}

HookReply block(std::string_view reason) {
  return {.out = {}, .err = std::string(reason) + "\n", .status = 2};
}

HookReply say(const json::Value& value) {
  return {.out = json::write(value) + "\n", .err = {}, .status = 0};
}

}  // namespace tollgate
