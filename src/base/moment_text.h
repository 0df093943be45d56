// A moment as people and programs read it: always UTC, down to the millisecond.
#pragma once

#include <cstdint>
#include <string>

namespace tollgate {

// 2026-11-18T01:02:03.004Z for milliseconds since 1970.
std::string moment_text(std::int64_t milliseconds);

}  // namespace tollgate
