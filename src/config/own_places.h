// The gate's own files, as the configuration has them: what an agent may never change.
#pragma once

#include <string>
#include <vector>

#include "config/loader.h"

namespace tollgate::config {

// Policy files, those that would be heard if they were there, data, and `program` itself.
std::vector<std::string> own_places(const LoadOptions& options, const std::string& home,
                                    const std::string& program);

}  // namespace tollgate::config
