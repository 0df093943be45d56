// Small pure questions about text that several rooms ask.
// ASCII only where case matters: names in rules, hosts and options are ASCII.
// Nothing here allocates unless it returns a string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
std::string lower(std::string_view text);

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

// FNV-1a: spreads texts over names and places; nothing relies on it being hard to meet.
std::uint64_t hash_of(std::string_view text);

bool is_valid_utf8(std::string_view text);

// How many bytes of `text` are valid UTF-8 before the first that is not.
std::size_t valid_utf8_prefix(std::string_view text);

// The beginning of somebody's text, as a one-line message can hold it; ends in "..." when cut.
std::string shortened(std::string_view text);

// True for characters that hide or reorder text on a screen: C0/C1 controls other than tab and
// newline, bidirectional controls, zero-width characters, the byte order mark.
bool has_hidden_characters(std::string_view text);

// "30s", "10m", "2h", "7d", "1500ms"; a bare number is milliseconds. Nothing where malformed.
std::optional<long long> duration_ms(std::string_view text);

// "2027-01-31" or "2027-01-31T18:00:00Z" as seconds since 1970. Nothing where malformed.
std::optional<long long> utc_seconds(std::string_view text);

}  // namespace tollgate
