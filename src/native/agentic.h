// What AGENTIC_* variables can say of a policy, for a container that has no configuration file.
// The loader reads the variables back to the same judgement, as far as nothing was left out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "json/value.h"
#include "policy/policy_set.h"

namespace tollgate::native {

struct Agentic {
  std::vector<std::pair<std::string, std::string>> variables;
  std::vector<std::string> left_out;  // what the variables cannot say, as a sentence each
};

Agentic agentic_export(const PolicySet& set, const AgentPolicy& agent);

std::string agentic_text(const Agentic& exported);  // `export NAME='value'`, one a line
json::Value agentic_json(const Agentic& exported);

}  // namespace tollgate::native
