// The addresses that this machine has on its networks, as text: a peer with one of them is here.
#pragma once

#include <string>
#include <vector>

namespace tollgate::os {

// Empty where they cannot be told.
std::vector<std::string> own_addresses();

// The one that this machine speaks from when it speaks to the world, "" where there is none. Asks
// the routing table alone: nothing is sent.
std::string usual_address();

// Whether it belongs to a network that ends at somebody's router or VPN, loopback and link-local
// ones left out.
bool is_private_address(const std::string& address);

// What this machine calls itself, "" where that cannot be told.
std::string host_name();

}  // namespace tollgate::os
