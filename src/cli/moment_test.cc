// Moments in case files. The rest of that format is tested by scripts and by our own cases.
#include "cli/moment.h"

#include <gtest/gtest.h>

namespace tollgate::cli {
namespace {

TEST(Moment, IsUtcInOneSpelling) {
  struct Case {
    std::string_view name, text;
    std::optional<std::int64_t> want;
  };
  constexpr Case kCases[] = {
      {"the beginning of time", "1970-01-01T00:00:00Z", 0},
      {"a moment", "2026-03-02T10:00:00Z", 1772445600},
      {"a leap day", "2024-02-29T23:59:59Z", 1709251199},
      {"no such day", "2025-02-29T00:00:00Z", std::nullopt},
      {"no such hour", "2026-03-02T24:00:00Z", std::nullopt},
      {"another zone", "2026-03-02T10:00:00+01:00", std::nullopt},
      {"a date alone", "2026-03-02", std::nullopt},
      {"words", "yesterday at ten o'clock", std::nullopt},
      {"signs for digits", "2026-03-02T10:00:-1Z", std::nullopt},
      {"nothing", "", std::nullopt},
  };
  for (const Case& one : kCases) EXPECT_EQ(utc_seconds(one.text), one.want) << one.name;
}

}  // namespace
}  // namespace tollgate::cli
