// Names of variables, by what setting them can do to programs.
#pragma once

#include <cstdint>
#include <string_view>

namespace tollgate {

enum class Sways : std::uint8_t {
  kNothing,  // output, language and the like: also a command that only reads stays one
  kProgram,  // the program may heed it, but it loads and runs nothing else
  kLoading,  // it changes what is loaded, run or reached
};

Sways sways(std::string_view name);

// Variables that hold what must not be shown or sent.
bool names_secret(std::string_view name);

}  // namespace tollgate
