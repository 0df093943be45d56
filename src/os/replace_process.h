// Becoming another program.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::os {

// The program at `path` takes the place of this one and reads `input`. Returns only on an error:
// program-unstartable.
Error replace_process(const std::string& path, std::span<const std::string> arguments,
                      std::string_view input);

// Where this program lies, links resolved. Error: file-unreadable.
Result<std::string> own_program();
// The same, by the path that the kernel was given. The way through /proc takes as long as twenty
// looks at paths, and those above this one are looked at in any case.
Result<std::string> started_program();

}  // namespace tollgate::os
