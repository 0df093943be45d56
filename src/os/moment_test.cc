// Within a moment a path is looked at once; outside of one every look is new.
#include "os/moment.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "os/files.h"
#include "os/paths.h"

namespace tollgate::os {
namespace {

class MomentTest : public testing::Test {
 protected:
  void SetUp() override {
    char made[] = "/var/tmp/tollgate-moment.XXXXXX";
    ASSERT_NE(::mkdtemp(made), nullptr);
    directory_ = made;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ + "/" + name) << text;
    return directory_ + "/" + name;
  }

  std::string directory_;
};

TEST_F(MomentTest, AFileIsSeenAsItWasAtTheFirstLook) {
  const std::string file = write("a", "1");
  const Stamp before = *stamp_of(file);
  {
    const Moment moment;
    EXPECT_EQ(*stamp_of(file), before);
    write("a", "22");
    EXPECT_EQ(*stamp_of(file), before);
    EXPECT_EQ(*link_stamp_of(file), before);
    EXPECT_EQ(real_path(file).found, Found::kFile);
  }
  EXPECT_EQ(stamp_of(file)->size, 2u);
}

TEST_F(MomentTest, WhatIsMissingStaysMissingUntilTheMomentIsOver) {
  const std::string file = directory_ + "/b";
  {
    const Moment moment;
    EXPECT_FALSE(stamp_of(file)->exists);
    write("b", "1");
    EXPECT_FALSE(stamp_of(file)->exists);
    EXPECT_EQ(real_path(file).found, Found::kMissing);
  }
  EXPECT_TRUE(stamp_of(file)->exists);
  const Moment next;
  EXPECT_TRUE(stamp_of(file)->exists);
}

TEST_F(MomentTest, ALinkIsItselfOrWhatItLeadsTo) {
  const std::string file = write("c", "333");
  const std::string link = directory_ + "/link";
  ASSERT_EQ(::symlink("c", link.c_str()), 0);
  const Moment moment;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(stamp_of(link)->size, 3u);
    EXPECT_EQ(link_stamp_of(link)->size, 1u);
    EXPECT_EQ(real_path(link).path, real_path(file).path);
  }
}

TEST_F(MomentTest, ADirectoryLeadsWhereItLedAtTheFirstLook) {
  std::filesystem::create_directories(directory_ + "/one");
  std::filesystem::create_directories(directory_ + "/two");
  const std::string link = directory_ + "/here";
  ASSERT_EQ(::symlink("one", link.c_str()), 0);
  const std::string before = real_path(link + "/x").path;
  const Moment moment;
  EXPECT_EQ(real_path(link + "/x").path, before);
  ASSERT_EQ(::unlink(link.c_str()), 0);
  ASSERT_EQ(::symlink("two", link.c_str()), 0);
  EXPECT_EQ(real_path(link + "/x").path, before);
  EXPECT_EQ(real_path(link + "/y").path, before.substr(0, before.size() - 1) + "y");
  begin_new_moment();
  EXPECT_NE(real_path(link + "/x").path, before);
}

// Every kind of path gives the same with and without a memory, at the first look and the second.
TEST_F(MomentTest, AMomentChangesNoAnswer) {
  write("file", "1");
  std::filesystem::create_directories(directory_ + "/sub/deep");
  for (const auto& [target, name] : {std::pair{"sub", "to-sub"},
                                     {"file", "to-file"},
                                     {"nothing", "to-nothing"},
                                     {"loop", "loop"},
                                     {"../..", "sub/up"},
                                     {"/proc/self/cwd", "to-magic"}})
    ASSERT_EQ(::symlink(target, (directory_ + "/" + name).c_str()), 0);
  for (const char* tail : {"",
                           "/",
                           "/file",
                           "/file/",
                           "/file/x",
                           "/file/..",
                           "/sub",
                           "/sub/",
                           "/sub/.",
                           "/sub/..",
                           "/sub/deep/../x",
                           "/to-sub/deep",
                           "/to-sub/gone",
                           "/to-sub/gone/more",
                           "/to-file",
                           "/to-file/x",
                           "/to-nothing",
                           "/to-nothing/x",
                           "/to-nothing/../x",
                           "/loop",
                           "/loop/x",
                           "/sub/up",
                           "/sub/up/x",
                           "/gone/../x",
                           "/gone/x/y",
                           "/to-magic",
                           "/to-magic/x",
                           "//sub//deep",
                           "/sub/deep/",
                           "/to-sub/../file"}) {
    const std::string path = directory_ + tail;
    const RealPath plain = real_path(path);
    const Moment moment;
    EXPECT_EQ(real_path(path), plain) << path;
    EXPECT_EQ(real_path(path), plain) << path << ", again";
  }
}

TEST_F(MomentTest, WhatLiesInTheRootIsResolvedAlikeBeforeAndAfterWhatLiesBelowIt) {
  for (const char* first : {"/", "/bin", "/bin/", "/bin/sh", "/proc", "/proc/self", "/nowhere",
                            "/nowhere/x", "/etc/passwd", "/etc/passwd/x"})
    for (const char* second : {"/", "/bin", "/bin/sh", "/proc/self/cwd", "/nowhere/x", "/etc"}) {
      const RealPath plain[] = {real_path(first), real_path(second)};
      const Moment moment;
      EXPECT_EQ(real_path(first), plain[0]) << first;
      EXPECT_EQ(real_path(second), plain[1]) << second << " after " << first;
      EXPECT_EQ(real_path(first), plain[0]) << first << " after " << second;
    }
}

TEST_F(MomentTest, AnInnerMomentLooksForItself) {
  const std::string file = write("d", "1");
  const Moment outer;
  EXPECT_EQ(stamp_of(file)->size, 1u);
  write("d", "4444");
  {
    const Moment inner;
    EXPECT_EQ(stamp_of(file)->size, 4u);
  }
  EXPECT_EQ(stamp_of(file)->size, 1u);
}

}  // namespace
}  // namespace tollgate::os
