// Who runs this process and where that user's home is.
// The home comes from HOME, else from the passwd file; a relative HOME does not count.
// Read by hand from the file: a static program cannot load the name service's modules.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "os/environment.h"

namespace tollgate::os {

std::uint32_t effective_uid();

// Error: home-unknown.
Result<std::string> home_directory(const Environment& environment,
                                   const std::string& passwd_file = "/etc/passwd");

}  // namespace tollgate::os
