// What each client does when its hook fails, and who can switch the hook off.
// As observed on the programs themselves, see docs/install.md; the registered command closes some.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/doctor.h"

namespace tollgate::providers {

// For the commands that are registered.
std::vector<Check> failure_modes(std::string_view client, std::span<const Registered> entries);

// Settings of the user or of the directory that switch hooks off or make the client ask less.
std::vector<Check> switched_off(std::string_view client, const Scene& scene);

}  // namespace tollgate::providers
