// Opening hours: reading, writing, and being open across midnight, weeks and clock changes.
#include "policy/hours.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

constexpr std::int64_t kHour = 3600, kDay = 24 * kHour;
constexpr std::int64_t kMonday = 4 * kDay;  // 5 January 1970, 00:00 UTC

const std::vector<Zone::Offset> kUtc = {{.from = 0, .seconds = 0}};

struct Case {
  const char* name;
  const char* hours;
  std::int64_t at;
  bool want;
};

constexpr Case kCases[] = {
    {"open on a weekday at noon", "Mon-Fri 09:00-18:00", kMonday + 12 * kHour, true},
    {"open at the first minute", "Mon-Fri 09:00-18:00", kMonday + 9 * kHour, true},
    {"closed at the last minute", "Mon-Fri 09:00-18:00", kMonday + 18 * kHour, false},
    {"closed at the weekend", "Mon-Fri 09:00-18:00", kMonday + 5 * kDay + 12 * kHour, false},
    {"a list of days", "Mon,Wed 09:00-18:00", kMonday + 2 * kDay + 12 * kHour, true},
    {"a list leaves days out", "Mon,Wed 09:00-18:00", kMonday + kDay + 12 * kHour, false},
    {"days run over the weekend", "Sat-Mon 09:00-18:00", kMonday + 6 * kDay + 12 * kHour, true},
    {"a night belongs to the day it begins on", "Fri 22:00-06:00", kMonday + 5 * kDay + 3 * kHour,
     true},
    {"the morning before is closed", "Fri 22:00-06:00", kMonday + 4 * kDay + 3 * kHour, false},
    {"every day when no day is named", "09:00-18:00", kMonday + 6 * kDay + 12 * kHour, true},
    {"the whole day", "Mon 00:00-24:00", kMonday + kDay - 1, true},
    {"before 1970", "Mon 09:00-18:00", kMonday - 7 * kDay + 12 * kHour, true},
};

TEST(Hours, AreOpenWhenTheySay) {
  for (const Case& c : kCases) {
    const Result<Hours> hours = parse_hours(c.hours);
    ASSERT_TRUE(hours) << c.name;
    EXPECT_EQ(is_open(*hours, c.at, kUtc), c.want) << c.name;
    const Result<Hours> again = parse_hours(format_hours(*hours));
    ASSERT_TRUE(again) << c.name;
    EXPECT_EQ(*again, *hours) << c.name;
  }
}

TEST(Hours, FollowTheZonesOwnClock) {
  // A zone that moves from +1h to +2h at 01:00 UTC, as clocks do in spring.
  const std::vector<Zone::Offset> zone = {{.from = 0, .seconds = 3600},
                                          {.from = kMonday + kHour, .seconds = 7200}};
  const Hours hours = *parse_hours("Mon 02:30-03:30 Europe/Berlin");
  EXPECT_FALSE(is_open(hours, kMonday + kHour - 60, zone));  // 01:59, and 02:30 never comes
  EXPECT_TRUE(is_open(hours, kMonday + kHour + 60, zone));   // 03:01
  EXPECT_FALSE(is_open(hours, kMonday + kHour + 31 * 60, zone));
}

TEST(Hours, AnHourThatComesTwiceIsOpenTwice) {
  // A zone that moves from +2h back to +1h at 01:00 UTC, as clocks do in autumn: 02:00 to 03:00
  // passes twice.
  const std::vector<Zone::Offset> zone = {{.from = 0, .seconds = 7200},
                                          {.from = kMonday + kHour, .seconds = 3600}};
  struct Moment {
    std::string_view name, hours;
    std::int64_t minute;  // after midnight, UTC
    bool want;
  };
  constexpr Moment kMoments[] = {
      {"before it", "Mon 02:30-02:45 Europe/Berlin", 29, false},
      {"the first time", "Mon 02:30-02:45 Europe/Berlin", 35, true},
      {"between both", "Mon 02:30-02:45 Europe/Berlin", 60, false},
      {"the second time", "Mon 02:30-02:45 Europe/Berlin", 95, true},
      {"after it", "Mon 02:30-02:45 Europe/Berlin", 105, false},
      {"a window over both does not close", "Mon 02:00-03:00 Europe/Berlin", 59, true},
      {"nor there", "Mon 02:00-03:00 Europe/Berlin", 119, true},
      {"its end comes once", "Mon 02:00-03:00 Europe/Berlin", 120, false},
      {"a window over midnight of the day before", "Sun 22:00-02:30 Europe/Berlin", 25, true},
      {"is open again while it is half past two again", "Sun 22:00-02:30 Europe/Berlin", 65, true},
  };
  for (const Moment& each : kMoments)
    EXPECT_EQ(is_open(*parse_hours(each.hours), kMonday + each.minute * 60, zone), each.want)
        << each.name;
}

TEST(Hours, RefuseWhatCannotBeRead) {
  for (const char* text : {"", "Mon", "Mon 9-18", "Mon 09:00", "Mon 25:00-26:00", "Mon 09:60-10:00",
                           "Mox 09:00-10:00", "Mon 09:00-10:00 UTC x", "Mon- 09:00-10:00"})
    EXPECT_EQ(parse_hours(text).error().code, "bad-hours") << text;
  EXPECT_EQ(parse_hours("Mon 09:00-09:00").error().code, "rule-never-matches");
}

}  // namespace
}  // namespace tollgate
