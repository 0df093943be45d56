#include "cli/permission_text.h"

#include "cli/gate_client.h"
#include "cli/quorum_text.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

// What the call is about, whole.
std::string call_text(const Value& permission) {
  const Value& input = member_of(permission, "toolInput");
  const std::string command = text_in(input, "command");
  if (command.empty()) return visible(json::write(input));
  // SAFETY: whatever stands beside a command may be what the call is really about.
  Value rest = Value::object();
  for (const auto& [name, value] : input.members())
    if (name != "command") rest.set(name, value);
  return rest.members().empty() ? command : command + "  " + visible(json::write(rest));
}

std::string chain_text(const Value& permission) {
  std::string out;
  for (const Value& agent : member_of(permission, "chain").items()) {
    const std::string name = agent.as_string().empty() ? "default" : visible(agent.as_string());
    out += (out.empty() ? "" : " < ") + name;
  }
  return out;
}

// Whom the gate has told, and whom it could not tell.
std::string notices_text(const Value& permission) {
  std::string out;
  for (const Value& notice : member_of(permission, "notices").items()) {
    const std::string why = text_in(notice, "why");
    out += (out.empty() ? "; notices: " : ", ") + text_in(notice, "target") + " " +
           text_in(notice, "state") + (why.empty() ? "" : " (" + why + ")");
  }
  return out;
}

}  // namespace

std::string permission_text(const Value& permission, const Paint& paint) {
  const Value& decision = member_of(permission, "decision");
  std::string out = paint.heading(text_in(permission, "permissionId")) + "  " +
                    text_in(permission, "type") + "  " + chain_text(permission) + "\n";
  out += "  " + text_in(permission, "toolName") + "  " + call_text(permission) + "\n";
  for (const Value& reason : member_of(decision, "reasons").items()) {
    out += "  why   " + text_in(reason, "text");
    const std::string rule = text_in(reason, "rule"), source = text_in(reason, "source");
    if (!rule.empty())
      out += " (" + visible(rule) + (source.empty() ? "" : ", " + visible(source)) + ")";
    out += "\n";
  }
  out += "  in    " + text_in(permission, "cwd") + "\n";
  const std::string said = text_in(permission, "reason");
  if (!said.empty()) out += "  the agent says: " + visible(said) + "\n";
  for (const Value& rule : member_of(decision, "suggestions").items())
    out += "  rule  " + visible(rule.as_string()) + "\n";
  for (const std::string& line : quorum_lines(permission)) out += "  needs " + line + "\n";
  const std::string expires = text_in(permission, "expiresAt");
  if (!expires.empty()) out += "  until " + expires + "\n";
  if (const Value* seen = permission.find("seen"); seen != nullptr && !seen->as_bool())
    out += "  nobody has seen this yet" + notices_text(permission) + "\n";
  return out;
}

std::string permission_prompt(const Value& permission) {
  // LIMIT: the whole call stands above; here it is named.
  constexpr std::size_t kNamed = 60;
  const bool asks = member_of(permission, "type").as_string() == "escalation";
  const std::string agent = chain_text(permission);
  const Value& input = member_of(permission, "toolInput");
  const Value& command = member_of(input, "command");
  const std::string about = command.is_string() ? command.as_string() : json::write(input);
  if (asks) return "⚠ " + agent + " ASKS  answer with `tollgate approve` or [n]o: ";
  const bool teaches = !member_of(permission, "teachable").items().empty();
  return "⚠ PERMISSION: " + agent + " wants to use " + text_in(permission, "toolName") + "(" +
         visible_start(about, kNamed) + ")  [y]once " + (teaches ? "[a]lways " : "") + "[n]o: ";
}

}  // namespace tollgate::cli
