// From what each file says to one policy: names resolved, layers merged.
// A less trusted layer only tightens; rules of all layers add up.
// SAFETY: whatever cannot be resolved is an error in `out`, and the loader then denies all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/statement.h"
#include "policy/policy_set.h"

namespace tollgate::config {

// What the command line says; it counts as the user layer.
struct Overrides {
  std::string agent;                   // whom they are for; "" is the default agent
  std::optional<Words> allowed_tools;  // --allowed-tools
  bool yolo = false;                   // every tool, mode autonomous
};

struct ResolveInput {
  std::vector<Statement> statements;  // most trusted first
  Bundle environment;                 // the AGENTIC_* block
  Overrides overrides;
  std::vector<ToolDeclaration> tools;
  std::int64_t timeout_ms = 30'000;  // settings.permissionTimeout
  ConfigSource timeout_source = ConfigSource::kDefault;
};

// LIMIT: no house has more; it bounds the time to load and stays far below the compiled index.
inline constexpr std::size_t kMaxAgents = 10'000;

PolicySet resolve(ResolveInput input, std::vector<Diagnostic>& out);

}  // namespace tollgate::config
