// Where a machine's authority and its server certificate lie, made, kept and renewed.
// `tls/` in the data directory: ca.key, ca.crt, and server.pem with key and chain in one file, so
// that a renewal replaces both at once.
// SAFETY: keys have mode 0600 in a directory with mode 0700; one that others can read is refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certificates/authority.h"
#include "certificates/facts.h"

namespace tollgate::certificates {

struct Place {
  std::string directory;
  std::string authority_key;
  std::string authority;
  std::string server;
};
Place place_in(const std::string& data_dir);

enum class Authority { kKeep, kNew };

struct Made {
  Facts authority;
  Facts server;
  bool new_authority = false;
  bool new_server = false;
};

// Makes what is missing. The server's certificate is made anew where it is for other names, is due,
// or is from another authority. Errors: those of authority.h, file-…, tls-unusable.
Result<Made> ensure(const Place& place, const Wish& wish, Authority which = Authority::kKeep);

// A new certificate for the same names where the old one has less than a third of its time left.
// Nothing where there is nothing to do. Errors: as ensure().
Result<std::optional<Facts>> renew(const Place& place, std::int64_t now);

// localhost, the machine's name, its name in the local network, and those of its addresses that
// belong to private networks.
std::vector<std::string> usual_names(const std::string& machine,
                                     const std::vector<std::string>& addresses);

}  // namespace tollgate::certificates
