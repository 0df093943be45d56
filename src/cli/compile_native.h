// The second half of `tollgate compile`: one policy in a client's own words.
#pragma once

#include "cli/arguments.h"
#include "cli/commands.h"

namespace tollgate::cli {

// Whether the options ask for a translation and not for the snapshot.
bool wants_native(const Arguments& arguments);
int run_compile_native(const Arguments& arguments, Context& context);

}  // namespace tollgate::cli
