// Codex: PreToolUse and PermissionRequest, in Claude's words.
// It calls its mode bypassPermissions on every call of `codex exec`; a mode only tightens, so that
// this says nothing. An ask would run the command: see AskMeans.
#include "protocol/claude_hook.h"
#include "protocol/dialects.h"

namespace tollgate {
Result<HookRequest> decode_codex(std::string_view text) {
  return claude_request(text, claude_names("codex"));
}

}  // namespace tollgate
