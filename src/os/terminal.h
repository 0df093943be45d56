// What the standard output is: a terminal or not, how wide, with colour or not.
// Asked once by the programs' start; everything below takes the answer as a value.
// NO_COLOR and TERM=dumb switch colour off, as their conventions say.
#pragma once

#include <optional>
#include <string>

#include "os/environment.h"

namespace tollgate::os {

struct Terminal {
  bool is_terminal = false;
  bool color = false;
  int width = 80;

  bool operator==(const Terminal&) const = default;
};

Terminal output_terminal(const Environment& environment, int descriptor = 1);

// A line typed at the controlling terminal, not shown; whatever standard input is. Nothing where
// there is no terminal.
std::optional<std::string> ask_secret(const std::string& prompt);

}  // namespace tollgate::os
