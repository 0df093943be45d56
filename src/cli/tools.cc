// `tollgate tools`: what every client calls its tools, and the one name rules use.
// A view of the table in core/; nothing is known here that is not there.
#include <algorithm>
#include <array>
#include <map>

#include "base/edit_distance.h"
#include "base/text.h"
#include "cli/commands.h"
#include "core/tool_table.h"
#include "explain/layout.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 2> kOptions = {{
    {"provider", "NAME", "only this agent program's names"},
    {"json", "", "the table as JSON"},
}};

// Canonical name to the native names of one or all providers, each once.
using Names = std::map<std::string, std::vector<std::string>>;

Names names_of(std::string_view provider) {
  Names names;
  if (provider.empty())
    for (const std::string_view canonical : canonical_tools()) names[std::string(canonical)];
  for (const ToolRow& row : tool_rows()) {
    if (row.provider.empty() || (!provider.empty() && row.provider != provider)) continue;
    std::vector<std::string>& natives = names[std::string(row.canonical)];
    const std::string native = provider.empty()
                                   ? std::string(row.provider) + ":" + std::string(row.native)
                                   : std::string(row.native);
    if (std::ranges::find(natives, native) == natives.end()) natives.push_back(native);
  }
  return names;
}

std::string as_json(std::string_view provider) {
  json::Value list = json::Value::array();
  for (const ToolRow& row : tool_rows()) {
    if (row.provider.empty() || (!provider.empty() && row.provider != provider)) continue;
    list.push(json::Value::object({{"provider", json::Value::string(std::string(row.provider))},
                                   {"native", json::Value::string(std::string(row.native))},
                                   {"tool", json::Value::string(std::string(row.canonical))}}));
  }
  return json::write_pretty(json::Value::object({{"tools", std::move(list)}}));
}

// Several names fill a line up to the screen's width, then go on below.
void add_rows(const std::string& canonical, const std::vector<std::string>& natives, int width,
              std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t kFirstColumn = 20;
  const std::size_t room = static_cast<std::size_t>(std::max(width, 60)) - kFirstColumn;
  std::string line;
  std::string first = canonical;
  for (const std::string& native : natives) {
    if (!line.empty() && line.size() + native.size() + 1 > room) {
      rows.push_back({first, line});
      first = line = "";
    }
    line += (line.empty() ? "" : " ") + native;
  }
  rows.push_back({first, line});
}

}  // namespace

const Shape kToolsShape = {
    .usage = "[--provider NAME] [--json]",
    .about =
        "Lists the tools that rules can name, with what each agent program calls them.\n"
        "Rules may use either name.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples =
        "tollgate tools --provider codex\n"
        "tollgate tools --json",
};

int run_tools(const Arguments& arguments, Context& context) {
  const std::string provider = arguments.get("provider");
  const auto known = provider_names();
  if (arguments.has("provider") && std::ranges::find(known, provider) == known.end())
    return complain(context,
                    {.code = "bad-usage",
                     .message = "unknown provider `" + shortened(provider) + "`",
                     .hint = did_you_mean(provider, "providers", known),
                     .where = {}},
                    kUsedWrongly);
  if (arguments.has("json")) {
    context.console.out(as_json(provider));
    return kDone;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [canonical, natives] : names_of(provider))
    add_rows(canonical, natives, context.console.screen().width, rows);
  context.console.out(table(rows));
  return kDone;
}

}  // namespace tollgate::cli
