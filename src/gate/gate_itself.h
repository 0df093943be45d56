// Acts on the gate itself, read from the words of one program: agents started, gate commands,
// flags that switch a client's permissions off, and signals to the gate.
// against_gate() in judge.h is what denies; here is the part of it that floors.cc shares.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/name_set.h"
#include "gate/judge.h"

namespace tollgate {

// Every program that a breaker is told by, but for those of mkfs.
inline constexpr NameSet kBreakingPrograms({"wipefs", "mke2fs", "rm", "chmod", "chown", "chgrp",
                                            "crontab", "git"});
inline bool may_break(std::string_view program) {
  return kBreakingPrograms.has(program) || program.starts_with("mkfs");
}

// What a run might do to the gate without saying so plainly: at least a question. Where
// against_gate() is in no doubt, what it asks is not asked again.
std::optional<Reason> perhaps_against_gate(const Scene& scene, std::size_t run, GateDoubt doubt);

// For tests: every word that one of these questions looks for.
std::vector<std::string_view> gate_words();

}  // namespace tollgate
