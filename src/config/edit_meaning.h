// What a policy file comes to, so that two states of it can be compared wherever things stand.
// The second half of the proof of an edit: the first compares the trees, this one the policies.
// INVARIANT: everything but places is compared; a field that is new is compared without being
// named here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/settings.h"
#include "config/yaml.h"
#include "core/tool_declaration.h"
#include "policy/policy_set.h"

namespace tollgate::config {

struct Reading {
  Document document;
  PolicySet set;  // of this file alone, without places
  Settings settings;
  std::vector<ToolDeclaration> tools;  // that its rules are parsed with
  std::vector<std::string> problems;   // names that this file alone leaves open, without places
};

// Errors: whatever is wrong in the file by itself, the first by place.
Result<Reading> reading_of(std::string text, const std::string& file,
                           std::span<const ToolDeclaration> other_tools);

// The rule that an edit speaks of.
struct RuleChange {
  Verdict list = Verdict::kDeny;
  std::string agent;
  std::string rule;                                  // as format_rule() writes it
  std::optional<std::string> reason = std::nullopt;  // nothing: whatever it says
};

// `more` is `less` with that rule once more, and otherwise the same, order included.
bool differs_by_rule(const Reading& less, const Reading& more, const RuleChange& change);
// Nothing but modes differs: of that agent, or of any where the file's top was edited ("").
bool differs_by_mode(const Reading& before, const Reading& after, const std::string& agent);

}  // namespace tollgate::config
