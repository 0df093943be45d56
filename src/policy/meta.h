// The part of a compiled policy that is no rule: agents, declared tools, and what is broken.
// Written once by compile(), read once by Policy::open().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy_set.h"

namespace tollgate {

struct PolicyMeta {
  std::vector<AgentPolicy> agents;
  std::vector<ToolDeclaration> tools;
  std::optional<Error> broken;
};

std::string pack_meta(const PolicySet& set);
std::optional<PolicyMeta> unpack_meta(std::string_view bytes);

}  // namespace tollgate
