// The path of a call through the service, with a fixed world, a log in memory, a scripted answer.
// What is tested is the wiring: who is asked, what is kept, what happens when the world moves.
// Which verdict a policy gives is tested where it is decided.
#include "service/service.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/tool_table.h"
#include "os/moment.h"
#include "service/memory_log.h"

namespace tollgate {
namespace {

class ScriptedApprover : public Approver {
 public:
  explicit ScriptedApprover(Verdict answer) : answer_(answer) {}

  Answer ask(const ToolCall&, const Decision& decision) override {
    ++asked;
    Decision out = decision;
    out.verdict = answer_;
    Reason reason;
    reason.kind = ReasonKind::kAnswerer;
    reason.verdict = answer_;
    reason.text = "a person answered";
    out.reasons = {reason};
    return {.decision = std::move(out), .changed = changed};
  }

  int asked = 0;
  std::optional<json::Value> changed;

 private:
  Verdict answer_;
};

// Shows `before` once, then `after`.
class MovingWorld : public World {
 public:
  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override {
    return (looks++ == 0 ? before : after).look(call, effects, plan);
  }

  FixedWorld before, after;
  int looks = 0;
};

ToolCall write_call() {
  ToolCall call;
  call.tool = call.native_tool = "Write";
  call.cwd = "/w";
  call.input = json::Value::object(
      {{"file_path", json::Value::string("/w/x")}, {"content", json::Value::string("text")}});
  return call;
}

Policy policy_with(std::optional<std::string> deny) {
  PolicySet set = built_in_policy();
  if (deny) {
    Result<Rule> rule = parse_rule(Verdict::kDeny, *deny, {});
    EXPECT_TRUE(rule);
    if (rule) set.rules.push_back(*rule);
  }
  return compile(set);
}

struct Bench {
  Policy policy = policy_with(std::nullopt);
  MovingWorld world;
  MemoryLog log;

  AuditRecord settle(Approver* approver) {
    Service service({policy, world, log, approver}, {.plan = {.base = "/w", .home = "/home/u"}});
    return service.settle(write_call());
  }
};

TEST(Service, WithoutAnApproverAnAskStaysAnAskAndIsKept) {
  Bench bench;
  const AuditRecord record = bench.settle(nullptr);
  EXPECT_EQ(record.decision.verdict, Verdict::kAsk);
  EXPECT_EQ(bench.world.looks, 1);
  ASSERT_EQ(bench.log.records.size(), 1u);
  EXPECT_EQ(bench.log.records[0], record);
  EXPECT_EQ(record.effects.size(), record.situation.paths.size());
}

TEST(Service, AnAllowIsLookedAtOnceMore) {
  Bench bench;
  ScriptedApprover yes(Verdict::kAllow);
  EXPECT_EQ(bench.settle(&yes).decision.verdict, Verdict::kAllow);
  EXPECT_EQ(yes.asked, 1);
  EXPECT_EQ(bench.world.looks, 2);
}

TEST(Service, ADenyIsFinal) {
  Bench bench;
  ScriptedApprover no(Verdict::kDeny);
  EXPECT_EQ(bench.settle(&no).decision.verdict, Verdict::kDeny);
  EXPECT_EQ(bench.world.looks, 1);
  EXPECT_EQ(bench.log.records[0].decision.verdict, Verdict::kDeny);
}

TEST(Service, AWorldThatMovedUndoesTheAnswer) {
  Bench bench;
  bench.policy = policy_with("Edit(//secret/**)");
  bench.world.after.files["/w/x"] = {.state = PathState::kFile, .real = "/secret/x"};
  ScriptedApprover yes(Verdict::kAllow);
  const AuditRecord record = bench.settle(&yes);
  EXPECT_EQ(record.decision.verdict, Verdict::kDeny);
  ASSERT_FALSE(record.decision.reasons.empty());
  EXPECT_EQ(record.decision.reasons[0].rule, "world-changed");
  EXPECT_EQ(bench.log.records[0].decision.verdict, Verdict::kDeny);
  EXPECT_EQ(record.situation.paths[0].real, "/secret/x");
}

// Takes the time to lead the path elsewhere, and says yes.
class MovingApprover : public ScriptedApprover {
 public:
  MovingApprover(std::string link, std::string target)
      : ScriptedApprover(Verdict::kAllow), link_(std::move(link)), target_(std::move(target)) {}

