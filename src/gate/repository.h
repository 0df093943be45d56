// Why a version control program is not quiet where it would run, in words for people.
// The look says what was found (PathLook::repository and why); the judge asks when nothing covers.
// Every text says what to do, because an agent reads it and acts on it.
#pragma once

#include <cstddef>
#include <string>

#include "policy/match.h"

namespace tollgate {

// "" when the run at `index`, and whatever it starts, follows only the workspace's own repository.
std::string repository_doubt(const Scene& scene, std::size_t index);

}  // namespace tollgate
