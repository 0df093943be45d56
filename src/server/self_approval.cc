#include "server/self_approval.h"

#include <algorithm>

#include "server/listener.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

json::Value said(bool prevented, std::string_view why) {
  return json::Value::object(
      {{"prevented", json::Value::boolean(prevented)}, {"why", text_value(why)}});
}

// An IPv4 address that came in on a socket for both kinds is written ::ffff:192.0.2.1.
std::string_view plain(std::string_view address) {
  constexpr std::string_view kMapped = "::ffff:";
  return address.starts_with(kMapped) ? address.substr(kMapped.size()) : address;
}

}  // namespace

json::Value self_approval_value(const Peer& peer, const std::vector<std::string>& own) {
  if (peer.local_socket || peer.address.empty() || is_loopback(peer.address))
    return said(
        false,
        "your connection comes from the machine that the agents run on; one that runs without a "
        "sandbox as your user can read what your browser, your terminal, or a proxy or forward of "
        "yours holds there, and answer as you");
  if (!peer.tls)
    return said(false,
                "the connection is not encrypted; whoever reads it on the way can answer as you");
  const bool here = own.empty() || std::ranges::any_of(own, [&](const std::string& each) {
                      return plain(each) == plain(peer.address);
                    });
  if (here)
    return said(false,
                "you answer from an address of the machine that the agents run on; one that runs "
                "without a sandbox as your user can answer as you");
  return said(true,
              "your login is on another device than the agents; one that runs without a sandbox as "
              "the gate's own user can still change the gate itself");
}

}  // namespace tollgate::server
