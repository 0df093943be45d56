// The rules of a Gemini policy file, and the limits beyond which Gemini drops the whole file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "native/plan.h"

namespace tollgate::native {

struct GeminiRule {
  std::string tool;       // "*" for every one
  std::string server;     // of an MCP tool
  std::string arguments;  // a regular expression over the arguments as JSON, keys sorted
  std::string decision;   // allow, deny, ask_user
  int priority = 0;
  std::string message;

  bool operator==(const GeminiRule&) const = default;
};

std::vector<GeminiRule> gemini_rules(const Plan& plan);
std::string gemini_text(const std::vector<GeminiRule>& rules);

// Error: bad-native.
Result<void> check_gemini(const std::vector<GeminiRule>& rules);
bool gemini_takes_regex(std::string_view pattern);

}  // namespace tollgate::native
