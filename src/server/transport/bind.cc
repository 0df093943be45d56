#include "server/transport/bind.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "os/files.h"
#include "os/moves.h"
#include "os/system_error.h"
#include "os/user.h"
#include "server/listener.h"

namespace tollgate::server {
namespace {

constexpr int kQueue = 1024;

std::unexpected<Error> failed(const std::string& where, const std::string& why,
                              const std::string& hint) {
  return Fail({.code = "listen-failed",
               .message = "cannot listen at `" + where + "`: " + why,
               .hint = hint,
               .where = {}});
}

std::unexpected<Error> failed(const std::string& where, int number) {
  if (number == EADDRINUSE)
    return failed(where, "another program listens there", "stop it, or choose another address");
  if (number == EADDRNOTAVAIL)
    return failed(where, "the address is not this machine's", "choose another address");
  return Fail(os::system_error("listen-failed", "listen at", where, number));
}

struct AddressesEnd {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesEnd>;

// IPv4 comes first where a name has both: that is what `localhost` means to most clients.
Addresses addresses_of(const std::string& host, std::uint16_t port) {
  addrinfo want = {};
  want.ai_socktype = SOCK_STREAM;
  want.ai_flags = AI_PASSIVE;
  const std::string name =
      host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
  for (const int family : {AF_INET, AF_INET6}) {
    want.ai_family = family;
    addrinfo* found = nullptr;
    if (::getaddrinfo(name.c_str(), std::to_string(port).c_str(), &want, &found) == 0)
      return Addresses(found);
  }
  return nullptr;
}

// What the system says about a socket that listens.
void look_at(Listening& listening) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  auto* any = reinterpret_cast<sockaddr*>(&storage);
  if (::getsockname(listening.descriptor.number(), any, &size) != 0) return;
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_UNIX) {
    listening.local = listening.loopback = true;
    return;
  }
  if (storage.ss_family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(any);
    ::inet_ntop(AF_INET, &four->sin_addr, text, sizeof text);
    listening.port = ntohs(four->sin_port);
  } else if (storage.ss_family == AF_INET6) {
    const auto* six = reinterpret_cast<const sockaddr_in6*>(any);
    ::inet_ntop(AF_INET6, &six->sin6_addr, text, sizeof text);
    listening.port = ntohs(six->sin6_port);
  }
  listening.address = text;
  listening.loopback = is_loopback(listening.address);
}

Result<sockaddr_un> local_address(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return failed(path, "the path is too long for a socket", "use a shorter data directory");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// Whether somebody takes connections there.
bool is_alive(const sockaddr_un& address) {
  const os::Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int connected =
      ::connect(probe.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return connected == 0 || errno == EAGAIN || errno == EINPROGRESS || errno == EACCES;
}

Result<void> check_directory(const std::string& path) {
  const std::string directory = path.substr(0, path.rfind('/'));
  if (path.find('/') == path.npos) return failed(path, "the path is relative", "use a full path");
  if (const Result<void> made = os::make_private_directory(directory); !made)
    return failed(path, made.error().message, made.error().hint);
  const Result<os::Stamp> stamp = os::stamp_of(directory);
  if (!stamp) return failed(path, stamp.error().message, stamp.error().hint);
  if (stamp->uid != os::effective_uid() || (stamp->mode & 077u) != 0)
    return failed(path, "others have access to its directory",
                  "make the directory your own with mode 700");
  return {};
}

}  // namespace

Result<Listening> listen_at(const std::string& host, std::uint16_t port) {
  const std::string where = host + ":" + std::to_string(port);
  const Addresses addresses = addresses_of(host, port);
  if (addresses == nullptr)
    return failed(where, "the name is not known", "use an address, such as 127.0.0.1");
  Listening listening;
  const addrinfo& first = *addresses;
  listening.descriptor =
      os::Descriptor(::socket(first.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int number = listening.descriptor.number();
  const int on = 1;
  if (number < 0 || ::setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(number, first.ai_addr, first.ai_addrlen) != 0 || ::listen(number, kQueue) != 0)
    return failed(where, errno);
  look_at(listening);
  return listening;
}

Result<Listening> adopt(int inherited) {
  Listening listening;
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(inherited, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
    return failed("descriptor " + std::to_string(inherited), "it is no socket that listens",
                  "hand over a socket that listens, as systemd does");
  const int flags = ::fcntl(inherited, F_GETFL);
  if (flags < 0 || ::fcntl(inherited, F_SETFL, flags | O_NONBLOCK) != 0 ||
      ::fcntl(inherited, F_SETFD, FD_CLOEXEC) != 0)
    return failed("descriptor " + std::to_string(inherited), errno);
  listening.descriptor = os::Descriptor(inherited);
  look_at(listening);
  return listening;
}

Result<LocalListening> LocalListening::open(const std::string& path) {
  if (const Result<void> checked = check_directory(path); !checked) return Fail(checked.error());
  Result<std::optional<os::Descriptor>> lock = os::lock_file(path + ".lock");
  if (!lock) return failed(path, lock.error().message, lock.error().hint);
  if (!*lock)
    return failed(path, "another daemon listens there", "stop it, or use another data directory");
  LocalListening made(path, std::move(**lock));
  if (const Result<void> clear = made.clear_way(); !clear) return Fail(clear.error());
  if (const Result<void> bound = made.bind(); !bound) return Fail(bound.error());
  return made;
}

// Removes the file that a daemon left behind, and nothing else.
Result<void> LocalListening::clear_way() {
  const Result<sockaddr_un> address = local_address(path_);
  if (!address) return Fail(address.error());
  struct stat found = {};
  if (::lstat(path_.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode))
    return failed(path_, "something else has that name", "remove it, or use another directory");
  if (is_alive(*address))
    return failed(path_, "another daemon listens there", "stop it, or use another data directory");
  return ::unlink(path_.c_str()) == 0 ? Result<void>() : failed(path_, errno);
}

Result<void> LocalListening::bind() {
  const Result<sockaddr_un> address = local_address(path_);
  if (!address) return Fail(address.error());
  listening_.descriptor =
      os::Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int number = listening_.descriptor.number();
  // The mode that the socket has is the mode that its file is made with.
  if (number < 0 || ::fchmod(number, 0600) != 0 ||
      ::bind(number, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0)
    return failed(path_, errno);
  struct stat made = {};
  if (::chmod(path_.c_str(), 0600) != 0 || ::lstat(path_.c_str(), &made) != 0 ||
      ::listen(number, kQueue) != 0)
    return failed(path_, errno);
  device_ = made.st_dev;
  inode_ = made.st_ino;
  look_at(listening_);
  return {};
}

// Only our own file: somebody may have put another there.
LocalListening::~LocalListening() {
  struct stat found = {};
  if (!lock_.valid() || inode_ == 0 || ::lstat(path_.c_str(), &found) != 0) return;
  if (found.st_dev == device_ && found.st_ino == inode_) ::unlink(path_.c_str());
}

}  // namespace tollgate::server
