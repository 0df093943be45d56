// A file of another owner's is added to as it is; what is no file is left alone.
#include "os/appended_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/fault.h"
#include "os/files.h"

namespace tollgate::os {
namespace {

class AppendedFileTest : public testing::Test {
 protected:
  AppendedFileTest() {
    std::string pattern = "/tmp/tollgate-os-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~AppendedFileTest() override {
    for (const char* name : {"/heads", "/link"}) static_cast<void>(remove_file(directory_ + name));
    ::rmdir(directory_.c_str());
  }
  std::string file() const { return directory_ + "/heads"; }
  std::string directory_;
};

TEST_F(AppendedFileTest, IsMadePrivateAndGrows) {
  const Result<AppendedFile> first = append_there(file(), "one\n");
  ASSERT_TRUE(first) << render(first.error());
  EXPECT_TRUE(first->own);
  EXPECT_FALSE(first->append_only);
  ASSERT_TRUE(append_there(file(), "two\n"));
  EXPECT_EQ(read_file(file(), 100).value(), "one\ntwo\n");
  EXPECT_EQ(stamp_of(file())->mode & 0777u, 0600u);
  EXPECT_TRUE(appended_file(file())->own);
}

TEST_F(AppendedFileTest, WhatIsNoFileOfItsOwnIsRefused) {
  EXPECT_EQ(appended_file(file()).error().code, "file-missing");
  EXPECT_EQ(append_there(directory_ + "/none/heads", "x").error().code, "file-missing");
  EXPECT_EQ(appended_file(directory_).error().code, "file-not-regular");
  ASSERT_TRUE(append_there(file(), "x"));
  ASSERT_EQ(::symlink("heads", (directory_ + "/link").c_str()), 0);
  EXPECT_EQ(append_there(directory_ + "/link", "y").error().code, "file-unwritable");
  EXPECT_EQ(appended_file(directory_ + "/link").error().code, "file-unreadable");
  EXPECT_EQ(read_file(file(), 100).value(), "x");
}

TEST_F(AppendedFileTest, WhatTheDiskRefusesIsAnError) {
  for (const char* call : {"open", "statx", "write", "fsync"}) {
    const FaultPlan plan(call, ENOSPC);
    EXPECT_FALSE(append_there(file(), "x\n")) << call;
  }
}

}  // namespace
}  // namespace tollgate::os
