// The file that `tollgate init` writes: short, commented, ready to be changed.
// One for each built-in preset; each loads without an error or a warning.
// The text is for people: it says what the next line does and what else could stand there.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::config {

// Error: unknown-preset.
Result<std::string> starter_config(std::string_view preset);

}  // namespace tollgate::config
