// The files of each client; the table is in provider.cc.
#pragma once

#include "providers/provider.h"

namespace tollgate::providers {

using Targets = Result<std::vector<Target>>;

Targets claude_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets codex_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets copilot_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets cursor_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets gemini_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets kimi_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets kiro_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets opencode_targets(const Scene& scene, Scope scope, const HookCommand& command);
Targets q_targets(const Scene& scene, Scope scope, const HookCommand& command);

}  // namespace tollgate::providers
