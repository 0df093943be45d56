// Variables that loosen an agent program: the one table of them for reading and judging.
// Effects mark a call that sets one, and the gate denies what is marked. To read one is free.
// SAFETY: a name that is missing here is only asked about, so that a new client needs its rows.
#pragma once

#include <string_view>

#include "base/name_set.h"

namespace tollgate {

// The `target` of a kUnknown that sets one.
inline constexpr std::string_view kClientSwitch = "client-switch";
inline constexpr std::string_view kClientSwitchWhy =
    "decides what an agent program asks about, or where it finds its rules and hooks";

// With these set, a client asks less, trusts more, or starts without its hooks. Without them it is
// as strict as it is meant to be, so that they may be unset.
inline constexpr NameSet kLooseningVariables({
    "CLAUDE_CODE_BUBBLEWRAP",           // taken for a sandbox, where nothing is asked
    "CLAUDE_CODE_SAFE_MODE",            // no hooks and no plugins
    "CLAUDE_CODE_SHELL_PREFIX",         // runs in front of each command that was judged
    "CLAUDE_CODE_SIMPLE",               // no hooks and no plugins
    "CODEX_UNSAFE_ALLOW_NO_SANDBOX",    // runs where no sandbox can be had
    "COPILOT_ALLOW_ALL",                // every tool, nobody asked
    "GEMINI_CLI_TRUST_WORKSPACE",       // takes the settings of the workspace
    "IS_SANDBOX",                       // Claude: permissions may be skipped as root
    "OPENCODE_DISABLE_PROJECT_CONFIG",  // the rules of the project do not hold
    "OPENCODE_PURE",                    // no plugins, and with them no gate
});

// These say where a client finds its rules and hooks, or what they are: with another value, and
// without one, it may find none. The same holds for what Tollgate reads from the environment.
inline constexpr NameSet kPolicyVariables({
    "AGENTIC_ALLOWED_HOSTS",
    "AGENTIC_ALLOWED_TOOLS",
    "AGENTIC_ALLOW_NETWORK",
    "AGENTIC_ALLOW_SENSITIVE_READ",
    "AGENTIC_BLOCKED_BASH",
    "AGENTIC_BLOCKED_PATHS",
    "AGENTIC_BLOCK_GIT_ADD_ALL",
    "AGENTIC_DISALLOWED_TOOLS",
    "AGENTIC_SECURITY_LEVEL",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CURSOR_CONFIG_DIR",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "GEMINI_SANDBOX",
    "GROK_GOAL",
    "GROK_SUBAGENTS",
    "GROK_WORKFLOWS",
    "KIMI_CODE_HOME",
    "KIMI_SHARE_DIR",
    "KIRO_HOME",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_CONTENT",
    "OPENCODE_CONFIG_DIR",
    "OPENCODE_PERMISSION",
    "TOLLGATE_SESSION",
});

inline bool is_client_switch(std::string_view name) {
  return kLooseningVariables.has(name) || kPolicyVariables.has(name);
}

}  // namespace tollgate
