// The events and answers of Claude Code's hooks, which other clients have taken over.
#pragma once

#include "protocol/dialect.h"
#include "protocol/payload.h"

namespace tollgate {

// What Claude calls the parts of a call, and Codex after it.
constexpr PayloadNames claude_names(std::string_view provider) {
  return {.provider = provider,
          .tool = "tool_name",
          .input = "tool_input",
          .session = "session_id",
          .cwd = "cwd",
          .id = "tool_use_id",
          .mode = "permission_mode",
          .child = "agent_id",
          .child_type = "agent_type"};
}

// A payload with Claude's event names, under these names for the rest.
Result<HookRequest> claude_request(std::string_view text, const PayloadNames& names);

// For PreToolUse: {"hookSpecificOutput": {"permissionDecision": allow, ask or deny, …}}.
// For PermissionRequest an ask is no answer at all: then the client puts it to its user.
HookReply claude_reply(const HookRequest& request, const Decision& decision,
                       const json::Value* changed);

}  // namespace tollgate
