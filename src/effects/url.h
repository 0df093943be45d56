// The host a URL leads to, by the strictest reading.
// Only what every client parses alike gives a host; all else gives none and matches no name.
// Numeric hosts come out as the address they are, so that 0x7f000001 cannot pass for a name.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// Lower case, without a trailing dot; a dotted quad or an IPv6 address in its short form for
// numeric hosts; "" for userinfo, odd schemes, backslashes, controls, and whatever else is odd.
std::string host_of_url(std::string_view url);

// The same for a host alone, without a port.
std::string canonical_host(std::string_view host);

}  // namespace tollgate
