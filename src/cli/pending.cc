// `tollgate pending`: the questions that are open, for people at a terminal.
// The gate's own reading comes first, what the agent says after it and marked as the agent's.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 2> kOptions = {{kDataOption, kJsonOption}};

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

std::string shown(const Value& permission, const Paint& paint) {
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
  const std::string expires = text_in(permission, "expiresAt");
  if (!expires.empty()) out += "  until " + expires + "\n";
  return out;
}

}  // namespace

const Shape kPendingShape = {
    .usage = "[--data DIR] [--json]",
    .about = "Lists the questions that are open, oldest first. Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples = "tollgate pending",
};

int run_pending(const Arguments& arguments, Context& context) {
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> answer = client->call("GET", "/api/permissions");
  if (!answer) return complain(context, answer.error());
  if (arguments.has("json")) {
    context.console.out(json::write(*answer) + "\n");
    return kDone;
  }
  const Paint paint(context.console.screen().color);
  const Value& list = member_of(*answer, "permissions");
  if (list.items().empty()) context.console.out("nothing is open\n");
  for (const Value& permission : list.items()) context.console.out(shown(permission, paint));
  return kDone;
}

}  // namespace tollgate::cli
