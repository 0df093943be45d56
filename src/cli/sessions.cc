// `tollgate sessions`: the sessions that run, and what an operator does with them.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/handles.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 9> kOptions = {{
    {"all", "", "of the list: also those that ended lately"},
    {"agent", "NAME", "of `open`: which agent of the configuration"},
    {"parent", "HANDLE", "of `open`: the session that it belongs to"},
    {"cwd", "DIR", "of `open`: where it works"},
    {"mode", "MODE", "of `open` and `set`: plan, dontAsk, default, acceptEdits, autonomous"},
    {"answer", "WHO", "of `set`: yes, no, ask, forward or parent"},
    {"frozen", "YES", "of `set`: yes denies everything, no lifts it"},
    kDataOption,
    kJsonOption,
}};

void list(const Value& answer, Context& context) {
  const Value* sessions = answer.find("sessions");
  std::vector<std::vector<std::string>> rows = {
      {"handle", "agent", "state", "mode", "directory", "seen"}};
  if (sessions != nullptr)
    for (const Value& each : sessions->items()) {
      const std::string agent = text_in(each, "agent");
      rows.push_back({text_in(each, "handle"), agent.empty() ? "default" : agent,
                      text_in(each, "state"), text_in(each, "mode"), text_in(each, "cwd"),
                      text_in(each, "seenAt")});
    }
  context.console.out(rows.size() == 1 ? "no sessions\n" : table(rows));
}

Result<Value> open(const Arguments& arguments, GateClient& client) {
  Value body = Value::object();
  for (const std::string_view name : {"agent", "parent", "cwd", "mode"})
    if (arguments.has(name)) body.set(std::string(name), Value::string(arguments.get(name)));
  return client.call("POST", "/api/sessions", body);
}

Result<Value> set(const Arguments& arguments, GateClient& client, const std::string& id) {
  Value body = Value::object();
  for (const std::string_view name : {"mode", "answer"}) {
    if (!arguments.has(name)) continue;
    const std::string word = arguments.get(name);
    body.set(std::string(name), word.empty() ? Value() : Value::string(word));
  }
  if (arguments.has("frozen")) body.set("frozen", Value::boolean(arguments.get("frozen") != "no"));
  return client.call("PATCH", "/api/sessions/" + escaped(id), body);
}

}  // namespace

const Shape kSessionsShape = {
    .usage =
        "[list] [--all]\nopen [--agent NAME] [--cwd DIR] [--mode MODE] [--parent HANDLE]\n"
        "set HANDLE [--mode MODE] [--answer WHO] [--frozen yes|no]\nend HANDLE",
    .about =
        "Lists the sessions that run, opens one for an agent that is started by hand, changes or\n"
        "ends one. The id of a session is a secret: `open` prints it once, and everywhere else a\n"
        "session is named by its handle. Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 2,
    .examples =
        "tollgate sessions\n"
        "tollgate sessions open --agent backend --cwd ~/shop --json\n"
        "tollgate sessions set 30ddbfbfb3 --frozen yes",
};

int run_sessions(const Arguments& arguments, Context& context) {
  const std::string act = arguments.words.empty() ? "list" : arguments.words[0];
  const bool names_one = act == "set" || act == "end";
  const std::size_t words = names_one ? 2 : arguments.words.empty() ? 0 : 1;
  if ((act != "list" && act != "open" && !names_one) || arguments.words.size() != words)
    return complain(context,
                    error_of("bad-usage", "`tollgate sessions` does not know that",
                             "see `tollgate sessions --help`"),
                    kUsedWrongly);
  for (const std::string& named : {names_one ? arguments.words[1] : "", arguments.get("parent")})
    if (const Result<void> fits = check_handle(named); !fits)
      return complain(context, fits.error(), kUsedWrongly);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  Result<Value> answer =
      act == "list"
          ? client->call("GET", arguments.has("all") ? "/api/sessions?state=all" : "/api/sessions")
      : act == "open" ? open(arguments, *client)
      : act == "set"  ? set(arguments, *client, arguments.words[1])
                      : client->call("DELETE", "/api/sessions/" + escaped(arguments.words[1]));
  if (!answer) return complain(context, answer.error());
  // The one time that an id is told: whoever opened the session gives it to the agent.
  if (arguments.has("json") && act == "open")
    context.console.out(json::write(*answer) + "\n");
  else if (arguments.has("json"))
    context.console.out(json_line(*answer));
  else if (act == "list")
    list(*answer, context);
  else if (act == "open")
    context.console.out("session " + text_in(*answer, "id") + "\nmcp     " +
                        text_in(*answer, "mcp_url") + "\nhook    " + text_in(*answer, "hook_url") +
                        "\nhandle  " + text_in(*answer, "handle") + "\n");
  else
    context.console.out(text_in(*answer, "state") + "  " + text_in(*answer, "handle") + "\n");
  return kDone;
}

}  // namespace tollgate::cli
