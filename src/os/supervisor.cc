#include "os/supervisor.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "os/descriptor.h"

namespace tollgate::os {

int inherited_listener() {
  const char* count = std::getenv("LISTEN_FDS");
  const char* pid = std::getenv("LISTEN_PID");
  const bool ours = count != nullptr && pid != nullptr && std::string_view(count) == "1" &&
                    std::string_view(pid) == std::to_string(::getpid());
  ::unsetenv("LISTEN_FDS");
  ::unsetenv("LISTEN_PID");
  ::unsetenv("LISTEN_FDNAMES");
  constexpr int kFirst = 3;
  return ours ? kFirst : -1;
}

void tell_supervisor(std::string_view state) {
  const char* where = std::getenv("NOTIFY_SOCKET");
  if (where == nullptr || (where[0] != '/' && where[0] != '@')) return;
  sockaddr_un address = {};
  const std::size_t size = std::strlen(where);
  if (size >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, where, size);
  if (where[0] == '@') address.sun_path[0] = '\0';
  const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size);
  // Nobody there to hear it is no trouble of ours.
  static_cast<void>(::sendto(socket.number(), state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), length));
}

void tell_ready(int descriptor, std::string_view line) {
  const Descriptor mine(descriptor);
  while (!line.empty()) {
    const ssize_t written = ::write(mine.number(), line.data(), line.size());
    if (written <= 0) return;
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::int64_t process_id() { return ::getpid(); }

}  // namespace tollgate::os
