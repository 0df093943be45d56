// Kiro and Amazon Q: an agent file, and the permissions file of Kiro 3.
// Both ask about what is not allowed and run reads unasked; a hook can refuse and not open.
// From the documentation of these clients, not from runs.
#include <algorithm>

#include "json/json.h"
#include "native/lines.h"
#include "native/makers.h"
#include "native/quote.h"

namespace tollgate::native {
namespace {

// The words with any number of blanks around and between them.
std::string regex_of(const std::vector<std::string>& words) {
  std::string out = " *";
  for (const std::string& word : words) {
    if (&word != &words.front()) out += " +";
    out += regex_escaped(word);
  }
  return out;
}

// Matched against the whole command, by the client's own anchors.
std::vector<std::string> allowed_commands(const Plan& plan) {
  std::vector<std::string> out;
  for (const PlainCommand& plain : plan.plain_commands())
    out.push_back(regex_of(plain.words) +
                  (plain.open ? "( +[A-Za-z0-9][" + std::string(kPlainTail) + "]*)*" : "") + " *");
  return out;
}

std::vector<std::string> denied_commands(const Plan& plan) {
  std::vector<std::string> out;
  for (const HeldCommand& held : plan.commands(Verdict::kDeny))
    out.push_back(regex_of(held.pattern.words) + (held.pattern.open ? "( .*)?" : " *"));
  return out;
}

std::string path_text(const Plan& plan, const HeldPath& path) {
  if (path.anchor == Anchor::kFilesystem) return "/" + path.pattern;
  if (path.anchor == Anchor::kHome) return "~/" + path.pattern;
  if (path.floating) return path.pattern.starts_with("**/") ? path.pattern : "**/" + path.pattern;
  if (path.anchor == Anchor::kRoots) return plan.request().root + "/" + path.pattern;
  return "./" + path.pattern;
}

std::vector<std::string> paths(const Plan& plan, Verdict verdict, bool reads) {
  std::vector<std::string> out;
  for (const Rule* rule : plan.rules()) {
    if (rule->verdict != verdict) continue;
    const auto path = plan.path_of(*rule);
    if (path && (reads ? path->reads : path->writes)) out.push_back(path_text(plan, *path));
  }
  return out;
}

std::string server_tool(const ToolLine& line) {
  const McpName name = mcp_name(line.canonical);
  return "@" + std::string(name.server) + "/" + std::string(name.tool);
}

// The agent's name, where it is one that a file can have anywhere.
std::string file_name(const AgentPolicy& agent) {
  const bool plain = !agent.name.empty() && std::ranges::all_of(agent.name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
  return plain ? agent.name : "tollgate";
}

std::string agent_text(const Plan& plan) {
  const bool hooked = plan.request().hook == Hook::kRegistered;
  std::vector<std::string> tools, allowed;
  const auto sort = [&](const std::string& name, Standing standing) {
    if (standing == Standing::kDenied) return;
    tools.push_back(name);
    if (standing == Standing::kOpen || hooked) allowed.push_back(name);
  };
  for (const ToolLine& line : plan.tools()) sort(line.native, line.standing);
  for (const ToolLine& line : plan.servers()) {
    // A server as a whole would bring the tools of it that are denied.
    const bool some = std::ranges::any_of(plan.mcp_tools(), [&](const ToolLine& tool) {
      return tool.standing == Standing::kDenied && mcp_name(tool.canonical).server == line.native;
    });
    if (!some) sort("@" + line.native, line.standing);
  }
  for (const ToolLine& line : plan.mcp_tools()) sort(server_tool(line), line.standing);
  json::Value shell = json::Value::object({{"allowedCommands", texts(allowed_commands(plan))},
                                           {"deniedCommands", texts(denied_commands(plan))},
                                           {"allowReadOnly", json::Value::boolean(false)},
                                           {"autoAllowReadonly", json::Value::boolean(false)}});
  json::Value read =
      json::Value::object({{"deniedPaths", texts(paths(plan, Verdict::kDeny, true))}});
  json::Value write =
      json::Value::object({{"deniedPaths", texts(paths(plan, Verdict::kDeny, false))}});
  json::Value settings = json::Value::object();
  for (const ToolLine& line : plan.tools()) {
    if (line.kind == ToolKind::kShell) settings.set(line.native, shell);
    if (line.kind == ToolKind::kRead || line.kind == ToolKind::kList)
      settings.set(line.native, read);
    if (line.kind == ToolKind::kEdit) settings.set(line.native, write);
  }
  const std::string name = file_name(plan.agent());
  json::Value agent = json::Value::object(
      {{"name", text(name)},
       {"description", text("made by tollgate compile")},
       {"mcpServers",
        plan.request().servers.is_object() ? plan.request().servers : json::Value::object()},
       {"tools", texts(tools)},
       {"allowedTools", texts(allowed)},
       {"toolsSettings", std::move(settings)},
       {"useLegacyMcpJson", json::Value::boolean(false)}});
  return json::write_pretty(agent);
}

// ---- Kiro 3 ----

class Permissions {
 public:
  explicit Permissions(const Plan& plan) : plan_(plan) {}

  std::string make();

 private:
  void rule(std::string_view capability, std::string_view effect,
            const std::vector<std::string>& match = {});
  void kind(std::string_view capability, std::string_view canonical);
  void matches(std::string_view capability, Verdict verdict, bool reads);
  void servers();

  const Plan& plan_;
  std::string text_ = "# Made by tollgate compile.\nrules:\n";
};

void Permissions::rule(std::string_view capability, std::string_view effect,
                       const std::vector<std::string>& match) {
  text_ +=
      "  - capability: " + std::string(capability) + "\n    effect: " + std::string(effect) + "\n";
  if (match.empty()) return;
  text_ += "    match:\n";
  for (const std::string& each : match) text_ += "      - " + quoted(each) + "\n";
}

void Permissions::kind(std::string_view capability, std::string_view canonical) {
  const Standing standing = plan_.standing(canonical);
  if (standing == Standing::kDenied) return rule(capability, "deny");
  if (plan_.request().hook == Hook::kRegistered) return rule(capability, "allow");
  rule(capability, "ask");
}

void Permissions::matches(std::string_view capability, Verdict verdict, bool reads) {
  const std::vector<std::string> found = paths(plan_, verdict, reads);
  if (!found.empty()) rule(capability, verdict == Verdict::kDeny ? "deny" : "ask", found);
}

void Permissions::servers() {
  for (const std::vector<ToolLine>* lines : {&plan_.servers(), &plan_.mcp_tools()})
    for (const ToolLine& line : *lines) {
      const McpName name = mcp_name(line.canonical);
      const bool whole = name.tool.empty();
      const std::string match =
          whole ? line.native + "/*" : std::string(name.server) + "/" + std::string(name.tool);
      const bool open =
          line.standing == Standing::kOpen ||
          (plan_.request().hook == Hook::kRegistered && line.standing == Standing::kJudged);
      // The strictest wins: a server as a whole must not take its open tools away.
      if (whole && !open) continue;
      rule("mcp", line.standing == Standing::kDenied ? "deny" : open ? "allow" : "ask", {match});
    }
}

std::string Permissions::make() {
  kind("shell", "Bash");
  std::vector<std::string> denied;
  for (const HeldCommand& held : plan_.commands(Verdict::kDeny)) {
    denied.push_back(held.pattern.text());
    if (held.pattern.open) denied.push_back(held.pattern.text() + " *");
  }
  if (!denied.empty()) rule("shell", "deny", denied);
  kind("fs_write", "Edit");
  matches("fs_write", Verdict::kDeny, false);
  matches("fs_write", Verdict::kAsk, false);
  if (plan_.standing("Read") == Standing::kDenied)
    rule("fs_read", "deny");
  else
    rule("fs_read", "ask",
         {"**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/id_rsa*", "**/id_ed25519*",
          "~/.ssh/**", "~/.aws/**", "~/.gnupg/**", "~/.kube/**", "~/.config/gh/**", "**/.netrc",
          "**/.npmrc", "**/.pypirc", "/etc/shadow"});
  matches("fs_read", Verdict::kDeny, true);
  matches("fs_read", Verdict::kAsk, true);
  servers();
  return text_;
}

Held held(const Plan& plan, const Rule& rule) {
  if (rule.verdict == Verdict::kAllow) {
    for (const PlainCommand& plain : plan.plain_commands())
      if (plain.rule == &rule)
        return {plain.open == rule.specifier.ends_with(" *") ? Holder::kNative : Holder::kWithheld,
                plain.open ? "plain words only" : "this command alone"};
    if (plan.request().hook == Hook::kRegistered) return {Holder::kHook, "the hook judges it"};
    if (rule.tool.kind == ToolPartKind::kAll)
      return {Holder::kWithheld, "only what the file lists runs unasked"};
    if (plan.opens(rule, plan.mcp_tools()) || plan.opens(rule, plan.tools()))
      return {Holder::kNative, "runs without the gate"};
    return {Holder::kWithheld, "a person is asked"};
  }
  if (rule.verdict == Verdict::kDeny && plan.is_whole(rule) && plan.holds_by_tools(rule))
    return {Holder::kNative, "the tool is taken away"};
  return {Holder::kHook, "the agent file refuses the plain spelling at most"};
}

Compiled make(const Client& client, const Plan& plan) {
  Compiled out = begin(client, plan);
  out.strength = Strength::kHard;
  out.how = "an agent file that lists its tools, and which of them run unasked";
  out.failing =
      "open: a hook that fails lets the call go on; what is not allowed is then asked about";
  const std::string name = file_name(plan.agent());
  out.files.push_back({name + ".json",
                       client.name == "q" ? "~/.aws/amazonq/cli-agents/" : "~/.kiro/agents/",
                       agent_text(plan)});
  out.arguments = {"chat", "--agent", name};
  add_rules(out, plan, [&](const Rule& rule) { return held(plan, rule); });
  Grounds grounds = grounds_by(Holder::kHook, "the hook refuses it");
  grounds.ceiling = grounds.unlisted = {Holder::kNative, "`tools` names all there are"};
  grounds.sensitive = {Holder::kHook, "reads run unasked; only the hook refuses"};
  add_grounds(out, plan, grounds);
  for (const ToolLine& tool : plan.mcp_tools())
    if (tool.standing == Standing::kDenied && plan.request().hook == Hook::kRegistered)
      out.warnings.push_back(
          "of a server with a denied tool only those are listed that rules name: " +
          tool.canonical);
  out.warnings.emplace_back("never start it with --trust-all-tools: that runs everything unasked");
  return out;
}

}  // namespace

Result<Compiled> compile_q(const Client& client, const Request& request) {
  return make(client, Plan(client, request));
}

Result<Compiled> compile_kiro(const Client& client, const Request& request) {
  const Plan plan(client, request);
  Compiled out = make(client, plan);
  out.files.push_back({"permissions.yaml", "Kiro 3: ~/.kiro/settings/", Permissions(plan).make()});
  out.warnings.emplace_back("sub-agents of Kiro 2 do not keep to allowedTools");
  return out;
}

}  // namespace tollgate::native
