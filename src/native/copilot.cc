// Copilot CLI: the tools that its model gets, and flags that refuse.
// What is neither allowed nor refused it asks about, and its hook can answer that: nothing runs
// headless unless the gate allows it. Reading it does not ask about.
// SAFETY: `shell(npm)` would allow every npm command, so that no shell command is allowed here.
#include <algorithm>

#include "base/text.h"
#include "native/lines.h"
#include "native/makers.h"

namespace tollgate::native {
namespace {

// Copilot tells commands apart by program, and git and gh by subcommand.
std::string shell_pattern(const Plan& plan, const Rule& rule) {
  if (rule.verdict != Verdict::kDeny || plan.is_timed(rule)) return "";
  const auto command = plan.command_of(rule);
  if (!command || !command->open || !plan.touches(rule, "Bash", ToolKind::kShell)) return "";
  const std::string& program = command->words[0];
  const bool by_subcommand = program == "git" || program == "gh";
  if (command->words.size() == 1) return "shell(" + program + (by_subcommand ? ":*)" : ")");
  if (by_subcommand && command->words.size() == 2 && !command->words[1].starts_with('-'))
    return "shell(" + program + " " + command->words[1] + ")";
  return "";
}

std::string denied_host(const Plan& plan, const Rule& rule) {
  constexpr std::string_view kDomain = "domain:";
  if (rule.verdict != Verdict::kDeny || plan.is_timed(rule) ||
      rule.specifier_kind != SpecifierKind::kHost || !rule.specifier.starts_with(kDomain))
    return "";
  const std::string host = rule.specifier.substr(kDomain.size());
  return host.find('*') == std::string::npos ? host : "";
}

// Kinds of permission that are refused as a whole.
struct KindRow {
  std::string_view kind;
  std::string_view canonical;
};
constexpr KindRow kKinds[] = {{"shell", "Bash"}, {"write", "Edit"}, {"url", "WebFetch"}};

// The names in flags are no tools of the model's.
constexpr std::string_view kFlagNames[] = {"read", "shell", "write", "list"};

bool is_path(const Rule& rule) { return rule.specifier_kind == SpecifierKind::kPath; }

Held held(const Plan& plan, const Rule& rule) {
  if (rule.verdict == Verdict::kAllow) {
    if (rule.tool.kind == ToolPartKind::kServer)
      return {Holder::kWithheld, "only the tools that rules name one by one"};
    if (plan.opens(rule, plan.mcp_tools())) return {Holder::kNative, "runs without the gate"};
    return {Holder::kHook, "the hook allows it"};
  }
  if (rule.verdict == Verdict::kDeny && plan.is_whole(rule) && plan.holds_by_tools(rule))
    return {Holder::kNative, "the tool is taken away"};
  if (const std::string pattern = shell_pattern(plan, rule); !pattern.empty())
    return {Holder::kHook, "--deny-tool refuses the plain spelling too"};
  if (!denied_host(plan, rule).empty())
    return {Holder::kHook, "--deny-tool refuses the host itself too"};
  if (is_path(rule)) return {Holder::kHook, "only the hook sees paths"};
  return {Holder::kHook, "the hook refuses it"};
}

}  // namespace

Result<Compiled> compile_copilot(const Client& client, const Request& request) {
  const Plan plan(client, request);
  Compiled out = begin(client, plan);
  out.strength = Strength::kHard;
  out.how = "--available-tools leaves out what the agent has not; the hook answers the rest";
  out.failing =
      "closed for what changes anything: without an answer Copilot asks, and refuses headless; "
      "open for reading, which it does not ask about";
  std::vector<std::string> available;
  for (const ToolLine& line : plan.tools())
    if (line.standing != Standing::kDenied &&
        std::ranges::find(kFlagNames, line.native) == std::end(kFlagNames))
      available.push_back(line.native);
  std::vector<std::string> allow, deny;
  const auto sort = [&](const std::string& text, Standing standing) {
    if (standing == Standing::kOpen) allow.push_back(text);
    if (standing == Standing::kDenied) deny.push_back(text);
  };
  for (const KindRow& row : kKinds)
    if (plan.standing(row.canonical) == Standing::kDenied) deny.emplace_back(row.kind);
  for (const ToolLine& line : plan.servers()) {
    if (line.standing != Standing::kDenied)
      out.warnings.push_back("Copilot gets those tools of `" + line.native +
                             "` that rules name one by one: it takes no patterns for tools");
    if (!plan.stands_apart(line)) sort(line.native, line.standing);
  }
  for (const ToolLine& line : plan.mcp_tools()) {
    const McpName name = mcp_name(line.canonical);
    // Copilot does not ask about a tool that calls itself reading, and each may.
    if (line.standing == Standing::kOpen ||
        (line.standing == Standing::kJudged && request.hook == Hook::kRegistered))
      available.push_back(std::string(name.server) + "-" + std::string(name.tool));
    sort(std::string(name.server) + "(" + std::string(name.tool) + ")", line.standing);
  }
  for (const Rule* rule : plan.rules()) {
    if (std::string pattern = shell_pattern(plan, *rule); !pattern.empty())
      deny.push_back(std::move(pattern));
    if (const std::string host = denied_host(plan, *rule); !host.empty())
      for (const std::string_view scheme : {"https://", "http://"})
        deny.push_back("url(" + std::string(scheme) + host + ")");
  }
  std::ranges::sort(available);
  if (available.empty()) available.emplace_back("none");
  out.arguments.emplace_back("--available-tools");
  if (request.style == Style::kComma)
    out.arguments.push_back(join(available, ","));
  else
    out.arguments.insert(out.arguments.end(), available.begin(), available.end());
  for (const std::string& text : allow) {
    out.arguments.emplace_back("--allow-tool");
    out.arguments.push_back(text);
  }
  for (const std::string& text : deny) {
    out.arguments.emplace_back("--deny-tool");
    out.arguments.push_back(text);
  }
  add_rules(out, plan, [&](const Rule& rule) { return held(plan, rule); });
  Grounds grounds = grounds_by(Holder::kHook, "the hook refuses it");
  grounds.ceiling = grounds.unlisted = {Holder::kNative, "--available-tools names all there are"};
  grounds.sensitive = {Holder::kHook, "Copilot reads without asking; only the hook refuses"};
  grounds.unspoken = {Holder::kHook, "Copilot asks, the hook answers"};
  add_grounds(out, plan, grounds);
  return out;
}

}  // namespace tollgate::native
