// Kimi: PreToolUse. A hook can only forbid; what it does not forbid goes on to Kimi's own rules.
#include "protocol/claude_hook.h"
#include "protocol/dialects.h"

namespace tollgate {
namespace {

constexpr PayloadNames kNames = {.provider = "kimi",
                                 .tool = "tool_name",
                                 .input = "tool_input",
                                 .session = "session_id",
                                 .cwd = "cwd",
                                 .id = "tool_call_id"};

}  // namespace

Result<HookRequest> decode_kimi(std::string_view text) { return claude_request(text, kNames); }

HookReply encode_kimi(const HookRequest& request, const Decision& decision, const json::Value*) {
  const bool forbids = request.event == HookEvent::kTool && decision.verdict == Verdict::kDeny;
  return forbids ? claude_reply(request, decision, nullptr) : HookReply{};
}

}  // namespace tollgate
