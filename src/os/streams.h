// Standard input, output and error, as whole texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::os {

// All of standard input. Errors: file-unreadable, file-too-large.
Result<std::string> read_input(std::size_t limit);

// Whole, or an error: file-unwritable.
Result<void> write_output(std::string_view text);
Result<void> write_error(std::string_view text);

}  // namespace tollgate::os
