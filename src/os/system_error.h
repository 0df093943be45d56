// One shape for every failed system call: what was tried, on which path, in the system's words.
// Kept apart so that all files of this room speak alike.
// `number` is errno as it was right after the call.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tollgate::os {

// "cannot read `path`: permission denied", with a hint that fits the number.
Error system_error(std::string_view code, std::string_view doing, const std::string& path,
                   int number);

}  // namespace tollgate::os
