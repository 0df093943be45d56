// A moment as the clock on the wall shows it, by TZ or the system's own zone.
// For people to read; nothing is judged by it.
#pragma once

#include <cstdint>
#include <string>

namespace tollgate::os {

struct LocalTime {
  std::string text;  // 2026-11-18 14:05:06, "" for what no calendar has
  std::string zone;  // CET, +0530, UTC

  bool operator==(const LocalTime&) const = default;
};

LocalTime local_time(std::int64_t seconds);
LocalTime utc_time(std::int64_t seconds);

}  // namespace tollgate::os
