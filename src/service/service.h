// The path of one call: effects, a look, a decision, a question when it says ask, a record.
// The hook, the daemon and the command line wire the same Service; there is no second way.
// Cheap to make: it only refers to its parts, which must outlive it. One thread at a time.
#pragma once

#include "core/approver.h"
#include "core/audit_log.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate {

struct ServiceParts {
  const Policy& policy;
  World& world;
  AuditLog& audit;
  Approver* approver = nullptr;  // nothing: an ask stays an ask, for the client to put to its user
};

struct ServiceOptions {
  LookPlan plan;
  DecideOptions decide;
};

class Service {
 public:
  Service(const ServiceParts& parts, ServiceOptions options);

  // The final answer; what could not be recorded is denied.
  Decision handle(const ToolCall& call);

  // The same with all it rested on: what the log was given, unless the log failed. Where an
  // approver changed the input, the record's call has the new one, and that was judged.
  AuditRecord settle(const ToolCall& call);

  // The answer to what could not be read as a call; recorded like any other.
  Decision refuse(const Error& error);

 private:
  AuditRecord judge(const ToolCall& call);
  AuditRecord judge_named(const ToolCall& call);  // as the tool that the call names
  // The roots of the policy's agent are workspace besides those that the caller knows.
  LookPlan with_roots(LookPlan plan, const ToolCall& call) const;
  AuditRecord judge_at(const ToolCall& call, const LookPlan& plan);
  void ask(AuditRecord& record);
  void change(AuditRecord& record, json::Value input);
  void keep(AuditRecord& record);

  ServiceParts parts_;
  ServiceOptions options_;
};

}  // namespace tollgate
