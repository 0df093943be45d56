// Random bytes that nobody can guess: for ids and secrets.
// From the system alone; there is no generator of our own behind it.
// SAFETY: fewer bytes than asked for are an error, never a shorter or weaker secret.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace tollgate::os {

// Error: random-unavailable.
Result<std::string> random_bytes(std::size_t count);

}  // namespace tollgate::os
