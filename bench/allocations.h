// Counts what passes through operator new and delete, for programs that link allocations.cc.
// What was allocated and not freed is what the result holds, and what was freed on the way is what
// the work cost beyond its result.
#pragma once

#include <cstdint>

namespace tollgate::bench {

struct Allocations {
  std::uint64_t made = 0;
  std::uint64_t freed = 0;
  std::uint64_t bytes = 0;  // of all that was made
  std::int64_t held = 0;    // bytes that are not freed yet, since reset_peak() was first called
  std::int64_t peak = 0;    // the most that was held, since the last reset_peak()
};

// Since the program began, on this thread.
Allocations allocations();
void reset_peak();

}  // namespace tollgate::bench
