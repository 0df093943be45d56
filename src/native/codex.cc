// Codex: its sandbox, and rules that only ever refuse.
// A command just runs in the sandbox unless a rule or the hook refuses it, so that whatever the
// sandbox does not hold is the hook's.
// SAFETY: no rule says allow: that would run the command outside the sandbox.
#include <algorithm>

#include "base/path.h"
#include "native/lines.h"
#include "native/makers.h"
#include "native/quote.h"

namespace tollgate::native {
namespace {

// A rule of Codex is a prefix, so that only a pattern with an open end means the same.
bool has_prefix_rule(const Plan& plan, const Rule& rule) {
  if (rule.verdict == Verdict::kAllow || plan.is_timed(rule)) return false;
  const auto command = plan.command_of(rule);
  return command && command->open && plan.touches(rule, "Bash", ToolKind::kShell);
}

std::string justification(const Rule& rule) {
  if (!rule.reason.empty()) return rule.reason;
  return std::string(rule.verdict == Verdict::kDeny ? "the policy denies "
                                                    : "the policy asks about ") +
         rule.text;
}

std::string rules_text(const Plan& plan) {
  std::string text =
      "# Made by tollgate compile. Nothing in here allows: an allow leaves the sandbox.\n";
  for (const Rule* rule : plan.rules()) {
    if (!has_prefix_rule(plan, *rule)) continue;
    std::string words;
    const std::optional<CommandPattern> command = plan.command_of(*rule);
    for (const std::string& word : command->words)
      words += (words.empty() ? "" : ", ") + quoted(word);
    text += "prefix_rule(pattern=[" + words +
            "], decision=" + quoted(rule->verdict == Verdict::kDeny ? "forbidden" : "prompt") +
            ", justification=" + quoted(justification(*rule)) + ")\n";
  }
  return text;
}

bool may_write(const Plan& plan) {
  return plan.standing("Edit") != Standing::kDenied && plan.agent().mode.value != Mode::kPlan &&
         plan.agent().mode_limit != Mode::kPlan;
}

// Tools of servers run outside the sandbox, and Codex by itself runs those unasked that call
// themselves reading: what is not open is prompted for, whatever it says of itself.
std::string approval(const ToolLine& line) {
  return quoted(line.standing == Standing::kOpen ? "approve" : "prompt") + "\n";
}

std::string server_text(const Plan& plan, const ToolLine& server) {
  const std::string head = "\n[mcp_servers." + quoted(server.native);
  std::string off, each;
  for (const ToolLine& tool : plan.mcp_tools()) {
    if (!tool.canonical.starts_with(server.canonical + "__")) continue;
    const std::string name = quoted(tool.canonical.substr(server.canonical.size() + 2));
    if (tool.standing == Standing::kDenied)
      off += (off.empty() ? "" : ", ") + name;
    else
      each += head + ".tools." + name + "]\napproval_mode = " + approval(tool);
  }
  if (server.standing == Standing::kDenied && each.empty()) return head + "]\nenabled = false\n";
  std::string text = head + "]\ndefault_tools_approval_mode = " + approval(server);
  if (!off.empty()) text += "disabled_tools = [" + off + "]\n";
  return text + each;
}

std::string config_text(const Plan& plan, const std::string& sandbox) {
  std::string text = "# Made by tollgate compile; belongs into $CODEX_HOME/config.toml.\n";
  text += "approval_policy = \"on-request\"\n";
  text += "sandbox_mode = " + quoted(sandbox) + "\n";
  if (plan.standing("WebSearch") == Standing::kDenied) text += "web_search = \"disabled\"\n";
  text += "\n[sandbox_workspace_write]\nnetwork_access = false\n";
  for (const ToolLine& line : plan.servers()) text += server_text(plan, line);
  return text;
}

// Whether a path that the pattern means may lie where the sandbox lets write.
bool is_writable(const Plan& plan, std::string_view pattern) {
  const std::string start = "/" + std::string(literal_prefix(pattern));
  std::vector<std::string> places = plan.agent().roots;
  places.push_back(plan.request().root);
  places.emplace_back("/tmp");
  places.emplace_back("/var/tmp");
  return std::ranges::any_of(places, [&](const std::string& place) {
    // Where the workspace is not known, it may be anywhere.
    return place.empty() || is_inside(start, place) || is_inside(place, start);
  });
}

bool is_of_server(const Rule& rule) {
  return rule.tool.kind == ToolPartKind::kServer ||
         (rule.tool.kind == ToolPartKind::kName && kind_of(rule.tool.name) == ToolKind::kMcp);
}

bool opens_a_tool(const Plan& plan, const Rule& rule) {
  const auto opens = [&](const ToolLine& line) {
    return line.standing == Standing::kOpen &&
           (covers(rule.tool, line.canonical, line.kind) ||
            (rule.tool.kind == ToolPartKind::kServer && rule.tool.name == line.native));
  };
  return plan.is_whole(rule) && is_of_server(rule) &&
         (std::ranges::any_of(plan.mcp_tools(), opens) ||
          std::ranges::any_of(plan.servers(), opens));
}

Held held(const Plan& plan, const Rule& rule, bool writes) {
  if (rule.verdict == Verdict::kAllow) {
    if (opens_a_tool(plan, rule)) return {Holder::kNative, "runs without the gate"};
    if (is_of_server(rule))
      return {Holder::kWithheld, "Codex asks, and refuses without a terminal"};
    return {Holder::kSandbox, "runs in the sandbox, as everything does"};
  }
  if (has_prefix_rule(plan, rule)) return {Holder::kHook, "a rule refuses the plain spelling too"};
  if (const auto path = plan.path_of(rule); path && path->writes && !path->reads) {
    if (!writes) return {Holder::kSandbox, "nothing can be written"};
    if (path->anchor == Anchor::kFilesystem && !is_writable(plan, path->pattern))
      return {Holder::kSandbox, "only the workspace can be written"};
  }
  const bool host =
      rule.specifier_kind == SpecifierKind::kHost || rule.specifier_kind == SpecifierKind::kUrl;
  if (host) return {Holder::kSandbox, "commands have no network"};
  return {Holder::kHook, "the hook refuses it"};
}

}  // namespace

Result<Compiled> compile_codex(const Client& client, const Request& request) {
  const Plan plan(client, request);
  Compiled out = begin(client, plan);
  const bool writes = may_write(plan);
  const std::string sandbox = writes ? "workspace-write" : "read-only";
  out.strength = Strength::kHard;
  out.how = "the sandbox " + sandbox + " without network, and rules that forbid or prompt";
  out.failing = "open inside the sandbox: a hook that fails lets the command run there";
  out.arguments = {"--sandbox", sandbox,
                   "-c",        "approval_policy=\"on-request\"",
                   "-c",        "sandbox_workspace_write.network_access=false"};
  if (plan.standing("WebSearch") == Standing::kDenied) {
    out.arguments.emplace_back("-c");
    out.arguments.emplace_back("web_search=\"disabled\"");
  }
  out.files.push_back({"rules/tollgate.rules", "$CODEX_HOME/rules/", rules_text(plan)});
  out.files.push_back({"config.toml", "into $CODEX_HOME/config.toml", config_text(plan, sandbox)});
  add_rules(out, plan, [&](const Rule& rule) { return held(plan, rule, writes); });
  Grounds grounds = grounds_by(Holder::kHook, "the hook refuses it");
  grounds.guarded = writes ? Held{Holder::kHook, "the hook refuses it"}
                           : Held{Holder::kSandbox, "nothing can be written"};
  grounds.hosts = {Holder::kSandbox, "commands have no network"};
  grounds.unspoken = {Holder::kHook,
                      "the hook refuses what would be asked about; without it the "
                      "command runs in the sandbox"};
  grounds.unlisted = {Holder::kHook, "Codex has no list of tools to offer"};
  add_grounds(out, plan, grounds);
  if (plan.standing("Bash") == Standing::kDenied)
    out.warnings.emplace_back(
        "Codex cannot take its shell away: without the hook commands run in the sandbox");
  return out;
}

}  // namespace tollgate::native
