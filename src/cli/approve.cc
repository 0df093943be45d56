// `tollgate approve` and `tollgate deny`: a person's answer to one question.
#include <array>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/gate_client.h"
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

int answer(const Arguments& arguments, Context& context, std::string_view act, const Value& body) {
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const std::string target =
      "/api/permissions/" + escaped(arguments.words[0]) + "/" + std::string(act);
  const Result<Value> settled = client->call("POST", target, body);
  if (!settled) return complain(context, settled.error());
  if (arguments.has("json")) {
    context.console.out(json::write(*settled) + "\n");
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
    .usage = "ID [--scope SCOPE] [--rule RULE] [--expires TIME] [OPTION…]",
    .about =
        "Allows the call of a question. With a scope beyond `once` the exact call, or the rule\n"
        "given, is remembered for the session, the agent or everyone. Asks for a credential.",
    .options = kApproveOptions,
    .least_words = 1,
    .most_words = 1,
    .examples =
        "tollgate approve 3f0c…\n"
        "tollgate approve 3f0c… --scope agent --rule 'Bash(npm run *)' --expires 8h",
};

const Shape kDenyShape = {
    .usage = "ID [--reason TEXT] [--json]",
    .about = "Refuses the call of a question; the agent reads the reason. Asks for a credential.",
    .options = kDenyOptions,
    .least_words = 1,
    .most_words = 1,
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
