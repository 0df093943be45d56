// The version that `tollgate --version` prints.
// CMakeLists.txt has the same number; a test compares them.
#pragma once

#include <string_view>

namespace tollgate::cli {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace tollgate::cli
