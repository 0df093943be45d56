// The look: what the machine shows of a call's paths, and the same for the fixed twin.
// The real one is tried in a directory of its own, made and removed by the test.
// What must stay unknown stays unknown in both.
#include "service/world.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "core/test_call.h"
#include "effects/effects.h"
#include "os/fault.h"
#include "os/files.h"

namespace tollgate {
namespace {

// A directory with `outside/secret`, `w/file`, `w/tree/deep/.env` and the link `w/link` to
// `outside`.
class RealWorldTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "world_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    char* real = realpath(name.c_str(), nullptr);
    ASSERT_NE(real, nullptr);
    top_ = real;
    std::free(real);
    for (const char* directory : {"/outside", "/w", "/w/tree", "/w/tree/deep"})
      ASSERT_TRUE(os::make_private_directory(top_ + directory));
    for (const char* file : {"/outside/secret", "/w/file", "/w/tree/deep/.env"})
      ASSERT_TRUE(os::write_atomically(top_ + file, "x"));
    ASSERT_EQ(symlink((top_ + "/outside").c_str(), (top_ + "/w/link").c_str()), 0);
  }

  void TearDown() override {
    for (const char* path : {"/w/link", "/outside/secret", "/w/file", "/w/tree/deep/.env",
                             "/w/tree/deep", "/w/tree", "/w", "/outside", ""})
      std::remove((top_ + path).c_str());
  }

  // The look at the last effect of a command run in w.
  PathLook look(std::string command, bool walk = false) {
    const ToolCall call = bash(std::move(command), top_ + "/w");
    const Effects effects = effects_of(call);
    const Situation situation = world_.look(call, effects, {.walk = walk});
    EXPECT_EQ(situation.paths.size(), effects.size());
    return situation.paths.empty() ? PathLook{} : situation.paths.back();
  }

  std::string top_;
  RealWorld world_;
};

TEST_F(RealWorldTest, ResolvesWhatIsThereAndWhatIsNot) {
  struct Case {
    std::string name, command;
    PathState state;
    std::string real;
  };
  const Case cases[] = {
      {"a file", "cat file", PathState::kFile, top_ + "/w/file"},
      {"a directory", "ls tree", PathState::kDirectory, top_ + "/w/tree"},
      {"a file that is not there", "touch new/x", PathState::kMissing, top_ + "/w/new/x"},
      {"a file behind a link", "cat link/secret", PathState::kFile, top_ + "/outside/secret"},
      {"a new file behind a link", "touch link/new", PathState::kMissing, top_ + "/outside/new"},
      {"the parent of a link's target", "cat link/../w/file", PathState::kFile, top_ + "/w/file"},
      {"what text alone would miss", "cat link/../outside/secret", PathState::kFile,
       top_ + "/outside/secret"},
      {"after cd through a link", "cd link && cat ../outside/secret", PathState::kFile,
       top_ + "/outside/secret"},
      {"a device", "cat /dev/urandom", PathState::kOther, "/dev/urandom"},
      {"where another process stands", "cat /proc/self/cwd/file", PathState::kUnknown, ""},
      {"another process's variables", "cat /proc/1/environ", PathState::kUnknown, ""},
      {"a descriptor", "cat /dev/fd/3", PathState::kUnknown, ""},
      {"standard input by name", "cat /dev/stdin", PathState::kUnknown, ""},
      {"no path at all", "pwd", PathState::kUnknown, ""},
  };
  for (const Case& c : cases) {
    const PathLook found = look(c.command);
    EXPECT_EQ(found.state, c.state) << c.name;
    EXPECT_EQ(found.real, c.real) << c.name;
    EXPECT_FALSE(found.walked) << c.name;
  }
}

TEST_F(RealWorldTest, WalksOnlyTreesAndOnlyWhenAskedOrDeleting) {
  EXPECT_TRUE(look("rm -r tree").walked);
  EXPECT_FALSE(look("chmod -R 600 tree").walked);
  EXPECT_FALSE(look("ls tree", true).walked);
  EXPECT_FALSE(look("rm -r missing", true).walked);
  const PathLook walked = look("rm -r tree", true);
  EXPECT_TRUE(walked.walked);
  EXPECT_FALSE(walked.walk_cut);
  EXPECT_EQ(walked.below,
            (std::vector<std::string>{top_ + "/w/tree/deep", top_ + "/w/tree/deep/.env"}));
}

