// A hook as a process: its input, its words, its deadline, its last word.
#pragma once

#include <span>
#include <string>

#include "hook/hook.h"

namespace tollgate::hook {

// What to do where the source has no policy; returns only when that failed, with the reason.
using Otherwise = std::function<Error(std::string_view payload)>;

// Ends the process with this status, as it stands.
using Leave = void (*)(int status);

// The exit status. `words` is what follows the program's name. Most often it does not return where
// there is a way to leave.
int run(std::span<const std::string> words, const Place& place, const PolicySource& source,
        const Otherwise& otherwise, Leave leave = nullptr);

}  // namespace tollgate::hook
