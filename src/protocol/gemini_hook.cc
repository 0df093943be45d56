// Gemini CLI: BeforeTool.
// Without a terminal an ask ends the whole run, so it is told deny: see AskMeans.
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

constexpr PayloadNames kNames = {.provider = "gemini",
                                 .tool = "tool_name",
                                 .input = "tool_input",
                                 .session = "session_id",
                                 .cwd = "cwd"};

}  // namespace

Result<HookRequest> decode_gemini(std::string_view text) {
  Result<json::Value> payload = parse_payload(text);
  if (!payload) return Fail(std::move(payload).error());
  const Result<std::string> event = event_in(*payload, "hook_event_name");
  if (!event) return Fail(event.error());
  if (*event == "SessionStart") return request_of(*payload, kNames, HookEvent::kSession);
  const bool over = *event == "AfterTool";
  const bool about_tool = *event == "BeforeTool" || (holds_call(*payload, kNames) && !over);
  return request_of(*payload, kNames, about_tool ? HookEvent::kTool : HookEvent::kOther);
}

HookReply encode_gemini(const HookRequest& request, const Decision& decision,
                        const json::Value* changed) {
  if (request.event != HookEvent::kTool) return {};
  json::Value out = json::Value::object();
  const bool allows = decision.verdict == Verdict::kAllow;
  out.set("decision", json::Value::string(allows ? "allow" : "deny"));
  out.set("reason", json::Value::string(told(decision)));
  if (allows && changed != nullptr)
    out.set("hookSpecificOutput", json::Value::object({{"tool_input", *changed}}));
  return say(out);
}

}  // namespace tollgate
