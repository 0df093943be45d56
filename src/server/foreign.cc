// Whose pages may speak to the daemon: our own, under names that only we answer to.
// A browser sends `Host` and `Origin` truthfully, so that a page of somebody else, or a name that
// was pointed at this machine, is told from ours.
// SAFETY: what cannot be read is foreign.
#include <arpa/inet.h>

#include <algorithm>

#include "base/text.h"
#include "server/listener.h"

namespace tollgate::server {
namespace {

// The host of `host`, `host:port`, `[::1]:port`, in lower case and without brackets; nothing where
// it is malformed.
std::optional<std::string> host_in(std::string_view text) {
  std::string_view host = text, rest;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return {};
    host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
    in6_addr unused = {};
    if (::inet_pton(AF_INET6, std::string(host).c_str(), &unused) != 1) return {};
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    host = text.substr(0, colon);
    rest = text.substr(colon);
    for (const char c : host) {
      const char low = lower(c);
      if ((low < 'a' || low > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' && c != '_')
        return {};
    }
  }
  if (host.empty() || host.size() > 253) return {};
  if (rest.empty()) return lower(host);
  if (rest[0] != ':') return {};
  rest.remove_prefix(1);
  const bool number = rest.size() <= 5 && rest.find_first_not_of("0123456789") == rest.npos;
  return number ? std::optional(lower(host)) : std::nullopt;
}

// What stands behind `http://` or `https://`, without a path.
std::optional<std::string_view> authority_in(std::string_view url) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (lower(url.substr(0, scheme.size())) != scheme) continue;
    url.remove_prefix(scheme.size());
    return url.substr(0, url.find('/'));
  }
  return {};
}

bool is_ours(const std::string& host, const std::vector<std::string>& own) {
  if (host == "localhost" || host == "127.0.0.1" || host == "::1") return true;
  return std::any_of(own.begin(), own.end(), [&](const std::string& each) {
    // An address of IPv6 may stand there without its brackets.
    return lower(each) == host || host_in(authority_in(each).value_or(each)) == host;
  });
}

bool is_our_origin(std::string_view origin, const std::vector<std::string>& own) {
  const std::optional<std::string_view> authority = authority_in(origin);
  if (!authority || origin.ends_with('/')) return false;
  const std::optional<std::string> host = host_in(*authority);
  return host && is_ours(*host, own);
}

}  // namespace

bool is_loopback(const std::string& host) {
  if (lower(host) == "localhost") return true;
  in_addr four = {};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  in6_addr six = {};
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  const std::string bare = bracketed ? host.substr(1, host.size() - 2) : host;
  return ::inet_pton(AF_INET6, bare.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

std::optional<Response> refuse_foreign(const Request& request,
                                       const std::vector<std::string>& own) {
  const std::optional<std::string> named = request.header("host");
  const std::optional<std::string> host = named ? host_in(*named) : std::nullopt;
  if (!host)
    return error_response(400, "malformed-request", "`Host` is malformed",
                          "send the host and port that you connect to");
  if (!request.peer.local_socket && !is_ours(*host, own))
    return error_response(421, "foreign-host", "this daemon is not `" + shortened(*host) + "`",
                          "use its own address, or name yours as `settings.publicUrl`");
  for (const auto& [name, value] : request.headers) {
    if (name != "origin") continue;
    if (!request.peer.local_socket && is_our_origin(value, own)) continue;
    return error_response(403, "foreign-origin",
                          "pages of `" + shortened(value) + "` may not speak to this daemon",
                          "open its own page, or name yours as `settings.publicUrl`");
  }
  return {};
}

}  // namespace tollgate::server
