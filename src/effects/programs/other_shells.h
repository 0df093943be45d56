// Text for a shell that may not be bash.
#pragma once

#include <string_view>

namespace tollgate {

// Whether a shell that is not bash may read the text otherwise.
bool only_bash_reads(std::string_view text);

}  // namespace tollgate
