// Words as a POSIX shell reads them back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// One word; plain ones stay bare.
std::string shell_word(std::string_view text);
// Words with blanks between them.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace tollgate
