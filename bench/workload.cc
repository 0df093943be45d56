// Words that people's rules are made of, and a generator that puts them together.
// The mix: 45 of a hundred rules are about commands, 25 about paths, 10 about hosts, 20 about MCP
// tools, a third of these with arguments; 60 of a hundred allow, 20 ask, 20 deny.
#include "bench/workload.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <unordered_set>

#include "effects/effects.h"
#include "json/json.h"
#include "policy/rule.h"
#include "service/world.h"

namespace tollgate::bench {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kPrograms[] = {
    "git",     "npm",       "pnpm", "yarn",    "cargo",  "go",        "make",       "docker",
    "kubectl", "terraform", "aws",  "gcloud",  "gh",     "psql",      "redis-cli",  "pytest",
    "pip",     "poetry",    "helm", "ansible", "rsync",  "scp",       "ssh",        "curl",
    "wget",    "tar",       "rm",   "mv",      "chmod",  "systemctl", "journalctl", "node",
    "python3", "bundle",    "rake", "mvn",     "gradle", "bazel",     "buck2",      "nix",
};
constexpr std::string_view kVerbs[] = {
    "run",  "build", "test",   "push", "pull", "apply", "plan", "deploy",  "delete",  "create",
    "list", "show",  "status", "logs", "exec", "start", "stop", "restart", "install", "publish",
};
constexpr std::string_view kFlags[] = {"--force", "--dry-run", "-v",      "--all",   "-f",
                                       "-n",      "--yes",     "--quiet", "--prune", "--no-cache"};
constexpr std::string_view kNouns[] = {
    "billing", "cart",   "search", "login",  "orders", "stock",  "mail",
    "report",  "audit",  "export", "import", "images", "video",  "chat",
    "maps",    "prices", "offers", "users",  "teams",  "tokens",
};
constexpr std::string_view kServers[] = {"github", "gitlab", "jira",  "slack",  "linear",
                                         "sentry", "notion", "figma", "stripe", "grafana"};
constexpr std::string_view kEndings[] = {"ts", "py", "go", "rs", "md", "json", "yaml", "sql"};

// xorshift: the same stream everywhere, whatever the standard library does.
class Random {
 public:
  std::uint32_t below(std::uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>((state_ >> 16) % bound);
  }
  std::string of(Words words) {
    return std::string(words[below(static_cast<std::uint32_t>(words.size()))]);
  }
  std::string thing() { return of(kNouns) + "-" + std::to_string(below(400)); }

 private:
  std::uint64_t state_ = 0x2545f4914f6cdd1d;
};

std::string command_rule(Random& random) {
  const std::string start = random.of(kPrograms) + " " + random.of(kVerbs);
  switch (random.below(6)) {
    case 0:
      return "Bash(" + start + " " + random.thing() + ")";
    case 1:
      return "Bash(" + start + " " + random.of(kFlags) + " " + random.thing() + " *)";
    case 2:
      return "Bash(" + start + " " + random.thing() + ":*)";
    case 3:
      return "Bash(" + start + " *" + random.thing() + "*)";
    case 4:
      return "Bash(" + random.of(kPrograms) + " -C services/" + random.thing() + " *)";
    default:
      return "Bash(" + start + " " + random.thing() + " *)";
  }
}

std::string path_rule(Random& random) {
  const std::string tool = random.below(3) == 0 ? "Read" : "Edit";
  switch (random.below(7)) {
    case 0:
      return tool + "(~/." + random.thing() + "/**)";
    case 1:
      return tool + "(//srv/" + random.thing() + "/" + random.of(kNouns) + "/**)";
    case 2:
      return tool + "(**/" + random.thing() + "/*." + random.of(kEndings) + ")";
    case 3:
      return tool + "(/packages/" + random.thing() + "/src/**)";
    case 4:
      return tool + "(src/" + random.of(kNouns) + "/" + random.thing() + "." + random.of(kEndings) +
             ")";
    case 5:
      return tool + "(src/" + random.thing() + "/*." + random.of(kEndings) + ")";
    default:
      return tool + "(docs/" + random.thing() + "/**)";
  }
}

std::string host_rule(Random& random) {
  const std::string host = random.thing() + "." + random.of(kNouns) + ".example.com";
  switch (random.below(3)) {
    case 0:
      return "WebFetch(domain:*." + host + ")";
    case 1:
      return "WebFetch(https://" + host + "/" + random.of(kVerbs) + "/*)";
    default:
      return "WebFetch(domain:" + host + ")";
  }
}

std::string mcp_rule(Random& random) {
  const std::string server = "mcp__" + random.of(kServers);
  const std::string tool = server + "__" + random.of(kVerbs) + "_" + random.of(kNouns);
  switch (random.below(6)) {
    case 0:
      return tool + "(repo=acme/" + random.thing() + ")";
    case 1:
      return tool + "(repo=acme/*, branch=release/" + random.thing() + ")";
    case 2:
      return server + "_" + std::to_string(random.below(300));
    default:
      return tool + "_" + std::to_string(random.below(300));
  }
}

std::string filler_rule(Random& random) {
  const std::uint32_t kind = random.below(100);
  if (kind < 45) return command_rule(random);
  if (kind < 70) return path_rule(random);
  if (kind < 80) return host_rule(random);
  return mcp_rule(random);
}

Verdict filler_list(Random& random) {
  const std::uint32_t kind = random.below(100);
  return kind < 60 ? Verdict::kAllow : kind < 80 ? Verdict::kAsk : Verdict::kDeny;
}

const std::vector<RuleText>& fitting() {
  static const std::vector<RuleText> rules = {
      {Verdict::kAllow, "mcp__tracker__list_issues"},
      {Verdict::kAllow, "Bash(npm run *)"},
      {Verdict::kAllow, "Edit(src/**)"},
      {Verdict::kDeny, "Bash(git push --force *)"},
      {Verdict::kAllow, "mcp__tracker__comment(repo=acme/shop)"},
  };
  return rules;
}

constexpr CallCase kCalls[] = {
    {"an MCP call that a rule allows", "mcp__tracker__list_issues",
     R"({"state":"open","limit":20})", Verdict::kAllow},
    {"a command that a rule allows", "Bash", R"({"command":"npm run build"})", Verdict::kAllow},
    {"a read inside the root", "Read", R"({"file_path":"/home/me/shop/src/cart/total.ts"})",
     Verdict::kAllow},
    {"an edit that a path rule allows", "Edit",
     R"({"file_path":"/home/me/shop/src/cart/total.ts","old_string":"sum + 1","new_string":"sum + item.price"})",
     Verdict::kAllow},
    {"a command that a rule denies", "Bash", R"({"command":"git push --force origin main"})",
     Verdict::kDeny},
    {"an MCP call that an argument rule allows", "mcp__tracker__comment",
     R"({"repo":"acme/shop","issue":17,"body":"done in the last release"})", Verdict::kAllow},
};

json::Value rule_json(const RuleText& each) {
  const Result<Rule> rule = parse_rule(each.list, each.text, {});
  if (!rule) std::abort();
  json::Value value = json::Value::object();
  value.set("list", json::Value::string(std::string(name(each.list))));
  value.set("text", json::Value::string(each.text));
  value.set("tool", json::Value::string(rule->tool.name));
  value.set("whole_server", json::Value::boolean(rule->tool.kind == ToolPartKind::kServer));
  constexpr std::array<std::string_view, 8> kKinds = {"none", "shell",     "path",     "host",
                                                      "url",  "arguments", "template", "agent"};
  value.set("kind", json::Value::string(
                        std::string(kKinds[static_cast<std::size_t>(rule->specifier_kind)])));
  value.set("specifier", json::Value::string(rule->arguments.empty() ? rule->specifier : ""));
  json::Value arguments = json::Value::object();
  for (const ArgumentPattern& argument : rule->arguments)
    arguments.set(argument.name, json::Value::string(argument.pattern));
  value.set("arguments", std::move(arguments));
  return value;
}

}  // namespace

