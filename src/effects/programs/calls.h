// What code in another language starts: the texts that it hands to a shell, as far as they stand
// in it as such.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// Languages whose code starts programs by a call with a text, or with a list of texts.
bool is_language(std::string_view program);
std::vector<std::string> calls_in(std::string_view program, std::string_view code);

}  // namespace tollgate
