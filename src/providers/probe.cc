#include "providers/probe.h"

#include "base/text.h"
#include "json/json.h"

namespace tollgate::providers {
namespace {

using json::Value;

Value text(std::string_view value) { return Value::string(std::string(value)); }

Value shell_call(std::string_view client, const std::string& command, const std::string& cwd) {
  Value arguments = Value::object({{"command", text(command)}});
  if (client == "copilot")
    return Value::object({{"sessionId", text("tollgate-doctor")},
                          {"timestamp", Value::integer(0)},
                          {"cwd", text(cwd)},
                          {"toolName", text("bash")},
                          {"toolArgs", std::move(arguments)}});
  if (client == "opencode")
    return Value::object({{"tool", text("bash")},
                          {"sessionID", text("tollgate-doctor")},
                          {"callID", text("doctor")},
                          {"cwd", text(cwd)},
                          {"args", std::move(arguments)}});
  if (client == "cursor")
    return Value::object({{"hook_event_name", text("beforeShellExecution")},
                          {"conversation_id", text("tollgate-doctor")},
                          {"cwd", text(cwd)},
                          {"command", text(command)}});
  const bool amazon = client == "kiro" || client == "q";
  const std::string_view event = amazon               ? "preToolUse"
                                 : client == "gemini" ? "BeforeTool"
                                                      : "PreToolUse";
  const std::string_view tool = amazon               ? "execute_bash"
                                : client == "gemini" ? "run_shell_command"
                                : client == "kimi"   ? "Shell"
                                                     : "Bash";
  return Value::object({{"session_id", text("tollgate-doctor")},
                        {"cwd", text(cwd)},
                        {"hook_event_name", text(event)},
                        {"tool_name", text(tool)},
                        {"tool_input", std::move(arguments)}});
}

std::string string_in(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? "" : found->as_string();
}

// The members of the answer that this client reads: its decision and its reason.
Heard decision_in(std::string_view client, const std::string& out) {
  const Result<Value> value = json::parse(trim(out));
  if (!value) return {};
  const Value* answer = &*value;
  std::string_view decision = "permissionDecision", reason = "permissionDecisionReason";
  if (client == "gemini" || client == "opencode") decision = "decision", reason = "reason";
  if (client == "cursor") decision = "permission", reason = "agent_message";
  if (client == "claude" || client == "codex" || client == "kimi")
    answer = value->find("hookSpecificOutput");
  if (answer == nullptr) return {};
  const std::string word = string_in(*answer, decision);
  Heard heard{.outcome = Outcome::kOpen, .reason = string_in(*answer, reason)};
  if (word == "allow") heard.outcome = Outcome::kRuns;
  if (word == "deny") heard.outcome = Outcome::kBlocks;
  // Codex runs the command on ask.
  if (word == "ask" && client != "codex") heard.outcome = Outcome::kAsks;
  return heard;
}

}  // namespace

std::vector<Probe> probes_for(std::string_view client, const std::string& cwd) {
  const std::string denied = "tollgate uninstall " + std::string(client) + " --yes";
  return {{"a harmless call", json::write(shell_call(client, "pwd", cwd)), false},
          {"a denied call", json::write(shell_call(client, denied, cwd)), true},
          {"what is no call", "{\"tool_name\": ", true}};
}

Heard heard_by_client(std::string_view client, int status, const std::string& out,
                      const std::string& err) {
  const std::string said(trim(err));
  Heard heard = decision_in(client, out);
  // The plugin throws on everything but a clear yes.
  if (client == "opencode") {
    if (heard.outcome != Outcome::kRuns) heard.outcome = Outcome::kBlocks;
    return heard;
  }
  const bool blocks = status == 2 || (status == 1 && client == "copilot");
  if (blocks) {
    if (heard.reason.empty()) heard.reason = said;
    // With nothing on standard error Codex goes on.
    const bool heeded = client != "codex" || !said.empty();
    return {.outcome = heeded ? Outcome::kBlocks : Outcome::kOpen, .reason = heard.reason};
  }
  if (status != 0) return {.outcome = Outcome::kOpen, .reason = said};
  const bool only_forbids = client == "kimi" || client == "kiro" || client == "q";
  if (only_forbids && heard.outcome == Outcome::kOpen) return {Outcome::kRuns, ""};
  return heard;
}

}  // namespace tollgate::providers
