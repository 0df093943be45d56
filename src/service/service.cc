// Runs the pipeline, and closes its two gaps: a world that changed while a person thought, and a
// record that could not be kept.
// SAFETY: an answer only ever settles the question that was put; anything new is asked or denied.
#include "service/service.h"

#include <utility>
#include <vector>

#include "core/tool_table.h"
#include "effects/effects.h"
#include "os/moment.h"
#include "service/readings.h"

namespace tollgate {
namespace {

Reason reason(ReasonKind kind, Verdict verdict, std::string rule, std::string text) {
  Reason out;
  out.kind = kind;
  out.verdict = verdict;
  out.rule = std::move(rule);
  out.source = "built-in";
  out.text = std::move(text);
  return out;
}

Decision deny_unrecorded(const Decision& decided, const Error& error) {
  Decision out;
  out.verdict = Verdict::kDeny;
  out.layer = decided.layer;
  out.reasons.push_back(
      reason(ReasonKind::kLimit, Verdict::kDeny, "audit-unavailable",
             "the call could not be recorded, so it may not run: " + error.message));
  out.also = decided.reasons;
  return out;
}

// LIMIT: a name that people give has a few joints; each reading costs a judgement.
constexpr std::size_t kMaxReadings = 64;

Decision deny_unread(const Decision& decided, std::size_t readings) {
  Decision out;
  out.verdict = Verdict::kDeny;
  out.layer = decided.layer;
  out.reasons.push_back(reason(ReasonKind::kLimit, Verdict::kDeny, "too-many-readings",
                               "the name of the tool can be split in " + std::to_string(readings) +
                                   " places, which is more than can be judged"));
  return out;
}

// True when the second look raises a question that the first did not.
bool asks_something_else(const Decision& asked, const Decision& again) {
  return again.verdict > asked.verdict ||
         (again.verdict == asked.verdict && again.reasons != asked.reasons);
}

}  // namespace

Service::Service(const ServiceParts& parts, ServiceOptions options)
    : parts_(parts), options_(std::move(options)) {
  options_.plan.walk = options_.plan.walk || parts_.policy.needs_walk();
}

Decision Service::handle(const ToolCall& call) { return settle(call).decision; }

AuditRecord Service::settle(const ToolCall& call) {
  AuditRecord record = judge(call);
  if (record.decision.verdict == Verdict::kAsk && parts_.approver != nullptr) ask(record);
  keep(record);
  return record;
}

Decision Service::refuse(const Error& error) {
  AuditRecord record;
  record.decision = deny_malformed(error, options_.decide.layer);
  keep(record);
  return record.decision;
}

AuditRecord Service::judge(const ToolCall& call) {
  AuditRecord record = judge_named(call);
  const std::vector<std::string> names = mcp_readings(call.provider, call.native_tool);
  if (names.empty()) return record;
  if (names.size() > kMaxReadings) {
    record.decision = deny_unread(record.decision, names.size());
    return record;
  }
  const AgentPolicy* agent = parts_.policy.agent(call.agent);
  const std::vector<bool> counts =
      counting(names, agent == nullptr ? std::vector<std::string>() : agent->servers);
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ToolCall other = call;
    other.tool = names[i];
    readings.push_back({judge_named(other), counts[i]});
  }
  return settled(std::move(record), std::move(readings));
}

AuditRecord Service::judge_named(const ToolCall& call) {
  LookPlan plan = with_roots(options_.plan, call);
  AuditRecord record = judge_at(call, plan);
  if (plan.other_home.empty()) return record;
  std::swap(plan.home, plan.other_home);
  return stricter(std::move(record), judge_at(call, plan));
}

LookPlan Service::with_roots(LookPlan plan, const ToolCall& call) const {
  const AgentPolicy* agent = parts_.policy.agent(call.agent);
  if (agent == nullptr || agent->roots.empty()) return plan;
  if (plan.roots.empty()) plan.roots.push_back(plan.base.empty() ? call.cwd : plan.base);
  plan.roots.insert(plan.roots.end(), agent->roots.begin(), agent->roots.end());
  return plan;
}

AuditRecord Service::judge_at(const ToolCall& call, const LookPlan& plan) {
  AuditRecord record;
  record.call = call;
  // What a command calls `~` is the shell's affair, whatever the rules call so.
  record.effects = effects_of(call, parts_.policy.tools(), options_.plan.home);
  record.situation = parts_.world.look(call, record.effects, plan);
  record.decision = decide(parts_.policy, call, record.effects, record.situation, options_.decide);
  return record;
}

void Service::ask(AuditRecord& record) {
  const Decision asked = record.decision;
  Answer answer = parts_.approver->ask(record.call, asked);
  record.decision = std::move(answer.decision);
  if (record.decision.verdict != Verdict::kAllow) return;
  os::begin_new_moment();
  if (answer.changed && *answer.changed != record.call.input)
    return change(record, std::move(*answer.changed));
  AuditRecord again = judge(record.call);
  record.situation = std::move(again.situation);
  if (!asks_something_else(asked, again.decision)) return;
  Decision& decision = again.decision;
  decision.reasons.insert(
      decision.reasons.begin(),
      reason(ReasonKind::kAnswerer, decision.verdict, "world-changed",
             "the files changed while the question was open, so the answer no longer fits"));
  record.decision = std::move(decision);
}

// SAFETY: whoever changed the input has approved just that, which settles what is only asked; what
// the policy denies stays denied.
void Service::change(AuditRecord& record, json::Value input) {
  Decision approved = std::move(record.decision);
  ToolCall call = std::move(record.call);
  call.input = std::move(input);
  record = judge(call);
  if (record.decision.verdict == Verdict::kDeny) {
    record.decision.reasons.insert(
        record.decision.reasons.begin(),
        reason(ReasonKind::kAnswerer, Verdict::kDeny, "changed-input",
               "the call was approved with another input, and that one is denied"));
    return;
  }
  record.decision = std::move(approved);
}

void Service::keep(AuditRecord& record) {
  const Result<void> kept = parts_.audit.append(record);
  if (!kept) record.decision = deny_unrecorded(record.decision, kept.error());
}

}  // namespace tollgate
