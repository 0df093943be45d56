// A question as plain lines, for commands that print: the gate's own reading first, what the agent
// says after it and marked as the agent's.
#pragma once

#include <string>

#include "explain/layout.h"
#include "json/value.h"

namespace tollgate::cli {

// Of a permission as the daemon gives it, whole.
std::string permission_text(const json::Value& permission, const Paint& paint);

// `⚠ PERMISSION: backend wants to use Bash(npm ci)  [y]once [a]lways [n]o: `, without a newline.
std::string permission_prompt(const json::Value& permission);

}  // namespace tollgate::cli
