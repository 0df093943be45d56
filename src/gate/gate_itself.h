// Acts on the gate itself, read from the words of one program: agents started, gate commands,
// flags that switch a client's permissions off, and signals to the gate.
// against_gate() in judge.h is what denies; here is the part of it that floors.cc shares.
#pragma once

#include <cstddef>
#include <optional>

#include "gate/judge.h"

namespace tollgate {

// What a run might do to the gate without saying so plainly: at least a question. Where
// against_gate() is in no doubt, what it asks is not asked again.
std::optional<Reason> perhaps_against_gate(const Scene& scene, std::size_t run, GateDoubt doubt);

}  // namespace tollgate
