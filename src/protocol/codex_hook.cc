// Codex: PreToolUse and PermissionRequest, in Claude's words.
// It calls its mode bypassPermissions on every call of `codex exec`; a mode only tightens, so that
// this says nothing. An ask would run the command: see AskMeans.
#include "protocol/claude_hook.h"
#include "protocol/dialects.h"

namespace tollgate {
namespace {

constexpr PayloadNames kNames = {.provider = "codex",
                                 .tool = "tool_name",
                                 .input = "tool_input",
                                 .session = "session_id",
                                 .cwd = "cwd",
                                 .id = "tool_use_id",
                                 .mode = "permission_mode",
                                 .child = "agent_id",
                                 .child_type = "agent_type"};

}  // namespace

Result<HookRequest> decode_codex(std::string_view text) { return claude_request(text, kNames); }

}  // namespace tollgate
