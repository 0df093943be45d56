// A passage of one level, with the approver's word fetched in the middle and the record kept at the
// end.
// SAFETY: a call whose record could not be kept is denied.
#include "service/service.h"

#include <utility>

#include "service/passage.h"

namespace tollgate {
namespace {

Decision deny_unrecorded(const Decision& decided, const Error& error) {
  Decision out;
  out.verdict = Verdict::kDeny;
  out.layer = decided.layer;
  out.reasons.push_back(
      {.kind = ReasonKind::kLimit,
       .verdict = Verdict::kDeny,
       .rule = "audit-unavailable",
       .source = "built-in",
       .text = "the call could not be recorded, so it may not run: " + error.message,
       .span = {}});
  out.also = decided.reasons;
  return out;
}

}  // namespace

Service::Service(const ServiceParts& parts, ServiceOptions options)
    : parts_(parts), levels_(std::make_shared<std::vector<Level>>(1)) {
  Level& level = levels_->front();
  // Refers to the policy without a share in it: whoever made the service keeps that alive.
  level.policy = std::shared_ptr<const Policy>(std::shared_ptr<const void>(), &parts.policy);
  level.options = std::move(options);
}

Decision Service::handle(const ToolCall& call) { return settle(call).decision; }

AuditRecord Service::settle(const ToolCall& call) {
  levels_->front().agent = call.agent;
  Passage passage = Passage::open(levels_, parts_.world, call, Above::kUnknown);
  if (passage.needs() != Needs::kNothing && parts_.approver != nullptr) {
    const AuditRecord& asked = passage.record();
    passage.close(parts_.approver->ask(asked.call, asked.decision), parts_.world);
  }
  AuditRecord record = std::move(passage).record();
  keep(record);
  return record;
}

Decision Service::refuse(const Error& error) {
  AuditRecord record;
  record.decision = deny_malformed(error, levels_->front().options.decide.layer);
  keep(record);
  return record.decision;
}

void Service::keep(AuditRecord& record) {
  const Result<void> kept = parts_.audit.append(record);
  if (!kept) record.decision = deny_unrecorded(record.decision, kept.error());
}

}  // namespace tollgate
