// The real sender: HTTP for what goes over a network, the session bus for the desktop.
// Each has a thread of its own; nothing here is called back on the daemon's thread.
#pragma once

#include <memory>
#include <string>

#include "notify/courier.h"
#include "notify/desktop.h"
#include "notify/http_client.h"

namespace tollgate::notify {

struct OutletOptions {
  std::string bus_address;                  // "": there is no desktop
  std::shared_ptr<const PushKey> push_key;  // nothing: no Web Push
  Millis request_time = kRequestTime;
  std::function<void(const std::string& question)> looked = [](const std::string&) {};
};

class Outlet : public Sender {
 public:
  explicit Outlet(OutletOptions options);

  void send(Order order, std::function<void(Outcome)> done) override;
  void recall(const std::string& question) override;

 private:
  std::shared_ptr<const PushKey> push_key_;
  HttpClient http_;
  std::unique_ptr<Desktop> desktop_;
};

// What an answer of a target means for the notice.
Outcome outcome_of(Kind kind, const Result<HttpReply>& reply);

}  // namespace tollgate::notify
