// Claude Code: PreToolUse and PermissionRequest, SessionStart, SubagentStart.
#include "protocol/claude_hook.h"

#include "core/verdict.h"
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

Result<HookEvent> event_of(const json::Value& payload, const PayloadNames& names) {
  const Result<std::string> name = event_in(payload, "hook_event_name");
  if (!name) return Fail(name.error());
  if (*name == "PreToolUse") return HookEvent::kTool;
  if (*name == "PermissionRequest") return HookEvent::kPermission;
  if (*name == "SessionStart") return HookEvent::kSession;
  if (*name == "SubagentStart") return HookEvent::kChild;
  // A payload with a tool in it is about a tool, whatever the event is called.
  const bool over = name->starts_with("PostToolUse");
  return holds_call(payload, names) && !over ? HookEvent::kTool : HookEvent::kOther;
}

}  // namespace

Result<HookRequest> claude_request(std::string_view text, const PayloadNames& names) {
  Result<json::Value> payload = parse_payload(text);
  if (!payload) return Fail(std::move(payload).error());
  const Result<HookEvent> event = event_of(*payload, names);
  if (!event) return Fail(event.error());
  return request_of(*payload, names, *event);
}

Result<HookRequest> decode_claude(std::string_view text) {
  return claude_request(text, claude_names("claude"));
}

HookReply claude_reply(const HookRequest& request, const Decision& decision,
                       const json::Value* changed) {
  json::Value out = json::Value::object();
  if (request.event == HookEvent::kPermission) {
    if (decision.verdict == Verdict::kAsk) return {};
    const bool allows = decision.verdict == Verdict::kAllow;
    json::Value answer = json::Value::object();
    answer.set("behavior", json::Value::string(allows ? "allow" : "deny"));
    if (!allows) answer.set("message", json::Value::string(told(decision)));
    if (allows && changed != nullptr) answer.set("updatedInput", *changed);
    out.set("hookEventName", json::Value::string("PermissionRequest"));
    out.set("decision", std::move(answer));
  } else if (request.event == HookEvent::kTool) {
    out.set("hookEventName", json::Value::string("PreToolUse"));
    out.set("permissionDecision", json::Value::string(std::string(name(decision.verdict))));
    out.set("permissionDecisionReason", json::Value::string(told(decision)));
    if (changed != nullptr && decision.verdict != Verdict::kDeny) out.set("updatedInput", *changed);
  } else {
    return {};
  }
  return say(json::Value::object({{"hookSpecificOutput", std::move(out)}}));
}

}  // namespace tollgate
