// A command's words as shell text: spelled in some way, and wrapped in constructs at random.
#pragma once

#include <string>

#include "bash/row_maker.h"

namespace tollgate::bash {

struct Wrapped {
  std::string text;
  bool keeps_input = true;  // standard input is what it is for the bare command
  bool by_program = false;  // a program starts the command, so that it is never a builtin
};

// The words in single quotes where they need any.
std::string plainly(const Words& words);

Wrapped wrapped(const Words& words, Random& random);

}  // namespace tollgate::bash
