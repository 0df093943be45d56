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

// The public name of a session: the first ten digits of its id's digest. It may stand in arguments
// and on screens; nobody comes from it to the id, which has 256 random bits.
std::string handle_of(std::string_view session);
bool is_handle(std::string_view text);

// Takes as long for every text of one length. Two empty texts are not the same.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tollgate::approvals