TEST_F(RealWorldTest, SeesTheShapeOfABareRepository) {
  const auto make = [&](const char* path) { ASSERT_TRUE(os::make_private_directory(top_ + path)); };
  make("/w/store/objects");
  make("/w/store/refs");
  ASSERT_TRUE(os::write_atomically(top_ + "/w/store/HEAD", "x"));
  EXPECT_TRUE(look("touch store/config").bare_repository);
  EXPECT_TRUE(look("touch store/hooks/deep/x").bare_repository);
  EXPECT_TRUE(look("rm -r store").bare_repository);
  EXPECT_FALSE(look("cat store/HEAD").bare_repository) << "reading changes nothing";
  EXPECT_FALSE(look("touch beside").bare_repository);
  EXPECT_TRUE(look("touch link/HEAD link/refs link/objects/x").bare_repository)
      << "where the link leads, and made by this call alone";
  ASSERT_EQ(std::remove((top_ + "/w/store/HEAD").c_str()), 0);
  EXPECT_FALSE(look("touch store/config").bare_repository);
  EXPECT_TRUE(look("touch store/HEAD").bare_repository) << "it would complete the shape";
  {
    const os::FaultPlan plan("stat", EIO);
    EXPECT_TRUE(look("touch beside").bare_repository) << "what cannot be looked at may be one";
  }
  for (const char* path : {"/w/store/objects", "/w/store/refs", "/w/store"})
    std::remove((top_ + path).c_str());
}

TEST_F(RealWorldTest, SaysWhereTheSessionStands) {
  const ToolCall call = bash("pwd", top_ + "/w/link");
  const LookPlan plan{.base = top_ + "/w",
                      .roots = {top_ + "/w", top_ + "/w/link"},
                      .home = top_,
                      .gate = {top_ + "/w/link/policy.yaml"},
                      .search_path = top_ + "/w/tree:relative:" + top_ + "/nowhere",
                      .approver_reachable = false};
  const Situation situation = world_.look(call, {}, plan);
  EXPECT_GT(situation.now, 1'600'000'000);
  EXPECT_EQ(situation.base, (Place{top_ + "/w", top_ + "/w"}));
  EXPECT_EQ(situation.cwd, (Place{top_ + "/w/link", top_ + "/outside"}));
  ASSERT_EQ(situation.roots.size(), 2u);
  EXPECT_EQ(situation.roots[1].real, top_ + "/outside");
  ASSERT_EQ(situation.gate.size(), 1u);
  EXPECT_EQ(situation.gate[0].real, top_ + "/outside/policy.yaml");
  EXPECT_EQ(situation.path_dirs, (std::vector<Place>{{top_ + "/w/tree", top_ + "/w/tree"}}));
  EXPECT_FALSE(situation.approver_reachable);
}

TEST(FixedWorld, ShowsWhatItWasGiven) {
  FixedWorld world;
  world.now = 42;
  world.files["/w"] = {.state = PathState::kDirectory, .below = {"/w/.env"}};
  world.files["/w/link"] = {.state = PathState::kFile, .real = "/secret"};
  const ToolCall call = bash("cat link missing && ls -R", "/w");
  const Situation situation = world.look(call, effects_of(call), {.walk = true});
  EXPECT_EQ(situation.now, 42);
  EXPECT_EQ(situation.roots, (std::vector<Place>{{"/w", "/w"}}));
  ASSERT_EQ(situation.paths.size(), 5u);
  EXPECT_EQ(situation.paths[1].real, "/secret");
  EXPECT_EQ(situation.paths[2].state, PathState::kMissing);
  EXPECT_TRUE(situation.paths[4].walked);
  EXPECT_EQ(situation.paths[4].below, (std::vector<std::string>{"/w/.env"}));
}

TEST(FixedWorld, TakesAPathBeyondTheBoundForABareRepository) {
  const auto touch = [](std::size_t length) {
    FixedWorld world;
    world.links["/l"] = "/" + std::string(length - 3, 'a');
    const ToolCall call = bash("touch /l/x", "/w");
    return world.look(call, effects_of(call), {}).paths.back().bare_repository;
  };
  EXPECT_FALSE(touch(4'096));
  EXPECT_TRUE(touch(4'097));
}

TEST(FixedWorld, FollowsItsLinksAsTheKernelWould) {
  FixedWorld world;
  world.files["/etc/app/conf"] = {.state = PathState::kFile};
  world.links = {
      {"/w/out", "/etc/app"}, {"/w/up", "../etc"}, {"/w/a", "b"}, {"/w/b", "a"}, {"/w/two", "out"}};
  struct Case {
    std::string_view name;
    std::string path;
    PathState state;
    std::string real;
  };
  const Case kCases[] = {
      {"a link in the middle is followed", "/w/out/conf", PathState::kFile, "/etc/app/conf"},
      {"a link to a link is followed", "/w/two/conf", PathState::kFile, "/etc/app/conf"},
      {"a relative link starts where it lies", "/w/up/app/conf", PathState::kFile, "/etc/app/conf"},
      {"two dots leave the real directory", "/w/out/../app/conf", PathState::kFile,
       "/etc/app/conf"},
      {"a missing tail keeps its name", "/w/out/new", PathState::kMissing, "/etc/app/new"},
      {"links in circles lead nowhere", "/w/a/x", PathState::kUnknown, ""},
  };
  for (const Case& one : kCases) {
    Effect effect;
    effect.kind = EffectKind::kRead;
    effect.path = one.path;
    const Situation seen = world.look(bash("", "/w"), {effect}, {});
    EXPECT_EQ(seen.paths[0].state, one.state) << one.name;
    EXPECT_EQ(seen.paths[0].real, one.real) << one.name;
  }
}

}  // namespace
}  // namespace tollgate
