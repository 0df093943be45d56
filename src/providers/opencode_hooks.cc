// opencode: a small plugin that calls the hook and throws unless it says allow.
#include "base/shell_words.h"
#include "json/json.h"
#include "providers/clients.h"
#include "providers/json_hooks.h"

namespace tollgate::providers {
namespace {

using json::Value;

constexpr std::string_view kPlugin =
#include "providers/opencode_plugin.inc"
    ;
constexpr std::string_view kWords = "const HOOK = ";

void fill_in(std::string& text, std::string_view mark, const std::string& value) {
  text.replace(text.find(mark), mark.size(), value);
}

std::string plugin_for(const HookCommand& command) {
  Value words = Value::array();
  for (std::string& word : words_of(command)) words.push(Value::string(std::move(word)));
  std::string text(kPlugin);
  fill_in(text, "@WORDS@", json::write(words));
  fill_in(text, "@SECONDS@", std::to_string(kHookSeconds));
  return text;
}

// The words of the line that names the hook, as a shell would have them.
std::vector<Registered> hook_in(const std::string& text) {
  const std::size_t at = text.find(kWords);
  if (at == text.npos) return {};
  const std::size_t begin = at + kWords.size();
  const Result<Value> words =
      json::parse(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
  std::string line;
  if (words)
    for (const Value& word : words->items())
      line += (line.empty() ? "" : " ") + shell_word(word.as_string());
  return {{"tool.execute.before", line, kHookSeconds}};
}

}  // namespace

Targets opencode_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope == Scope::kPlugin) return no_such_scope("opencode", "the user's scope is a plugin");
  const std::string directory =
      scope == Scope::kProject
          ? scene.project + "/.opencode"
          : directory_from(scene, "XDG_CONFIG_HOME", scene.home + "/.config") + "/opencode";
  return std::vector<Target>{whole_target(directory + "/plugin/tollgate.js", plugin_for(command),
                                          "// Written by Tollgate.", hook_in)};
}

}  // namespace tollgate::providers
