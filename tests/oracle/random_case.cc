// The word lists are the point: every kind of rule and every kind of call is made of them, and
// most of them nearly match each other.
#include "oracle/random_case.h"

#include "json/json.h"

namespace tollgate::oracle {
namespace {

constexpr std::string_view kPrograms[] = {"git",     "npm",   "rm",    "ls",         "cat",
                                          "/bin/rm", "./run", "touch", "mkdir",      "kubectl",
                                          "cp",      "mv",    "echo",  "/opt/x/git", "tar"};
constexpr std::string_view kWords[] = {
    "push",       "run", "-f",   "--force", "build", "-rf", "x",  "src/a",
    "/etc/hosts", "--",  "-C",   ".",       "main",  "-r",  "*",  "build-*",
    "~/n",        "-n",  "prod", "xf",      "-x",    "fC",  "zx", "--namespace=prod",
    "status",     "log"};
constexpr std::string_view kPlainWords[] = {
    "xf",     "-xf",        "Cfx",    "push",   "run", "-f",   "--force", "build",   "-rf",  "x",
    "src/a",  "/etc/hosts", "--",     "-C",     ".",   "main", "-r",      "build-1", "../b", "/",
    "/tmp/q", "src",        "-nprod", "--forc", "-n",  "prod", "status",  "log"};
// What cannot be known, in several ways, and wrappers with commands behind them.
constexpr std::string_view kTails[] = {
    " $x",      " \"$x\"",  " > \"$x\"",        " > out/y", " *",
    " src/*.c", " <in",     "; eval \"$x\"",    "; . ./x",  "; $x",
    " | sh",    "; ${x@P}", " && python3 x.py", " &",       " 2>&1"};
constexpr std::string_view kOpenWords[] = {"$x",      "\"$x\"", "\"./$x\"", "\"build-$x\"",
                                           "\"-$x\"", "src/*",  "*",        "$(echo push)",
                                           "\"--$x\""};
constexpr std::string_view kWrapped[] = {"timeout 5 ", "sudo ",   "env A=1 ",   "nice ",   "xargs ",
                                         "A=1 ",       "PATH=x ", "cd src && ", "( : ) ; "};
constexpr std::string_view kPaths[] = {
    "src/**",    "src/*", "src",     "**/.env", ".env", "*.pem",  "//etc/**", "//etc/hosts",
    "~/.ssh/**", "~/n",   "/src/**", "/lib",    "./x",  "x",      "a/*/c",    "**",
    "/",         "//",    "SRC/A",   "a/**/c",  "[ab]", "src/a?", "~"};
constexpr std::string_view kRealPaths[] = {
    "src/a",        "src",         "src/b/.env",  ".env",
    "k.pem",        "/etc/hosts",  "/etc",        "/home/user/.ssh/id",
    "/home/user/n", "lib/x",       "x",           "a/b/c",
    "a/c",          "/",           "/w/p",        "../q",
    "/tmp/t",       "/w/p2/src/z", ".git/config", "/proc/self/environ",
    "src/ab",       "/home/user"};
constexpr std::string_view kHosts[] = {"domain:a.io",   "domain:*.a.io", "https://a.io/d/*",
                                       "domain:b.a.io", "*://*/x",       "http://c.io:8080/*"};
constexpr std::string_view kUrls[] = {
    "https://a.io/d/1",   "https://b.a.io/",     "http://a.io/",
    "http://c.io:8080/q", "https://a.io/d/../x", "ftp://a.io/",
    "https://u@a.io/",    "http://2130706433/",  "https://c.b.a.io./x"};
constexpr std::string_view kTools[] = {"mcp__s__get",   "mcp__s__del", "mcp__t__get", "files.write",
                                       "files.delete",  "db.query",    "Odd",         "TodoWrite",
                                       "terminal.exec", "files.rename"};
constexpr std::string_view kBare[] = {
    "Bash",      "Read",     "Edit",      "Write",    "Glob",     "WebFetch",
    "WebSearch", "Agent",    "fs_read",   "fs_write", "fs_*",     "execute_bash",
    "web_fetch", "subagent", "@builtin",  "@s",       "@s:get",   "mcp__s",
    "files.*",   "Odd",      "TodoWrite", "*",        "db.query", "AskUserQuestion"};
constexpr std::string_view kGlobTools[] = {"mcp__*", "mcp__s__d*", "*.delete", "Web*",
                                           "mcp__*__get"};
constexpr std::string_view kArguments[] = {"a=1",         "a=x", "b.c=y*", "a=x, b=z",
                                           "path=src/**", "a=*", "list=q", "a=true"};
constexpr std::string_view kInputs[] = {R"({"a":1})",
                                        R"({"a":"x"})",
                                        R"({"a":"x","b":"z"})",
                                        R"({"b":{"c":"yy"}})",
                                        R"({})",
                                        R"({"a":null})",
                                        R"({"list":["q","r"]})",
                                        R"({"path":"src/../etc"})",
                                        R"({"path":"src/a/b"})",
                                        R"({"a":true})",
                                        R"({"a":[]})",
                                        R"({"a":{"x":1}})"};
constexpr std::string_view kFiles[] = {"u.yaml", "m.yaml"};
constexpr std::string_view kAgents[] = {"", "", "", "one", "two"};

std::string command(Random& random, bool pattern) {
  std::string text = pattern && random.one_in(12) ? "*" : random.pick(kPrograms);
  for (std::uint32_t n = random.below(4); n > 0; --n)
    text += " " + (pattern             ? random.pick(kWords)
                   : random.one_in(15) ? random.pick(kOpenWords)
                                       : random.pick(kPlainWords));
  if (pattern && random.one_in(2)) text += " *";
  return text;
}

std::string rule_text(Random& random, Verdict list) {
  switch (random.below(8)) {
    case 0:
      return random.pick(kBare);
    case 1:
    case 2:
      return (random.one_in(4) ? "execute_bash(" : "Bash(") + command(random, true) + ")";
    case 3:
    case 4: {
      constexpr std::string_view kPathTools[] = {"Read",        "Edit",    "Write",
                                                 "Glob",        "fs_*",    "fs_write",
                                                 "files.write", "files.*", "NotebookEdit"};
      return random.pick(kPathTools) + "(" + random.pick(kPaths) + ")";
    }
    case 5:
      return (random.one_in(3) ? "web_fetch(" : "WebFetch(") + random.pick(kHosts) + ")";
    case 6:
      return (random.one_in(3) ? std::string("mcp__s") : random.pick(kTools)) + "(" +
             random.pick(kArguments) + ")";
    default:
      break;
  }
  if (list != Verdict::kAllow && random.one_in(2)) return random.pick(kGlobTools);
  return random.one_in(2) ? "Agent(" + std::string(random.one_in(2) ? "ex*" : "explore") + ")"
                          : "terminal.exec(" + command(random, true) + ")";
}

void add_conditions(Random& random, Rule& rule) {
  if (random.one_in(10)) rule.hours = Hours{.days = 0x1f, .from = 540, .to = 1080, .zone = "UTC"};
  if (random.one_in(15)) rule.expires = 1'000'000 + random.below(2) * 1'000'000;
  if (rule.verdict == Verdict::kAsk && random.one_in(12))
    rule.answer = static_cast<Answerer>(random.below(5));
  if (random.one_in(10)) rule.reason = "because";
}

AgentPolicy random_agent(Random& random, std::string name) {
  AgentPolicy agent = built_in_policy().agents[0];
  agent.name = std::move(name);
  agent.mode.value = static_cast<Mode>(random.below(5));
  agent.mode.source = ConfigSource::kUser;
  if (random.one_in(6)) {
    agent.mode.source = ConfigSource::kManaged;
    agent.mode_limit = agent.mode.value;
  }
  if (random.one_in(3)) agent.answer.value = static_cast<Answerer>(random.below(5));
  if (random.one_in(4)) {
    agent.ceiling.chosen = true;
    agent.ceiling.entries.clear();
    for (std::uint32_t n = random.below(6); n > 0; --n) {
      const std::string text(random.pick(kBare));
      if (Result<ToolPart> part = parse_tool_part(Verdict::kAllow, text, {}))
        agent.ceiling.entries.push_back({*part, text});
    }
  }
  if (random.one_in(4))
    agent.ceiling.lists = {{agent.ceiling.entries, ConfigSource::kUser, "u.yaml:1:1", "role x"},
                           {{}, ConfigSource::kEnv, "V", "V"}};
  if (random.one_in(4)) agent.servers = {"s"};
  agent.default_paths = !random.one_in(5);
  if (random.one_in(4))
    agent.network = {.allowed = !random.one_in(4),
                     .limited = random.one_in(2),
                     .outside_asks = random.one_in(2),
                     .hosts = {"a.io", "*.b.a.io"}};
  return agent;
}

}  // namespace

Rule random_rule(Random& random, std::uint32_t line) {
  while (true) {
    const auto list = static_cast<Verdict>(random.below(3));
    const Position where{.file = random.pick(kFiles), .line = line, .column = 7};
    Result<Rule> rule = parse_rule(list, rule_text(random, list), where);
    if (!rule) continue;
    rule->agent = random.pick(kAgents);
    rule->source = random.one_in(3) ? ConfigSource::kManaged : ConfigSource::kUser;
    add_conditions(random, *rule);
    return *rule;
  }
}

PolicySet random_policy(Random& random) {
  PolicySet set;
  set.agents = {random_agent(random, ""), random_agent(random, "one"), random_agent(random, "two")};
  if (random.one_in(3)) set.rules = built_in_policy().rules;
  for (std::uint32_t n = random.below(14), line = 1; n > 0; --n, ++line)
    set.rules.push_back(random_rule(random, line));
  set.zones = {{.name = "UTC", .offsets = {{.from = 0, .seconds = 0}}}};
  if (random.one_in(4))
    set.tools.push_back(
        {.name = "db.query", .side_effect = random.one_in(2), .specifier_template = "{a}"});
  return set;
}

ToolCall random_call(Random& random) {
  ToolCall call{.id = "c", .cwd = random.one_in(4) ? "/w/p/src" : "/w/p"};
  call.agent = random.pick(kAgents);
  constexpr std::string_view kModes[] = {"", "", "", "plan", "dontAsk", "bypassPermissions"};
  call.client_mode = random.pick(kModes);
  call.input = json::Value::object();
  const auto set = [&](const char* name, std::string text) {
    call.input.set(name, json::Value::string(std::move(text)));
  };
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2: {
      call.tool = "Bash";
      std::string text = command(random, false);
      if (random.one_in(4)) text += " && " + command(random, false);
      if (random.one_in(12)) text += random.pick(kTails);
      if (random.one_in(10)) text = random.pick(kWrapped) + text;
      set("command", text);
      break;
    }
    case 3: {
      constexpr std::string_view kPathTools[] = {"Read", "Edit", "Write", "Glob", "Grep", "LS"};
      call.tool = random.pick(kPathTools);
      set(call.tool[0] == 'G' || call.tool == "LS" ? "path" : "file_path", random.pick(kRealPaths));
      if (call.tool == "Write")
        set("content", random.one_in(9) ? "-----BEGIN PRIVATE KEY-----\n" : "x");
      if (call.tool == "Edit") {
        set("old_string", "a");
        set("new_string", "b");
      }
      if (call.tool[0] == 'G') set("pattern", "x");
      break;
    }
    case 4:
      call.tool = "WebFetch";
      set("url", random.pick(kUrls));
      break;
    case 5:
      call.tool = random.pick(kTools);
      call.input = *json::parse(random.pick(kInputs));
      if (call.tool.starts_with("files.")) {
        set("path", random.pick(kRealPaths));
        set("newPath", random.pick(kRealPaths));
      }
      if (call.tool == "terminal.exec") set("command", command(random, false));
      break;
    case 6:
      call.tool = random.one_in(2) ? "mcp__s__get" : "mcp__s__del";
      call.input = *json::parse(random.pick(kInputs));
      break;
    case 7:
      call.tool = "Agent";
      if (!random.one_in(4)) set("subagent_type", random.one_in(2) ? "explore" : "other");
      break;
    default: {
      constexpr std::string_view kOther[] = {"WebSearch", "AskUserQuestion", "TodoWrite", "Odd",
                                             "ExitPlanMode"};
      call.tool = random.pick(kOther);
      set("query", "q");
    }
  }
  call.native_tool = call.tool;
  return call;
}

