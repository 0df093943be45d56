// Claude Code: flags and a settings file that put every call to the gate which the gate must see.
// In mode default the client asks its prompt tool, and refuses where that does not answer.
// SAFETY: no allow rule with a pattern is passed on: `Bash(touch *)` also ran `touch x && echo y`.
#include <algorithm>

#include "base/text.h"
#include "json/json.h"
#include "native/lines.h"
#include "native/makers.h"
#include "native/quote.h"
#include "policy/glob.h"

namespace tollgate::native {
namespace {

// What --tools may name. A tool that is not named does not exist for the model, so that one which
// a later version brings is closed until it stands here.
constexpr std::string_view kCurrent[] = {
    "Agent",         "AskUserQuestion", "Bash",       "BashOutput", "Edit",
    "EnterPlanMode", "ExitPlanMode",    "Glob",       "Grep",       "KillShell",
    "Monitor",       "NotebookEdit",    "Read",       "Skill",      "Task",
    "TaskCreate",    "TaskGet",         "TaskList",   "TaskOutput", "TaskStop",
    "TaskUpdate",    "TodoWrite",       "ToolSearch", "WebFetch",   "WebSearch",
    "Write"};

std::string canonical(std::string_view native) { return canonical_tool("claude", native); }

// The path as Claude anchors it.
std::string path_text(const HeldPath& path, const std::string& root) {
  switch (path.anchor) {
    case Anchor::kFilesystem:
      return "//" + path.pattern;
    case Anchor::kHome:
      return "~/" + path.pattern;
    case Anchor::kRoots:
      return "/" + root + "/" + path.pattern;  // the root begins with a slash of its own
    case Anchor::kBase:
      break;
  }
  return path.floating ? path.pattern : "./" + path.pattern;
}

// A deny rule in Claude's own grammar. What it refuses the gate denies as well; the gate reads more
// spellings as the same thing.
std::vector<std::string> deny_texts(const Plan& plan, const Rule& rule) {
  if (rule.verdict != Verdict::kDeny || plan.is_timed(rule)) return {};
  if (const auto command = plan.command_of(rule)) {
    if (!plan.touches(rule, "Bash", ToolKind::kShell)) return {};
    return {"Bash(" + command->text() + (command->open ? " *)" : ")")};
  }
  if (const auto path = plan.path_of(rule)) {
    std::vector<std::string> texts;
    const std::string text = path_text(*path, plan.request().root);
    if (path->reads) texts.push_back("Read(" + text + ")");
    if (path->writes) texts.push_back("Edit(" + text + ")");
    return texts;
  }
  if (rule.specifier_kind == SpecifierKind::kHost && !has_star(rule.specifier))
    return {"WebFetch(" + rule.specifier + ")"};
  if (rule.specifier_kind == SpecifierKind::kAgentType && !has_star(rule.specifier))
    return {"Agent(" + rule.specifier + ")", "Task(" + rule.specifier + ")"};
  return {};
}

struct Lists {
  std::vector<std::string> tools, allow, ask, deny;
};

Lists lists_of(const Plan& plan) {
  Lists lists;
  const auto sort = [&](const std::string& text, Standing standing) {
    if (standing == Standing::kOpen) lists.allow.push_back(text);
    if (standing == Standing::kJudged) lists.ask.push_back(text);
    if (standing == Standing::kDenied) lists.deny.push_back(text);
  };
  for (const std::string_view native : kCurrent) {
    const Standing standing = plan.standing(canonical(native));
    if (standing != Standing::kDenied) lists.tools.emplace_back(native);
    sort(std::string(native), standing);
  }
  for (const ToolLine& line : plan.servers()) sort(line.canonical, line.standing);
  for (const ToolLine& line : plan.mcp_tools()) sort(line.canonical, line.standing);
  for (const Rule* rule : plan.rules())
    for (std::string& text : deny_texts(plan, *rule)) lists.deny.push_back(std::move(text));
  for (std::vector<std::string>* list : {&lists.allow, &lists.ask, &lists.deny}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return lists;
}

// A server of which one tool stands apart is not spoken of as a whole.
void split_servers(const Plan& plan, Lists& lists) {
  for (const ToolLine& server : plan.servers()) {
    if (!plan.stands_apart(server)) continue;
    std::erase(lists.ask, server.canonical);  // mode default asks about the others by itself
    std::erase(lists.deny, server.canonical);
  }
}

void add_list(Compiled& out, std::string flag, const std::vector<std::string>& list, Style style) {
  if (list.empty()) return;
  out.arguments.push_back(std::move(flag));
  if (style == Style::kEach) {
    out.arguments.insert(out.arguments.end(), list.begin(), list.end());
    return;
  }
  std::vector<std::string> whole;
  for (const std::string& text : list) {
    if (text.find(',') == std::string::npos)
      whole.push_back(text);
    else
      out.warnings.push_back("`" + text + "` holds a comma and is left to the settings file");
  }
  out.arguments.push_back(join(whole, ","));
}

std::string settings_text(const Lists& lists) {
  json::Value permissions =
      json::Value::object({{"defaultMode", json::Value::string("default")},
                           {"disableBypassPermissionsMode", json::Value::string("disable")},
                           {"allow", texts(lists.allow)},
                           {"ask", texts(lists.ask)},
                           {"deny", texts(lists.deny)}});
  return json::write_pretty(json::Value::object({{"permissions", std::move(permissions)}}));
}

std::string servers_text(const Request& request) {
  json::Value servers = request.servers.is_object() ? request.servers : json::Value::object();
  servers.set(
      "tollgate",
      json::Value::object({{"type", json::Value::string("http")},
                           {"url", json::Value::string(request.gate + "/mcp/${TOLLGATE_SESSION}")},
                           {"timeout", json::Value::integer(3'600'000)}}));
  return json::write_pretty(json::Value::object({{"mcpServers", std::move(servers)}}));
}

bool takes_away(const Plan& plan, const Rule& rule) {
  return std::ranges::any_of(plan.tools(), [&](const ToolLine& line) {
    return line.standing == Standing::kDenied && plan.touches(rule, line.canonical, line.kind);
  });
}

Held held(const Plan& plan, const Rule& rule) {
  if (rule.verdict == Verdict::kAllow) {
    if (plan.opens(rule, plan.mcp_tools())) return {Holder::kNative, "runs without the gate"};
    return {Holder::kHook, "the gate allows it when it is asked"};
  }
  if (rule.verdict == Verdict::kDeny && plan.is_whole(rule) && plan.holds_by_tools(rule))
    return {Holder::kNative, "the tool is taken away"};
  if (plan.is_whole(rule) && rule.verdict == Verdict::kDeny && takes_away(plan, rule))
    return {Holder::kHook, "the tool is taken away; the gate sees to shell commands"};
  if (!deny_texts(plan, rule).empty())
    return {Holder::kHook, "the client refuses the plain spelling too"};
  return {Holder::kHook, "the client asks the gate"};
}

}  // namespace

Result<Compiled> compile_claude(const Client& client, const Request& request) {
  const Plan plan(client, request);
  Compiled out = begin(client, plan);
  out.strength = Strength::kHard;
  out.asks_gate = true;
  out.how = "mode default with a prompt tool: what is not settled here is put to the gate";
  out.failing = "closed: a gate that is down, slow or garbled refuses the call";
  Lists lists = lists_of(plan);
  split_servers(plan, lists);
  out.files.push_back({"settings.json", "named by --settings", settings_text(lists)});
  out.files.push_back({"mcp.json", "named by --mcp-config", servers_text(request)});
  out.arguments = {"--permission-mode",
                   "default",
                   "--setting-sources",
                   "",
                   "--settings",
                   in_directory(request, "settings.json"),
                   "--strict-mcp-config",
                   "--mcp-config",
                   in_directory(request, "mcp.json"),
                   "--permission-prompt-tool",
                   "mcp__tollgate__approve"};
  if (lists.tools.empty()) lists.tools.push_back("");
  add_list(out, "--tools", lists.tools, request.style);
  add_list(out, "--allowedTools", lists.allow, request.style);
  add_list(out, "--disallowedTools", lists.deny, request.style);
  add_rules(out, plan, [&](const Rule& rule) { return held(plan, rule); });
  Grounds grounds = grounds_by(Holder::kHook, "the client asks the gate");
  grounds.ceiling = {Holder::kNative, "the model does not get them"};
  grounds.unlisted = {Holder::kNative, "--tools names all there are"};
  add_grounds(out, plan, grounds);
  return out;
}

}  // namespace tollgate::native
