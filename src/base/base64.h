// Base64 and its form for addresses, both ways (RFC 4648). Bytes are held in strings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tollgate {

std::string base64(std::string_view bytes);
std::string base64url(std::string_view bytes);  // without padding
// Padding is taken and not needed. Nothing for any other text.
std::optional<std::string> bytes_of_base64url(std::string_view text);
std::optional<std::string> bytes_of_base64(std::string_view text);

}  // namespace tollgate
