// The host a URL leads to, by the strictest reading.
// Only what every client parses alike gives a host; all else gives none and matches no name.
// Numeric hosts come out as the address they are, so that 0x7f000001 cannot pass for a name.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// As canonical_host spells it; "" for userinfo, odd schemes, backslashes, controls, letters
// beyond ASCII, and whatever else is odd.
std::string host_of_url(std::string_view url);

}  // namespace tollgate
