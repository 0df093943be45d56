// The workspace block as it comes by environment variables.
// Inside the block the environment beats the project's file; it never lifts a user's rule.
// Every variable that is read stands in agentic_variables(), which the snapshot's key uses.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "config/statement.h"
#include "os/environment.h"

namespace tollgate::config {

std::span<const std::string_view> agentic_variables();

// Errors: bad-environment.
Bundle agentic_bundle(const os::Environment& environment, std::vector<Diagnostic>& out);

}  // namespace tollgate::config
