// The path of a call through the service, with a fixed world, a log in memory, a scripted answer.
// What is tested is the wiring: who is asked, what is kept, what happens when the world moves.
// Which verdict a policy gives is tested where it is decided.
#include "service/service.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>

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

TEST(Service, ADefaultPolicyDenies) {
  Bench bench;
  bench.policy = Policy();
  EXPECT_EQ(bench.settle(nullptr).decision.verdict, Verdict::kDeny);
}

}  // namespace
}  // namespace tollgate
