// Names that bash takes for itself.
#pragma once

#include <string_view>

#include "base/name_set.h"

namespace tollgate {

// Builtins, and reserved words that may begin a command: where a program starts them, or in a
// subshell, they mean something else.
inline bool is_bash_name(std::string_view name) {
  static constexpr NameSet kNames(
      {".",        ":",       "[",       "[[",      "alias",   "bg",        "bind",     "break",
       "builtin",  "caller",  "cd",      "chdir",   "command", "compgen",   "complete", "compopt",
       "continue", "coproc",  "declare", "dirs",    "disown",  "echo",      "enable",   "eval",
       "exec",     "exit",    "export",  "false",   "fc",      "fg",        "getopts",  "hash",
       "help",     "history", "jobs",    "kill",    "let",     "local",     "logout",   "mapfile",
       "popd",     "printf",  "pushd",   "pwd",     "read",    "readarray", "readonly", "return",
       "set",      "shift",   "shopt",   "source",  "suspend", "test",      "time",     "times",
       "trap",     "true",    "type",    "typeset", "ulimit",  "umask",     "unalias",  "unset",
       "wait"});
  return kNames.has(name);
}

}  // namespace tollgate
