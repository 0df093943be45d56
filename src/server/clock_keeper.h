// Keeps the daemon's clock: noticed when somebody sets the time of day, and gone on with after a
// restart. On the daemon's own thread.
// SAFETY: the time of day is taken over only while nothing waits.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "os/two_clocks.h"
#include "store/store.h"

namespace tollgate::server {

using store::Millis;

// A clock that is so far from the other was set, and not slewed.
inline constexpr Millis kClockStep = 2'000;
// How often it is written down while something waits.
inline constexpr Millis kClockKept = 60'000;

class ClockKeeper {
 public:
  using Log = std::function<void(const std::string&)>;

  ClockKeeper(os::TwoClocks& clocks, store::Store& store, Log log)
      : clocks_(clocks), store_(store), log_(std::move(log)) {}

  // Goes on with the clock of the daemon before, where that ran since the same start of the machine
  // and something waited then.
  void restore(const std::vector<std::pair<std::string, std::string>>& settings,
               const os::ClockLook& look = os::look_at_clocks(),
               const std::string& boot = os::boot_name());

  enum class Waits : std::uint8_t { kNothing, kSomething };
  void tick(Waits waits, const os::ClockLook& look = os::look_at_clocks());

 private:
  void keep(const os::ClockLook& look);
  void tell_step(Millis step, const os::ClockLook& look);

  os::TwoClocks& clocks_;
  store::Store& store_;
  Log log_;
  std::string boot_;
  Millis told_ = 0;  // the step that was told of
  Millis kept_ = 0;  // by the machine's own clock; 0: nothing is written down
};

}  // namespace tollgate::server
