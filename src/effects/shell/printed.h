// What a command prints, as far as its words tell.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/effect.h"
#include "effects/shell/state.h"
#include "shell/tree.h"

namespace tollgate {

// Whether printed() may know what the program prints.
bool is_printer(std::string_view program);

// What `echo` and `printf` with a plain format print; nothing where that is not plain.
std::optional<std::string> printed(std::span<const Word> argv, bool posix);

// What is known of the output of programs that always print the same kind of thing.
Possible printed_by(const shell::Script& script, const ShellState& state);

// Programs that print the environment, or a credential that they keep.
bool tells_secrets(std::span<const Word> argv);

// `pwd` alone.
bool prints_directory(const shell::Script& script);

// `cd "$(git rev-parse --show-toplevel)"`
bool goes_to_top(const shell::SimpleCommand& command, const ShellState& state);

// One command that prints its words: nothing before it can end the shell.
bool only_prints(const shell::Script& script, const ShellState& state);

}  // namespace tollgate
