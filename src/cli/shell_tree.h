// A shell text as the reader sees it, as lines with more indentation the deeper they stand.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::cli {

std::string shell_tree(std::string_view text);

}  // namespace tollgate::cli
