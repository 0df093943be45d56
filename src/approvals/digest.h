// SHA-256 and what is made with it: digests of secrets, tokens that belong to a secret.
// OpenSSL does the work. Ids and secrets of this room are hexadecimal digits of random bytes.
// SAFETY: where the library fails, the digest is empty; an empty digest never equals anything.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::approvals {

std::string hexadecimal(std::string_view bytes);

// 64 hexadecimal digits, or "" where it could not be made.
std::string sha256(std::string_view bytes);
std::string hmac_sha256(std::string_view key, std::string_view bytes);

// Takes as long for every text of one length. Two empty texts are not the same.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tollgate::approvals
