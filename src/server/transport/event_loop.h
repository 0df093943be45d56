// The loop of the daemon, and how descriptors are watched on it.
// It belongs to one thread; only post() and quit() are for any.
// INVARIANT: everything that it calls runs on the thread of run(), and what it throws ends there.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "os/descriptor.h"
#include "server/loop.h"

namespace tollgate::server {

// Somebody who is told about a descriptor; kept alive while it waits.
class Watched {
 public:
  virtual ~Watched() = default;
  virtual void on_readable() = 0;
  virtual void on_writable() = 0;
};

// Owns a descriptor and closes it; then nobody is told anything more.
class Watch {
 public:
  virtual ~Watch() = default;
  // Each tells once. REQUIRES: not waiting for the same already.
  virtual void await_readable(std::shared_ptr<Watched> who) = 0;
  virtual void await_writable(std::shared_ptr<Watched> who) = 0;
};

class EventLoop : public Loop {
 public:
  using Log = std::function<void(std::string)>;
  using Time = std::function<std::int64_t()>;

  // Without a clock now() is the time of day.
  static std::unique_ptr<EventLoop> make(unsigned workers, Log log, Time clock = {});

  // REQUIRES: a descriptor that does not block. Throws where the system has no room for it.
  virtual std::unique_ptr<Watch> watch(os::Descriptor descriptor) = 0;
  // SIGTERM, SIGINT and SIGHUP, until run() is over.
  virtual void hear_signals(std::function<void(int)> heard) = 0;
  // Until quit(); then waits for the pool and runs what that has still to say.
  virtual void run() = 0;
  virtual void quit() = 0;
};

}  // namespace tollgate::server
