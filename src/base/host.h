// Hosts by one spelling: what a URL names and what a rule names compare as text.
// Effects and rules both come through here, so that neither knows a spelling the other lacks.
// SAFETY: what is no plain host gives "", which no rule's name can equal.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// Lower case, without a trailing dot; a dotted quad or an IPv6 address in its short form for
// numeric hosts, IPv6 with or without brackets; "" for whatever is odd, letters beyond ASCII too.
std::string canonical_host(std::string_view host);

// Whether a canonical host is an address and no name, so that nothing lies below it.
bool is_address(std::string_view canonical);

}  // namespace tollgate
