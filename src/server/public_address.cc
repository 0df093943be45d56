#include "server/public_address.h"

#include "base/host.h"
#include "base/text.h"
#include "server/listener.h"

namespace tollgate::server {
namespace {

constexpr std::string_view kHttps = "https://";

struct Parts {
  bool encrypted = false;
  std::string host;  // canonical, "" where it cannot be read
  std::string port;
};

// Of `host`, `host:port` and `[::1]:port`.
Parts authority_parts(std::string_view text, bool encrypted) {
  Parts out{.encrypted = encrypted, .host = {}, .port = encrypted ? "443" : "80"};
  const std::size_t bracket = text.rfind(']'), colon = text.rfind(':');
  const bool has_port = colon != text.npos && (bracket == text.npos || colon > bracket);
  if (has_port) out.port = std::string(text.substr(colon + 1));
  out.host = canonical_host(text.substr(0, has_port ? colon : text.size()));
  return out;
}

Parts url_parts(const std::string& url) {
  const bool encrypted = lower(url).starts_with(kHttps);
  const std::size_t begin = url.find("://");
  if (begin == url.npos) return {};
  const std::string_view rest = std::string_view(url).substr(begin + 3);
  return authority_parts(rest.substr(0, rest.find_first_of("/?#")), encrypted);
}

// Our own certificate is what a phone sees there: same port, and the name is one of its names.
bool leads_to(const certificates::Facts& certificate, const Parts& url, const Parts& own) {
  return url.encrypted && url.port == own.port && certificates::covers(certificate, url.host);
}

}  // namespace

PublicAddress public_address(const Daemon& daemon) {
  PublicAddress out;
  out.url = daemon.parts.policies.settings().public_url;
  out.declared = !out.url.empty();
  if (!out.declared) out.url = daemon.status.url;
  while (out.url.ends_with('/')) out.url.pop_back();
  const Parts parts = url_parts(out.url);
  // Who names a loopback address has a forward in mind.
  out.reachable = out.declared || (!parts.host.empty() && !is_loopback(parts.host));
  const std::vector<certificates::Facts> chain = daemon.status.certificates
                                                     ? daemon.status.certificates()
                                                     : std::vector<certificates::Facts>();
  if (!chain.empty() && leads_to(chain.front(), parts, url_parts(daemon.status.url)))
    out.fingerprint = chain.front().sha256;
  return out;
}

bool is_encrypted(const Daemon& daemon, const Request& request) {
  if (request.peer.tls || request.header("x-forwarded-proto") == "https") return true;
  const Parts known = url_parts(daemon.parts.policies.settings().public_url);
  const Parts used = authority_parts(request.header("host").value_or(""), known.encrypted);
  return known.encrypted && !known.host.empty() && known.host == used.host;
}

}  // namespace tollgate::server
