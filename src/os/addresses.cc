#include "os/addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

namespace tollgate::os {

std::vector<std::string> own_addresses() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return {};
  std::vector<std::string> out;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr) continue;
    char text[INET6_ADDRSTRLEN] = {};
    const void* bytes = nullptr;
    if (each->ifa_addr->sa_family == AF_INET)
      bytes = &reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr;
    if (each->ifa_addr->sa_family == AF_INET6)
      bytes = &reinterpret_cast<const sockaddr_in6*>(each->ifa_addr)->sin6_addr;
    if (bytes != nullptr &&
        ::inet_ntop(each->ifa_addr->sa_family, bytes, text, sizeof text) != nullptr)
      out.emplace_back(text);
  }
  ::freeifaddrs(first);
  return out;
}

}  // namespace tollgate::os
