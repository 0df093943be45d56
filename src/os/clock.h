// The time of day.
// Everything that judges by time takes it as an argument; only the edges call this.
// Seconds since 1970, UTC.
#pragma once

#include <cstdint>

namespace tollgate::os {

std::int64_t now_seconds();
std::int64_t now_milliseconds();

}  // namespace tollgate::os
