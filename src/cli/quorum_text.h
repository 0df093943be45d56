// How far a question is that several people answer: who has agreed, how many are missing, until
// when. Of a permission as the daemon gives it; what people read at a terminal, whichever command.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace tollgate::cli {

// One line a threshold, none where one person of any is enough.
std::vector<std::string> quorum_lines(const json::Value& permission);

}  // namespace tollgate::cli