  Answer ask(const ToolCall& call, const Decision& decision) override {
    std::filesystem::remove(link_);
    std::filesystem::create_symlink(target_, link_);
    return ScriptedApprover::ask(call, decision);
  }

 private:
  std::string link_, target_;
};

TEST(Service, WhatWasSeenBeforeTheAnswerIsLookedAtAgainInOneMomentToo) {
  char made[] = "/var/tmp/tollgate-service.XXXXXX";
  ASSERT_NE(::mkdtemp(made), nullptr);
  const std::string dir = made;
  for (const char* name : {"/w", "/plain", "/secret"})
    std::filesystem::create_directory(dir + name);
  std::filesystem::create_symlink(dir + "/plain", dir + "/w/x");
  const Policy policy = policy_with("Edit(/" + dir + "/secret/**)");
  ToolCall call = write_call();
  call.cwd = dir + "/w";
  call.input.set("file_path", json::Value::string(dir + "/w/x/file"));
  RealWorld world;
  MemoryLog log;
  MovingApprover yes(dir + "/w/x", dir + "/secret");
  const os::Moment moment;
  Service service({policy, world, log, &yes}, {.plan = {.base = dir + "/w", .home = "/home/u"}});
  const AuditRecord record = service.settle(call);
  std::filesystem::remove_all(dir);
  EXPECT_EQ(yes.asked, 1);
  EXPECT_EQ(record.decision.verdict, Verdict::kDeny);
  EXPECT_EQ(record.situation.paths[0].real, dir + "/secret/file");
}

TEST(Service, ADeniedCallIsNotAsked) {
  Bench bench;
  bench.policy = policy_with("Write");
  ScriptedApprover yes(Verdict::kAllow);
  EXPECT_EQ(bench.settle(&yes).decision.verdict, Verdict::kDeny);
  EXPECT_EQ(yes.asked, 0);
}

TEST(Service, WhatCannotBeRecordedIsDenied) {
  for (const Verdict answer : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
    Bench bench;
    bench.log.failure =
        Error{.code = "audit-unavailable", .message = "no space left", .hint = "", .where = {}};
    ScriptedApprover approver(answer);
    const Decision decision = bench.settle(&approver).decision;
    EXPECT_EQ(decision.verdict, Verdict::kDeny);
    ASSERT_EQ(decision.reasons.size(), 1u);
    EXPECT_EQ(decision.reasons[0].rule, "audit-unavailable");
  }
}

TEST(Service, WhatIsNoCallIsDeniedAndKept) {
  Bench bench;
  Service service({bench.policy, bench.world, bench.log, nullptr}, {});
  const Decision decision = service.refuse(
      {.code = "malformed-call", .message = "there is no `tool`", .hint = "name it", .where = {}});
  EXPECT_EQ(decision.verdict, Verdict::kDeny);
  EXPECT_EQ(bench.log.records.size(), 1u);
}

struct NameCase {
  std::string_view name, provider, tool;
  std::vector<std::string> allow, ask, deny;
  Verdict want;
  std::vector<std::string> servers = {};
};

// NOLINTNEXTLINE(cert-err58-cpp)
const NameCase kNames[] = {
    {"a deny binds one way to split", "opencode", "git_hub_get", {}, {}, {"@git"}, Verdict::kDeny},
    {"and the other", "opencode", "git_hub_get", {}, {}, {"mcp__git_hub__get"}, Verdict::kDeny},
    {"also where the name as sent is allowed",
     "opencode",
     "git_hub_get",
     {"git_hub_get"},
     {},
     {"@git_hub"},
     Verdict::kDeny},
    {"so does an ask", "copilot", "a-b-c", {"a-b-c"}, {"@a-b"}, {}, Verdict::kAsk},
    {"and all with arguments", "copilot", "a-b", {"a-b"}, {}, {"@a(x=1)"}, Verdict::kDeny},
    {"a deny of the name as sent holds", "copilot", "a-b", {"@a"}, {}, {"a-b"}, Verdict::kDeny},
    {"an allow of the only way", "copilot", "a-b_c", {"mcp__a__b_c"}, {}, {}, Verdict::kAllow},
    {"an allow of one of two is none", "copilot", "a-b-c", {"@a"}, {}, {}, Verdict::kAsk},
    {"an allow of both is one", "copilot", "a-b-c", {"@a", "@a-b"}, {}, {}, Verdict::kAllow},
    {"an allow of the name as sent", "copilot", "a-b-c", {"a-b-c"}, {}, {}, Verdict::kAllow},
    {"of servers that are known one is meant",
     "copilot",
     "a-b-c",
     {"@a"},
     {},
     {},
     Verdict::kAllow,
     {"a", "x"}},
    {"and no other", "copilot", "a-b-c", {"@a"}, {}, {}, Verdict::kAsk, {"a-b"}},
    {"of two that are known each may be",
     "copilot",
     "a-b-c",
     {"@a"},
     {},
     {},
     Verdict::kAsk,
     {"a", "a-b"}},
    {"where none of them is known any is",
     "copilot",
     "a-b-c",
     {"@a"},
     {},
     {},
     Verdict::kAsk,
     {"x"}},
    {"what is said against one that is not known holds",
     "copilot",
     "a-b-c",
     {"@a"},
     {},
     {"@a-b"},
     Verdict::kDeny,
     {"a"}},
    {"a tool of the client is no server's",
     "opencode",
     "apply_patch",
     {},
     {},
     {"@apply"},
     Verdict::kAsk},
    {"Gemini's names bind in every place",
     "gemini",
     "mcp_git_hub_get",
     {"@git"},
     {},
     {"@git_hub"},
     Verdict::kDeny},
    {"and are allowed as Gemini reads them",
     "gemini",
     "mcp_git_hub_get",
     {"@git"},
     {},
     {},
     Verdict::kAllow},
    {"a tool of Gemini's is no server's",
     "gemini",
     "run_shell_command",
     {},
     {},
     {"@run"},
     Verdict::kAsk},
    {"other clients say it plainly", "claude", "git_hub_get", {}, {}, {"@git"}, Verdict::kAsk},
    {"a name that ends in the joint", "opencode", "git_", {}, {}, {"@git"}, Verdict::kAsk},
};

TEST(Service, ANameThatCanBeSplitInSeveralPlacesIsJudgedAsEach) {
  for (const NameCase& c : kNames) {
    PolicySet set = built_in_policy();
    const auto add = [&](Verdict verdict, const std::vector<std::string>& rules) {
      for (const std::string& text : rules) {
        Result<Rule> rule = parse_rule(verdict, text, {});
        ASSERT_TRUE(rule) << c.name << ": " << text;
        set.rules.push_back(*rule);
      }
    };
    add(Verdict::kAllow, c.allow);
    add(Verdict::kAsk, c.ask);
    add(Verdict::kDeny, c.deny);
    set.agents.at(0).servers = c.servers;
    const Policy policy = compile(set);
    FixedWorld world;
    MemoryLog log;
    Service service({policy, world, log, nullptr}, {.plan = {.base = "/w", .home = "/home/u"}});
    ToolCall call;
    call.provider = c.provider;
    call.native_tool = c.tool;
    call.tool = canonical_tool(c.provider, c.tool);
    call.cwd = "/w";
    call.input = json::Value::object({{"x", json::Value::integer(1)}});
    const Decision decision = service.handle(call);
    EXPECT_EQ(decision.verdict, c.want) << c.name;
    EXPECT_FALSE(decision.reasons.empty()) << c.name;
  }
}

TEST(Service, OfSeveralReadingsEachIsAskedOfItsOwnPeople) {
  PolicySet set = built_in_policy();
  for (const auto& [text, any] : {std::pair("@git", 2), std::pair("@git_hub", 3)}) {
    Result<Rule> rule = parse_rule(Verdict::kAsk, text, {});
    ASSERT_TRUE(rule);
    rule->approve = {Quorum{.any = any, .within_ms = any * 1'000}};
    set.rules.push_back(*rule);
  }
  const Policy policy = compile(set);
  FixedWorld world;
  MemoryLog log;
  Service service({policy, world, log, nullptr}, {.plan = {.base = "/w", .home = "/home/u"}});
  ToolCall call;
  call.provider = "opencode";
  call.native_tool = "git_hub_get";
  call.tool = canonical_tool("opencode", call.native_tool);
  call.cwd = "/w";
  call.input = json::Value::object();
  const Decision decision = service.handle(call);
  EXPECT_EQ(decision.verdict, Verdict::kAsk);
  EXPECT_EQ(decision.quorums.size(), 2u);
  EXPECT_EQ(decision.within_ms, 2'000);
}

TEST(Service, WithoutAChainAnAskForTheParentStaysAnAsk) {
  for (const Answerer answer : {Answerer::kForward, Answerer::kParent}) {
    PolicySet set = built_in_policy();
    set.agents.at(0).answer.value = answer;
    Bench bench;
    bench.policy = compile(set);
    const Decision decision = bench.settle(nullptr).decision;
    EXPECT_EQ(decision.verdict, Verdict::kAsk);
    EXPECT_EQ(decision.answer, answer);
  }
}

TEST(Service, ANameThatCanBeSplitInTooManyPlacesIsDenied) {
  const Policy policy = policy_with(std::nullopt);
  FixedWorld world;
  MemoryLog log;
  Service service({policy, world, log, nullptr}, {.plan = {.base = "/w", .home = "/home/u"}});
  ToolCall call;
  call.provider = "opencode";
  call.cwd = "/w";
  call.input = json::Value::object();
  for (const auto& [joints, want] : {std::pair(64, Verdict::kAsk), std::pair(65, Verdict::kDeny)}) {
    call.native_tool = "a";
    for (int i = 0; i < joints; ++i) call.native_tool += "_a";
    call.tool = canonical_tool("opencode", call.native_tool);
    EXPECT_EQ(service.handle(call).verdict, want) << joints;
  }
}

// The shell's home and the user's may differ; `~` in a command is the one, in a rule it is both.
TEST(Service, RulesBindInBothHomes) {
  struct Case {
    std::string_view name, path;
    Verdict want;
  };
  constexpr Case kCases[] = {
      {"in the shell's home", "/evil/private/x", Verdict::kDeny},
      {"in the user's home", "/home/u/private/x", Verdict::kDeny},
      {"as the shell spells it", "~/private/x", Verdict::kDeny},
      {"through a link out of the shell's home", "~/link/x", Verdict::kDeny},
      {"elsewhere", "/elsewhere/private/x", Verdict::kAllow},
  };
  for (const Case& c : kCases) {
    const Policy policy = policy_with("Read(~/private/**)");
    FixedWorld world;
    world.links["/evil/link"] = "/home/u/private";
    MemoryLog log;
    Service service({policy, world, log, nullptr},
                    {.plan = {.base = "/w", .home = "/evil", .other_home = "/home/u"}});
    ToolCall call;
    call.tool = call.native_tool = "Bash";
    call.cwd = "/w";
    call.input =
        json::Value::object({{"command", json::Value::string("cat " + std::string(c.path))}});
    EXPECT_EQ(service.handle(call).verdict, c.want) << c.name;
  }
}

// Fails as something inside the gate might, when it is told to.
class FailingWorld : public FixedWorld {
 public:
  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override {
    if (looks++ == fails_at) throw std::length_error("too long");
    if (looks == fails_oddly_at + 1) throw 7;
    return FixedWorld::look(call, effects, plan);
  }

  int looks = 0;
  int fails_at = -1, fails_oddly_at = -1;
};

TEST(Service, WhatIsThrownWhileACallIsJudgedDeniesThatCallAlone) {
  const Policy policy = policy_with(std::nullopt);
  ScriptedApprover yes(Verdict::kAllow);
  struct Case {
    std::string_view name;
    int fails_at, fails_oddly_at;
  };
  constexpr Case kCases[] = {
      {"at the first look", 0, -1},
      {"after the answer", 1, -1},
      {"with something that is no exception", -1, 0},
  };
  for (const Case& c : kCases) {
    FailingWorld world;
    world.fails_at = c.fails_at;
    world.fails_oddly_at = c.fails_oddly_at;
    MemoryLog log;
    Service service({policy, world, log, &yes}, {.plan = {.base = "/w", .home = "/home/u"}});
    const AuditRecord record = service.settle(write_call());
    EXPECT_EQ(record.decision.verdict, Verdict::kDeny) << c.name;
    EXPECT_EQ(record.call, write_call()) << c.name;
    ASSERT_FALSE(record.decision.reasons.empty()) << c.name;
    EXPECT_TRUE(std::ranges::any_of(record.decision.reasons, [](const Reason& reason) {
      return reason.rule == "gate-failed";
    })) << c.name;
    ASSERT_EQ(log.records.size(), 1u) << c.name;
    EXPECT_EQ(log.records[0], record) << c.name;
    EXPECT_EQ(service.settle(write_call()).decision.verdict, Verdict::kAllow) << c.name;
  }
}

TEST(Service, ADefaultPolicyDenies) {
  Bench bench;
  bench.policy = Policy();
  EXPECT_EQ(bench.settle(nullptr).decision.verdict, Verdict::kDeny);
}

}  // namespace
}  // namespace tollgate
