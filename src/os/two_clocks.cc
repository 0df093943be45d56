// Keeps the two apart, and brings them together again where that harms nobody.
#include "os/two_clocks.h"

#include <algorithm>
#include <cstdlib>

#include "os/clock.h"
#include "os/files.h"

namespace tollgate::os {

ClockLook look_at_clocks() { return {.day = now_milliseconds(), .boot = now_since_boot()}; }

std::string boot_name() {
  std::string name = read_file("/proc/sys/kernel/random/boot_id", 64).value_or("");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

void TwoClocks::follow(const ClockLook& look) {
  const std::int64_t passed = std::max<std::int64_t>(look.boot - boot_, 0);
  const std::int64_t time = now(look);
  constexpr std::int64_t kThousand = 1'000;
  owed_ = std::min(owed_ + passed, kThousand * kThousand);
  const std::int64_t most = owed_ / kThousand;
  const std::int64_t moved = std::clamp(look.day - time, -most, most);
  owed_ -= std::abs(moved) * kThousand;
  time_ = time + moved;
  boot_ = look.boot;
}

void TwoClocks::adopt(const ClockLook& look) {
  time_ = look.day;
  boot_ = look.boot;
  owed_ = 0;
}

}  // namespace tollgate::os
