// SHA-256 (FIPS 180-4), for the hash by which Codex knows a hook again.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::providers {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace tollgate::providers
