// A tree as text again, and as one line for tests.
#pragma once

#include <string>

#include "shell/tree.h"

namespace tollgate::shell {

// Shell text that reads back to the same tree: one statement a line, blanks and words in one form.
std::string print(const Script& script);
std::string print(const Word& word);

// `cmd(git,push) && cmd(ls)`: what a test compares. Places are left out.
std::string dump(const Script& script);
std::string dump(const Command& command);
std::string dump(const Word& word);

}  // namespace tollgate::shell
