// Time zones as tables of offsets, read from the system's zone files.
// The rule language judges `hours` on these alone; no clock or file is needed then.
// Read by hand: the tables must reach 2100, and static programs have no zone library.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/hours.h"

namespace tollgate::config {

inline constexpr std::string_view kZoneDirectory = "/usr/share/zoneinfo";

// The zone's offsets from 1970 to the end of 2100. Errors: unknown-zone, bad-zone-file.
Result<Zone> load_zone(std::string_view name,
                       const std::string& directory = std::string(kZoneDirectory));

// The same from the bytes of a zone file (RFC 8536).
Result<Zone> read_zone(std::string_view name, std::string_view bytes);

}  // namespace tollgate::config
