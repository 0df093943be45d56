// Copilot CLI: preToolUse and permissionRequest.
// It heeds flat members only; Claude's nested ones it passes over, and the tool runs.
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

constexpr PayloadNames kNames = {.provider = "copilot",
                                 .tool = "toolName",
                                 .input = "toolArgs",
                                 .session = "sessionId",
                                 .cwd = "cwd"};

constexpr PayloadNames permission_names() {
  PayloadNames names = kNames;
  names.input = "toolInput";
  return names;
}

}  // namespace

Result<HookRequest> decode_copilot(std::string_view text) {
  Result<json::Value> payload = parse_payload(text);
  if (!payload) return Fail(std::move(payload).error());
  const Result<std::string> hook = text_of(*payload, "hookName");
  if (!hook) return Fail(hook.error());
  if (*hook == "permissionRequest")
    return request_of(*payload, permission_names(), HookEvent::kPermission);
  if (*hook == "sessionStart") return request_of(*payload, kNames, HookEvent::kSession);
  // Before a tool it names no event; so a payload without a name is about a tool.
  const bool about_tool = hook->empty() || *hook == "preToolUse" ||
                          (holds_call(*payload, kNames) && *hook != "postToolUse");
  return request_of(*payload, kNames, about_tool ? HookEvent::kTool : HookEvent::kOther);
}

HookReply encode_copilot(const HookRequest& request, const Decision& decision,
                         const json::Value* changed) {
  json::Value out = json::Value::object();
  const bool allows = decision.verdict == Verdict::kAllow;
  if (request.event == HookEvent::kPermission) {
    if (decision.verdict == Verdict::kAsk) return {};
    out.set("behavior", json::Value::string(allows ? "allow" : "deny"));
    if (!allows) out.set("message", json::Value::string(told(decision)));
  } else if (request.event == HookEvent::kTool) {
    out.set("permissionDecision", json::Value::string(std::string(name(decision.verdict))));
    out.set("permissionDecisionReason", json::Value::string(told(decision)));
    if (allows && changed != nullptr) out.set("modifiedArgs", *changed);
  } else {
    return {};
  }
  return say(out);
}

// Both events heed one of these, and an exit status of 2 besides.
HookReply refuse_copilot(std::string_view reason) {
  json::Value out = json::Value::object();
  out.set("permissionDecision", json::Value::string("deny"));
  out.set("permissionDecisionReason", json::Value::string(std::string(reason)));
  out.set("behavior", json::Value::string("deny"));
  out.set("message", json::Value::string(std::string(reason)));
  return say(out);
}

}  // namespace tollgate
