// What Codex knows a hook by.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::providers {

// The hash that Codex keeps of a command hook; with another one, or none, the hook is skipped
// without a word. `event` is as in keys, pre_tool_use; `matcher` is "" where there is none.
std::string codex_hook_hash(std::string_view event, std::string_view matcher,
                            const std::string& command, int timeout);

}  // namespace tollgate::providers
