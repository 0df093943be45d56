// An http or https address, taken apart the one way in which requests are sent.
// SAFETY: plain http is for this machine; anything else needs a word of the configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::notify {

struct WebAddress {
  bool tls = true;
  std::string host;  // lower case, without brackets
  std::uint16_t port = 443;
  std::string target = "/";  // path and query

  std::string origin() const;       // https://host or http://host:8080
  std::string host_header() const;  // with the port where it is not the usual one
  bool is_loopback() const;         // localhost, 127.0.0.0/8 or ::1

  bool operator==(const WebAddress&) const = default;
};

// Nothing for any other text: another scheme, a user or a fragment in it, blanks, no host.
std::optional<WebAddress> web_address(std::string_view text);

// A host of the usual push services, or one of `more` (`*.name` is any below).
bool is_push_service(const std::string& host, const std::vector<std::string>& more);

}  // namespace tollgate::notify
