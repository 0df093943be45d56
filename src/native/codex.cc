// Codex: its sandbox, and rules that only ever refuse.
// A command just runs in the sandbox unless a rule or the hook refuses it, so that whatever the
// sandbox does not hold is the hook's.
// SAFETY: no rule says allow: that would run the command outside the sandbox.
#include <algorithm>

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

std::string config_text(const Plan& plan, const std::string& sandbox) {
  std::string text = "# Made by tollgate compile; belongs into $CODEX_HOME/config.toml.\n";
  text += "approval_policy = \"on-request\"\n";
  text += "sandbox_mode = " + quoted(sandbox) + "\n";
  if (plan.standing("WebSearch") == Standing::kDenied) text += "web_search = \"disabled\"\n";
  text += "\n[sandbox_workspace_write]\nnetwork_access = false\n";
  for (const ToolLine& line : plan.servers()) {
    const bool apart = std::ranges::any_of(plan.mcp_tools(), [&](const ToolLine& tool) {
      return tool.canonical.starts_with(line.canonical + "__") &&
             tool.standing != Standing::kDenied;
    });
    if (line.standing != Standing::kDenied) {
      std::string off;
      for (const ToolLine& tool : plan.mcp_tools())
        if (tool.canonical.starts_with(line.canonical + "__") && tool.standing == Standing::kDenied)
          off +=
              (off.empty() ? "" : ", ") + quoted(tool.canonical.substr(line.canonical.size() + 2));
      if (!off.empty())
        text += "\n[mcp_servers." + quoted(line.native) + "]\ndisabled_tools = [" + off + "]\n";
    } else if (!apart) {
      text += "\n[mcp_servers." + quoted(line.native) + "]\nenabled = false\n";
    }
  }
  return text;
}

bool lies_in(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) && (path.size() == directory.size() ||
                                         directory.ends_with('/') || path[directory.size()] == '/');
}

// Whether a path that the pattern means may lie where the sandbox lets write.
bool is_writable(const Plan& plan, std::string_view pattern) {
  const std::string start = "/" + std::string(literal_prefix(pattern));
  std::vector<std::string> places = plan.agent().roots;
  places.push_back(plan.request().root);
  places.emplace_back("/tmp");
  places.emplace_back("/var/tmp");
  return std::ranges::any_of(places, [&](const std::string& place) {
    return lies_in(start, place) || lies_in(place, start);
  });
}

Held held(const Plan& plan, const Rule& rule, bool writes) {
  if (rule.verdict == Verdict::kAllow)
    return {Holder::kSandbox, "runs in the sandbox, as everything does"};
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
