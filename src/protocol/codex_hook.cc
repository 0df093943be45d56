// Codex: PreToolUse and PermissionRequest, in Claude's words.
// It calls its mode bypassPermissions on every call of `codex exec`; a mode only tightens, so that
// this says nothing. An ask would run the command: see AskMeans.
#include "protocol/claude_hook.h"
#include "protocol/dialects.h"

namespace tollgate {
namespace {

// Codex also asks whether a command that runs already may reach a host, and sends that command.
// SAFETY: a rule for the command says nothing of the host, so that its user is left to answer. The
// words can be the model's own, which then gets itself asked about and no more.
bool is_about_network(const ToolCall& call) {
  const json::Value* why = call.input.find("description");
  return why != nullptr && why->as_string().starts_with("network-access ");
}

}  // namespace

Result<HookRequest> decode_codex(std::string_view text) {
  Result<HookRequest> request = claude_request(text, claude_names("codex"));
  if (request && request->event == HookEvent::kPermission && is_about_network(request->call))
    request->event = HookEvent::kOther;
  return request;
}

}  // namespace tollgate
