// The `hours` of a rule: "Mon-Fri 09:00-18:00 Europe/Berlin".
// A window is judged on UTC time with the zone's own transitions, which config/ read from the
// system's zone database when the file was loaded; nothing here looks at a clock or a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate {

// A zone as a list of offsets, each holding from its moment on; sorted, never empty when loaded.
struct Zone {
  struct Offset {
    std::int64_t from = 0;  // seconds since 1970, UTC
    std::int32_t seconds = 0;
    bool operator==(const Offset&) const = default;
  };
  std::string name;
  std::vector<Offset> offsets;

  bool operator==(const Zone&) const = default;
};

struct Hours {
  std::uint8_t days = 0;   // bit 0 is Monday; a window belongs to the day it begins on
  std::uint16_t from = 0;  // minutes after midnight
  std::uint16_t to = 0;    // minutes; at or before `from` means "on the next day"
  std::string zone;        // "UTC" when none was written

  bool operator==(const Hours&) const = default;
};

// Errors: bad-hours (with what was expected), or rule-never-matches for an empty window.
Result<Hours> parse_hours(std::string_view text);
std::string format_hours(const Hours& hours);

bool is_open(const Hours& hours, std::int64_t now, const std::vector<Zone::Offset>& offsets);

}  // namespace tollgate
