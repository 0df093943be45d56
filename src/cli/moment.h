// A moment as decision cases write it.
// Always UTC: a case must come out alike on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tollgate::cli {

// "2026-03-02T10:00:00Z" as seconds since 1970; nothing where malformed.
std::optional<std::int64_t> utc_seconds(std::string_view text);

}  // namespace tollgate::cli
