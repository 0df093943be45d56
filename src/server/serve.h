// The daemon from start to stop: opens the store, takes up what was open, listens, ticks, ends.
// `tollgate serve` is this with options from the command line.
// SAFETY: it does not start under a policy that does not load; one that breaks later changes
// nothing until it is mended.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "server/listener.h"
#include "server/policies.h"

namespace tollgate::server {

struct ServeOptions {
  PolicyFiles files;
  std::string listen;     // HOST:PORT; "" as the settings say
  int ready_fd = -1;      // told {"url", "login", "pid"} once connections are accepted
  bool insecure = false;  // plain HTTP for others as well
  std::string person;     // who starts it: the person behind the printed link
  std::string version;
  std::int64_t keep_gone = 60'000;  // how long a question stays whose agent is gone
  std::int64_t patience = 50'000;   // a client that takes no stream is told by then to try again
  std::chrono::milliseconds group_delay{2};  // a plain record waits so long for others
  std::function<void(const std::string& line)> log;
  // Told the link to log in with, which works once and for a minute.
  std::function<void(const std::string& url, const std::string& login)> started;
};

// Returns when a signal has ended it. Errors: whatever kept it from starting.
Result<void> serve(const ServeOptions& options);

// HOST:PORT, [V6]:PORT, HOST or PORT. Error: bad-usage.
Result<void> read_listen(const std::string& text, std::string& host, std::uint16_t& port);

}  // namespace tollgate::server
