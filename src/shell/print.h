// A tree as text again, and as one line for tests.
#pragma once

#include <string>
#include <string_view>

#include "shell/tree.h"

namespace tollgate::shell {

// Shell text that reads back to the same tree: lines as they were, blanks and words in one form.
// REQUIRES: the tree was not refused; of one that was, the text is what could be saved.
std::string print(const Script& script);
std::string print(const Word& word);

// Both write a here-document without its tabs: they are gone from the body already.
std::string_view spelling(RedirectionOp op);

// `cmd(git,push) && cmd(ls)`: what a test compares. Places are left out.
std::string dump(const Script& script);
std::string dump(const Command& command);
std::string dump(const Word& word);

}  // namespace tollgate::shell
