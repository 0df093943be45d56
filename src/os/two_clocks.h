// The time of a daemon that runs: people's time of day, but for the moments when somebody sets it.
// Between two looks it goes as the machine's own clock does, which counts from the start, through
// sleep too, and is set by nobody; what the time of day has moved by itself is followed slowly.
// SAFETY: while something waits, setting the time of day neither lengthens nor shortens its wait.
#pragma once

#include <cstdint>
#include <string>

namespace tollgate::os {

// What both clocks said at one moment, in milliseconds.
struct ClockLook {
  std::int64_t day = 0;   // since 1970
  std::int64_t boot = 0;  // since the machine started
};
ClockLook look_at_clocks();

// Which start of the machine this is; "" where the system does not say.
std::string boot_name();

class TwoClocks {
 public:
  // As if no time was set since `then`, when it was `time` by these clocks.
  TwoClocks(std::int64_t time, const ClockLook& then) : time_(time), boot_(then.boot) {}
  explicit TwoClocks(const ClockLook& now) : TwoClocks(now.day, now) {}

  std::int64_t now(const ClockLook& look) const { return time_ + (look.boot - boot_); }
  // How far the time of day is ahead, behind where it is negative.
  std::int64_t step(const ClockLook& look) const { return look.day - now(look); }

  // Goes after the time of day by a thousandth of the time since the last look: more than a clock
  // is ever slewed by, and nothing beside a step.
  void follow(const ClockLook& look);
  // Takes the time of day over. REQUIRES: nothing waits that would be over, or wait longer.
  void adopt(const ClockLook& look);

 private:
  std::int64_t time_;
  std::int64_t boot_;
  std::int64_t owed_ = 0;  // of following, in thousandths of a millisecond
};

}  // namespace tollgate::os
