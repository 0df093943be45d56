// `tollgate pending`: the questions that are open, for people at a terminal.
#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/handles.h"
#include "cli/permission_text.h"
#include "cli/watching.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 3> kOptions = {{
    {"watch", "", "stay, and say what comes and what becomes of it"},
    kDataOption,
    kJsonOption,
}};

}  // namespace

const Shape kPendingShape = {
    .usage = "[--watch] [--data DIR] [--json]",
    .about =
        "Lists the questions that are open, oldest first. With --watch it stays: new questions "
        "are\n"
        "printed as they come, and what became of them; where one alone is open, it can be "
        "answered\n"
        "by y, a or n and Enter. Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples =
        "tollgate pending\n"
        "tollgate pending --watch",
};

int run_pending(const Arguments& arguments, Context& context) {
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  if (arguments.has("watch"))
    return watch_pending(*client, arguments.has("json") ? Written::kJson : Written::kText, context);
  const Result<Value> answer = client->call("GET", "/api/permissions");
  if (!answer) return complain(context, answer.error());
  if (arguments.has("json")) {
    context.console.out(json_line(*answer));
    return kDone;
  }
  const Paint paint(context.console.screen().color);
  const Value& list = member_of(*answer, "permissions");
  if (list.items().empty()) context.console.out("nothing is open\n");
  for (const Value& permission : list.items())
    context.console.out(permission_text(permission, paint));
  return kDone;
}

}  // namespace tollgate::cli
