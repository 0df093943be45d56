// The permission tool: a client's question whether a tool may run, and the answer in its own words.
// It comes in two forms, told apart by the arguments alone, because nothing else is known of the
// client when each request stands for itself:
//   - the hook form, where `hook_event_name` is there, or `session_id` and `cwd` both are. That is
//     Codex' `mcp_tool` hook, whose template of arguments we write; the answer is a hook's.
//   - the prompt form otherwise: Claude Code's --permission-prompt-tool, which sends only
//     `tool_name`, `input` and `tool_use_id`; the answer has a `behavior`.
// Neither can be taken for the other by what a model writes: that stays inside `input`.
// SAFETY: there is an answer for everything, and all but a whole yes is a no. The answer is one
// text block and never a tool that failed, which some clients let pass.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "core/decision.h"
#include "protocol/dialect.h"
#include "protocol/mcp.h"

namespace tollgate {

enum class PermissionForm : std::uint8_t { kPrompt, kHook };

PermissionForm permission_form(const McpCall& call);

// The call that is asked about; its event is kTool, and a hook for any other is an error. The
// session is the client's own in the hook form, and empty in the prompt form. Error:
// malformed-call.
Result<HookRequest> decode_permission(const McpCall& call);

// The result of the tool. `changed` is what an approver made of the input, nothing where it stays.
// An ask is told as deny: this tool was the asking.
json::Value encode_permission(PermissionForm form, const HookRequest& request, Decision decision,
                              const json::Value* changed);

// The result that denies whatever was asked, in the form it was asked in. REQUIRES: a reason.
json::Value refuse_permission(const McpCall& call, std::string_view reason);
json::Value refuse_permission(const McpCall& call, const Error& error);

}  // namespace tollgate
