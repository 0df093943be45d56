// What a browser brings back from an authenticator, checked (Web Authentication, level 2): that a
// key was made, and that a person has touched it for just what was asked.
// Pure but for OpenSSL: what is expected comes in as an argument.
// SAFETY: every field is compared before the signature is looked at, and none is optional. The
// maker of an authenticator is not attested: what counts is that the same key comes back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::webauthn {

// LIMIT: of a credential's id, as the standard has it, and of what a browser says about itself.
inline constexpr std::size_t kMaxIdBytes = 1'023;
inline constexpr std::size_t kMaxClientBytes = 4'096;

struct Expected {
  std::string challenge;  // bytes
  std::string origin;     // https://gate.example.com
  std::string rp_id;      // gate.example.com
};

struct PublicKey {
  std::string id;     // bytes, the authenticator's own
  std::string point;  // on P-256
  std::uint32_t counter = 0;

  bool operator==(const PublicKey&) const = default;
};

// Whom `clientDataJSON` says it is for: its challenge, bytes. Nothing is checked by that. Error:
// presence-refused.
Result<std::string> challenge_in(std::string_view client_data);

// Error: presence-refused, which says what did not fit.
Result<PublicKey> check_registration(std::string_view client_data, std::string_view attestation,
                                     const Expected& expected);

// The counter that the key has now. Error: presence-refused.
Result<std::uint32_t> check_assertion(std::string_view client_data,
                                      std::string_view authenticator_data,
                                      std::string_view signature, const PublicKey& key,
                                      const Expected& expected);

}  // namespace tollgate::webauthn
