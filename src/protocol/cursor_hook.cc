// Cursor: beforeShellExecution, beforeMCPExecution, beforeReadFile. Each event is one tool.
#include "core/tool_table.h"
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

// Where the event itself says what is done; the input is then made of one member.
struct EventRow {
  std::string_view event;
  std::string_view tool;
  std::string_view sent;   // the member of the payload
  std::string_view input;  // the same among the tool's arguments
};
constexpr EventRow kEvents[] = {{"beforeShellExecution", "Shell", "command", "command"},
                                {"beforeReadFile", "Read", "file_path", "path"}};

constexpr PayloadNames kNames = {.provider = "cursor",
                                 .tool = "tool_name",
                                 .input = "tool_input",
                                 .session = "conversation_id",
                                 .cwd = "cwd",
                                 .id = "generation_id"};

json::Value answer(std::string_view permission, const std::string& reason) {
  return json::Value::object({{"permission", json::Value::string(std::string(permission))},
                              {"user_message", json::Value::string(reason)},
                              {"agent_message", json::Value::string(reason)}});
}

// A server calls its tools what it likes and Cursor does not say which server it is.
// SAFETY: so a tool called `Read`, or like another server's, is not taken for that one.
void as_served(ToolCall& call) {
  if (call.tool == call.native_tool && kind_of(call.tool) == ToolKind::kOther) return;
  call.native_tool.insert(0, "MCP:");
  call.tool = call.native_tool;
}

}  // namespace

Result<HookRequest> decode_cursor(std::string_view text) {
  Result<json::Value> payload = parse_payload(text);
  if (!payload) return Fail(std::move(payload).error());
  const Result<std::string> event = event_in(*payload, "hook_event_name");
  if (!event) return Fail(event.error());
  for (const EventRow& row : kEvents) {
    if (*event != row.event) continue;
    const json::Value* member = payload->find(row.sent);
    json::Value input = json::Value::object();
    if (member != nullptr) input.set(std::string(row.input), *member);
    payload->set("tool_name", json::Value::string(std::string(row.tool)));
    payload->set("tool_input", std::move(input));
  }
  const bool served = *event == "beforeMCPExecution";
  const bool over = event->starts_with("after") || *event == "postToolUse";
  const bool about_tool = served || (holds_call(*payload, kNames) && !over);
  Result<HookRequest> request =
      request_of(*payload, kNames, about_tool ? HookEvent::kTool : HookEvent::kOther);
  if (request && served) as_served(request->call);
  return request;
}

HookReply encode_cursor(const HookRequest& request, const Decision& decision, const json::Value*) {
  if (request.event != HookEvent::kTool) return {};
  return say(answer(name(decision.verdict), told(decision)));
}

HookReply refuse_cursor(std::string_view reason) {
  HookReply reply = say(answer("deny", std::string(reason)));
  reply.err = std::string(reason) + "\n";
  reply.status = 2;
  return reply;
}

}  // namespace tollgate
