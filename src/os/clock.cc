// Reads the system clock.
// Kept to one call, so that a program has one notion of now.
// The wall clock is meant: `hours` and expiry are about people's time.
#include "os/clock.h"

#include <ctime>

namespace tollgate::os {

std::int64_t now_seconds() { return now_milliseconds() / 1000; }

std::int64_t now_milliseconds() {
  struct timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace tollgate::os
