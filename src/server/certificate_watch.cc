#include "server/certificate_watch.h"

#include <utility>

#include "base/moment_text.h"
#include "certificates/place.h"
#include "os/clock.h"

namespace tollgate::server {

std::string renew_own(const std::optional<config::Tls>& tls, const std::string& data_dir) {
  const certificates::Place place = certificates::place_in(data_dir);
  if (!tls || tls->cert != place.server) return "";
  const Result<std::optional<certificates::Facts>> renewed =
      certificates::renew(place, os::now_milliseconds());
  if (!renewed) return "the certificate was not renewed: " + renewed.error().message;
  if (!*renewed) return "";
  return "the certificate was renewed, until " + moment_text((*renewed)->not_after);
}

CertificateWatch::CertificateWatch(Server& server, std::optional<config::Tls> tls,
                                   std::string data_dir, Say say)
    : server_(server), tls_(std::move(tls)), data_dir_(std::move(data_dir)), say_(std::move(say)) {
  if (tls_) last_ = stamps_of(*tls_);
}

CertificateWatch::Stamps CertificateWatch::stamps_of(const config::Tls& tls) {
  return {.certificate = os::stamp_of(tls.cert).value_or(os::Stamp()),
          .key = os::stamp_of(tls.key).value_or(os::Stamp())};
}

void CertificateWatch::look() {
  if (!tls_ || looking_) return;
  looking_ = true;
  struct Found {
    std::string line;
    Stamps stamps;
  };
  const auto found = std::make_shared<Found>();
  server_.loop().work(
      [tls = tls_, data_dir = data_dir_, found] {
        found->line = renew_own(tls, data_dir);
        found->stamps = stamps_of(*tls);
      },
      [this, found] {
        looking_ = false;
        say(found->line);
        seen(found->stamps);
      });
}

void CertificateWatch::seen(const Stamps& now) {
  if (now == last_) return;
  last_ = now;
  const Result<void> read = server_.reload_certificate();
  if (!read)
    return say("the certificate was not taken over, the last one is shown: " +
               read.error().message);
  say("the certificate was read again, SHA-256 " +
      certificates::spelled(server_.certificates().front().sha256));
}

void CertificateWatch::say(const std::string& line) const {
  if (say_ && !line.empty()) say_(line);
}

}  // namespace tollgate::server
