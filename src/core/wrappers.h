// Programs that run the rest of their words as a command.
// Effects look behind them for code, the gate for commands against itself; both by this one list.
// A program that is missing here still has its words looked at, with more doubt.
#pragma once

#include <string_view>

#include "base/name_set.h"

namespace tollgate {

inline constexpr NameSet kWrappers(
    {"sudo",       "doas",        "su",      "runuser", "pkexec",   "env",
     "nohup",      "nice",        "ionice",  "chrt",    "taskset",  "setsid",
     "stdbuf",     "time",        "timeout", "command", "builtin",  "exec",
     "xargs",      "flock",       "watch",   "chroot",  "unshare",  "nsenter",
     "parallel",   "busybox",     "toybox",  "ssh",     "strace",   "ltrace",
     "script",     "systemd-run", "entr",    "setarch", "unbuffer", "dbus-run-session",
     "caffeinate", "firejail",    "bwrap"});

constexpr bool is_wrapper(std::string_view program) { return kWrappers.has(program); }

}  // namespace tollgate
