#include "os/addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "os/descriptor.h"

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

std::string usual_address() {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(0xc0000201);  // 192.0.2.1, which is for examples
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  char text[INET_ADDRSTRLEN] = {};
  if (!socket.valid() || ::connect(socket.number(), any, size) != 0 ||
      ::getsockname(socket.number(), any, &size) != 0 ||
      ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text) == nullptr)
    return "";
  return text;
}

bool is_private_address(const std::string& address) {
  struct Network {
    std::uint32_t begin, mask;
  };
  constexpr Network kPrivate[] = {{0x0a000000, 0xff000000},   // 10.0.0.0/8
                                  {0xac100000, 0xfff00000},   // 172.16.0.0/12
                                  {0xc0a80000, 0xffff0000},   // 192.168.0.0/16
                                  {0x64400000, 0xffc00000}};  // 100.64.0.0/10
  in_addr four = {};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) {
    for (const Network& each : kPrivate)
      if ((ntohl(four.s_addr) & each.mask) == each.begin) return true;
    return false;
  }
  in6_addr six = {};
  return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 && (six.s6_addr[0] & 0xfe) == 0xfc;
}

std::string host_name() {
  std::array<char, 256> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "";
}

}  // namespace tollgate::os
