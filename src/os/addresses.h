// The addresses that this machine has on its networks, as text: a peer with one of them is here.
#pragma once

#include <string>
#include <vector>

namespace tollgate::os {

// Empty where they cannot be told.
std::vector<std::string> own_addresses();

}  // namespace tollgate::os
