// A certificate authority for one machine, and the certificates that it signs for the daemon.
// EC keys on P-256. The authority may vouch for names of private networks and those it was made
// for, and for nothing else: whoever steals its key cannot be anybody's bank.
// SAFETY: what was signed is verified against the authority before it is handed out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tollgate::certificates {

inline constexpr std::int64_t kDay = 24LL * 3600 * 1000;
// A phone is told to trust the authority by hand, so it lasts; browsers refuse server
// certificates that are for longer than 398 days.
inline constexpr std::int64_t kAuthorityLifetime = 3650 * kDay;
inline constexpr std::int64_t kServerLifetime = 365 * kDay;
// LIMIT: names of one certificate.
inline constexpr std::size_t kMostNames = 64;

struct Signed {
  std::string key;          // PEM
  std::string certificate;  // PEM
};

struct Wish {
  std::string machine;             // what people call it; goes into the certificate's title
  std::vector<std::string> names;  // host names and addresses
  std::int64_t now = 0;            // milliseconds since 1970
};

// Errors: name-not-permitted where one is no host; certificate-failed.
Result<Signed> make_authority(const Wish& wish);

// Errors: name-not-permitted, also where the authority may not vouch for one of the names;
// certificate-failed.
Result<Signed> sign_server(const Signed& authority, const Wish& wish);

}  // namespace tollgate::certificates
