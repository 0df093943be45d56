// `tollgate explain`: why the gate says what it says of a call, for people.
// The configuration is read from its files, so that its warnings are seen as well.
// With --json it is the same as values.
#include <algorithm>
#include <utility>

#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/shell_tree.h"
#include "core/codec.h"
#include "core/tool_table.h"
#include "explain/call_text.h"
#include "explain/explanation.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

constexpr auto kOptions =
    with_gate_options(Option{"json", "", "the explanation as one JSON object"},
                      Option{"tree", "", "only show how the shell text is read"});

// One word that is no tool is shell text.
bool is_shell_text(const Arguments& arguments, std::span<const ToolDeclaration> declared) {
  if (arguments.words.size() != 1) return false;
  const std::string& word = arguments.words[0];
  return tool_row("", word) == nullptr && declaration_of(word, declared) == nullptr &&
         (word.find_first_of(" \t\n|;&<>$`'\"(){}") != word.npos ||
          (!word.starts_with("mcp__") && word.find('.') == word.npos));
}

template <class T>
json::Value setting(const Setting<T>& from) {
  return json::Value::object({{"value", json::Value::string(std::string(name(from.value)))},
                              {"source", json::Value::string(std::string(name(from.source)))},
                              {"where", json::Value::string(from.where)}});
}

json::Value agent_json(const AgentPolicy& agent) {
  json::Value tools = json::Value::array();
  for (const CeilingEntry& entry : agent.ceiling.entries)
    tools.push(json::Value::string(entry.text));
  json::Value out = json::Value::object({{"name", json::Value::string(agent.name)}});
  out.set("mode", setting(agent.mode));
  out.set("answer", setting(agent.answer));
  out.set("tools", json::Value::object(
                       {{"from", json::Value::string(agent.ceiling.from)},
                        {"source", json::Value::string(std::string(name(agent.ceiling.source)))},
                        {"where", json::Value::string(agent.ceiling.where)},
                        {"entries", std::move(tools)}}));
  return out;
}

std::string explanation_json(const Explanation& from) {
  json::Value out = json::Value::object({{"call", to_json(from.record.call)}});
  const json::Value decision = to_json(from.record.decision);
  for (const auto& [name, value] : decision.members()) out.set(name, value);
  out.set("effects", to_json(from.record.effects));
  if (from.agent != nullptr) out.set("agent", agent_json(*from.agent));
  if (from.mode) out.set("mode", json::Value::string(std::string(name(*from.mode))));
  json::Value warnings = json::Value::array();
  for (const Diagnostic& warning : from.warnings)
    warnings.push(
        json::Value::string(place_name(warning.error.where) + ": " + warning.error.message));
  if (!warnings.items().empty()) out.set("warnings", std::move(warnings));
  return json::write_pretty(out);
}

}  // namespace

const Shape kExplainShape = {
    .usage = "[OPTION…] [TOOL] TEXT",
    .about =
        "Shows a tool call with the part that decided underlined, the verdict and its reasons "
        "with\n"
        "the place of each rule, what else matched, what the call would do (`>` before what\n"
        "decided), what would change the answer, and the settings that are not the default.\n"
        "Every change listed has been tried.\n"
        "TEXT is as for `tollgate eval`; without a TOOL it is shell text. With --tree nothing is\n"
        "judged: the text is shown as the reader takes it apart. The exit status is 0 whatever\n"
        "the verdict.",
    .options = kOptions,
    .least_words = 1,
    .most_words = 2,
    .examples =
        "tollgate explain 'cd src && npm publish'\n"
        "tollgate explain --tree 'for f in *.c; do wc -l \"$f\"; done'\n"
        "tollgate explain --agent backend Edit src/main.c\n"
        "tollgate explain --json WebFetch https://example.com/",
};

int run_explain(const Arguments& arguments, Context& context) {
  Result<LocalGate> gate = LocalGate::open(arguments, context, PolicyFrom::kFiles);
  if (!gate) return complain(context, gate.error(), kUsedWrongly);
  const bool shell = is_shell_text(arguments, gate->policy().tools());
  const std::string tool = shell ? "Bash" : arguments.words[0];
  const std::string text = shell                        ? arguments.words[0]
                           : arguments.words.size() > 1 ? arguments.words[1]
                                                        : "";
  if (arguments.has("tree")) {
    context.console.out(shell_tree(text));
    return kDone;
  }
  Result<json::Value> input = input_of(tool, text, gate->policy().tools());
  if (!input) return complain(context, input.error(), kUsedWrongly);
  const AuditRecord record = gate->settle(call_of(tool, std::move(*input)), Detail::kFull);
  const os::Terminal screen = context.console.screen();
  const Explanation explanation{
      .record = record,
      .agent = gate->policy().broken() ? nullptr : gate->policy().agent(record.call.agent),
      .main = main_field(record.call, gate->policy().tools()),
      .mode = gate->mode(),
      .warnings = gate->diagnostics(),
      .here = gate->here(),
      .width = screen.is_terminal ? static_cast<std::size_t>(std::max(screen.width, 40)) : 0};
  if (arguments.has("json"))
    context.console.out(explanation_json(explanation));
  else
    context.console.out(explanation_text(explanation, Paint(screen.color)));
  return kDone;
}

}  // namespace tollgate::cli
