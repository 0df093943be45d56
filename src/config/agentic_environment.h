// The workspace block as it comes by environment variables.
// Inside the block the environment beats the project's file; it never lifts a user's rule.
// A name that is not known may be a misspelt restriction, so it is not passed over in silence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/statement.h"
#include "os/environment.h"

namespace tollgate::config {

inline constexpr std::string_view kAgenticPrefix = "AGENTIC_";

// The names that begin with AGENTIC_ and have a value, known or not, sorted: all that the bundle
// depends on.
std::vector<std::string> agentic_variables(const os::Environment& environment);

// Errors: bad-environment, unknown-variable. Warnings: unknown-variable, unsupported-variable.
Bundle agentic_bundle(const os::Environment& environment, std::vector<Diagnostic>& out);

}  // namespace tollgate::config
