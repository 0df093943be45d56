// A sweep strikes one call of all, and every system call of this room asks before it is made.
#include "os/fault.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "os/files.h"
#include "os/paths.h"

namespace tollgate::os {
namespace {

TEST(FaultSweep, CountsEveryCallAndStrikesOne) {
  int points = 0;
  {
    const FaultSweep count(FaultSweep::kNone, EIO);
    EXPECT_TRUE(read_file("/proc/self/stat", 1u << 16));
    points = count.seen();
    EXPECT_EQ(count.struck(), "");
  }
  ASSERT_GE(points, 3);  // open, fstat, read …
  for (int point = 0; point < points; ++point) {
    const FaultSweep sweep(point, EIO);
    EXPECT_FALSE(read_file("/proc/self/stat", 1u << 16)) << sweep.struck();
    EXPECT_NE(sweep.struck(), "");
  }
  EXPECT_TRUE(read_file("/proc/self/stat", 1u << 16));
}

TEST(FaultSweep, OnwardsStrikesAllBehindIt) {
  FaultSweep sweep(1, EIO, FaultSweep::Lasting::kOnwards);
  EXPECT_FALSE(sweep.strikes("a"));
  EXPECT_TRUE(sweep.strikes("b"));
  EXPECT_TRUE(sweep.strikes("c"));
  EXPECT_EQ(sweep.struck(), "b");
}

// What a walk cannot tell a directory from a file for, it has not seen.
TEST(FaultSweep, AWalkThatCouldNotLookSaysSo) {
  EXPECT_FALSE(walk_below("/proc/self/net", 100'000).cut);
  const FaultPlan untold("d_type", 0);
  const FaultPlan blind("lstat", EIO);
  EXPECT_TRUE(walk_below("/proc/self/net", 100'000).cut);
}

// Files that no decision passes through, and calls that cannot fail or whose failure is nothing.
constexpr std::string_view kApart[] = {"addresses.cc",   "last_word.cc",  "local_time.cc",
                                       "run_program.cc", "supervisor.cc", "terminal.cc",
                                       "clock.cc"};
constexpr std::string_view kHarmless[] = {"getpid", "geteuid",   "munmap", "closedir", "close",
                                          "unlink", "getauxval", "fcntl",  "lstat",    "stat"};

TEST(FaultPoints, EverySystemCallOnTheWayOfADecisionAsksFirst) {
  const std::string directory = std::string(TOLLGATE_SOURCE_DIR) + "/src/os";
  const std::regex call(R"((^|[^A-Za-z0-9_>])::([a-z_0-9]+)\()");
  std::size_t asked = 0;
  const std::vector<std::string> names = names_in(directory, 1'000).value();
  for (const std::string& name : names) {
    if (!name.ends_with(".cc") || name.ends_with("_test.cc") || std::ranges::count(kApart, name))
      continue;
    std::istringstream text(read_file(directory + "/" + name, 1u << 20).value());
    std::string line, before;
    for (int number = 1; std::getline(text, line); ++number) {
      // A statement may begin two lines further up.
      const std::string near = before + line;
      before = before.substr(before.rfind('\n', before.size() - 2) + 1) + line + "\n";
      std::smatch found;
      if (!std::regex_search(line, found, call)) continue;
      const std::string which = found[2];
      const bool guarded = near.find("fails(\"") != near.npos;
      asked += guarded;
      EXPECT_TRUE(guarded || std::ranges::count(kHarmless, which)) << name << ":" << number << line;
    }
  }
  EXPECT_GT(asked, 30u);
}

}  // namespace
}  // namespace tollgate::os
