// Keeps the certificate that connections are shown current: renews the gate's own in time, and
// takes over files that somebody has replaced. On the daemon's own thread; files are looked at by
// the loop's workers. SAFETY: what cannot be renewed or read changes nothing; the old one is shown
// until it is over.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "config/settings.h"
#include "os/files.h"
#include "server/listener.h"

namespace tollgate::server {

using Say = std::function<void(const std::string& line)>;

// Renews what `tollgate pair --certificate` made, where the settings name it and it is due. Gives
// what is to be said about it, "" for nothing.
std::string renew_own(const std::optional<config::Tls>& tls, const std::string& data_dir);

class CertificateWatch {
 public:
  CertificateWatch(Server& server, std::optional<config::Tls> tls, std::string data_dir, Say say);

  // Looks at the files, and has the server read them again where they are others than before.
  void look();

 private:
  struct Stamps {
    os::Stamp certificate, key;
    bool operator==(const Stamps&) const = default;
  };
  static Stamps stamps_of(const config::Tls& tls);
  void seen(const Stamps& now);
  void say(const std::string& line) const;

  Server& server_;
  std::optional<config::Tls> tls_;
  std::string data_dir_;
  Say say_;
  Stamps last_;
  bool looking_ = false;
};

}  // namespace tollgate::server
