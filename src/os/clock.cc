// Reads the system clocks.
// Kept to one place, so that a program has one notion of now.
// `hours` and expiry are about people's time, the wall clock; deadlines are not.
#include "os/clock.h"

#include <ctime>

namespace tollgate::os {

namespace {

std::int64_t milliseconds_of(clockid_t clock) {
  struct timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

std::int64_t now_seconds() { return now_milliseconds() / 1000; }
std::int64_t now_milliseconds() { return milliseconds_of(CLOCK_REALTIME); }
std::int64_t now_since_boot() { return milliseconds_of(CLOCK_BOOTTIME); }
std::int64_t now_monotonic() { return milliseconds_of(CLOCK_MONOTONIC); }

}  // namespace tollgate::os
