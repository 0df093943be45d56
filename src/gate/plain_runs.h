// Runs that no built-in ground is about, told by one look at the words of each.
// Marked in gate_itself.cc, which knows the names; what asks word by word passes these by.
// SAFETY: a run that is not marked is only looked at more closely; nothing is loosened by a mark.
#pragma once

#include <cstddef>
#include <cstdint>

#include "policy/match.h"

namespace tollgate {

class PlainRuns {
 public:
  PlainRuns() = default;  // no run is
  explicit PlainRuns(const Scene& scene);

  // Its program is known by its bare name, all its words are known and told apart, none of them is
  // a secret or a flag that switches permissions off; nor is it a wrapper, a breaker, or a program
  // that can be turned against the gate.
  bool has(std::size_t effect) const { return effect < kMost && (marks_ >> effect & 1) != 0; }

  // False when no effect of the call is of the kind.
  bool may_have(EffectKind kind) const { return (kinds_ & kind_bit(kind)) != 0; }

 private:
  static constexpr std::size_t kMost = 64;  // most calls have few effects; later ones have no mark
  static constexpr std::uint32_t kind_bit(EffectKind kind) {
    return 1u << static_cast<unsigned>(kind);
  }
  std::uint64_t marks_ = 0;
  std::uint32_t kinds_ = 0xffffffff;
};

}  // namespace tollgate
