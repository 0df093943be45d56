// `tollgate schema`: the JSON Schemas of what goes in and out, as they are kept in schema/.
// The output is JSON in any case; --json is taken so that every command takes it.
#include "core/schema.h"

#include <array>

#include "base/edit_distance.h"
#include "base/text.h"
#include "cli/commands.h"
#include "config/fields.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 1> kOptions = {{{"json", "", "the same: a schema is JSON"}}};

struct Row {
  std::string_view name;
  std::string (*text)();
};

constexpr Row kSchemas[] = {
    {"config", config::config_schema},
    {"tool-call", tool_call_schema},
    {"decision", decision_schema},
};

}  // namespace

const Shape kSchemaShape = {
    .usage = "[config | tool-call | decision]",
    .about = "Prints a JSON Schema (2020-12): of the configuration unless another is named.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 1,
    .examples =
        "tollgate schema > tollgate.schema.json\n"
        "tollgate schema decision",
};

int run_schema(const Arguments& arguments, Context& context) {
  const std::string wanted = arguments.words.empty() ? "config" : arguments.words[0];
  std::vector<std::string_view> names;
  for (const Row& row : kSchemas) {
    names.push_back(row.name);
    if (row.name != wanted) continue;
    context.console.out(row.text());
    return kDone;
  }
  return complain(context,
                  {.code = "bad-usage",
                   .message = "unknown schema `" + shortened(wanted) + "`",
                   .hint = did_you_mean(wanted, "schemas", names),
                   .where = {}},
                  kUsedWrongly);
}

}  // namespace tollgate::cli
