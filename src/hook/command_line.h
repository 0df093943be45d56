// The words behind `tollgate-hook` and `tollgate hook`.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "hook/hook.h"

namespace tollgate::hook {

struct CommandLine {
  std::string provider;
  Registration registration;  // its provider is the one above
  int timeout = 0;            // milliseconds after which the client gives up; 0: not said
};

// The client is taken from the first word even where the rest is wrong. Error: bad-usage.
Result<void> read_command_line(std::span<const std::string> words, CommandLine& line);

// When to have answered: two seconds before the client gives up.
int deadline_of(const CommandLine& line);
// How long a daemon may take: a little less, so that there is time to say so.
int patience_of(const CommandLine& line);

}  // namespace tollgate::hook
