// Files, paths and the fault seam, on temporary directories.
// Every failure must come out as an Error that names the path.
// Nothing here reads the real home or leaves files behind.
#include "os/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "os/clock.h"
#include "os/environment.h"
#include "os/fault.h"
#include "os/paths.h"
#include "os/terminal.h"
#include "os/user.h"

namespace tollgate::os {
namespace {

class Os : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/tollgate-os-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    ASSERT_NE(made, nullptr);
    dir_ = real_path(made).path;
  }
  void TearDown() override {
    std::vector<std::string> all = walk_below(dir_, 10'000).paths;
    std::sort(all.rbegin(), all.rend());
    for (const std::string& path : all)
      if (::unlink(path.c_str()) != 0) ::rmdir(path.c_str());
    ::rmdir(dir_.c_str());
  }
  std::string at(const std::string& name) const { return dir_ + "/" + name; }

  std::string dir_;
};

TEST_F(Os, WritesWholeAndReadsBack) {
  ASSERT_TRUE(write_atomically(at("a"), "hello", 0640));
  const Result<FileText> read = read_stamped(at("a"), 100);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text, "hello");
  EXPECT_EQ(read->stamp.mode & 0777, 0640u);
  EXPECT_EQ(read->stamp, *stamp_of(at("a")));
  ASSERT_TRUE(write_atomically(at("a"), "other"));
  EXPECT_NE(stamp_of(at("a"))->inode, 0u);
  EXPECT_EQ(read_file(at("a"), 100).value(), "other");
  EXPECT_EQ(walk_below(dir_, 10).paths.size(), 1u);
}

