// `tollgate fmt`: one layout for every configuration, with every comment kept.
// Only blanks, line ends and the spelling of rules change; running it twice changes nothing more.
// SAFETY: the result is read again, and anything but an equal meaning is an error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::config {

// Errors: whatever the file is refused for; format-changes-meaning.
Result<std::string> format_config(std::string_view text, const std::string& file);

}  // namespace tollgate::config
