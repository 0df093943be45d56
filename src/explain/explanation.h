// One judged call as a page for people: what was asked, what decided, what would change it.
// Pure: it lays out values and looks at nothing.
// The gate's own reading comes first; the agent's text is shown escaped and never cut uncounted.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "core/audit_log.h"
#include "core/mode.h"
#include "explain/layout.h"
#include "policy/policy_set.h"

namespace tollgate {

struct Explanation {
  const AuditRecord& record;
  const AgentPolicy* agent;  // nothing when the policy is broken
  std::string main;          // the field that spans are about, "" for none
  std::optional<Mode> mode;  // from the command line
  std::vector<Diagnostic> warnings;
  std::string here;       // paths inside are shown without it
  std::size_t width = 0;  // of the screen; 0 for no bound
};

std::string explanation_text(const Explanation& explanation, const Paint& paint);

}  // namespace tollgate