TEST_F(Os, ReadsAPartOfAFile) {
  ASSERT_TRUE(write_atomically(at("a"), "0123456789"));
  EXPECT_EQ(read_part(at("a"), 0, 3)->text, "012");
  EXPECT_EQ(read_part(at("a"), 7, 1'000)->text, "789");
  EXPECT_EQ(read_part(at("a"), 10, 5)->text, "");
  EXPECT_EQ(read_part(at("a"), 99, 5)->text, "");
  EXPECT_EQ(read_part(at("a"), 0, 3)->stamp, *stamp_of(at("a")));
  EXPECT_EQ(read_part(at("none"), 0, 3).error().code, "file-missing");
  EXPECT_EQ(read_part(dir_, 0, 3).error().code, "file-not-regular");
  ASSERT_EQ(::symlink("a", at("link").c_str()), 0);
  EXPECT_EQ(read_part(at("link"), 0, 3).error().code, "file-unreadable");
  const FaultPlan plan("read", EIO);
  EXPECT_EQ(read_part(at("a"), 0, 3).error().code, "file-unreadable");
}

TEST_F(Os, ReadingHasALimitAndTakesOnlyRegularFiles) {
  ASSERT_TRUE(write_atomically(at("a"), "hello"));
  EXPECT_EQ(read_file(at("a"), 4).error().code, "file-too-large");
  EXPECT_EQ(read_file(dir_, 100).error().code, "file-not-regular");
  ASSERT_EQ(::mkfifo(at("f").c_str(), 0600), 0);
  EXPECT_EQ(read_file(at("f"), 100).error().code, "file-not-regular");
  const Error missing = read_file(at("none"), 100).error();
  EXPECT_EQ(missing.code, "file-missing");
  EXPECT_EQ(missing.message, "cannot read `" + at("none") + "`: no such file or directory");
  EXPECT_EQ(read_file(std::string("/tmp\0/x", 7), 100).error().code, "file-missing");
  EXPECT_FALSE(stamp_of(at("none"))->exists);
}

TEST_F(Os, EveryCallCanFail) {
  ASSERT_TRUE(write_atomically(at("a"), "hello"));
  for (const char* call : {"open", "fstat", "read"}) {
    FaultPlan plan(call, EIO);
    const Result<std::string> read = read_file(at("a"), 100);
    ASSERT_FALSE(read) << call;
    EXPECT_EQ(read.error().code, "file-unreadable") << call;
    EXPECT_NE(read.error().message.find(at("a")), std::string::npos) << call;
  }
  for (const char* call : {"create", "write", "fchmod", "fsync", "rename"}) {
    FaultPlan plan(call, ENOSPC);
    const Result<void> written = write_atomically(at("a"), "other");
    ASSERT_FALSE(written) << call;
    EXPECT_EQ(written.error().code, "file-unwritable") << call;
    EXPECT_EQ(plan.seen(), 1) << call;
  }
  EXPECT_EQ(read_file(at("a"), 100).value(), "hello");
  EXPECT_EQ(walk_below(dir_, 10).paths.size(), 1u);
  {
    FaultPlan plan("fsync-directory", EIO);
    EXPECT_EQ(write_atomically(at("a"), "x").error().code, "file-unwritable");
  }
  {
    FaultPlan plan("stat", EACCES);
    EXPECT_EQ(stamp_of(at("a")).error().code, "file-unreadable");
  }
  {
    FaultPlan plan("mmap", ENOMEM);
    EXPECT_EQ(MappedFile::open(at("a"), 100).error().code, "file-unreadable");
  }
  {
    FaultPlan plan("mkdir", EROFS);
    EXPECT_EQ(make_private_directory(at("d/e")).error().code, "file-unwritable");
  }
  {
    FaultPlan plan("getcwd", EACCES);
    EXPECT_FALSE(current_directory());
  }
  {
    FaultPlan plan("unlink", EPERM);
    EXPECT_FALSE(remove_file(at("a")));
  }
  EXPECT_TRUE(remove_file(at("a")));
  EXPECT_TRUE(remove_file(at("a")));
}

TEST_F(Os, AFileThatIsWrittenOnceKeepsItsFirstBytes) {
  EXPECT_EQ(write_once(at("once"), "first"), true);
  EXPECT_EQ(write_once(at("once"), "second"), false);
  EXPECT_EQ(read_file(at("once"), 100), "first");
  for (const char* call : {"create", "write", "fsync", "link"}) {
    const FaultPlan plan(call, ENOSPC);
    const Result<bool> written = write_once(at("other"), "x");
    ASSERT_FALSE(written) << call;
    EXPECT_EQ(written.error().code, "file-unwritable") << call;
    EXPECT_FALSE(stamp_of(at("other"))->exists) << call;
  }
  EXPECT_EQ(names_in(at("."), 100)->size(), 1u);  // nothing is left lying about
}

TEST_F(Os, MappingRefusesLinks) {
  ASSERT_TRUE(write_atomically(at("a"), "hello"));
  ASSERT_EQ(::symlink("a", at("l").c_str()), 0);
  EXPECT_FALSE(MappedFile::open(at("l"), 100));
  Result<MappedFile> mapped = MappedFile::open(at("a"), 100);
  ASSERT_TRUE(mapped);
  const MappedFile moved = std::move(*mapped);
  EXPECT_EQ(moved.bytes().size(), 5u);
}

TEST_F(Os, PrivateDirectoriesAreClosed) {
  ASSERT_TRUE(make_private_directory(at("x/y")));
  EXPECT_EQ(stamp_of(at("x/y"))->mode & 0777, 0700u);
  ASSERT_TRUE(write_atomically(at("file"), ""));
  EXPECT_FALSE(make_private_directory(at("file")));
}

TEST_F(Os, RealPathsAreResolvedAsTheKernelDoes) {
  ASSERT_TRUE(make_private_directory(at("d/e")));
  ASSERT_TRUE(write_atomically(at("d/e/f"), ""));
  ASSERT_EQ(::symlink("d/e", at("l").c_str()), 0);
  ASSERT_EQ(::symlink(at("gone/x").c_str(), at("dangling").c_str()), 0);
  ASSERT_EQ(::symlink("loop", at("loop").c_str()), 0);
  ASSERT_EQ(::symlink("d/e/", at("slashed").c_str()), 0);
  ASSERT_EQ(::symlink("d/e/f/", at("no-directory").c_str()), 0);
  ASSERT_EQ(::symlink("/", at("root").c_str()), 0);
  struct Case {
    std::string_view name;
    std::string path;
    Found found;
    std::string real;
  };
  const Case cases[] = {
      {"a file is itself", at("d/e/f"), Found::kFile, at("d/e/f")},
      {"a link is followed", at("l/f"), Found::kFile, at("d/e/f")},
      {"two dots leave the link's target", at("l/../e"), Found::kDirectory, at("d/e")},
      {"a missing tail stays", at("l/new/x"), Found::kMissing, at("d/e/new/x")},
      {"a dangling link is its target", at("dangling"), Found::kMissing, at("gone/x")},
      {"two dots after a missing part are unknown", at("no/../d"), Found::kUnknown, ""},
      {"a loop is unknown", at("loop/x"), Found::kUnknown, ""},
      {"doubled slashes and dots are nothing", at("d//./e/"), Found::kDirectory, at("d/e")},
      {"a relative path is unknown", "d/e", Found::kUnknown, ""},
      {"another process's view is unknown", "/proc/self/cwd/x", Found::kUnknown, ""},
      {"descriptors are unknown", "/dev/fd/0", Found::kUnknown, ""},
      {"the root is a directory", "/", Found::kDirectory, "/"},
      {"above the root is the root", "/..", Found::kDirectory, "/"},
      {"a device is something else", "/dev/null", Found::kOther, "/dev/null"},
      {"a link's slash asks for a directory", at("slashed"), Found::kDirectory, at("d/e")},
      {"and more may follow it", at("slashed/f"), Found::kFile, at("d/e/f")},
      {"a file is no directory, by a link's slash", at("no-directory"), Found::kMissing,
       at("d/e/f")},
      {"nor is anything below it", at("no-directory/x"), Found::kMissing, at("d/e/f/x")},
      {"nor by a slash behind the link", at("l/f/"), Found::kMissing, at("d/e/f")},
      {"two dots behind a file are unknown", at("d/e/f/../x"), Found::kUnknown, ""},
      {"a link to the root", at("root/"), Found::kDirectory, "/"},
      {"from a link to the root", at("root/dev/null"), Found::kOther, "/dev/null"},
      {"below a file nothing exists", at("d/e/f/x"), Found::kMissing, at("d/e/f/x")},
  };
  for (const Case& c : cases) {
    const RealPath got = real_path(c.path);
    EXPECT_EQ(got.found, c.found) << c.name;
    EXPECT_EQ(got.path, c.real) << c.name;
  }
  FaultPlan plan("lstat", EACCES);
  EXPECT_EQ(real_path(at("d")).found, Found::kUnknown);
}

TEST_F(Os, FortyLinksAreFollowedAndNoMore) {
  ASSERT_TRUE(write_atomically(at("0"), ""));
  for (int i = 1; i <= 41; ++i)
    ASSERT_EQ(::symlink(std::to_string(i - 1).c_str(), at(std::to_string(i)).c_str()), 0);
  EXPECT_EQ(real_path(at("40")).found, Found::kFile);
  EXPECT_EQ(real_path(at("41")).found, Found::kUnknown);
}

TEST_F(Os, AWalkIsBoundedAndDoesNotFollowLinks) {
  ASSERT_TRUE(make_private_directory(at("a/b")));
  ASSERT_TRUE(write_atomically(at("a/b/c"), ""));
  ASSERT_EQ(::symlink("/", at("a/root").c_str()), 0);
  Walk walk = walk_below(at("a"), 100);
  std::sort(walk.paths.begin(), walk.paths.end());
  EXPECT_EQ(walk.paths, (std::vector<std::string>{at("a/b"), at("a/b/c"), at("a/root")}));
  EXPECT_FALSE(walk.cut);
  EXPECT_TRUE(walk_below(at("a"), 2).cut);
  EXPECT_TRUE(walk_below(at("none"), 2).cut);
  FaultPlan plan("readdir", EIO);
  EXPECT_TRUE(walk_below(at("a"), 100).cut);
}

TEST(Paths, AreMadeAbsoluteLexically) {
  EXPECT_EQ(absolute("x/../y", "/a/b"), "/a/b/y");
  EXPECT_EQ(absolute("/x//./y/", "/a"), "/x/y");
  EXPECT_EQ(absolute("../../..", "/a"), "/");
}

TEST(EnvironmentValue, KnowsUnsetFromEmpty) {
  const Environment environment(Environment::Variables{{"A", ""}, {"B", "x"}});
  EXPECT_EQ(environment.get("A"), "");
  EXPECT_EQ(environment.get_filled("A"), std::nullopt);
  EXPECT_EQ(environment.get("C"), std::nullopt);
  EXPECT_EQ(environment.get_filled("B"), "x");
  EXPECT_FALSE(Environment::current().variables().empty());
}

TEST(User, HomeComesFromTheEnvironmentOrPasswd) {
  EXPECT_EQ(home_directory(Environment(Environment::Variables{{"HOME", "/h"}})).value(), "/h");
  EXPECT_TRUE(
      home_directory(Environment(Environment::Variables{{"HOME", "relative"}}))->starts_with('/'));
  EXPECT_EQ(home_directory(Environment(), "/dev/null").error().code, "file-not-regular");
  EXPECT_EQ(home_directory(Environment(), "/etc/hostname").error().code, "home-unknown");
}

TEST(TerminalValue, IsPlainWhereThereIsNone) {
  FaultPlan plan("isatty", ENOTTY);
  EXPECT_EQ(output_terminal(Environment()), Terminal{});
  EXPECT_GT(now_seconds(), 1'600'000'000);
}

}  // namespace
}  // namespace tollgate::os
