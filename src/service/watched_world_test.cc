// The world that is kept sees what a fresh look sees, at once, whatever is done to the files.
// Everything happens in a directory of the test's own; the random one prints its seed.
#include "service/watched_world.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>

#include "core/test_call.h"
#include "effects/effects.h"
#include "os/fault.h"
#include "os/files.h"
#include "os/moment.h"

namespace tollgate {
namespace {

namespace fs = std::filesystem;

// home/.config/gate, w/sub, bin, other/bin; `path` leads to bin.
class WatchedWorldTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "watched_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    made_ = fs::canonical(name).string();
    // Random links lead upwards; what others do in the temporary directory is none of this.
    top_ = made_ + "/1/2/3/4/5/6";
    for (const char* each : {"home/.config/gate", "w/sub", "bin", "other/bin", "other/w"})
      fs::create_directories(top_ + "/" + each);
    fs::create_directory_symlink("bin", top_ + "/path");
    ASSERT_TRUE(os::write_atomically(top_ + "/bin/make", "x", 0755));
    plan_.base = top_ + "/w";
    plan_.roots = {top_ + "/w", top_ + "/w/sub"};
    plan_.home = top_ + "/home";
    plan_.temporary = {top_ + "/temporary"};
    plan_.gate = {top_ + "/home/.config/gate", top_ + "/home/.local/state/gate/store.db"};
    plan_.search_path = top_ + "/other/bin:" + top_ + "/path:relative";
  }
  void TearDown() override { fs::remove_all(made_); }

  static Situation timeless(Situation situation) {
    situation.now = 0;
    return situation;
  }
  Situation look(World& world, const std::string& command) const {
    const ToolCall call = bash(command, top_ + "/w");
    const os::Moment moment;  // as the daemon looks
    return timeless(world.look(call, effects_of(call), plan_));
  }
  std::optional<Situation> at_once(const std::string& command) {
    WatchedWorld::AtOnce world(watched_);
    const ToolCall call = bash(command, top_ + "/w");
    Situation situation = timeless(world.look(call, effects_of(call), plan_));
    if (!world.knew_all()) return std::nullopt;
    return situation;
  }
  void expect_same(const std::string& what, const std::string& command = "make test") {
    if (const std::optional<Situation> known = at_once(command)) {
      ASSERT_EQ(*known, look(fresh_, command)) << what << ", at once";
    }
    ASSERT_EQ(look(watched_, command), look(fresh_, command)) << what;
  }

  std::string made_;
  std::string top_;
  LookPlan plan_;
  WatchedWorld watched_;
  RealWorld fresh_;
};

TEST_F(WatchedWorldTest, KeepsAPlanThatNothingHappensTo) {
  expect_same("the first look");
  EXPECT_EQ(watched_.kept(), 1u);
  expect_same("the second look");
  ASSERT_TRUE(os::write_atomically(top_ + "/w/file", "x"));
  ASSERT_TRUE(os::write_atomically(top_ + "/home/notes", "x"));
  expect_same("files that nobody asked about");
  EXPECT_EQ(watched_.kept(), 1u);
}

TEST_F(WatchedWorldTest, GivesAtOnceOnlyWhatAFreshLookWouldGive) {
  ASSERT_TRUE(os::write_atomically(top_ + "/bin/whoami", "x", 0755));
  EXPECT_EQ(at_once("whoami"), std::nullopt) << "nothing is known yet";
  expect_same("the first look");
  EXPECT_EQ(at_once("whoami"), std::nullopt) << "nobody has looked for it";
  expect_same("the look for it", "whoami");
  EXPECT_EQ(at_once("whoami"), look(fresh_, "whoami"));
  EXPECT_EQ(at_once("cat file"), std::nullopt) << "it names a path";
  ASSERT_TRUE(os::write_atomically(top_ + "/other/bin/whoami", "x", 0755));
  EXPECT_EQ(at_once("whoami"), std::nullopt) << "another program has that name now";
  expect_same("the look after it", "whoami");
  EXPECT_EQ(at_once("whoami"), look(fresh_, "whoami"));
  plan_.home = top_ + "/other";
  EXPECT_EQ(at_once("whoami"), std::nullopt) << "another plan";
}

