// Where people reach the daemon: what links, codes and cookies are made for.
// `settings.publicUrl` where it is given, else the address that it listens at.
// SAFETY: a cookie is marked for encrypted connections as soon as anything says that there is one.
#pragma once

#include <string>

#include "server/routes.h"

namespace tollgate::server {

struct PublicAddress {
  std::string url;          // without a slash at its end
  bool declared = false;    // by the settings
  bool reachable = false;   // from other devices, as far as can be told from here
  std::string fingerprint;  // SHA-256 of our own certificate where the address leads to it, or ""
};

PublicAddress public_address(const Daemon& daemon);

// Whether the page that sends this has an encrypted connection, perhaps to a proxy before us.
bool is_encrypted(const Daemon& daemon, const Request& request);

}  // namespace tollgate::server
