#include "server/explained.h"

#include "explain/call_text.h"
#include "explain/explanation.h"

namespace tollgate::server {

std::string explained(const AuditRecord& record, const Policy* policy, std::optional<Mode> mode) {
  const bool known = policy != nullptr && !policy->broken();
  const std::vector<ToolDeclaration> none;
  const Explanation explanation{
      .record = record,
      .agent = known ? policy->agent(record.call.agent) : nullptr,
      .main = main_field(record.call, policy != nullptr ? policy->tools() : none),
      .mode = mode,
      .warnings = {},
      .here = record.situation.base.written,
      .width = 0};
  return explanation_text(explanation, Paint(false));
}

}  // namespace tollgate::server
