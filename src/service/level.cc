// The call in each of its readings: the names that it may stand for, the homes that `~` may mean.
#include "service/level.h"

#include <optional>
#include <utility>

#include "core/tool_table.h"
#include "effects/effects.h"
#include "service/readings.h"

namespace tollgate {
namespace {

// LIMIT: a name that people give has a few joints; each reading costs a judgement.
constexpr std::size_t kMaxReadings = 64;

Decision deny_unread(const Decision& decided, std::size_t readings) {
  Decision out;
  out.verdict = Verdict::kDeny;
  out.layer = decided.layer;
  out.reasons.push_back({.kind = ReasonKind::kLimit,
                         .verdict = Verdict::kDeny,
                         .rule = "too-many-readings",
                         .source = "built-in",
                         .text = "the name of the tool can be split in " +
                                 std::to_string(readings) +
                                 " places, which is more than can be judged",
                         .span = {}});
  return out;
}

// The roots of the policy's agent are workspace besides those that the session has.
LookPlan plan_at(const LookPlan& own, const LookPlan& facts, const Policy& policy,
                 const std::string& agent_name, const std::string& cwd) {
  LookPlan plan = own;
  plan.walk = plan.walk || policy.needs_walk();
  plan.search_path = facts.search_path;
  if (plan.base.empty()) {
    plan.base = facts.base;
    if (plan.roots.empty()) plan.roots = facts.roots;
  }
  const AgentPolicy* agent = policy.agent(agent_name);
  if (agent == nullptr || agent->roots.empty()) return plan;
  if (plan.roots.empty()) plan.roots.push_back(plan.base.empty() ? cwd : plan.base);
  plan.roots.insert(plan.roots.end(), agent->roots.begin(), agent->roots.end());
  return plan;
}

// One level's judge; lives for one call.
class LevelJudge {
 public:
  LevelJudge(const Level& level, const Level& asking, World& world, const Policy& policy)
      : options_(level.options),
        ready_(level.ready.get()),
        facts_(asking.options.plan),
        world_(world),
        policy_(policy) {}

  AuditRecord run(const ToolCall& call) {
    AuditRecord record = named(call);
    const std::vector<std::string> names = mcp_readings(call.provider, call.native_tool);
    if (names.empty()) return record;
    if (names.size() > kMaxReadings) {
      record.decision = deny_unread(record.decision, names.size());
      return record;
    }
    const AgentPolicy* agent = policy_.agent(call.agent);
    const std::vector<bool> counts =
        counting(names, agent == nullptr ? std::vector<std::string>() : agent->servers);
    std::vector<Reading> readings;
    for (std::size_t i = 0; i < names.size(); ++i) {
      ToolCall other = call;
      other.tool = names[i];
      readings.push_back({named(other), counts[i]});
    }
    return settled(std::move(record), std::move(readings));
  }

 private:
  // As the tool that the call names.
  AuditRecord named(const ToolCall& call) {
    // What a command calls `~` is the shell's affair, whatever the rules call so.
    Effects effects = effects_of(call, policy_.tools(), facts_.home);
    if (ready_ != nullptr && ready_->other_home.empty())
      return looked_at(call, *ready_, std::move(effects));
    LookPlan plan = plan_at(options_.plan, facts_, policy_, call.agent, call.cwd);
    if (plan.other_home.empty()) return looked_at(call, plan, std::move(effects));
    AuditRecord record = looked_at(call, plan, effects);
    std::swap(plan.home, plan.other_home);
    return stricter(std::move(record), looked_at(call, plan, std::move(effects)));
  }

  AuditRecord looked_at(const ToolCall& call, const LookPlan& plan, Effects effects) {
    AuditRecord record;
    record.call = call;
    record.effects = std::move(effects);
    record.situation = world_.look(call, record.effects, plan);
    record.decision = decide(policy_, call, record.effects, record.situation, options_.decide);
    return record;
  }

  const ServiceOptions& options_;
  const LookPlan* ready_;
  const LookPlan& facts_;
  World& world_;
  const Policy& policy_;
};

}  // namespace

void prepare(std::vector<Level>& levels) {
  if (levels.empty()) return;
  const LookPlan& facts = levels.front().options.plan;
  for (Level& level : levels) {
    if (level.policy == nullptr) continue;
    LookPlan plan = plan_at(level.options.plan, facts, *level.policy, level.agent, "");
    // Without a base the plan is each call's own.
    if (!plan.base.empty()) level.ready = std::make_shared<const LookPlan>(std::move(plan));
  }
}

AuditRecord judge_at(const Level& level, const Level& asking, World& world, const ToolCall& call) {
  std::optional<Policy> none;  // making one is work
  const Policy& policy = level.policy == nullptr ? none.emplace() : *level.policy;
  LevelJudge judge(level, asking, world, policy);
  if (call.agent == level.agent) return judge.run(call);
  ToolCall own = call;
  own.agent = level.agent;
  return judge.run(own);
}

}  // namespace tollgate