Situation random_situation(Random& random, const ToolCall& call, const Effects& effects) {
  Situation s;
  s.now = random.one_in(2) ? 1'500'000 : 4 * 86'400 + 12 * 3'600;
  s.base = {"/w/p", "/w/p"};
  s.cwd = {call.cwd, call.cwd};
  s.roots = {{"/w/p", "/w/p"}};
  if (random.one_in(3)) s.roots.push_back({"/w/p2", "/real/p2"});
  s.home = {"/home/user", "/home/user"};
  s.temporary = {{"/tmp", "/tmp"}};
  if (random.one_in(5)) s.gate = {{"/home/user/n", "/home/user/n"}};
  s.approver_reachable = !random.one_in(6);
  for (const Effect& effect : effects) {
    PathLook look;
    if (is_path_kind(effect.kind)) {
      look.state = static_cast<PathState>(random.below(5));
      if (look.state == PathState::kUnknown && !random.one_in(3)) look.state = PathState::kFile;
      look.real = random.one_in(6)   ? "/etc/hosts"
                  : random.one_in(8) ? "/w/p/src/Linked"
                                     : effect.path;
      look.bare_repository = random.one_in(12);
      if (is_repository(effect) && !random.one_in(3))
        look.repository = static_cast<Repository>(random.below(5));
      look.walked = effect.recursive && random.one_in(2);
      if (look.walked && random.one_in(2)) look.below = {effect.path + "/x/.env"};
      look.walk_cut = look.walked && random.one_in(4);
    }
    s.paths.push_back(std::move(look));
  }
  return s;
}

DecideOptions random_options(Random& random) {
  DecideOptions options;
  if (random.one_in(3)) options.mode = static_cast<Mode>(random.below(5));
  return options;
}

std::string show(const PolicySet& set) {
  std::string text;
  for (const AgentPolicy& agent : set.agents)
    text += "agent `" + agent.name + "` mode " + std::string(name(agent.mode.value)) + " answer " +
            std::string(name(agent.answer.value)) + "\n";
  for (const Rule& rule : set.rules)
    text += std::string(name(rule.verdict)) + " " + rule.text +
            (rule.agent.empty() ? "" : " @" + rule.agent) + (rule.hours ? " hours" : "") +
            (rule.expires ? " expires" : "") + "\n";
  return text;
}

}  // namespace tollgate::oracle
