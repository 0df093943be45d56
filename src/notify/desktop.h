// Notices on the desktop: org.freedesktop.Notifications on the session bus, through sd-bus.
// A thread of its own holds the connection; it is made when the first notice comes, and again when
// it was lost. A press opens the card by the desktop portal: no program is started.
// SAFETY: a notice has one action, which opens the page; answering needs the page's login.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "notify/courier.h"
#include "os/environment.h"

namespace tollgate::notify {

// The address of the session bus; "" where there is none.
std::string session_bus(const os::Environment& environment);

class Desktop {
 public:
  // `looked` hears, on the desktop's thread, that a person pressed or dismissed the notice of a
  // question.
  Desktop(std::string bus_address, std::function<void(const std::string& question)> looked);
  ~Desktop();

  void send(Notice notice, std::function<void(Outcome)> done);
  void recall(const std::string& question);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace tollgate::notify
