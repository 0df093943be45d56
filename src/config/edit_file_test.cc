// Edits of files on disk: whose they are, what stays, and what a race or a failing disk leaves.
// Everything happens in a temporary directory.
// SAFETY: whatever fails, the file is the old one or the new one, and an error was given.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/edit.h"
#include "config/test_edits.h"
#include "config/test_files.h"
#include "os/fault.h"

namespace tollgate::config {
namespace {

constexpr std::string_view kFile = "home/.config/tollgate/tollgate.yaml";

std::string text_of(const TestFiles& files, std::string_view file = kFile) {
  const Result<std::string> text = os::read_file(files.at(std::string(file)), 1 << 20);
  return text ? *text : text.error().code;
}

Result<std::string> add(const TestFiles& files, std::string_view edits = "+deny Bash",
                        std::string_view file = kFile) {
  return edit_file(files.at(std::string(file)), edits_of(edits));
}

std::uint32_t mode_of(const TestFiles& files, std::string_view file = kFile) {
  return os::stamp_of(files.at(std::string(file)))->mode & 0777;
}

TEST(EditFile, WritesAndTellsTheDifference) {
  TestFiles files;
  files.write(std::string(kFile), "# mine\nrules:\n  deny:\n    - Read # x\n", 0640);
  const Result<std::string> told = add(files);
  ASSERT_TRUE(told) << render(told.error());
  EXPECT_EQ(files.plain(*told),
            "--- home/.config/tollgate/tollgate.yaml\n+++ home/.config/tollgate/tollgate.yaml\n"
            "@@ -2,3 +2,4 @@\n rules:\n   deny:\n     - Read # x\n+    - Bash\n");
  EXPECT_EQ(text_of(files), "# mine\nrules:\n  deny:\n    - Read # x\n    - Bash\n");
  EXPECT_EQ(mode_of(files), 0640u);
  const Loaded loaded = files.load();
  EXPECT_FALSE(loaded.set.broken) << files.report(loaded);
}

TEST(EditFile, AFileThatSaysItAlreadyIsNotTouched) {
  TestFiles files;
  files.user("rules: {deny: [Bash]}\n");
  const os::Stamp before = *os::stamp_of(files.at(std::string(kFile)));
  const Result<std::string> told = add(files);
  ASSERT_TRUE(told) << render(told.error());
  EXPECT_EQ(*told, "");
  EXPECT_EQ(*os::stamp_of(files.at(std::string(kFile))), before);
}

TEST(EditFile, AMissingFileIsMadeForTheUserAlone) {
  TestFiles files;
  const Result<std::string> told = add(files);
  ASSERT_TRUE(told) << render(told.error());
  EXPECT_EQ(text_of(files), "rules:\n  deny:\n    - Bash\n");
  EXPECT_EQ(mode_of(files), 0600u);
  EXPECT_EQ(mode_of(files, "home/.config/tollgate"), 0700u);
}

TEST(EditFile, ALinkStaysAndItsTargetIsWritten) {
  TestFiles files;
  files.user("");
  files.write("home/dotfiles/policy.yaml", "mode: plan\n");
  const std::string link = files.at(std::string(kFile));
  ASSERT_EQ(::unlink(link.c_str()), 0);
  ASSERT_EQ(::symlink(files.at("home/dotfiles/policy.yaml").c_str(), link.c_str()), 0);
  ASSERT_TRUE(add(files, "mode=default"));
  EXPECT_TRUE(S_ISLNK(os::link_stamp_of(link)->mode));
  EXPECT_EQ(text_of(files, "home/dotfiles/policy.yaml"), "mode: default\n");

  ASSERT_EQ(::unlink(files.at("home/dotfiles/policy.yaml").c_str()), 0);
  ASSERT_TRUE(add(files, "mode=plan"));
  EXPECT_TRUE(S_ISLNK(os::link_stamp_of(link)->mode));
  EXPECT_EQ(text_of(files, "home/dotfiles/policy.yaml"), "mode: plan\n");
}

TEST(EditFile, WhatTheLoaderRefusesIsRefused) {
  TestFiles files;
  const std::string path = files.at(std::string(kFile));
  files.write(std::string(kFile), "mode: plan\n", 0620);
  EXPECT_EQ(add(files).error().code, "unsafe-policy-file");
  files.user("mode: plan\n");
  ASSERT_EQ(::chmod(files.at("home/.config/tollgate").c_str(), 0770), 0);
  EXPECT_EQ(add(files).error().code, "unsafe-policy-file");
  ASSERT_EQ(::chmod(files.at("home/.config/tollgate").c_str(), 0700), 0);
  files.user("rules: [\n");
  EXPECT_EQ(add(files).error().code, "yaml-syntax");
  EXPECT_EQ(add(files).error().where.file, path);
  files.user(std::string((10u << 20) + 1, '#'));
  EXPECT_EQ(add(files).error().code, "file-too-large");
  EXPECT_EQ(add(files, "+deny Bash", "home/.config").error().code, "file-not-regular");
  EXPECT_EQ(edit_file("tollgate.yaml", edits_of("+deny Bash")).error().code, "file-unreadable");
}

TEST(EditFile, AFileThatMovedMeanwhileIsLeftAlone) {
  TestFiles files;
  const std::string path = files.at(std::string(kFile));
  struct Row {
    std::string_view name;
    bool exists;
    std::string_view meanwhile;  // what it says then; "-": it is gone
  };
  constexpr Row kRows[] = {
      {"somebody edits it", true, "mode: dontAsk\n"},
      {"somebody writes the same bytes anew", true, "mode: plan\n"},
      {"somebody removes it", true, "-"},
      {"somebody makes it", false, "mode: dontAsk\n"},
  };
  for (const Row& row : kRows) {
    files.user("mode: plan\n");
    ASSERT_TRUE(row.exists || os::remove_file(path));
    const Result<FileEdit> edit = planned_edit(path, edits_of("+deny Bash"));
    ASSERT_TRUE(edit) << row.name << render(edit.error());
    files.user(std::string(row.meanwhile));
    ASSERT_TRUE(row.meanwhile != "-" || os::remove_file(path));
    const Result<std::string> told = write_edit(*edit);
    ASSERT_FALSE(told) << row.name;
    EXPECT_EQ(told.error().code, "file-changed") << row.name << render(told.error());
    EXPECT_EQ(text_of(files), row.meanwhile == "-" ? "file-missing" : row.meanwhile) << row.name;
  }
}

TEST(EditFile, ALinkThatPointsElsewhereMeanwhileIsLeftAlone) {
  TestFiles files;
  files.write("home/a.yaml", "mode: plan\n");
  files.write("home/b.yaml", "mode: plan\n");
  const std::string link = files.at("home/policy.yaml");
  ASSERT_EQ(::symlink("a.yaml", link.c_str()), 0);
  const Result<FileEdit> edit = planned_edit(link, edits_of("mode=default"));
  ASSERT_TRUE(edit) << render(edit.error());
  ASSERT_EQ(::unlink(link.c_str()), 0);
  ASSERT_EQ(::symlink("b.yaml", link.c_str()), 0);
  EXPECT_EQ(write_edit(*edit).error().code, "file-changed");
  EXPECT_EQ(text_of(files, "home/a.yaml") + text_of(files, "home/b.yaml"),
            "mode: plan\nmode: plan\n");
}

TEST(EditFile, AFailingDiskLeavesTheOldFileOrTheNewOne) {
  const std::string before = "mode: plan\n", after = "mode: default\n";
  for (const char* call : {"stat", "open", "fstat", "read", "create", "write", "fchmod", "fsync",
                           "rename", "fsync-directory"}) {
    int struck = 0;
    for (int skip = 0; skip < 20; ++skip) {
      TestFiles files;
      files.user(before);
      Result<std::string> told = "";
      int seen = 0;
      {
        os::FaultPlan plan(call, EIO, skip);
        told = add(files, "mode=default");
        seen = plan.seen();
      }
      if (seen <= skip) {
        EXPECT_TRUE(told) << call << " " << skip << render(told.error());
        break;
      }
      ++struck;
      EXPECT_FALSE(told) << call << " " << skip;
      const std::string now = text_of(files);
      // The directory is opened and synced when the new file has taken its place.
      const bool late =
          call == std::string_view("fsync-directory") || call == std::string_view("open");
      EXPECT_TRUE(now == before || (now == after && late)) << call << " " << skip << ": " << now;
      EXPECT_EQ(os::walk_below(files.at("home/.config"), 100).paths.size(), 2u) << call << skip;
    }
    EXPECT_GT(struck, 0) << call;
  }
}

}  // namespace
}  // namespace tollgate::config