TEST_F(WatchedWorldTest, TheNextLookSeesEveryChange) {
  struct Case {
    const char* name;
    std::function<void(const std::string& top)> change;
  };
  const Case cases[] = {
      {"the root is moved away", [](auto& top) { fs::rename(top + "/w", top + "/w2"); }},
      {"a link takes its place",
       [](auto& top) { fs::create_directory_symlink("other/w", top + "/w"); }},
      {"the link is led elsewhere",
       [](auto& top) {
         fs::create_directory_symlink("w2", top + "/w.new");
         fs::rename(top + "/w.new", top + "/w");
       }},
      {"a directory above is swapped",
       [](auto& top) {
         fs::rename(top + "/home", top + "/home2");
         fs::create_directories(top + "/home/.config");
         fs::create_directory_symlink("/tmp", top + "/home/.config/gate");
       }},
      {"what was missing is made",
       [](auto& top) { fs::create_directories(top + "/home/.local/state/gate"); }},
      {"its last part is a link",
       [](auto& top) {
         fs::create_symlink("/etc/passwd", top + "/home/.local/state/gate/store.db");
       }},
      {"a program is put before another",
       [](auto& top) { fs::copy_file(top + "/bin/make", top + "/other/bin/make"); }},
      {"the program is a link",
       [](auto& top) {
         fs::remove(top + "/other/bin/make");
         fs::create_symlink("../../bin/make", top + "/other/bin/make");
       }},
      {"both programs are gone",
       [](auto& top) {
         fs::remove(top + "/other/bin/make");
         fs::remove(top + "/bin/make");
       }},
      {"the directory of programs is led elsewhere",
       [](auto& top) {
         fs::remove(top + "/path");
         fs::create_directory_symlink("other/bin", top + "/path");
       }},
      {"nobody may write to it",
       [](auto& top) { fs::permissions(top + "/other/bin", fs::perms(0555)); }},
      {"anybody may write to it",
       [](auto& top) { fs::permissions(top + "/other/bin", fs::perms(0777)); }},
      {"a temporary directory is a file",
       [](auto& top) { std::ofstream(top + "/temporary") << "x"; }},
      {"all of it is gone", [](auto& top) { fs::remove_all(top + "/home"); }},
  };
  expect_same("the beginning");
  for (const Case& each : cases) {
    each.change(top_);
    expect_same(each.name);
    expect_same(each.name);
  }
}

TEST_F(WatchedWorldTest, WhatTheCallNamesIsAlwaysLookedAt) {
  expect_same("missing", "cat sub/secret");
  fs::create_symlink("/etc/passwd", top_ + "/w/sub/secret");
  expect_same("a link", "cat sub/secret");
  EXPECT_EQ(look(watched_, "cat sub/secret").paths.back().real, "/etc/passwd");
}

// Where letters in another case are the same name, the change is told in the letters of whoever
// made it.
TEST_F(WatchedWorldTest, ANameInOtherLettersCountsAsTheSame) {
  expect_same("the beginning");
  ASSERT_EQ(watched_.kept(), 1u);
  std::ofstream(top_ + "/home/.CONFIG") << "x";
  EXPECT_EQ(watched_.kept(), 0u);
  expect_same("kept again");
  ASSERT_EQ(watched_.kept(), 1u);
  std::ofstream(top_ + "/home/\xc5\xbf") << "x";  // a letter that is an s in some of them
  EXPECT_EQ(watched_.kept(), 0u);
  plan_.gate.push_back(top_ + "/home/\xc3\xa4");
  expect_same("a place whose name is not ASCII");
  ASSERT_EQ(watched_.kept(), 1u);
  std::ofstream(top_ + "/home/a") << "x";
  EXPECT_EQ(watched_.kept(), 0u);
}

