// `tollgate approve` and `tollgate deny`: a person's answer to one question.
#include <array>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/handles.h"
#include "cli/quorum_text.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 10> kApproveOptions = {{
    {"scope", "SCOPE", "once (the default), session, agent or everyone"},
    {"rule", "RULE", "what to remember, in place of the exact call"},
    {"expires", "TIME", "how long the rule holds: 30m, 8h, 7d"},
    {"reason", "TEXT", "for the agent and the record"},
    {"option", "TEXT", "the option chosen, of a question that is no permission"},
    {"text", "TEXT", "the answer to a question that is no permission"},
    {"answers", "JSON", "of a form: an object with an answer for each question's text"},
    {"persist", "", "write the rule into the policy file too (operators)"},
    kDataOption,
    kJsonOption,
}};
constexpr std::array<Option, 3> kDenyOptions = {{
    {"reason", "TEXT", "what the agent is told"},
    kDataOption,
    kJsonOption,
}};

// LIMIT: of the daemon: who answers more at once has not looked at them.
constexpr std::size_t kMostTogether = 100;

// Several with one answer, where the daemon takes them together: the same call, or the same stated
// rule; never breakers and guarded places. Each is answered or refused by itself.
int answer_together(const Arguments& arguments, Context& context, std::string_view act,
                    Value body) {
  for (const auto& [name, value] : body.members())
    if (name != "scope" && name != "reason")
      return complain(context,
                      error_of("bad-usage", "`--" + name + "` is for one question",
                               "answer this question by itself"),
                      kUsedWrongly);
  Value ids = Value::array();
  for (const std::string& id : arguments.words) ids.push(Value::string(id));
  body.set("ids", std::move(ids));
  body.set("decision", Value::string(act == "approve" ? "allow" : "deny"));
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> settled = client->call("POST", "/api/permissions/answer", body);
  if (!settled) return complain(context, settled.error());
  const std::vector<Value>& refused = member_of(*settled, "refused").items();
  if (arguments.has("json")) {
    context.console.out(json_line(*settled));
    return refused.empty() ? kDone : kFailed;
  }
  for (const Value& id : member_of(*settled, "answered").items())
    context.console.out((act == "approve" ? "approved  " : "denied  ") + visible(id.as_string()) +
                        "\n");
  for (const Value& each : refused)
    context.console.err("not answered  " + text_in(each, "id") + "  " + text_in(each, "message") +
                        " [" + text_in(each, "code") + "]\n");
  return refused.empty() ? kDone : kFailed;
}

int answer(const Arguments& arguments, Context& context, std::string_view act, const Value& body) {
  if (arguments.words.size() > 1) return answer_together(arguments, context, act, body);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const std::string target =
      "/api/permissions/" + escaped(arguments.words[0]) + "/" + std::string(act);
  const Result<Value> settled = client->call("POST", target, body);
  if (!settled) return complain(context, settled.error());
  if (arguments.has("json")) {
    context.console.out(json_line(*settled));
    return kDone;
  }
  std::string words = text_in(*settled, "state") + "  " + text_in(*settled, "permissionId");
  if (const Value* end = settled->find("answer"); end != nullptr && !text_in(*end, "rule").empty())
    words += "  from now on: " + text_in(*end, "rule");
  words += "\n";
  // One vote of several: what is missing yet.
  if (text_in(*settled, "state") == "pending")
    for (const std::string& line : quorum_lines(*settled)) words += "  needs " + line + "\n";
  context.console.out(words);
  return kDone;
}

}  // namespace

const Shape kApproveShape = {
    .usage =
        "ID [--scope SCOPE] [--rule RULE] [--expires TIME] [OPTION…]\nID ID… [--scope "
        "once|session] [--reason TEXT]",
    .about =
        "Allows the call of a question. With a scope beyond `once` the exact call, or the rule\n"
        "given, is remembered for the session, the agent or everyone. Several are answered at "
        "once\n"
        "where they are the same call or ask for the same stated reason; a breaker and a guarded\n"
        "place are answered alone. Asks for a credential.",
    .options = kApproveOptions,
    .least_words = 1,
    .most_words = kMostTogether,
    .examples =
        "tollgate approve 3f0c…\n"
        "tollgate approve 3f0c… --scope agent --rule 'Bash(npm run *)' --expires 8h",
};

const Shape kDenyShape = {
    .usage = "ID [ID…] [--reason TEXT] [--json]",
    .about =
        "Refuses the call of a question; the agent reads the reason. Several are answered at once\n"
        "as `approve` does. Asks for a credential.",
    .options = kDenyOptions,
    .least_words = 1,
    .most_words = kMostTogether,
    .examples = "tollgate deny 3f0c… --reason 'use the staging bucket'",
};

int run_approve(const Arguments& arguments, Context& context) {
  Value body = Value::object();
  for (const std::string_view name : {"scope", "rule", "reason", "option", "text"})
    if (arguments.has(name)) body.set(std::string(name), Value::string(arguments.get(name)));
  if (arguments.has("persist")) body.set("persist", Value::boolean(true));
  if (arguments.has("answers")) {
    Result<Value> answers = json::parse(arguments.get("answers"));
    if (!answers || !answers->is_object())
      return complain(context,
                      error_of("bad-usage", "`--answers` is no JSON object",
                               "write {\"the question\": \"the answer\"}"),
                      kUsedWrongly);
    body.set("answers", std::move(*answers));
  }
  if (arguments.has("expires")) {
    const std::optional<long long> lifetime = duration_ms(arguments.get("expires"));
    if (!lifetime || *lifetime <= 0)
      return complain(context,
                      error_of("bad-usage", "`" + arguments.get("expires") + "` is no time",
                               "write 30m, 8h or 7d"),
                      kUsedWrongly);
    body.set("expires", Value::integer(*lifetime));
  }
  return answer(arguments, context, "approve", body);
}

int run_deny(const Arguments& arguments, Context& context) {
  Value body = Value::object();
  if (arguments.has("reason")) body.set("reason", Value::string(arguments.get("reason")));
  return answer(arguments, context, "deny", body);
}

}  // namespace tollgate::cli
