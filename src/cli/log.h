// What `tollgate log` does besides listing: one file each.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/commands.h"

namespace tollgate::cli {

int log_verify(const Arguments& arguments, Context& context);
int log_export(const Arguments& arguments, Context& context);

// A time as an option has it, 2026-03-02T10:00:00Z or how long ago, in milliseconds since 1970.
// Error: bad-usage.
Result<std::int64_t> moment_in(const Arguments& arguments, std::string_view option,
                               std::int64_t otherwise);

}  // namespace tollgate::cli