TEST_F(WatchedWorldTest, TooManyEventsEndWhatWasKept) {
  expect_same("the beginning");
  ASSERT_EQ(watched_.kept(), 1u);
  std::size_t most = 16'384;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
  if (most > 100'000) GTEST_SKIP() << "the queue is too long to fill";
  const std::string name = top_ + "/home/one";
  for (std::size_t i = 0; i <= most; i += 2) {  // each makes two events
    std::ofstream(name).close();
    ::unlink(name.c_str());
  }
  EXPECT_EQ(watched_.kept(), 0u);
  expect_same("after the flood");
}

TEST_F(WatchedWorldTest, AMountOverAPlaceIsSeen) {
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    GTEST_SKIP() << "mounts are not for this user";
  WatchedWorld world;  // of the new view of the files
  const ToolCall call = bash("make test", top_ + "/w");
  const auto same = [&](const char* when) {
    EXPECT_EQ(timeless(world.look(call, effects_of(call), plan_)), look(fresh_, "make test"))
        << when;
  };
  same("the beginning");
  ASSERT_EQ(world.kept(), 1u);
  ASSERT_EQ(::mount("tmpfs", (top_ + "/path").c_str(), "tmpfs", 0, nullptr), 0);
  EXPECT_EQ(world.kept(), 0u);
  same("an empty file system over the programs");
  ASSERT_EQ(::umount2((top_ + "/path").c_str(), MNT_DETACH), 0);
  EXPECT_EQ(world.kept(), 0u);
  same("and without it");
}

TEST_F(WatchedWorldTest, AGivenBackLookIsUsedOnlyAsItWas) {
  for (const bool rooted : {true, false}) {
    if (!rooted) plan_.roots.clear();
    const Situation first = look(watched_, "make test");
    for (int i = 0; i < 3; ++i) {
      watched_.give_back(look(watched_, "make test"));
      expect_same("a look that was given back");
    }
    Situation changed = first;
    changed.gate.clear();
    watched_.give_back(changed);
    changed = first;
    changed.roots.push_back({"/", "/"});
    watched_.give_back(changed);
    expect_same("one that somebody has changed");
    fs::rename(top_ + "/home/.config/gate", top_ + "/home/gate");
    watched_.give_back(first);
    expect_same("one of before a change");
    watched_.give_back(first);
    expect_same("the same, and the world is kept again");
    fs::rename(top_ + "/home/gate", top_ + "/home/.config/gate");
  }
}

TEST_F(WatchedWorldTest, PlansAreKeptApart) {
  expect_same("one");
  plan_.roots.push_back(top_ + "/other");
  expect_same("the same base and another root");
  plan_.home = top_ + "/other";
  expect_same("another home");
  EXPECT_EQ(watched_.kept(), 3u);
}

TEST_F(WatchedWorldTest, KeepsNothingThatItCannotWatch) {
  for (const char* call : {"inotify_add_watch", "statfs"}) {
    WatchedWorld world;
    const os::FaultPlan fault(call, ENOSPC);
    const ToolCall one = bash("make test", top_ + "/w");
    for (int i = 0; i < 3; ++i) {
      fs::rename(top_ + "/bin/make", top_ + "/bin/make" + std::to_string(i));
      EXPECT_EQ(timeless(world.look(one, effects_of(one), plan_)), look(fresh_, "make test"))
          << call;
      fs::rename(top_ + "/bin/make" + std::to_string(i), top_ + "/bin/make");
      EXPECT_EQ(timeless(world.look(one, effects_of(one), plan_)), look(fresh_, "make test"))
          << call;
    }
    EXPECT_EQ(world.kept(), 0u) << call;
  }
}

TEST_F(WatchedWorldTest, KeepsNothingOfAFileSystemThatTellsNothing) {
  plan_.gate.emplace_back("/proc/self/status");
  expect_same("a place in /proc");
  EXPECT_EQ(watched_.kept(), 0u);
}

// One random change to a tree of few names, so that they meet often.
void change_something(const std::string& top, std::mt19937& random) {
  const auto pick = [&](std::initializer_list<const char*> from) {
    return std::string(from.begin()[random() % from.size()]);
  };
  const auto path = [&] {
    std::string out = top;
    const std::size_t depth = 1 + random() % 3;
    for (std::size_t i = 0; i < depth; ++i)
      out += "/" + pick({"w", "sub", "home", ".config", "gate", "bin", "other", "path", "make",
                         "temporary", ".local", "state"});
    return out;
  };
  std::error_code ignored;
  switch (random() % 7) {
    case 0:
      fs::create_directories(path(), ignored);
      return;
    case 1:
      fs::remove_all(path(), ignored);
      return;
    case 2:
    case 3:
      fs::rename(path(), path(), ignored);
      return;
    case 4:
      fs::create_symlink(random() % 2 == 0 ? path() : pick({"..", "bin", "../w", "make", "gone"}),
                         path(), ignored);
      return;
    case 5:
      fs::permissions(path(), random() % 2 == 0 ? fs::perms(0700) : fs::perms(0777), ignored);
      return;
    default:
      std::ofstream(path()) << "x";
  }
}

TEST_F(WatchedWorldTest, IsTheSameAsAFreshLookAfterRandomChanges) {
  const char* given = std::getenv("TOLLGATE_SEED");
  const auto seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                     : std::random_device{}();
  std::mt19937 random(seed);
  const int turns = std::getenv("TOLLGATE_LONG") != nullptr ? 50'000 : 1'500;
  std::size_t kept = 0;
  for (int i = 0; i < turns; ++i) {
    const std::size_t changes = random() % 3;
    for (std::size_t k = 0; k < changes; ++k) change_something(top_, random);
    expect_same("TOLLGATE_SEED=" + std::to_string(seed) + " turn " + std::to_string(i),
                random() % 2 == 0   ? "make test"
                : random() % 4 == 0 ? "whoami"
                : random() % 2 == 0 ? "cp sub/gate ../home"
                                    : "rm -r sub/../bin/make ~/.config/gate/state ../path/make");
    if (HasFatalFailure()) return;
    kept += watched_.kept();
  }
  EXPECT_GT(kept, static_cast<std::size_t>(turns) / 4) << "hardly anything was kept";
}

}  // namespace
}  // namespace tollgate
