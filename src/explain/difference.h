// What changed between two texts, line by line, as people read it: `-` gone, `+` new.
// Pure; a few unchanged lines stand around each change.
// Every line is made visible, because what is shown is what a person agrees to.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// "" when the texts are equal.
std::string difference(std::string_view before, std::string_view after);

}  // namespace tollgate
