// Sockets that listen: an address, a path, or one that systemd has opened.
// Everything here happens once, before the loop runs.
// SAFETY: a socket file belongs to its user alone and lies in a directory of that user alone.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "os/descriptor.h"

namespace tollgate::server {

struct Listening {
  os::Descriptor descriptor;
  bool local = false;     // a socket in the file system
  bool loopback = false;  // only this machine reaches it
  std::uint16_t port = 0;
  std::string address;  // numeric
};

// Error: listen-failed.
Result<Listening> listen_at(const std::string& host, std::uint16_t port);
Result<Listening> adopt(int inherited);

// A socket file that goes with this value, and the lock that keeps a second daemon away.
class LocalListening {
 public:
  // Replaces the file of a daemon that is gone. Error: listen-failed.
  static Result<LocalListening> open(const std::string& path);

  LocalListening(LocalListening&&) = default;
  LocalListening& operator=(LocalListening&&) = delete;
  ~LocalListening();

  Listening& listening() & { return listening_; }

 private:
  LocalListening(std::string path, os::Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  Result<void> clear_way();
  Result<void> bind();

  std::string path_;
  os::Descriptor lock_;
  Listening listening_;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace tollgate::server
