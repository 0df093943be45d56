// `tollgate grants`: the rules that were learnt from answers; listing and revoking them.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/handles.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 3> kOptions = {{
    {"all", "", "also those that are revoked or have expired"},
    kDataOption,
    kJsonOption,
}};

void list(const Value& answer, Context& context) {
  std::vector<std::vector<std::string>> rows = {
      {"id", "rule", "scope", "agent", "in", "by", "until", "state"}};
  const Value* grants = answer.find("grants");
  if (grants != nullptr)
    for (const Value& each : grants->items())
      rows.push_back({text_in(each, "id"), text_in(each, "rule"), text_in(each, "scope"),
                      text_in(each, "agent"), text_in(each, "root"), text_in(each, "author"),
                      text_in(each, "expiresAt"), text_in(each, "state")});
  context.console.out(rows.size() == 1 ? "no grants\n" : table(rows));
}

}  // namespace

const Shape kGrantsShape = {
    .usage = "[list] [--all]\nrevoke ID",
    .about =
        "Lists the rules that people taught the gate by answering with a scope, or takes one "
        "back.\n"
        "Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 2,
    .examples = "tollgate grants\ntollgate grants revoke 5d2e…",
};

int run_grants(const Arguments& arguments, Context& context) {
  const std::string act = arguments.words.empty() ? "list" : arguments.words[0];
  const bool fits = (act == "list" && arguments.words.size() <= 1) ||
                    (act == "revoke" && arguments.words.size() == 2);
  if (!fits)
    return complain(context,
                    error_of("bad-usage", "`tollgate grants` does not know that",
                             "see `tollgate grants --help`"),
                    kUsedWrongly);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> answer =
      act == "list"
          ? client->call("GET", arguments.has("all") ? "/api/grants?state=all" : "/api/grants")
          : client->call("DELETE", "/api/grants/" + escaped(arguments.words[1]));
  if (!answer) return complain(context, answer.error());
  if (arguments.has("json"))
    context.console.out(json_line(*answer));
  else if (act == "list")
    list(*answer, context);
  else
    context.console.out("revoked  " + text_in(*answer, "rule") + "\n");
  return kDone;
}

}  // namespace tollgate::cli