std::vector<RuleText> rule_texts(std::size_t size) {
  std::vector<RuleText> rules = fitting();
  std::unordered_set<std::string> seen;
  Random random;
  while (rules.size() < size) {
    std::string text = filler_rule(random);
    const Verdict list = filler_list(random);
    if (seen.insert(text).second) rules.push_back({list, std::move(text)});
  }
  return rules;
}

std::string yaml_of(const std::vector<RuleText>& rules) {
  std::string text = "version: 1\nrules:\n";
  for (const Verdict list : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
    text += "  " + std::string(name(list)) + ":\n";
    for (const RuleText& rule : rules)
      if (rule.list == list) text += "    - \"" + rule.text + "\"\n";
  }
  return text;
}

PolicySet policy_set_of(const std::vector<RuleText>& rules) {
  PolicySet set = built_in_policy();
  std::uint32_t line = 3;
  for (const RuleText& each : rules) {
    Result<Rule> rule = parse_rule(each.list, each.text,
                                   {.file = "/home/me/.config/tollgate/tollgate.yaml",
                                    .line = ++line,
                                    .column = 7,
                                    .width = 1,
                                    .text = {}});
    if (!rule) std::abort();
    set.rules.push_back(std::move(*rule));
  }
  return set;
}

std::span<const CallCase> call_cases() { return kCalls; }

Asked ask(const CallCase& each) {
  Asked asked;
  asked.call.tool = asked.call.native_tool = each.tool;
  asked.call.provider = "claude";
  asked.call.cwd = "/home/me/shop";
  asked.call.input = json::parse(each.input).value_or(json::Value::object());
  asked.effects = effects_of(asked.call, {}, "/home/me");
  FixedWorld world;
  world.now = 1'700'000'000;
  // Files are there; words that merely could be one, such as `run`, are not.
  for (const Effect& effect : asked.effects)
    if (!effect.path.empty() && effect.guess == Guess::kNone)
      world.files[effect.path] = {
          .state = is_repository(effect) ? PathState::kDirectory : PathState::kFile,
          .real = effect.path,
          .below = {}};
  asked.situation = world.look(asked.call, asked.effects,
                               {.base = "/home/me/shop",
                                .roots = {},
                                .home = "/home/me",
                                .temporary = {},
                                .gate = {"/home/me/.config/tollgate"},
                                .search_path = {}});
  return asked;
}

std::string workload_json() {
  json::Value rules = json::Value::array();
  for (const RuleText& each : rule_texts(kSizes[std::size(kSizes) - 1]))
    rules.push(rule_json(each));
  json::Value calls = json::Value::array();
  for (const CallCase& each : kCalls) {
    json::Value call = json::Value::object();
    call.set("name", json::Value::string(std::string(each.name)));
    call.set("tool", json::Value::string(std::string(each.tool)));
    call.set("input", json::parse(each.input).value_or(json::Value::object()));
    call.set("want", json::Value::string(std::string(name(each.want))));
    calls.push(std::move(call));
  }
  json::Value sizes = json::Value::array();
  for (const std::size_t size : kSizes)
    sizes.push(json::Value::integer(static_cast<std::int64_t>(size)));
  json::Value all = json::Value::object();
  all.set("sizes", std::move(sizes));
  all.set("rules", std::move(rules));
  all.set("calls", std::move(calls));
  return json::write(all);
}

}  // namespace tollgate::bench
