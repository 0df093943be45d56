// The wall clock in zones with and without summer time; TZ is put back after each.
#include "os/local_time.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace tollgate::os {
namespace {

class InZone {
 public:
  explicit InZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    ::setenv("TZ", zone, 1);
  }
  ~InZone() { before_ ? ::setenv("TZ", before_->c_str(), 1) : ::unsetenv("TZ"); }
  InZone(const InZone&) = delete;
  InZone& operator=(const InZone&) = delete;

 private:
  std::optional<std::string> before_;
};

TEST(LocalTime, GoesByTheZone) {
  struct Case {
    const char* zone;
    std::int64_t seconds;
    LocalTime want;
  };
  const Case cases[] = {
      {"UTC", 1'794'960'000, {"2026-11-18 00:00:00", "UTC"}},
      {"XST-5:30", 1'794'960'000, {"2026-11-18 05:30:00", "XST"}},
      {"<-03>3", 1'794'960'000, {"2026-11-17 21:00:00", "-03"}},
      {"CET-1CEST,M3.5.0,M10.5.0/3", 1'794'960'000, {"2026-11-18 01:00:00", "CET"}},
      {"CET-1CEST,M3.5.0,M10.5.0/3", 1'782'864'000, {"2026-07-01 02:00:00", "CEST"}},
  };
  for (const Case& each : cases) {
    const InZone zone(each.zone);
    EXPECT_EQ(local_time(each.seconds), each.want) << each.zone;
  }
  EXPECT_EQ(utc_time(1'794'960'000), (LocalTime{"2026-11-18 00:00:00", "UTC"}));
}

TEST(LocalTime, HasNoTextForWhatNoCalendarHas) {
  EXPECT_EQ(utc_time(INT64_MAX).text, "");
  EXPECT_EQ(local_time(INT64_MAX).text, "");
}

}  // namespace
}  // namespace tollgate::os
