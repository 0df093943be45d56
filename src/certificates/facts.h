// What a certificate says of itself: for whom, until when, and the digest that people compare.
// Read from PEM text; files are the business of the place that keeps them.
// SAFETY: nothing here trusts anything. Whether a chain holds is for whoever connects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::certificates {

struct Facts {
  std::string subject;             // the common name
  std::string sha256;              // of the whole certificate, 64 hexadecimal digits in lower case
  std::vector<std::string> names;  // host names and addresses that it is for, in canonical spelling
  std::int64_t not_before = 0;     // milliseconds since 1970
  std::int64_t not_after = 0;
  bool is_authority = false;
  std::string pem;

  bool operator==(const Facts&) const = default;
};

// All certificates of a PEM text in their order; keys between them are passed over.
// Error: tls-unusable, also where there is none.
Result<std::vector<Facts>> facts_in(std::string_view pem, const std::string& file);

// Whether it is for that host, by name, by a star for the first label, or by address.
bool covers(const Facts& certificate, std::string_view host);

// AB:CD:…, as browsers and openssl show a digest.
std::string spelled(std::string_view sha256);

}  // namespace tollgate::certificates
