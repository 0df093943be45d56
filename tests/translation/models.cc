// The models, one function each.
#include "translation/models.h"

#include <algorithm>
#include <map>
// The clients' patterns are JavaScript's, and so are these. gcc 12 sees something uninitialized in
// them when it sanitizes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <regex>
#pragma GCC diagnostic pop

#include "base/path.h"
#include "base/text.h"
#include "json/json.h"
#include "policy/glob.h"

namespace tollgate::native {
namespace {

const File& file(const Compiled& compiled, std::string_view end) {
  static const File kNone;
  for (const File& each : compiled.files)
    if (each.name.ends_with(end)) return each;
  return kNone;
}

bool has(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

// The values of a flag, up to the next flag, each time it is given.
std::vector<std::string> flag(const Compiled& compiled, std::string_view name) {
  std::vector<std::string> values;
  bool inside = false;
  for (const std::string& word : compiled.arguments) {
    if (word.starts_with("--")) {
      inside = word == name;
    } else if (inside) {
      values.push_back(word);
    }
  }
  return values;
}

// The simple commands of a text, as far as operators tell; quotes are not looked at.
std::vector<std::string> parts(const std::string& command) {
  std::vector<std::string> found = {""};
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '&' || c == '|' || c == ';' || c == '\n') {
      if (!found.back().empty()) found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  for (std::string& part : found) part = std::string(trim(part));
  std::erase(found, "");
  return found;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

std::string path_of(const NativeCall& call) {
  for (const char* key : {"file_path", "path", "filePath", "dir_path", "operations"})
    if (const json::Value* value = call.input.find(key)) return value->as_string();
  return "";
}

std::string command_of(const NativeCall& call) {
  for (const char* key : {"command", "cmd"})
    if (const json::Value* value = call.input.find(key)) return value->as_string();
  return "";
}

// A gitignore pattern with Claude's anchors against a path.
bool anchored_match(std::string pattern, const std::string& path) {
  const std::string absolute = absolute_path(path, kRoot);
  std::string base(kRoot);
  if (pattern.starts_with("//")) {
    base = "";
    pattern.erase(0, 2);
  } else if (pattern.starts_with("~/")) {
    base = kHome;
    pattern.erase(0, 2);
  } else if (pattern.starts_with("./")) {
    pattern.erase(0, 2);
  } else if (pattern.find('/') == std::string::npos) {
    pattern = "**/" + pattern;
  }
  if (pattern.ends_with("/**")) pattern.erase(pattern.size() - 3);
  if (!absolute.starts_with(base + "/")) return false;
  return path_glob(pattern, absolute.substr(base.size() + 1), Below::kCovered, Fold::kNo);
}

// ---- Claude Code ----

bool claude_matches(const std::string& rule, const NativeCall& call) {
  const std::string name =
      call.server.empty() ? call.tool : "mcp__" + call.server + "__" + call.tool;
  const std::size_t open = rule.find('(');
  const std::string tool = rule.substr(0, open);
  if (open == std::string::npos)
    return tool == name || (!call.server.empty() && tool == "mcp__" + call.server);
  const std::string inside = rule.substr(open + 1, rule.size() - open - 2);
  const bool edits = call.tool == "Edit" || call.tool == "Write" || call.tool == "NotebookEdit";
  const bool reads = call.tool == "Read" || call.tool == "Glob" || call.tool == "Grep";
  if (tool == "Bash" && (call.tool == "Bash" || call.tool == "Monitor"))
    return std::ranges::any_of(parts(command_of(call)), [&](const std::string& part) {
      if (!inside.ends_with(" *")) return part == inside;
      const std::string start = inside.substr(0, inside.size() - 2);
      return part == start || part.starts_with(start + " ");
    });
  if ((tool == "Edit" && edits) || (tool == "Read" && reads)) {
    const std::string path = path_of(call);
    return !path.empty() && anchored_match(inside, path);
  }
  if (tool == "WebFetch" && call.tool == "WebFetch") {
    const json::Value* url = call.input.find("url");
    return url != nullptr &&
           url->as_string().find("//" + inside.substr(7) + "/") != std::string::npos;
  }
  if (tool == "Agent" || tool == "Task") {
    const json::Value* type = call.input.find("subagent_type");
    return (call.tool == "Agent" || call.tool == "Task") && type && type->as_string() == inside;
  }
  return false;
}

bool any_match(const json::Value* list, const NativeCall& call) {
  if (list == nullptr) return false;
  return std::ranges::any_of(list->items(), [&](const json::Value& rule) {
    return claude_matches(rule.as_string(), call);
  });
}

struct Claude {
  explicit Claude(const Compiled& compiled)
      : tools(flag(compiled, "--tools")),
        allowed(flag(compiled, "--allowedTools")),
        disallowed(flag(compiled, "--disallowedTools")),
        settings(json::parse(file(compiled, "settings.json").text).value_or(json::Value())),
        is_default(has(flag(compiled, "--permission-mode"), "default")) {}

  Outcome operator()(const NativeCall& call) const;

  std::vector<std::string> tools, allowed, disallowed;
  json::Value settings;
  bool is_default;
};

Outcome Claude::operator()(const NativeCall& call) const {
  if (call.server.empty() && !has(tools, call.tool)) return Outcome::kRefused;
  const json::Value* lists = settings.find("permissions");
  if (lists == nullptr) return Outcome::kRuns;
  for (const std::string& rule : disallowed)
    if (claude_matches(rule, call)) return Outcome::kRefused;
  if (any_match(lists->find("deny"), call)) return Outcome::kRefused;
  if (any_match(lists->find("ask"), call)) return Outcome::kGate;
  for (const std::string& rule : allowed)
    if (claude_matches(rule, call)) return Outcome::kRuns;
  if (any_match(lists->find("allow"), call)) return Outcome::kRuns;
  // Of the rest it asks about these in mode default; everything else may run unasked.
  const bool asked = !call.server.empty() || call.tool == "Write" || call.tool == "Edit" ||
                     call.tool == "WebFetch" || call.tool == "AskUserQuestion";
  return asked && is_default ? Outcome::kGate : Outcome::kRuns;
}

// ---- Codex ----

struct Codex {
  explicit Codex(const Compiled& compiled) {
    constexpr std::string_view kStart = "prefix_rule(pattern=";
    for (const std::string_view line : split(file(compiled, ".rules").text, '\n'))
      if (line.starts_with(kStart))
        rules.push_back(json::parse(line.substr(kStart.size(), line.find(']') + 1 - kStart.size()))
                            .value_or(json::Value()));
    config = file(compiled, "config.toml").text;
  }

  Outcome operator()(const NativeCall& call) const;
  Outcome of_server(const NativeCall& call) const;

  std::vector<json::Value> rules;
  std::string config;
};

// Observed: what is not approved is prompted for, and `codex exec` refuses it; unless the tool says
// that it reads, which it may say as it likes, and the approval is not `prompt`.
Outcome Codex::of_server(const NativeCall& call) const {
  const auto section = [&](const std::string& head) {
    const std::size_t start = config.find("\n" + head + "\n");
    if (start == config.npos) return std::string();
    return config.substr(start, config.find("\n[", start + 1) - start);
  };
  const std::string server = "[mcp_servers." + json::quote(call.server);
  const std::string whole = section(server + "]");
  const std::string tool = json::quote(call.tool);
  if (whole.contains("enabled = false")) return Outcome::kRefused;
  if (const std::size_t off = whole.find("disabled_tools = ["); off != whole.npos)
    if (whole.substr(off).contains(tool)) return Outcome::kRefused;
  const std::string one = section(server + ".tools." + tool + "]");
  return (one.empty() ? whole : one).contains("\"prompt\"") ? Outcome::kRefused : Outcome::kRuns;
}

Outcome Codex::operator()(const NativeCall& call) const {
  if (!call.server.empty()) return of_server(call);
  if (command_of(call).empty()) return Outcome::kRuns;
  for (const json::Value& words : rules) {
    for (const std::string& part : parts(command_of(call))) {
      const std::vector<std::string> argv = words_of(part);
      bool match = argv.size() >= words.items().size();
      for (std::size_t i = 0; match && i < words.items().size(); ++i)
        match = argv[i] == words.items()[i].as_string();
      if (match) return Outcome::kRefused;
    }
  }
  return Outcome::kRuns;  // in the sandbox
}

// ---- Gemini ----

// The arguments as the client writes them: keys sorted, a NUL around each outermost pair.
std::string gemini_arguments(const json::Value& input) {
  std::map<std::string, std::string> sorted;
  for (const auto& [key, value] : input.members()) sorted[key] = json::canonical(value);
  std::string text = "{";
  for (const auto& [key, value] : sorted) {
    if (text.size() > 1) text += ',';
    text += '\0';
    text += json::quote(key) + ":" + value;
    text += '\0';
  }
  return text + "}";
}

struct Gemini {
  struct Rule {
    std::string tool, server, arguments, decision;
    int priority = -1;
    std::regex pattern;
  };

  explicit Gemini(const Compiled& compiled);
  Outcome operator()(const NativeCall& call) const;

  std::vector<Rule> rules;
  bool dropped = false;
};

Gemini::Gemini(const Compiled& compiled) {
  for (const std::string_view line : split(file(compiled, ".toml").text, '\n')) {
    if (line == "[[rule]]") rules.emplace_back();
    const std::size_t equals = line.find(" = ");
    if (equals == line.npos || rules.empty()) continue;
    const std::string_view key = line.substr(0, equals), value = line.substr(equals + 3);
    const json::Value read = json::parse(value).value_or(json::Value());
    const std::string& text = read.as_string();
    if (key == "toolName") rules.back().tool = text;
    if (key == "mcpName") rules.back().server = text;
    if (key == "argsPattern") rules.back().arguments = text;
    if (key == "decision") rules.back().decision = text;
    if (key == "priority") rules.back().priority = std::stoi(std::string(value));
  }
  const std::regex unsafe(R"(\([^)]*[*+?{].*\)[*+?{])");
  for (Rule& rule : rules) {
    // One of these and the whole file is dropped.
    dropped = dropped || rule.priority < 0 || rule.priority > 999 || rule.tool.empty() ||
              rule.arguments.size() > 2048 || std::regex_search(rule.arguments, unsafe);
    rule.pattern = std::regex(rule.arguments);
  }
  std::ranges::stable_sort(rules, std::greater(), &Rule::priority);
}

Outcome Gemini::operator()(const NativeCall& call) const {
  if (dropped) return Outcome::kRuns;
  const std::string arguments = gemini_arguments(call.input);
  for (const Rule& rule : rules) {
    const bool named = rule.tool == "*" || rule.tool == call.tool;
    if (!named || (!rule.server.empty() && rule.server != call.server)) continue;
    if (rule.server.empty() && rule.tool != "*" && !call.server.empty()) continue;
    if (!rule.arguments.empty() && !std::regex_search(arguments, rule.pattern)) continue;
    return rule.decision == "allow" ? Outcome::kRuns : Outcome::kRefused;
  }
  return Outcome::kRuns;
}

// ---- Copilot ----

struct Copilot {
  explicit Copilot(const Compiled& compiled)
      : available(flag(compiled, "--available-tools")),
        deny(flag(compiled, "--deny-tool")),
        allow(flag(compiled, "--allow-tool")) {}

  Outcome operator()(const NativeCall& call) const;

  std::vector<std::string> available, deny, allow;
};

Outcome Copilot::operator()(const NativeCall& call) const {
  const std::string name = call.server.empty() ? call.tool : call.server + "-" + call.tool;
  if (!has(available, name)) return Outcome::kRefused;
  const std::string whole = call.server + "(" + call.tool + ")";
  if (!call.server.empty()) {
    if (has(deny, whole) || has(deny, call.server)) return Outcome::kRefused;
    return Outcome::kRuns;  // observed: unasked where the tool says that it reads, which each may
  }
  if (const std::string command = command_of(call); !command.empty()) {
    if (has(deny, "shell")) return Outcome::kRefused;
    bool quiet = true;
    for (const std::string& part : parts(command)) {
      const std::vector<std::string> words = words_of(part);
      if (words.empty()) continue;
      const std::string two = words[0] + (words.size() > 1 ? " " + words[1] : "");
      if (has(deny, "shell(" + words[0] + ")") || has(deny, "shell(" + words[0] + ":*)") ||
          has(deny, "shell(" + two + ")"))
        return Outcome::kRefused;
      constexpr std::string_view kReading[] = {"ls", "cat", "echo", "pwd", "git"};
      quiet = quiet && std::ranges::find(kReading, words[0]) != std::end(kReading) &&
              command.find('>') == std::string::npos;
    }
    return quiet ? Outcome::kRuns : Outcome::kGate;
  }
  constexpr std::string_view kEdits[] = {"create", "edit", "insert", "apply_patch"};
  if (std::ranges::find(kEdits, call.tool) != std::end(kEdits))
    return has(deny, "write") ? Outcome::kRefused : Outcome::kGate;
  if (call.tool == "web_fetch") return has(deny, "url") ? Outcome::kRefused : Outcome::kGate;
  return Outcome::kRuns;  // it reads, plans and starts agents without asking
}

// ---- opencode ----

bool wildcard(std::string_view pattern, std::string_view text) {
  if (pattern.ends_with(" *") && wildcard(pattern.substr(0, pattern.size() - 2), text)) return true;
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t i = 0; i <= text.size(); ++i)
      if (wildcard(pattern.substr(1), text.substr(i))) return true;
    return false;
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         wildcard(pattern.substr(1), text.substr(1));
}

std::string opencode_says(const json::Value& map, const std::string& key, const std::string& text) {
  std::string last = "ask";
  for (const auto& [name, value] : map.members()) {
    if (!wildcard(name, key)) continue;
    if (value.is_string()) last = value.as_string();
    for (const auto& [pattern, word] : value.members())
      if (wildcard(pattern, text)) last = word.as_string();
  }
  return last;
}

struct Opencode {
  explicit Opencode(const Compiled& compiled)
      : config(json::parse(file(compiled, "opencode.json").text).value_or(json::Value())) {}

  Outcome operator()(const NativeCall& call) const;

  json::Value config;
};

Outcome Opencode::operator()(const NativeCall& call) const {
  const json::Value* map = config.find("permission");
  if (map == nullptr) return Outcome::kRuns;
  std::string key = call.tool;
  if (!call.server.empty()) key = call.server + "_" + call.tool;
  constexpr std::string_view kEdits[] = {"write", "edit", "patch", "multiedit", "apply_patch"};
  if (std::ranges::find(kEdits, call.tool) != std::end(kEdits)) key = "edit";
  std::vector<std::string> texts = {"*"};
  // A redirection belongs to the whole of a list, and no part has it.
  if (key == "bash") {
    texts = parts(command_of(call));
    if (texts.size() > 1)
      for (std::string& part : texts)
        part = std::string(trim(std::string_view(part).substr(0, part.find('>'))));
  }
  if (key == "read" || key == "edit") {
    std::string path = absolute_path(path_of(call), kRoot);
    const std::string root = std::string(kRoot) + "/";
    path = path.starts_with(root) ? path.substr(root.size()) : "../.." + path;
    texts = {path};
  }
  if (key == "task" && call.input.find("subagent_type"))
    texts = {call.input.find("subagent_type")->as_string()};
  bool all = !texts.empty();
  for (const std::string& text : texts) all = all && opencode_says(*map, key, text) == "allow";
  return all ? Outcome::kRuns : Outcome::kRefused;
}

// ---- Kiro and Amazon Q ----

struct AgentFile {
  explicit AgentFile(const Compiled& compiled)
      : agent(json::parse(compiled.files[0].text).value_or(json::Value())) {}

  Outcome operator()(const NativeCall& call) const;

  json::Value agent;
};

Outcome AgentFile::operator()(const NativeCall& call) const {
  const auto lists = [&](const char* key, const std::string& text) {
    const json::Value* list = agent.find(key);
    return list != nullptr && std::ranges::any_of(list->items(), [&](const json::Value& item) {
             return item.as_string() == text;
           });
  };
  const std::string name = call.server.empty() ? call.tool : "@" + call.server + "/" + call.tool;
  if (!lists("tools", name) && !(!call.server.empty() && lists("tools", "@" + call.server)))
    return Outcome::kRefused;
  if (lists("allowedTools", name)) return Outcome::kRuns;
  if (!call.server.empty() && lists("allowedTools", "@" + call.server)) return Outcome::kRuns;
  const json::Value* settings = agent.find("toolsSettings");
  const json::Value* own = settings == nullptr ? nullptr : settings->find(call.tool);
  const auto commands = [&](const char* key) {
    const json::Value* list = own == nullptr ? nullptr : own->find(key);
    return list != nullptr && std::ranges::any_of(list->items(), [&](const json::Value& item) {
             return std::regex_match(command_of(call), std::regex(item.as_string()));
           });
  };
  if (!command_of(call).empty())
    return !commands("deniedCommands") && commands("allowedCommands") ? Outcome::kRuns
                                                                      : Outcome::kRefused;
  constexpr std::string_view kReads[] = {"fs_read", "read",          "readFile",    "glob",
                                         "grep",    "listDirectory", "report_issue"};
  if (std::ranges::find(kReads, call.tool) == std::end(kReads)) return Outcome::kRefused;
  const json::Value* denied = own == nullptr ? nullptr : own->find("deniedPaths");
  if (denied != nullptr)
    for (const json::Value& item : denied->items()) {
      std::string pattern = item.as_string();
      if (pattern.starts_with('/')) pattern = "/" + pattern;
      if (anchored_match(pattern, path_of(call))) return Outcome::kRefused;
    }
  return Outcome::kRuns;
}

// ---- Grok ----

struct Grok {
  explicit Grok(const Compiled& compiled)
      : deny(flag(compiled, "--deny")), allow(flag(compiled, "--allow")) {}

  Outcome operator()(const NativeCall& call) const;

  std::vector<std::string> deny, allow;
};

Outcome Grok::operator()(const NativeCall& call) const {
  const std::string name =
      call.server.empty() ? call.tool : "MCPTool(" + call.server + "__" + call.tool + ")";
  if (has(deny, name) || has(deny, "*")) return Outcome::kRefused;
  const bool whole = !call.server.empty() && has(allow, "MCPTool(" + call.server + "__*)");
  return has(allow, name) || whole ? Outcome::kRuns : Outcome::kRefused;
}

template <class M>
Model make(const Compiled& compiled) {
  return M(compiled);
}

struct ModelRow {
  std::string_view client;
  Model (*make)(const Compiled&);
  bool closed;
};
constexpr ModelRow kModels[] = {
    {"claude", make<Claude>, true},     {"codex", make<Codex>, false},
    {"gemini", make<Gemini>, true},     {"copilot", make<Copilot>, false},
    {"opencode", make<Opencode>, true}, {"kiro", make<AgentFile>, false},
    {"q", make<AgentFile>, false},      {"grok", make<Grok>, true},
};

const ModelRow* model(std::string_view client) {
  const auto* found = std::ranges::find(kModels, client, &ModelRow::client);
  return found == std::end(kModels) ? nullptr : found;
}

}  // namespace

std::vector<NativeCall> native_calls(std::string_view provider, const ToolCall& call) {
  if (const McpName name = mcp_name(call.tool); !name.server.empty())
    return {{std::string(name.tool), std::string(name.server), call.input}};
  const ToolRow* canonical = tool_row("", call.tool);
  std::vector<NativeCall> calls;
  for (const ToolRow& row : tool_rows()) {
    if (row.provider != provider || row.canonical != call.tool) continue;
    // Names of Claude's that the version we know has no more.
    constexpr std::string_view kGone[] = {"LS", "MultiEdit", "NotebookRead", "TodoRead"};
    if (provider == "claude" && std::ranges::find(kGone, row.native) != std::end(kGone)) continue;
    // Names in Copilot's flags, which no call has.
    constexpr std::string_view kFlags[] = {"read", "shell", "write", "list"};
    if (provider == "copilot" && std::ranges::find(kFlags, row.native) != std::end(kFlags))
      continue;
    NativeCall made{std::string(row.native), "", call.input};
    const std::string_view own = row.main.substr(0, row.main.find(','));
    const std::string_view ours =
        canonical == nullptr ? "" : canonical->main.substr(0, canonical->main.find(','));
    const json::Value* value = call.input.find(ours);
    if (value != nullptr && !own.empty() && own != ours) {
      json::Value renamed = json::Value::object();
      for (const auto& [key, each] : call.input.members())
        renamed.set(key == ours ? std::string(own) : key, each);
      made.input = std::move(renamed);
    }
    calls.push_back(std::move(made));
  }
  return calls;
}

Model model_of(const Compiled& compiled) {
  const ModelRow* row = model(compiled.client);
  return row == nullptr ? Model() : row->make(compiled);
}

bool is_closed(std::string_view client) {
  const ModelRow* row = model(client);
  return row != nullptr && row->closed;
}

}  // namespace tollgate::native
