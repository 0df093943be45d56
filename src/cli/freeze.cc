// `tollgate freeze`: denies everything, or everything of one agent, until it is lifted.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 3> kOptions = {{
    {"lift", "", "let it go on"},
    kDataOption,
    kJsonOption,
}};

}  // namespace

const Shape kFreezeShape = {
    .usage = "[AGENT] [--lift]",
    .about =
        "Denies every call of an agent, or of all where none is named, at once and until it is\n"
        "lifted. Recorded. Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 1,
    .examples = "tollgate freeze\ntollgate freeze backend --lift",
};

int run_freeze(const Arguments& arguments, Context& context) {
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const std::string agent = arguments.words.empty() ? "" : arguments.words[0];
  const bool frozen = !arguments.has("lift");
  const Result<json::Value> answer =
      client->call("POST", "/api/freeze",
                   json::Value::object({{"agent", json::Value::string(agent)},
                                        {"frozen", json::Value::boolean(frozen)}}));
  if (!answer) return complain(context, answer.error());
  if (arguments.has("json"))
    context.console.out(json::write(*answer) + "\n");
  else
    context.console.out((agent.empty() ? "everything" : visible(agent)) +
                        (frozen ? " is frozen\n" : " goes on\n"));
  return kDone;
}

}  // namespace tollgate::cli
