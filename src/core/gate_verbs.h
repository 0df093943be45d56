// The gate's own commands, by what an agent may do with them.
// The gate denies by these, and so does what is written into a client's native policy.
// SAFETY: a new command belongs to one of both; a test compares them with the command line's table.
#pragma once

#include "base/name_set.h"

namespace tollgate {

// They only tell.
inline constexpr NameSet kFreeVerbs({"eval", "explain", "check", "lint", "test", "tools", "schema",
                                     "help", "--help", "--version"});

// They loosen, answer, write, or show what only people see.
inline constexpr NameSet kHeldVerbs({"approve", "approver", "compile",  "db",     "deny",
                                     "doctor",  "fmt",      "freeze",   "grants", "hook",
                                     "init",    "install",  "log",      "mcp",    "pair",
                                     "pending", "replay",   "run",      "serve",  "sessions",
                                     "top",     "trust",    "uninstall"});

}  // namespace tollgate
