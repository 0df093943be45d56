// The path of one call: effects, a look, a decision, a question when it says ask, a record.
// The hook and the command line wire the same Service, and the daemon the Passage inside it; there
// is no second way.
// Cheap to make: it only refers to its parts, which must outlive it. One thread at a time.
#pragma once

#include <memory>
#include <vector>

#include "core/approver.h"
#include "core/audit_log.h"
#include "policy/policy.h"
#include "service/level.h"

namespace tollgate {

struct ServiceParts {
  const Policy& policy;
  World& world;
  AuditLog& audit;
  Approver* approver = nullptr;  // nothing: an ask stays an ask, for the client to put to its user
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
  void keep(AuditRecord& record);

  ServiceParts parts_;
  std::shared_ptr<std::vector<Level>> levels_;  // one; its agent is that of the call in hand
};

}  // namespace tollgate
