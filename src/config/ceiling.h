// Which tools may be used at all: lists of names become ceilings, layers intersect.
// An entry with a specifier is an allow rule too.
// SAFETY: the meeting of two ceilings holds only what both hold.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/statement.h"
#include "policy/policy_set.h"

namespace tollgate::config {

// One list as a ceiling, and the allow rules that its entries with specifiers are.
struct ToolList {
  Ceiling ceiling;
  std::vector<Rule> rules;
};

ToolList tool_list(const Said<Words>& words, ConfigSource source, std::string from,
                   std::string_view agent, std::span<const ToolDeclaration> tools,
                   std::vector<Diagnostic>& out);

// What both hold; described by the narrower, less trusted one.
Ceiling meet(const Ceiling& trusted, const Ceiling& other);
std::optional<ToolPart> meet(const ToolPart& a, const ToolPart& b);

// The hosts that both lists hold.
std::vector<std::string> meet_hosts(const std::vector<std::string>& a,
                                    const std::vector<std::string>& b);

}  // namespace tollgate::config
