// Splits a URL at the places where all parsers agree, and refuses the rest.
// What stands between is brought into its one spelling by base/host, as hosts in rules are.
// SAFETY: every refusal is an empty host, which no rule's name can equal.
#include "effects/url.h"

#include "base/host.h"
#include "base/text.h"

namespace tollgate {
namespace {

bool is_port(std::string_view port) {
  if (port.size() > 5 || port.find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  unsigned value = 0;
  for (const char c : port) value = value * 10 + static_cast<unsigned>(c - '0');
  return value <= 65535;
}

}  // namespace

std::string host_of_url(std::string_view url) {
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7f || c == '\\') return "";
  }
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos) return "";
  const std::string scheme = lower(url.substr(0, colon));
  if (scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss") return "";
  std::string_view authority = url.substr(colon + 3);
  authority = authority.substr(0, authority.find_first_of("/?#"));
  if (authority.find_first_of("@%") != std::string_view::npos) return "";
  const std::size_t bracket = authority.rfind(']');
  const std::size_t port = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (port != std::string_view::npos) {
    if (!is_port(authority.substr(port + 1))) return "";
    authority = authority.substr(0, port);
  }
  return canonical_host(authority);
}

}  // namespace tollgate
