// Here-documents where bash itself goes astray.
#pragma once

#include "shell/tree.h"

namespace tollgate {

// Whether a compound command of the script has a here-document inside. Bash prints what it read of
// a substitution and reads that again; behind such a document it leaves out what ends a command.
bool hides_document(const shell::Script& script);

}  // namespace tollgate
