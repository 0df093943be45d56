// Rules that people would teach the gate: which are taken, where they hold, and which are refused.
// Each is given for a call that was asked about, in a fixed world.
#include "service/grant_rules.h"

#include <gtest/gtest.h>

#include "core/test_call.h"
#include "service/passage.h"

namespace tollgate {
namespace {

struct Asked {
  Level level;
  AuditRecord record;
};

struct Setting {
  std::vector<std::string> ask = {}, deny = {};
};

Asked asked_about(const ToolCall& call, const Setting& setting = {}) {
  PolicySet set = built_in_policy();
  const auto add = [&](Verdict list, const std::vector<std::string>& rules) {
    for (const std::string& text : rules) {
      Result<Rule> rule = parse_rule(list, text, {});
      EXPECT_TRUE(rule) << text;
      if (rule) set.rules.push_back(*rule);
    }
  };
  add(Verdict::kAsk, setting.ask);
  add(Verdict::kDeny, setting.deny);
  Asked asked;
  asked.level.session = "s";
  asked.level.policy = std::make_shared<const Policy>(compile(set));
  asked.level.options.plan = {.base = "/w", .home = "/home/u"};
  asked.level.options.decide.detail = Detail::kFull;
  FixedWorld world;
  for (const char* directory : {"/w", "/w/src", "/other"})
    world.files[directory] = {.state = PathState::kDirectory};
  asked.record = Passage::open({asked.level}, world, call).at(0);
  return asked;
}

ToolCall edit_of(std::string path) {
  ToolCall call;
  call.tool = call.native_tool = "Write";
  call.cwd = "/w";
  call.input = json::Value::object({{"file_path", json::Value::string(std::move(path))},
                                    {"content", json::Value::string("text")}});
  return call;
}

ToolCall mcp_of(std::string tool) {
  ToolCall call;
  call.tool = call.native_tool = std::move(tool);
  call.cwd = "/w";
  call.input = json::Value::object({{"repo", json::Value::string("acme/x")}});
  return call;
}

// ---- taken ----

struct TakenCase {
  std::string_view name, command, rule, want, root;
};

constexpr TakenCase kTaken[] = {
    {"the exact call", "gh pr create --fill", "", "Bash(gh pr create --fill)", ""},
    {"its stars escaped", "gh pr create -t 'a * b'", "", R"(Bash(gh pr create -t a\ \*\ b))", ""},
    {"a rule that is given", "gh pr create --fill", "Bash(gh pr *)", "Bash(gh pr *)", ""},
    {"a build runner is bound to its workspace", "npm test", "", "Bash(npm test)", "/w"},
    {"also with a star", "npm run build", "Bash(npm run *)", "Bash(npm run *)", "/w"},
    {"also make", "make all", "", "Bash(make all)", "/w"},
    {"also cargo", "cargo build", "Bash(cargo build *)", "Bash(cargo build *)", "/w"},
    {"a program of the workspace is bound to it", "./tool --now", "", "Bash(./tool --now)", "/w"},
    {"also by a longer way", "bin/tool", "", "Bash(bin/tool)", "/w"},
    {"a file of the workspace binds", "touch notes", "", "Bash(touch notes)", "/w"},
    {"so does one with a slash", "mkdir src/new", "", "Bash(mkdir src/new)", "/w"},
    {"what stands behind a plain wrapper is granted by itself", "timeout 5 npm test", "",
     "Bash(npm test)", "/w"},
    {"git by its subcommand", "git push origin main", "Bash(git push *)", "Bash(git push *)", ""},
};

TEST(GrantOf, TakesWhatSettlesTheCallAndSaysWhereItHolds) {
  for (const TakenCase& c : kTaken) {
    const Asked asked = asked_about(bash(std::string(c.command)));
    ASSERT_EQ(asked.record.decision.verdict, Verdict::kAsk) << c.name;
    const Result<Granted> grant = grant_of(c.rule, asked.record, asked.level);
    ASSERT_TRUE(grant) << c.name << ": " << render(grant.error());
    EXPECT_EQ(grant->rule.text, c.want) << c.name;
    EXPECT_EQ(grant->root, c.root) << c.name;
    EXPECT_EQ(grant->rule.source, ConfigSource::kGrant) << c.name;
  }
}

TEST(GrantOf, WhatIsTakenAllowsTheNextSuchCall) {
  for (const TakenCase& c : kTaken) {
    Asked asked = asked_about(bash(std::string(c.command)));
    const Result<Granted> grant = grant_of(c.rule, asked.record, asked.level);
    ASSERT_TRUE(grant) << c.name;
    asked.level.options.decide.grants = std::make_shared<const Grants>(1, *grant);
    FixedWorld world;
    const Passage again = Passage::open({asked.level}, world, bash(std::string(c.command)));
    EXPECT_EQ(again.record().decision.verdict, Verdict::kAllow) << c.name;
  }
}

struct OtherCase {
  std::string_view name;
  ToolCall call;
  std::string_view rule, want, root;
};

// NOLINTNEXTLINE(cert-err58-cpp)
const OtherCase kOthers[] = {
    {"one file, by its whole path", edit_of("/w/src/a.c"), "", "Edit(//w/src/a.c)", ""},
    {"a directory of the workspace", edit_of("/w/src/a.c"), "Edit(/src/**)", "Edit(/src/**)", "/w"},
    {"a path from the base", edit_of("/w/src/a.c"), "Write(./src/a.c)", "Write(./src/a.c)", "/w"},
    {"a tool for files, whatever the file", edit_of("/w/src/a.c"), "Write", "Write", "/w"},
    {"a server's tool with its arguments", mcp_of("mcp__hub__merge"), "",
     "mcp__hub__merge(repo=acme/x)", ""},
    {"a server's tool", mcp_of("mcp__hub__merge"), "mcp__hub__merge", "mcp__hub__merge", ""},
    {"a server", mcp_of("mcp__hub__merge"), "mcp__hub", "mcp__hub", ""},
};

TEST(GrantOf, TakesRulesForOtherTools) {
  for (const OtherCase& c : kOthers) {
    const Asked asked = asked_about(c.call);
    const Result<Granted> grant = grant_of(c.rule, asked.record, asked.level);
    ASSERT_TRUE(grant) << c.name << ": " << render(grant.error());
    EXPECT_EQ(grant->rule.text, c.want) << c.name;
    EXPECT_EQ(grant->root, c.root) << c.name;
  }
}

// ---- refused ----

struct RefusedCase {
  std::string_view command, rule;
  std::string_view says;  // part of the message
};

constexpr RefusedCase kRefused[] = {
    {"npm test", "Bash(*)", "every command"},
    {"npm test", "Bash", "every command"},
    {"npm test", "BashInput", "every command"},
    {"npm test", "execute_bash", "family of tools"},
    {"npm test", "*", "every tool"},
    {"npm test", "fs_*", "family of tools"},
    {"npm test", "@builtin", "family of tools"},
    {"npm test", "terminal.*", "every command"},
    {"npm test", "terminal.exec", "every command"},
    {"npm test", "Bash(* test)", "star stands for the program"},
    {"npm test", "Bash(n* test)", "star stands for the program"},
    {"npm test", "Bash(npm* test)", "star stands for the program"},
    {"sudo npm test", "Bash(sudo *)", "runs whatever command"},
    {"sudo npm test", "Bash(sudo npm test)", "runs whatever command"},
    {"env A=1 npm test", "Bash(env *)", "runs whatever command"},
    {"timeout 5 npm test", "Bash(timeout *)", "runs whatever command"},
    {"timeout 5 npm test", "Bash(timeout 5 npm *)", "runs whatever command"},
    {"nice npm test", "Bash(nice *)", "runs whatever command"},
    {"nohup npm test", "Bash(nohup *)", "runs whatever command"},
    {"xargs rm", "Bash(xargs *)", "runs whatever command"},
    {"xargs rm", "Bash(/usr/bin/xargs *)", "runs whatever command"},
    {"ssh host ls", "Bash(ssh *)", "runs whatever command"},
    {"tmux send-keys x", "Bash(tmux *)", "runs whatever command"},
    {"npx cowsay", "Bash(npx *)", "runs whatever command"},
    {"npx cowsay", "", "runs whatever command"},
    {"python x.py", "Bash(python *)", "runs whatever text"},
    {"python3.11 x.py", "Bash(python3.11 *)", "runs whatever text"},
    {"python -c 'print(1)'", "Bash(python -c *)", "runs whatever text"},
    {"/usr/bin/python3 x.py", "Bash(/usr/bin/python3 *)", "runs whatever text"},
    {"bash -c 'npm test'", "Bash(bash -c *)", "runs whatever text"},
    {"bash x.sh", "Bash(bash *)", "runs whatever text"},
    {"sh x.sh", "Bash(sh x.sh)", "runs whatever text"},
    {"node x.js", "Bash(node *)", "runs whatever text"},
    {"perl x.pl", "Bash(perl *)", "runs whatever text"},
    {"ruby x.rb", "Bash(ruby *)", "runs whatever text"},
    {"awk -f x y", "Bash(awk *)", "runs whatever text"},
    {"eval \"$X\"", "Bash(eval *)", "runs whatever text"},
    {"docker exec web ls", "Bash(docker exec *)", "runs whatever it is told"},
    {"docker run x", "Bash(docker run x)", "runs whatever it is told"},
    {"docker ps -a", "Bash(docker *)", "runs whatever it is told"},
    {"npm exec x", "Bash(npm exec *)", "runs whatever it is told"},
    {"npm test", "Bash(npm *)", "runs whatever it is told"},
    {"git push", "Bash(git *)", "runs whatever it is told"},
    {"git push", "Bash(git -c *)", "runs whatever it is told"},
    {"uv run x", "Bash(uv run *)", "runs whatever it is told"},
    {"make all", "Bash(make *)", "runs whatever it is told"},
    {"find . -delete", "Bash(find *)", "far more than it says"},
    {"rm notes", "Bash(rm *)", "far more than it says"},
    {"curl https://x.test", "Bash(curl *)", "far more than it says"},
    {"sed -i s/a/b/ x", "Bash(sed *)", "far more than it says"},
    {"npm test", "Bash(npm test", "is no allow rule"},
    {"npm test", "Bsh(npm test)", "is no allow rule"},
    {"npm test", "mcp__h*__x", "is no allow rule"},
    {"npm test", "Bash(a && b)", "is no allow rule"},
    {"npm test", "Bash(npm publish)", "does not cover"},
    {"npm test && gh pr create", "Bash(npm test)", "does not cover"},
    {"npm test && gh pr create", "", "no single rule"},
    {"npm test", "Read(//w/**)", "does not cover"},
    {"npm test", "AskUserQuestion", "a person's to answer"},
};

TEST(GrantOf, RefusesInterpretersWrappersStarsAndWhatDoesNotFit) {
  for (const RefusedCase& c : kRefused) {
    const Asked asked = asked_about(bash(std::string(c.command)));
    const Result<Granted> grant = grant_of(c.rule, asked.record, asked.level);
    ASSERT_FALSE(grant) << c.command << " by " << c.rule;
    EXPECT_EQ(grant.error().code, "grant-refused") << c.rule;
    EXPECT_NE(grant.error().message.find(c.says), std::string::npos)
        << c.command << " by " << c.rule << ": " << grant.error().message;
    EXPECT_FALSE(grant.error().hint.empty()) << c.rule;
  }
}

struct HeldCase {
  std::string_view name;
  ToolCall call;
  Setting setting;
  std::string_view rule;
};

// NOLINTNEXTLINE(cert-err58-cpp)
const HeldCase kHeld[] = {
    {"an ask rule", bash("gh pr create"), {.ask = {"Bash(gh pr *)"}}, "Bash(gh pr create)"},
    {"a deny rule", bash("gh pr create"), {.deny = {"Bash(gh *)"}}, "Bash(gh pr create)"},
    {"a breaker", bash("git push --force"), {}, "Bash(git push --force)"},
    {"a guarded place", edit_of("/w/.envrc"), {}, "Edit(//w/.envrc)"},
    {"a sensitive place", bash("cat /home/u/.ssh/id_rsa"), {}, "Bash(cat /home/u/.ssh/id_rsa)"},
};

TEST(GrantOf, SaysThatAGrantCannotSettleWhatIsHeldUp) {
  for (const HeldCase& c : kHeld) {
    const Asked asked = asked_about(c.call, c.setting);
    ASSERT_NE(asked.record.decision.verdict, Verdict::kAllow) << c.name;
    const Result<Granted> grant = grant_of(c.rule, asked.record, asked.level);
    ASSERT_FALSE(grant) << c.name;
    EXPECT_TRUE(grant.error().message.starts_with("no grant can settle this: "))
        << c.name << ": " << grant.error().message;
  }
}

TEST(GrantOf, RefusesARuleOfTheWorkspaceOutsideOne) {
  ToolCall call = bash("npm test", "/other");
  const Asked asked = asked_about(call);
  const Result<Granted> grant = grant_of("", asked.record, asked.level);
  ASSERT_FALSE(grant);
  EXPECT_NE(grant.error().message.find("the call is in none"), std::string::npos)
      << grant.error().message;
}

TEST(GrantOf, RefusesEverythingWithoutAPolicy) {
  Asked asked = asked_about(bash("gh pr create"));
  asked.level.policy = nullptr;
  EXPECT_FALSE(grant_of("Bash(gh pr create)", asked.record, asked.level));
  EXPECT_FALSE(grant_of("", asked.record, asked.level));
}

TEST(Grantable, AreTheSuggestionsThatMayBeGranted) {
  const Asked test = asked_about(bash("npm test"));
  EXPECT_EQ(grantable(test.record, test.level),
            (std::vector<std::string>{"Bash(npm test)", "Bash(npm test *)"}));
  const Asked python = asked_about(bash("python x.py"));
  EXPECT_TRUE(grantable(python.record, python.level).empty());
}

TEST(KeptGrant, IsCheckedAgainWhenItIsRead) {
  const Result<Granted> good = kept_grant("Bash(npm test)", "7", "/w");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->id, "7");
  EXPECT_EQ(good->root, "/w");
  for (const std::string_view text :
       {"Bash", "Bash(*)", "Bash(python *)", "Bash(sudo *)", "*", "", "Bash(* x)", "execute_bash"})
    EXPECT_FALSE(kept_grant(text, "7", "")) << text;
}

TEST(Preview, TellsWhichCallsTheGrantAloneWouldHaveAllowed) {
  std::vector<AuditRecord> rows;
  for (const char* command : {"npm test", "npm test -- x", "npm publish", "ls", "npm test && rm x",
                              "cat a | npm test", "timeout 5 npm test"})
    rows.push_back(asked_about(bash(command)).record);
  rows.push_back(asked_about(bash("npm test", "/other")).record);
  rows.push_back(asked_about(mcp_of("mcp__hub__merge")).record);
  const Result<Granted> grant = kept_grant("Bash(npm test *)", "7", "/w");
  ASSERT_TRUE(grant);
  EXPECT_EQ(preview(*grant, rows), (std::vector<std::size_t>{0, 1, 5, 6}));
  EXPECT_TRUE(preview(*grant, {}).empty());
}

}  // namespace
}  // namespace tollgate
