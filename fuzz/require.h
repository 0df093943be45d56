// A promise that a fuzzer holds the house to.
// Included by the fuzz programs only.
// A broken one crashes, because libFuzzer takes a crash for a finding.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace tollgate::fuzz {

inline void require(bool holds, std::source_location at = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "broken promise at %s:%u\n", at.file_name(),
               static_cast<unsigned>(at.line()));
  std::abort();
}

}  // namespace tollgate::fuzz
