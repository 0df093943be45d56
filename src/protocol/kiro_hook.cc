// Kiro 2 and 3, and Amazon Q: preToolUse, answered by the exit status alone.
#include "base/text.h"
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

constexpr PayloadNames names_of(std::string_view provider) {
  return {.provider = provider,
          .tool = "tool_name",
          .input = "tool_input",
          .session = "session_id",
          .cwd = "cwd"};
}

Result<HookRequest> decode(std::string_view text, std::string_view provider) {
  Result<json::Value> payload = parse_payload(text);
  if (!payload) return Fail(std::move(payload).error());
  const Result<std::string> event = event_in(*payload, "hook_event_name");
  if (!event) return Fail(event.error());
  const PayloadNames names = names_of(provider);
  if (*event == "agentSpawn") return request_of(*payload, names, HookEvent::kSession);
  const bool over = lower(*event) == "posttooluse";  // Kiro 3 writes it with a capital
  const bool about_tool = lower(*event) == "pretooluse" || (holds_call(*payload, names) && !over);
  return request_of(*payload, names, about_tool ? HookEvent::kTool : HookEvent::kOther);
}

}  // namespace

Result<HookRequest> decode_kiro(std::string_view text) { return decode(text, "kiro"); }
Result<HookRequest> decode_q(std::string_view text) { return decode(text, "q"); }

HookReply encode_kiro(const HookRequest& request, const Decision& decision, const json::Value*) {
  const bool answered = request.event == HookEvent::kTool;
  return answered && decision.verdict != Verdict::kAllow ? block(told(decision)) : HookReply{};
}

}  // namespace tollgate
