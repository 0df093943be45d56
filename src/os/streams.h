// Standard input, output and error, as whole texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::os {

// Puts something in the place of each of the three that is closed, so that no file of ours gets its
// number. Reading and writing there fail as before. False where that could not be done.
bool keep_standard_numbers();

// All of standard input. Errors: file-unreadable, file-too-large.
Result<std::string> read_input(std::size_t limit);

// Whole, or an error: file-unwritable.
Result<void> write_output(std::string_view text);
Result<void> write_error(std::string_view text);

}  // namespace tollgate::os
