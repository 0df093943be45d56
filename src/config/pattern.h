// The regular expressions of `redact`: whether one can be used, and what is wrong with it.
// They are RE2's, which take linear time whatever the text; nothing else here knows the library.
// INVARIANT: whoever uses a pattern compiles it with the same library, so that a good one stays
// good.
#pragma once

#include <optional>
#include <string>

namespace tollgate::config {

struct PatternFault {
  std::string why;   // lower case, without a full stop
  std::string part;  // the piece of the pattern that it is about
};

// Nothing for a pattern that can be used.
std::optional<PatternFault> fault_of_pattern(const std::string& pattern);

}  // namespace tollgate::config
