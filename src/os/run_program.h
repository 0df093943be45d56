// Runs another program to its end: its input is given, its output is kept.
// For programs that only tell something: what does not end in time is killed, with all it started.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::os {

struct Ran {
  int status = -1;    // the exit status, or 128 and the signal that ended it
  bool late = false;  // it was killed, because the time was over
  std::string out;
  std::string err;
};

struct RunLimits {
  int milliseconds = 10'000;
  std::size_t bytes = 1u << 20;  // of each stream; more is read and dropped
};

// `words` are the program, an absolute path, and its arguments; the environment is this process's.
// Error: program-unstartable.
Result<Ran> run_program(std::span<const std::string> words, std::string_view input,
                        RunLimits limits = {});

}  // namespace tollgate::os
