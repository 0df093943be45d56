// Texts of substitutions where bash itself goes astray.
#pragma once

#include "shell/tree.h"

namespace tollgate {

// Whether a compound command of the script has a here-document inside. Bash prints what it read of
// a substitution and reads that again; behind such a document it leaves out what ends a command.
bool hides_document(const shell::Script& script);

// Whether an element of an array in the script has a backslash before a letter. Where bash looks
// for the end of a substitution it does not heed that one, so that a quote behind it begins a text.
bool misreads_elements(const shell::Script& script);

}  // namespace tollgate
