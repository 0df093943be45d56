// HMAC, markup and comparisons, as signatures and messages need them.
// OpenSSL does the work. Bytes are held in strings.
// SAFETY: where the library fails, the result is empty; an empty signature never equals anything.
#pragma once

#include <string>
#include <string_view>

#include "base/base64.h"

namespace tollgate::notify {

std::string hexadecimal(std::string_view bytes);

// `&`, `<` and `>` as entities: what makes tags on a desktop, and links and mentions in Slack.
std::string as_markup(std::string_view text);

// 32 bytes, or "" where it could not be made.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

// Takes as long for every text of one length. Two empty texts are not the same.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tollgate::notify
