// The time of day, and a clock for deadlines.
// Everything that judges by time takes it as an argument; only the edges call this.
// Since 1970, UTC; the monotonic one counts from anywhere and never jumps.
#pragma once

#include <cstdint>

namespace tollgate::os {

std::int64_t now_seconds();
std::int64_t now_milliseconds();
std::int64_t now_monotonic();   // milliseconds
std::int64_t now_since_boot();  // milliseconds; goes on while the machine sleeps

}  // namespace tollgate::os
