// ECDSA on P-256 with SHA-256, the one algorithm that every authenticator has.
// OpenSSL does the work. Bytes are held in strings.
// SAFETY: a point that is not on the curve, and any doubt of the library, is a no.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::webauthn {

// 32 bytes, or "" where it could not be made.
std::string sha256(std::string_view bytes);

// `point` as 65 bytes: 4, and both numbers.
bool is_point(std::string_view point);

// `signature` in DER, over the bytes themselves.
bool is_signed(std::string_view point, std::string_view bytes, std::string_view signature);

}  // namespace tollgate::webauthn
