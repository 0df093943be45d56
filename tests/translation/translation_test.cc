// What is compiled for a client, against the client's own reading of it and the gate's verdict.
// The quick run takes 300 policies from fixed seeds; TOLLGATE_LONG=1 takes 10,000.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "core/codec.h"
#include "effects/effects.h"
#include "gate/decide.h"
#include "json/json.h"
#include "native/client.h"
#include "native/gemini.h"
#include "oracle/random_case.h"
#include "translation/models.h"
#include "translation/plain_world.h"

namespace tollgate::native {
namespace {

using oracle::Random;

std::uint64_t seeds() { return std::getenv("TOLLGATE_LONG") != nullptr ? 10'000 : 300; }

constexpr std::string_view kShellRules[] = {
    "npm run *",   "npm test",   "npm *",    "make *",        "git push *",  "git push --force *",
    "git *",       "git status", "rm -rf *", "rm *",          "curl *",      "cargo test *",
    "go test x",   "cat *",      "touch *",  "npm run build", "env *",       "node *",
    "* --version", "sh *",       "go vet *", "npm publish *", "make deploy", "npm run deploy *"};
constexpr std::string_view kPathRules[] = {"src/**", "secrets/**", "**/.env", "*.pem",   "//etc/**",
                                           "~/n/**", "/lib/**",    "./x.c",   "SRC/A.c", "a/*/c.c"};
constexpr std::string_view kOtherRules[] = {
    "mcp__s__get", "mcp__s__del",    "mcp__s",         "@t",        "mcp__s__get(a=1)",
    "Agent",       "Agent(explore)", "WebFetch",       "WebSearch", "WebFetch(domain:a.io)",
    "TodoWrite",   "Bash",           "Read",           "Edit",      "@builtin",
    "fs_write",    "NotebookEdit",   "AskUserQuestion"};
constexpr std::string_view kCommands[] = {"npm run build",
                                          "npm run",
                                          "npm test",
                                          "npm run deploy",
                                          "npm run x y",
                                          "npm run -s x",
                                          "npm run x > out",
                                          "npm test && npm test > ~/.bashrc",
                                          "npm test && rm -rf x",
                                          "npm install x",
                                          "make",
                                          "make all",
                                          "make -f x",
                                          "make deploy",
                                          "make X=1",
                                          "git push",
                                          "git push origin main",
                                          "git push --force",
                                          "git push -f origin",
                                          "git status",
                                          "git commit -m x",
                                          "git reset --hard",
                                          "rm -rf x",
                                          "rm x",
                                          "rm -fr /",
                                          "curl https://a.io/x",
                                          "cargo test foo",
                                          "cargo test",
                                          "go test x",
                                          "go vet x",
                                          "cat a.c",
                                          "cat .env",
                                          "cat /etc/shadow",
                                          "touch x && echo y",
                                          "touch .git/x",
                                          "env rm x",
                                          "node -e 1",
                                          "node x.js",
                                          "npm --version",
                                          "sh -c 'rm -rf /'",
                                          "ls -la",
                                          "echo hi",
                                          "npm run $(rm x)",
                                          "npm run \"a b\"",
                                          "npm run `x`",
                                          "npm publish",
                                          "npm test; curl https://a.io",
                                          "npm run x\nrm -rf /",
                                          "npm  run build",
                                          " npm test",
                                          "npm run build ",
                                          "echo x | sh",
                                          "npm run x & rm y",
                                          "cargo test id_rsa",
                                          "npm test\\\n-x",
                                          "cat secrets/a.c"};
constexpr std::string_view kFiles[] = {"src/a.c",
                                       "a.c",
                                       "secrets/a.c",
                                       "Secrets/a.c",
                                       ".env",
                                       "x/.env",
                                       "k.pem",
                                       "/etc/hosts",
                                       "/etc/passwd",
                                       "/w/p/src/b.md",
                                       "../q.c",
                                       "/home/user/.ssh/id_rsa",
                                       ".git/config",
                                       "id_rsa",
                                       "lib/x.js",
                                       "n.c",
                                       "/home/user/n/x.c",
                                       "./x.c",
                                       "x.c",
                                       "src/../secrets/a.c",
                                       "a/b/c.c",
                                       "README.md",
                                       "/w/p/secrets/a.c",
                                       "sub/secrets/a.c",
                                       "src/.hidden/x.c",
                                       "id_rsa.json",
                                       "src//a.c"};

template <std::size_t N>
std::string one(Random& random, const std::string_view (&list)[N]) {
  return random.pick(list);
}

std::string rule_text(Random& random) {
  switch (random.below(5)) {
    case 0:
    case 1:
      return "Bash(" + one(random, kShellRules) + ")";
    case 2:
      return (random.one_in(2) ? "Read(" : "Edit(") + one(random, kPathRules) + ")";
    default:
      return one(random, kOtherRules);
  }
}

// A policy as people write it: a role, some rules of each list.
PolicySet written_policy(Random& random) {
  PolicySet set = built_in_policy();
  AgentPolicy& agent = set.agents[0];
  if (random.one_in(2)) {
    agent.ceiling.chosen = true;
    agent.ceiling.entries.clear();
    constexpr std::string_view kEntries[] = {"@builtin", "fs_*",    "execute_bash", "web_fetch",
                                             "subagent", "fs_read", "fs_list",      "@s",
                                             "@s:get",   "*",       "Edit",         "TodoWrite"};
    for (std::uint32_t n = 1 + random.below(6); n > 0; --n) {
      const std::string text = one(random, kEntries);
      agent.ceiling.entries.push_back({*parse_tool_part(Verdict::kAllow, text, {}), text});
    }
  }
  if (random.one_in(3)) agent.servers = {"s"};
  if (random.one_in(5)) agent.mode.value = static_cast<Mode>(random.below(5));
  if (random.one_in(6)) agent.network.allowed = false;
  for (std::uint32_t n = random.below(8), line = 1; n > 0; --n, ++line) {
    const Verdict list = random.one_in(2) ? Verdict::kAllow : static_cast<Verdict>(random.below(3));
    Result<Rule> rule = parse_rule(list, rule_text(random), {.file = "u.yaml", .line = line});
    if (!rule) continue;
    if (random.one_in(15)) rule->expires = 1'000'000;
    set.rules.push_back(*rule);
  }
  return set;
}

ToolCall written_call(Random& random) {
  ToolCall call{.id = "c", .cwd = std::string(kRoot)};
  call.input = json::Value::object();
  const auto set = [&](const char* name, std::string text) {
    call.input.set(name, json::Value::string(std::move(text)));
  };
  switch (random.below(6)) {
    case 0:
    case 1:
      call.tool = "Bash";
      set("command", one(random, kCommands));
      if (random.one_in(3)) set("description", "says what it does");
      break;
    case 2: {
      constexpr std::string_view kTools[] = {"Read", "Edit", "Write", "Grep", "LS"};
      call.tool = one(random, kTools);
      set(call.tool == "Grep" || call.tool == "LS" ? "path" : "file_path", one(random, kFiles));
      if (call.tool == "Edit")
        set("new_string", random.one_in(5) ? "-----BEGIN PRIVATE KEY-----" : "x");
      if (call.tool == "Write") set("content", "x");
      if (call.tool == "Grep") set("pattern", "x");
      break;
    }
    case 3:
      call.tool = random.one_in(2)   ? "mcp__s__get"
                  : random.one_in(2) ? "mcp__s__del"
                                     : "mcp__t__any";
      if (random.one_in(2)) call.input.set("a", json::Value::integer(1));
      break;
    case 4: {
      constexpr std::string_view kTools[] = {"WebFetch", "WebSearch", "Agent", "TodoWrite"};
      call.tool = one(random, kTools);
      if (call.tool == "WebFetch")
        set("url", random.one_in(2) ? "https://a.io/x" : "https://b.io/");
      if (call.tool == "Agent") set("subagent_type", random.one_in(2) ? "explore" : "other");
      if (call.tool == "WebSearch") set("query", "q");
      break;
    }
    default:
      call = oracle::random_call(random);
      call.agent.clear();
      call.client_mode.clear();
      call.cwd = kRoot;
  }
  call.native_tool = call.tool;
  return call;
}

struct Gate {
  explicit Gate(const PolicySet& given) : set(given), policy(tollgate::compile(given)) {}

  Decision decide(const ToolCall& call) const {
    const Effects effects = effects_of(call, set.tools, std::string(kHome));
    return tollgate::decide(policy, call, effects, plain_world(call, effects), {});
  }
  Probe probe(const std::string& command) const {
    ToolCall call{.cwd = std::string(kRoot)};
    call.tool = call.native_tool = "Bash";
    call.input = json::Value::object({{"command", json::Value::string(command)}});
    const Effects effects = effects_of(call, set.tools, std::string(kHome));
    Probe probe{decide(call).verdict, false};
    for (const Effect& effect : effects)
      probe.touches_paths =
          probe.touches_paths || (is_path_kind(effect.kind) && !is_repository(effect));
    return probe;
  }

  const PolicySet& set;
  Policy policy;
};

Request request_for(const PolicySet& set, const Gate& gate) {
  Request request{.set = set, .agent = set.agents[0]};
  request.root = kRoot;
  request.home = kHome;
  request.probe = [&gate](const std::string& command) { return gate.probe(command); };
  return request;
}

std::string show(const PolicySet& set, const ToolCall& call, const Decision& decision,
                 const Compiled& compiled, std::uint64_t seed) {
  std::string text = "seed " + std::to_string(seed) + "\n" + oracle::show(set) + "ceiling:";
  for (const CeilingEntry& entry : set.agents[0].ceiling.entries) text += " " + entry.text;
  text += "\n" + json::write(to_json(call)) + "\ngate: " + std::string(name(decision.verdict));
  for (const Reason& reason : decision.reasons)
    text += " [" + reason.rule + ": " + reason.text + "]";
  return text + "\n" + compiled.client;
}

// The line of the report that a reason belongs to.
const RuleLine* line_of(const Compiled& compiled, const Reason& reason) {
  const auto ground = [&](std::string_view start) -> const RuleLine* {
    for (const RuleLine& line : compiled.rules)
      if (line.list == "built-in" && line.rule.starts_with(start)) return &line;
    return nullptr;
  };
  switch (reason.kind) {
    case ReasonKind::kRule:
      for (const RuleLine& line : compiled.rules)
        if (line.rule == reason.rule && line.list != "allow") return &line;
      for (const RuleLine& line : compiled.rules)
        if (line.rule == "the default blocked paths") return &line;
      return nullptr;
    case ReasonKind::kCeiling:
      if (reason.rule == "allowedHosts" || reason.rule == "allowNetwork")
        return ground(reason.rule);
      return ground(reason.text.find(" here, and ") != std::string::npos ? "effects outside"
                                                                         : "tools outside");
    case ReasonKind::kBreaker:
      return ground("breakers");
    case ReasonKind::kGuarded:
      if (reason.rule.starts_with("gate-") || reason.rule == "start-agent" ||
          reason.rule == "skip-permissions")
        return ground("the gate itself");
      return reason.rule == "person" ? nullptr : ground("guarded");
    case ReasonKind::kSensitive:
      return ground("sensitive");
    case ReasonKind::kDefault:
      return ground("what no rule");
    default:
      return nullptr;
  }
}

// Of the calls that an allow rule allows, those that come through.
struct Passing {
  std::size_t calls = 0, passed = 0;    // where the client can say the rule
  std::size_t all = 0, all_passed = 0;  // over all
};

struct Case {
  const Client& client;
  const PolicySet& set;
  const Compiled& compiled;
  const Model& model;
  const ToolCall& call;
  const Decision& decision;
  std::uint64_t seed;
};

std::string show(const Case& c) { return show(c.set, c.call, c.decision, c.compiled, c.seed); }

class Native : public ::testing::Test {
 protected:
  template <class Each>
  void for_each_case(const Each& each, Hook hook = Hook::kNone) {
    for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
      Random random(seed);
      PolicySet set = random.one_in(4) ? oracle::random_policy(random) : written_policy(random);
      const Gate gate(set);
      std::vector<ToolCall> calls;
      std::vector<Decision> decisions;
      for (int n = 0; n < 40; ++n) calls.push_back(written_call(random));
      for (const ToolCall& call : calls) decisions.push_back(gate.decide(call));
      for (const Client& client : clients()) {
        Request request = request_for(set, gate);
        request.hook = hook;
        const Result<Compiled> compiled = compile(client, request);
        ASSERT_TRUE(compiled) << compiled.error().message;
        const Model model = model_of(*compiled);
        if (!model) continue;
        for (std::size_t i = 0; i < calls.size(); ++i)
          each({client, set, *compiled, model, calls[i], decisions[i], seed});
        if (HasFatalFailure()) return;
      }
    }
  }
};

// Codex and Copilot leave commands and reading open, and close what servers offer; Codex knows only
// the servers that its file names.
bool is_closed_here(const Case& c) {
  const std::string server(mcp_name(c.call.tool).server);
  if (is_closed(c.client.name) || server.empty()) return is_closed(c.client.name);
  const bool named = std::ranges::any_of(c.compiled.files, [&](const File& file) {
    return file.text.contains("[mcp_servers." + json::quote(server) + "]");
  });
  return c.client.name == "copilot" || (c.client.name == "codex" && named);
}

TEST_F(Native, NeverRunsWhatTheGateDeniesOrAsksAbout) {
  std::map<std::string_view, std::size_t> runs;
  for_each_case([&](const Case& c) {
    if (!is_closed_here(c)) return;
    for (const NativeCall& each : native_calls(c.client.provider, c.call)) {
      if (c.model(each) != Outcome::kRuns) continue;
      ++runs[c.client.name];
      ASSERT_EQ(c.decision.verdict, Verdict::kAllow) << each.tool << "\n" << show(c);
    }
  });
  for (const Client& client : clients())
    if (is_closed(client.name)) {
      EXPECT_GT(runs[client.name], 50u) << client.name << " runs nothing";
    }
}

TEST_F(Native, HoldsWhatTheReportCallsNative) {
  const auto hold = [&](const Case& c) {
    if (c.decision.verdict == Verdict::kAllow) return;
    for (const NativeCall& each : native_calls(c.client.provider, c.call)) {
      if (c.model(each) != Outcome::kRuns) continue;
      for (const Reason& reason : c.decision.reasons) {
        if (reason.verdict != c.decision.verdict) continue;
        const RuleLine* line = line_of(c.compiled, reason);
        if (line == nullptr) continue;
        ASSERT_NE(line->holder, Holder::kNative) << line->rule << " " << each.tool << "\n"
                                                 << show(c);
      }
    }
  };
  for_each_case(hold);
  for_each_case(hold, Hook::kRegistered);
}

// What Codex's sandbox is said to hold is a change of files that it keeps from being made, or a way
// to a host.
TEST_F(Native, CallsTheSandboxsWorkWhatASandboxCanDo) {
  std::size_t met = 0;
  for_each_case([&](const Case& c) {
    if (c.client.name != "codex" || c.decision.verdict == Verdict::kAllow) return;
    const std::vector<std::string>& words = c.compiled.arguments;
    const bool writes = std::ranges::find(words, "workspace-write") != words.end();
    for (const Reason& reason : c.decision.reasons) {
      const RuleLine* line = line_of(c.compiled, reason);
      if (line == nullptr || line->holder != Holder::kSandbox) continue;
      const Effects effects = effects_of(c.call, c.set.tools, std::string(kHome));
      const bool contained = std::ranges::any_of(effects, [&](const Effect& effect) {
        // What cannot be read may be anything; in the sandbox it stays what the sandbox lets it be.
        if (effect.kind == EffectKind::kReach || effect.kind == EffectKind::kUnknown) return true;
        const bool inside =
            effect.path.starts_with(std::string(kRoot) + "/") || effect.path.starts_with("/tmp");
        return is_change_kind(effect.kind) && (!writes || !inside);
      });
      const bool web = c.call.tool.starts_with("Web");
      // A program that nobody knows changes there what the sandbox lets it.
      const bool doubt = reason.text.find("is not known") != std::string::npos;
      ASSERT_TRUE(contained || web || doubt) << line->rule << "\n" << show(c);
      ++met;
    }
  });
  EXPECT_GT(met, 20u);
}

TEST_F(Native, LetsThroughWhatARuleAllowsWhereTheClientCanSayIt) {
  std::map<std::string_view, Passing> found;
  for_each_case([&](const Case& c) {
    const Decision& decision = c.decision;
    if (decision.verdict != Verdict::kAllow || decision.reasons.empty() ||
        decision.reasons[0].kind != ReasonKind::kRule)
      return;
    bool sayable = true;
    for (const Reason& reason : decision.reasons)
      for (const RuleLine& line : c.compiled.rules)
        if (line.list == "allow" && line.rule == reason.rule)
          sayable = sayable && line.holder != Holder::kWithheld;
    for (const NativeCall& each : native_calls(c.client.provider, c.call)) {
      Passing& passing = found[c.client.name];
      const bool passed = c.model(each) != Outcome::kRefused;
      ++passing.all;
      passing.all_passed += passed;
      passing.calls += sayable;
      passing.passed += sayable && passed;
      if (sayable && !passed && std::getenv("TOLLGATE_SHOW") != nullptr)
        std::cout << c.client.name << " refuses " << each.tool << " " << json::write(each.input)
                  << " by " << decision.reasons[0].rule << "\n";
    }
  });
  for (const auto& [client, passing] : found) {
    ASSERT_GT(passing.all, 0u) << client;
    std::cout << client << ": " << passing.passed << " of " << passing.calls
              << " calls that it can say pass, " << passing.all_passed << " of " << passing.all
              << " over all\n";
    EXPECT_GE(passing.passed * 10, passing.calls * 9) << client << " refuses too much";
  }
  // So many that nine in ten means something; the table in docs/native.md has what the quick run
  // counts. A client that is missing here has no model, or can say nothing.
  struct Least {
    std::string_view client;
    std::size_t calls;
  };
  constexpr Least kLeast[] = {{"claude", 300}, {"codex", 600}, {"copilot", 30},  {"gemini", 80},
                              {"grok", 40},    {"kiro", 130},  {"opencode", 50}, {"q", 80}};
  for (const Least& least : kLeast)
    EXPECT_GE(found[least.client].calls, least.calls) << least.client << " can say too little";
  EXPECT_EQ(found.size(), std::size(kLeast));
}

// The hook judges what is let through; what is no tool of the agent's is not let through to it.
TEST_F(Native, WithTheHookLetsThroughWhatIsAllowedAndKeepsTheCeiling) {
  std::map<std::string_view, Passing> found;
  for_each_case(
      [&](const Case& c) {
        const bool outside = c.decision.verdict == Verdict::kDeny &&
                             std::ranges::any_of(c.decision.reasons, [&](const Reason& reason) {
                               const RuleLine* line = line_of(c.compiled, reason);
                               return line != nullptr && line->rule.starts_with("tools outside");
                             });
        for (const NativeCall& each : native_calls(c.client.provider, c.call)) {
          const Outcome outcome = c.model(each);
          if (outside && c.client.name != "codex") {
            ASSERT_NE(outcome, Outcome::kRuns) << each.tool << "\n" << show(c);
          }
          if (c.decision.verdict != Verdict::kAllow) continue;
          ++found[c.client.name].all;
          found[c.client.name].all_passed += outcome != Outcome::kRefused;
        }
      },
      Hook::kRegistered);
  for (const std::string_view client : {"claude", "codex", "gemini", "opencode", "kiro", "q"}) {
    const Passing& passing = found[client];
    EXPECT_GE(passing.all_passed * 10, passing.all * 9)
        << client << ": " << passing.all_passed << " of " << passing.all;
  }
}

TEST_F(Native, MakesOnlyWhatGeminiReads) {
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    Random random(seed);
    const PolicySet set = random.one_in(2) ? oracle::random_policy(random) : written_policy(random);
    const Gate gate(set);
    const Request request = request_for(set, gate);
    const Plan plan(*client_named("gemini"), request);
    EXPECT_TRUE(check_gemini(gemini_rules(plan))) << seed;
  }
}

TEST(Gemini, RefusesWhatItWouldDrop) {
  struct Bad {
    std::string_view name;
    GeminiRule rule;
  };
  const Bad cases[] = {
      {"a priority beyond the tier", {.tool = "x", .decision = "deny", .priority = 1000}},
      {"a negative priority", {.tool = "x", .decision = "deny", .priority = -1}},
      {"no tool", {.tool = "", .decision = "deny", .priority = 1}},
      {"a decision of another language", {.tool = "x", .decision = "ask", .priority = 1}},
      {"a quantified group with a quantifier in it",
       {.tool = "x", .arguments = "(a+)+", .decision = "deny", .priority = 1}},
      {"a pattern that is too long",
       {.tool = "x", .arguments = std::string(2049, 'a'), .decision = "deny", .priority = 1}},
  };
  for (const Bad& c : cases) {
    const Result<void> checked = check_gemini({c.rule});
    ASSERT_FALSE(checked) << c.name;
    EXPECT_EQ(checked.error().code, "bad-native") << c.name;
  }
  EXPECT_TRUE(check_gemini({{.tool = "x", .arguments = "(?=[ \"])a*", .decision = "allow"}}));
}

}  // namespace
}  // namespace tollgate::native
