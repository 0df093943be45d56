// Laying out the report. The rules that nobody holds come with a line of their own at the end:
// whoever reads only that line has read what matters.
#include "native/report.h"

#include <algorithm>

#include "base/shell_words.h"
#include "native/quote.h"

namespace tollgate::native {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string rule_table(const Compiled& compiled) {
  std::size_t width = 0;
  for (const RuleLine& line : compiled.rules)
    width = std::max(width, line.list.size() + 1 + line.rule.size());
  width = std::min<std::size_t>(width, 48);
  std::string text;
  for (const RuleLine& line : compiled.rules) {
    const std::string holder(line.holder == Holder::kNone ? "NOT ENFORCED" : name(line.holder));
    text += "  " + padded(line.list + " " + line.rule, width) + "  " + padded(holder, 12) + "  " +
            line.note + "\n";
  }
  return text;
}

std::string tool_table(const Compiled& compiled) {
  std::string text;
  for (const Standing standing : {Standing::kOpen, Standing::kJudged, Standing::kDenied}) {
    std::string list;
    for (const ToolLine& line : compiled.tools)
      if (line.standing == standing) list += " " + line.native;
    if (!list.empty()) text += "  " + padded(std::string(name(standing)), 7) + list + "\n";
  }
  return text;
}

}  // namespace

std::string report_text(const Compiled& compiled, std::string_view program, ShowFiles files) {
  std::string text = compiled.client + ", agent " +
                     (compiled.agent.empty() ? "(default)" : compiled.agent) + ": " +
                     std::string(name(compiled.strength)) + "\n";
  text += "  " + compiled.how + "\n  when the gate does not answer: " + compiled.failing + "\n";
  text += "\ntools\n" + tool_table(compiled);
  text += "\nrules, and who holds them\n" + rule_table(compiled);
  const auto loose = std::ranges::count(compiled.rules, Holder::kNone, &RuleLine::holder);
  if (loose > 0)
    text += "  " + std::to_string(loose) + " not enforced by anything this client has\n";
  for (const std::string& warning : compiled.warnings) text += "warning: " + warning + "\n";
  for (const File& file : compiled.files) {
    text += "\nfile " + file.name + " (" + file.place + ")\n";
    if (files == ShowFiles::kTexts) text += file.text;
  }
  if (!compiled.arguments.empty() || !compiled.environment.empty()) {
    text += "\nrun\n  ";
    for (const auto& [key, value] : compiled.environment)
      text += key + "=" + shell_word(value) + " ";
    text += std::string(program);
    if (!compiled.arguments.empty()) text += " " + shell_line(compiled.arguments);
    text += "\n";
  }
  return text;
}

json::Value report_json(const Compiled& compiled) {
  json::Value environment = json::Value::object();
  for (const auto& [key, value] : compiled.environment) environment.set(key, text(value));
  json::Value files = json::Value::array();
  for (const File& file : compiled.files)
    files.push(json::Value::object(
        {{"name", text(file.name)}, {"place", text(file.place)}, {"text", text(file.text)}}));
  json::Value tools = json::Value::array();
  for (const ToolLine& line : compiled.tools)
    tools.push(json::Value::object({{"native", text(line.native)},
                                    {"canonical", text(line.canonical)},
                                    {"standing", text(name(line.standing))},
                                    {"why", text(line.why)}}));
  json::Value rules = json::Value::array();
  for (const RuleLine& line : compiled.rules)
    rules.push(json::Value::object({{"rule", text(line.rule)},
                                    {"list", text(line.list)},
                                    {"source", text(line.where)},
                                    {"enforced", text(name(line.holder))},
                                    {"note", text(line.note)}}));
  return json::Value::object({{"client", text(compiled.client)},
                              {"agent", text(compiled.agent)},
                              {"strength", text(name(compiled.strength))},
                              {"how", text(compiled.how)},
                              {"failing", text(compiled.failing)},
                              {"arguments", texts(compiled.arguments)},
                              {"environment", std::move(environment)},
                              {"files", std::move(files)},
                              {"tools", std::move(tools)},
                              {"rules", std::move(rules)},
                              {"warnings", texts(compiled.warnings)}});
}

}  // namespace tollgate::native
