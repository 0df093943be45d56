// SAFETY: no call here waits beyond its deadline, and a peer that is gone is an error, no signal.
#include "os/local_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/clock.h"
#include "os/fault.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

bool is_mine(int socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (detail::fails("getsockopt") ||
      ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return false;
  return peer.uid == 0 || peer.uid == ::geteuid();
}

std::unexpected<Error> late(const std::string& path) {
  return Fail({.code = "socket-timeout",
               .message = "no answer from `" + path + "` in time",
               .hint = "retry the same call",
               .where = {}});
}

}  // namespace

std::optional<LocalStream> LocalStream::open(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  // Most often nobody listens, and a look costs a tenth of a socket.
  if (detail::fails("access") || ::access(path.c_str(), F_OK) != 0) return std::nullopt;
  Descriptor socket(detail::fails("socket")
                        ? -1
                        : ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return std::nullopt;
  // A full queue of a local socket refuses at once, so there is nothing to wait for.
  if (detail::fails("connect") ||
      ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return std::nullopt;
  if (!is_mine(socket.number())) return std::nullopt;
  return LocalStream(std::move(socket), path);
}

bool LocalStream::wait(short events, std::int64_t until) const {
  for (;;) {
    const std::int64_t left = until - now_monotonic();
    if (left <= 0) return false;
    pollfd one = {.fd = descriptor_.number(), .events = events, .revents = 0};
    const int ready = detail::fails("poll")
                          ? -1
                          : ::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Result<std::string> LocalStream::exchange(std::string_view request, std::size_t limit,
                                          std::int64_t until) {
  while (!request.empty()) {
    if (!wait(POLLOUT, until)) return late(path_);
    const ssize_t sent = detail::fails("send") ? -1
                                               : ::send(descriptor_.number(), request.data(),
                                                        request.size(), MSG_NOSIGNAL);
    if (sent > 0)
      request.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EINTR && errno != EAGAIN)
      return Fail(system_error("socket-failed", "write to", path_, errno));
  }
  std::string answer;
  for (;;) {
    if (!wait(POLLIN, until)) return late(path_);
    char buffer[4096];
    const ssize_t got =
        detail::fails("recv") ? -1 : ::recv(descriptor_.number(), buffer, sizeof buffer, 0);
    if (got == 0) return answer;
    if (got > 0)
      answer.append(buffer, static_cast<std::size_t>(got));
    else if (errno != EINTR && errno != EAGAIN)
      return Fail(system_error("socket-failed", "read from", path_, errno));
    if (answer.size() > limit)
      return Fail({.code = "file-too-large",
                   .message = "the answer from `" + path_ + "` is too long",
                   .hint = "",
                   .where = {}});
  }
}

}  // namespace tollgate::os
