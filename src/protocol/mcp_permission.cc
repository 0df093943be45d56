// The permission tool's two forms.
#include "protocol/mcp_permission.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "json/json.h"
#include "protocol/claude_hook.h"
#include "protocol/mcp_reply.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

constexpr PayloadNames kPromptNames = {.provider = "claude",
                                       .tool = "tool_name",
                                       .input = "input",
                                       .session = "",
                                       .cwd = "",
                                       .id = "tool_use_id",
                                       .mode = "",
                                       .child = "",
                                       .child_type = ""};

// Codex' names, but for the input: our template calls it as the prompt form does.
PayloadNames hook_names(const json::Value& arguments) {
  PayloadNames names = claude_names("codex");
  if (arguments.find("input") != nullptr) names.input = "input";
  return names;
}

// The event in whose words a hook is answered.
HookEvent hook_event(const json::Value& arguments) {
  const json::Value* name = arguments.find("hook_event_name");
  const bool asks = name != nullptr && name->as_string() == "PermissionRequest";
  return asks ? HookEvent::kPermission : HookEvent::kTool;
}

// SAFETY: Codex also asks for a permission of another kind, such as reaching a host, and shows the
// command that wants it; a rule for the command says nothing of that.
Result<void> check_event(const json::Value& arguments) {
  const Result<std::string> name = text_of(arguments, "hook_event_name");
  if (!name) return Fail(name.error());
  if (name->empty() || *name == "PreToolUse") return {};
  return malformed("the tool is not for the event `" + shortened(*name) + "`",
                   "register it for PreToolUse");
}

// Reasons for a deny that take the place of what was decided.
Decision denied(Decision decision, std::string_view why) {
  decision.verdict = Verdict::kDeny;
  if (decision.reasons.empty()) decision.reasons.emplace_back();
  Reason& first = decision.reasons[0];
  first.verdict = Verdict::kDeny;
  if (!first.text.empty()) first.text += "; ";
  first.text += why;
  return decision;
}

json::Value prompt_answer(const HookRequest& request, const Decision& decision,
                          const json::Value* changed) {
  json::Value answer = json::Value::object();
  const bool allows = decision.verdict == Verdict::kAllow;
  answer.set("behavior", json::Value::string(allows ? "allow" : "deny"));
  // The client refuses an allow without an input, and runs what is given instead of its own.
  if (allows)
    answer.set("updatedInput", changed == nullptr ? request.call.input : *changed);
  else
    answer.set("message", json::Value::string(told(decision)));
  return answer;
}

json::Value answer_in(PermissionForm form, const HookRequest& request, const Decision& decision,
                      const json::Value* changed) {
  if (form == PermissionForm::kPrompt)
    return text_result(json::write(prompt_answer(request, decision, changed)));
  return text_result(std::string(trim(claude_reply(request, decision, changed).out)));
}

}  // namespace

PermissionForm permission_form(const McpCall& call) {
  const json::Value& arguments = call.arguments;
  const bool placed = arguments.find("session_id") != nullptr && arguments.find("cwd") != nullptr;
  return arguments.find("hook_event_name") != nullptr || placed ? PermissionForm::kHook
                                                                : PermissionForm::kPrompt;
}

Result<HookRequest> decode_permission(const McpCall& call) {
  const json::Value& arguments = call.arguments;
  const bool hook = permission_form(call) == PermissionForm::kHook;
  if (arguments.find("input") != nullptr && arguments.find("tool_input") != nullptr)
    return malformed("there is both an `input` and a `tool_input`", "send the arguments once");
  if (Result<void> event = check_event(arguments); !event) return Fail(std::move(event).error());
  Result<HookRequest> request =
      request_of(arguments, hook ? hook_names(arguments) : kPromptNames, HookEvent::kTool);
  if (!request) return request;
  Result<std::string> reason = text_of(arguments, "reason");
  if (!reason) return Fail(std::move(reason).error());
  request->call.stated_reason = std::move(*reason);
  if (!request->call.id.empty()) return request;
  Result<std::string> id = text_of(call.meta, "claudecode/toolUseId");
  if (!id) return Fail(std::move(id).error());
  request->call.id = std::move(*id);
  return request;
}

json::Value encode_permission(PermissionForm form, const HookRequest& request, Decision decision,
                              const json::Value* changed) {
  const Dialect* client = dialect_named(form == PermissionForm::kHook ? "codex" : "claude");
  // An input that the client would not run as it was approved is a no.
  Decision heard = client == nullptr ? denied(std::move(decision), "the client is not known")
                                     : heard_by(*client, request, std::move(decision), changed);
  if (heard.verdict == Verdict::kAsk)
    heard = denied(std::move(heard), "it needs an answer and got none");
  return answer_in(form, request, heard, changed);
}

json::Value refuse_permission(const McpCall& call, std::string_view reason) {
  Decision decision;
  decision.reasons.push_back({.kind = ReasonKind::kMalformed,
                              .verdict = Verdict::kDeny,
                              .rule = {},
                              .source = {},
                              .text = std::string(reason),
                              .span = {}});
  const HookRequest request{
      .event = hook_event(call.arguments), .call = {}, .child = {}, .child_type = {}};
  return answer_in(permission_form(call), request, decision, nullptr);
}

json::Value refuse_permission(const McpCall& call, const Error& error) {
  return refuse_permission(call,
                           error.message + (error.hint.empty() ? "" : " (" + error.hint + ")"));
}

}  // namespace tollgate
