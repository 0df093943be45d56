// Whose settings git would follow: tables in a fixed world, and the same on the machine's files.
// A case is a world that differs in one thing from a plain repository.
// The real repositories are made by hand, in a directory of their own.
#include "service/repository.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/test_call.h"
#include "effects/effects.h"
#include "os/fault.h"
#include "os/files.h"
#include "service/git_settings.h"
#include "service/world.h"

namespace tollgate {
namespace {

// The look at the first repository that a command would follow.
PathLook seen(World& world, std::string command, std::string cwd, std::vector<std::string> roots) {
  const ToolCall call = bash(std::move(command), std::move(cwd));
  const Effects effects = effects_of(call);
  const Situation situation =
      world.look(call, effects, {.base = roots.empty() ? call.cwd : roots[0], .roots = roots});
  for (std::size_t i = 0; i < effects.size(); ++i)
    if (is_repository(effects[i])) return situation.paths[i];
  return {};
}

using Texts = std::map<std::string, std::string>;

// `/w` with a whole repository, and directories in and beside it. Texts are files; a path that
// ends in a slash is a directory.
FixedWorld world_of(const Texts& more) {
  FixedWorld world;
  world.files["/"] = {.state = PathState::kDirectory};
  const auto directory = [&](std::string path) {
    for (; !path.empty(); path.resize(path.rfind('/')))
      world.files[path] = {.state = PathState::kDirectory};
  };
  for (const char* path : {"/w/.git/objects", "/w/.git/refs", "/w/src/deep", "/w/vendor/lib", "/x"})
    directory(path);
  Texts texts = {{"/w/.git/HEAD", "ref: refs/heads/main\n"},
                 {"/w/.git/config", "[core]\n\tbare = false\n"}};
  for (const auto& [path, text] : more) texts[path] = text;
  for (const auto& [path, text] : texts) {
    directory(path.substr(0, path.rfind('/')));
    if (!path.ends_with('/')) world.texts[path] = text;
  }
  return world;
}

struct Case {
  std::string_view name;
  std::string command;
  Texts more;
  Repository want;
  std::string why = {};
};

void expect_all(std::span<const Case> cases, const std::vector<std::string>& roots = {"/w"}) {
  for (const Case& c : cases) {
    FixedWorld world = world_of(c.more);
    const PathLook look = seen(world, c.command, roots[0], roots);
    EXPECT_EQ(look.repository, c.want) << c.name << ": " << look.why;
    EXPECT_EQ(look.why, c.why) << c.name;
  }
}

constexpr Repository kOwn = Repository::kOwn;
constexpr Repository kOther = Repository::kOther;
constexpr Repository kMissing = Repository::kMissing;
constexpr Repository kNames = Repository::kNamesPrograms;

TEST(Repositories, AreTheWorkspacesOwnOnlyInsideIt) {
  const std::string nested = "`/w/vendor/lib` has a repository of its own";
  const Case kCases[] = {
      {"the root itself", "git status", {}, kOwn},
      {"a directory below", "git -C src/deep log", {}, kOwn},
      {"after cd", "cd src && git diff", {}, kOwn},
      {"a directory of no repository inside", "git -C vendor/lib status", {}, kOwn},
      {"outside", "git -C /x status", {}, kOther, "`/x` lies outside the workspace"},
      {"above", "cd .. && git status", {}, kOther, "`/` lies outside the workspace"},
      {"not there", "cd new && git status", {}, kMissing, "`/w/new` is not there"},
      {"a file", "git -C src/a status", {{"/w/src/a", ""}}, kMissing, "`/w/src/a` is no directory"},
      {"not known",
       "git -C \"$D\" status",
       {},
       Repository::kNone,
       "where it would run cannot be told"},
      {"a clone below",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/.git/HEAD", ""}},
       kOther,
       nested},
      {"in a clone below",
       "cd vendor/lib/deep && git log",
       {{"/w/vendor/lib/.git/HEAD", ""}, {"/w/vendor/lib/deep/", ""}},
       kOther,
       nested},
      {"an empty one below",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/.git/", ""}},
       kOther,
       nested},
      {"a submodule below",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/.git", "gitdir: ../../.git/modules/lib\n"},
        {"/w/.git/modules/lib/HEAD", ""},
        {"/w/.git/modules/lib/config", "[core]\nworktree = ../../../vendor/lib\n"}},
       kOther,
       nested},
      {"a bare one below",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/HEAD", ""}, {"/w/vendor/lib/objects/", ""}, {"/w/vendor/lib/refs/", ""}},
       kOther,
       "`/w/vendor/lib` is shaped like a bare repository"},
      {"a bare one with its parts elsewhere",
       "git -C vendor/lib log",
       {{"/w/vendor/lib/HEAD", ""}, {"/w/vendor/lib/commondir", "/x"}},
       kOther,
       "`/w/vendor/lib` is shaped like a bare repository"},
      {"a part of one is none",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/HEAD", ""}, {"/w/vendor/lib/objects/", ""}},
       kOwn},
      {"git's own files",
       "cd .git && git log",
       {},
       kOther,
       "`/w/.git` is shaped like a bare repository"},
      {"git-lfs looks there too",
       "git-lfs ls-files",
       {{"/w/.git/config", "[diff]\nexternal=x"}},
       kNames,
       "`/w/.git/config` names the program `x` in `diff.external`"},
  };
  expect_all(kCases);
}

TEST(Repositories, MayLieAboveTheRoot) {
  const Case kCases[] = {
      {"one above", "git status", {}, kOwn},
      {"its settings count",
       "git status",
       {{"/w/.git/config", "[core]\nfsmonitor = ./x"}},
       kNames,
       "`/w/.git/config` names the program `./x` in `core.fsmonitor`"},
      {"another root", "git -C /w/vendor status", {}, kOwn},
      {"not a root", "git -C /w status", {}, kOther, "`/w` lies outside the workspace"},
      {"an incomplete one is passed by, but not unread",
       "git status",
       {{"/w/src/.git/config", ""}, {"/w/.git/config", "[diff]\nexternal = ./x"}},
       kNames,
       "`/w/.git/config` names the program `./x` in `diff.external`"},
  };
  expect_all(kCases, {"/w/src", "/w/vendor"});
  const Case kNested[] = {
      {"a root in a root has its own",
       "git -C /w/vendor/lib status",
       {{"/w/vendor/lib/.git/HEAD", ""}},
       kOwn},
  };
  expect_all(kNested, {"/w", "/w/vendor/lib"});
  FixedWorld nothing;
  nothing.files["/w"] = {.state = PathState::kDirectory};
  EXPECT_EQ(seen(nothing, "git status", "/w", {}).repository, kOwn) << "no repository at all";
}

TEST(Repositories, NameNoProgramsInTheirSettings) {
  const auto config = [](std::string text) { return Texts{{"/w/.git/config", std::move(text)}}; };
  const std::string unreadable = "`/w/.git/config` cannot be read as git's configuration";
  const Case kCases[] = {
      {"a pager", "git log", config("[core]\npager = sh -c id"), kNames,
       "`/w/.git/config` names the program `sh -c id` in `core.pager`"},
      {"settings of this work tree",
       "git log",
       {{"/w/.git/config.worktree", "[alias]\nx = !y"}},
       kNames,
       "`/w/.git/config.worktree` names the program `!y` in `alias.x`"},
      {"another file", "git log", config("[include]\npath = x"), kNames,
       "`/w/.git/config` sets `include.path` to `x`"},
      {"git-lfs and husky", "git log",
       config("[filter \"lfs\"]\nprocess = git-lfs filter-process\n[core]\nhooksPath=.husky/_"),
       kOwn},
      {"its own hooks", "git log", config("[core]\nhooksPath = /w/.git/hooks"), kOwn},
      {"a work tree elsewhere", "git log", config("[core]\nworktree = /x"), kNames,
       "`/w/.git/config` sets core.worktree to `/x`"},
      {"its own work tree", "git log", config("[core]\nworktree = .."), kOwn},
      {"no work tree", "git log", config("[core]\nbare = true"), kNames,
       "`/w/.git/config` sets core.bare"},
      {"what git would refuse", "git log", config("[core\n"), kNames, unreadable},
      {"too much of it", "git log", config(std::string(kMaxSettingsBytes + 1, '\n')), kNames,
       unreadable},
      {"a text that would mislead", "git log", config("[core]\npager = a\\nb\xff\n"), kNames,
       "`/w/.git/config` names the program `a?b?` in `core.pager`"},
      {"parts that lie elsewhere",
       "git log",
       {{"/w/.git/commondir", "/x"}},
       kOther,
       "`/w/.git` belongs to another repository by its `commondir`"},
  };
  expect_all(kCases);
  FixedWorld linked = world_of({{"/x/.git/HEAD", ""}});
  linked.links["/w/.git"] = "/x/.git";
  EXPECT_EQ(seen(linked, "git status", "/w", {}).why, "`/w/.git` is a link to `/x/.git`");
  FixedWorld directory = world_of({{"/w/.git/config.worktree/", ""}});
  EXPECT_EQ(seen(directory, "git status", "/w", {}).repository, kNames);
}

TEST(Repositories, MayHaveSeveralWorkTrees) {
  const Texts tree = {{"/w/trees/a/.git", "gitdir: /w/.git/worktrees/a\n"},
                      {"/w/.git/worktrees/a/HEAD", ""},
                      {"/w/.git/worktrees/a/commondir", "../..\n"},
                      {"/w/.git/worktrees/a/gitdir", "/w/trees/a/.git\n"}};
  const auto with = [&](const Texts& more) {
    Texts all = tree;
    for (const auto& [path, text] : more) all[path] = text;
    return all;
  };
  const std::string astray =
      "`/w/trees/a/.git` leads to `/w/.git/worktrees/a`, which does not lead back";
  const Case kCases[] = {
      {"one below the workspace", "git -C trees/a status", tree, kOwn},
      {"by relative paths", "git -C trees/a status",
       with({{"/w/trees/a/.git", "gitdir: ../../.git/worktrees/a"},
             {"/w/.git/worktrees/a/gitdir", "../../../trees/a/.git"}}),
       kOwn},
      {"the shared settings count", "git -C trees/a status",
       with({{"/w/.git/config", "[core]\npager = x"}}), kNames,
       "`/w/.git/config` names the program `x` in `core.pager`"},
      {"and its own", "git -C trees/a status",
       with({{"/w/.git/worktrees/a/config.worktree", "[core]\npager = x"}}), kNames,
       "`/w/.git/worktrees/a/config.worktree` names the program `x` in `core.pager`"},
      {"bareness is about the first one", "git -C trees/a status",
       with({{"/w/.git/config", "[core]\nbare = true"}}), kOwn},
      {"settings that lie elsewhere", "git -C trees/a status",
       with({{"/w/.git/worktrees/a/commondir", "/x"}}), kOther, astray},
      {"no way back", "git -C trees/a status",
       with({{"/w/.git/worktrees/a/gitdir", "/w/trees/b/.git"}}), kOther, astray},
      {"of another repository",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/.git", "gitdir: /x/.git/worktrees/lib"},
        {"/x/.git/HEAD", ""},
        {"/x/.git/objects/", ""},
        {"/x/.git/refs/", ""},
        {"/x/.git/worktrees/lib/HEAD", ""},
        {"/x/.git/worktrees/lib/commondir", "../.."},
        {"/x/.git/worktrees/lib/gitdir", "/w/vendor/lib/.git"}},
       kOther,
       "`/w/vendor/lib` has a repository of its own"},
      {"a file that says something else",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/.git", "hello"}},
       kOther,
       "`/w/vendor/lib/.git` cannot be read"},
      {"a directory that is not there",
       "git -C vendor/lib status",
       {{"/w/vendor/lib/.git", "gitdir: /nowhere"}},
       kOther,
       "`/w/vendor/lib/.git` leads to `/nowhere`, which does not lead back"},
  };
  expect_all(kCases);
  const Case kAsRoot[] = {
      {"the workspace is one of them", "git status", tree, kOwn},
      {"and a directory in it", "git -C deep status", with({{"/w/trees/a/deep/", ""}}), kOwn},
      {"the first one lies outside then", "git -C /w status", tree, kOther,
       "`/w` lies outside the workspace"},
  };
  expect_all(kAsRoot, {"/w/trees/a"});
}

TEST(Repositories, MayBeAModuleWhereThatIsTheWorkspace) {
  const Texts module = {{"/w/vendor/lib/.git", "gitdir: ../../.git/modules/lib\n"},
                        {"/w/.git/modules/lib/HEAD", ""},
                        {"/w/.git/modules/lib/config", "[core]\nworktree = ../../../vendor/lib\n"}};
  const auto with = [&](std::string config) {
    Texts all = module;
    all["/w/.git/modules/lib/config"] = std::move(config);
    return all;
  };
  const Case kCases[] = {
      {"both lead to each other", "git status", module, kOwn},
      {"no way back", "git status", with(""), kOther,
       "`/w/.git/modules/lib` does not lead back to `/w/vendor/lib`"},
      {"another way back", "git status", with("[core]\nworktree = /x\n"), kNames,
       "`/w/.git/modules/lib/config` sets core.worktree to `/x`"},
      {"no module",
       "git status",
       {{"/w/vendor/lib/.git", "gitdir: /x/store"}, {"/x/store/HEAD", ""}},
       kOther,
       "`/w/vendor/lib/.git` leads to `/x/store`, which does not lead back"},
  };
  expect_all(kCases, {"/w/vendor/lib"});
}

TEST(Repositories, OfOtherProgramsAreLookedAtAsWell) {
  const Case kCases[] = {
      {"Mercurial",
       "hg status",
       {{"/w/.hg/hgrc", "[paths]\ndefault = https://example.com/x\n"}},
       kOwn},
      {"Mercurial with a hook",
       "hg status",
       {{"/w/.hg/hgrc", "[hooks]\npre-status = x\n"}},
       kNames,
       "`/w/.hg/hgrc` may name a program in `pre-status = x`"},
      {"Mercurial elsewhere",
       "hg --cwd vendor/lib status",
       {{"/w/vendor/lib/.hg/hgrc", ""}},
       kOther,
       "`/w/vendor/lib` has a repository of its own"},
      {"Mercurial with a shared store",
       "hg status",
       {{"/w/.hg/sharedpath", "/x/.hg"}},
       kOther,
       "`/w/.hg` leads to another repository"},
      {"git's settings are not Mercurial's",
       "hg status",
       {{"/w/.git/config", "[diff]\nexternal=x"}},
       kOwn},
      {"Jujutsu", "jj log", {{"/w/.jj/repo/config.toml", "[user]\nname = \"me\"\n"}}, kOwn},
      {"Jujutsu with a pager",
       "jj log",
       {{"/w/.jj/repo/config.toml", "[ui]\npager = \"x\"\n"}},
       kNames,
       "`/w/.jj/repo/config.toml` may name a program in `[ui]`"},
      {"Jujutsu elsewhere",
       "cd vendor/lib && jj log",
       {{"/w/vendor/lib/.jj/repo/", ""}},
       kOther,
       "`/w/vendor/lib` has a repository of its own"},
      {"Jujutsu with another workspace's store",
       "jj log",
       {{"/w/.jj/repo", "/x/.jj/repo"}},
       kOther,
       "`/w/.jj` leads to another repository"},
      {"Python with its own module", "python3 -m json.tool a", {{"/w/setup.py", ""}}, kOwn},
      {"Python with a module of the directory's",
       "python3 -m json.tool a",
       {{"/w/argparse.py", ""}},
       kNames,
       "`argparse.py` here may come before its own module"},
      {"Python with a package of the directory's",
       "python3 -m json.tool a",
       {{"/w/json/__init__.py", ""}},
       kNames,
       "`json` here may come before its own module"},
      {"Python elsewhere", "cd vendor/lib && python3 -m json.tool a", {{"/w/json.py", ""}}, kOwn},
  };
  expect_all(kCases);
}

TEST(Repositories, AreLookedAtUpToABound) {
  FixedWorld world = world_of({});
  std::string command;
  for (std::size_t i = 0; i <= kMaxRepositoryLooks; ++i) {
    const std::string directory = "/w/d" + std::to_string(i);
    world.files[directory] = {.state = PathState::kDirectory};
    command += "git -C " + directory + " status;";
  }
  const ToolCall call = bash(command, "/w");
  const Effects effects = effects_of(call);
  const Situation situation = world.look(call, effects, {});
  EXPECT_EQ(situation.paths.back().repository, Repository::kNone);
  EXPECT_EQ(situation.paths[situation.paths.size() - 3].repository, kOwn);
}

TEST(Repositories, AreNotAskedAboutWhereGitOnlyTellsOfItself) {
  for (const char* command : {"git --version", "git version", "git --exec-path", "svn info"}) {
    FixedWorld world;
    EXPECT_EQ(seen(world, command, "/w", {}), PathLook{}) << command;
  }
}

// A directory with the repository `w`, its further work tree `tree`, the clone `w/vendor` and the
// link `w/link` to a directory in that clone.
class RealRepositories : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "repository_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = std::filesystem::canonical(name).string();
    for (const char* repository : {"/w", "/w/vendor"}) {
      for (const char* directory : {"/.git/objects", "/.git/refs", "/src/deep"})
        ASSERT_TRUE(os::make_private_directory(top_ + repository + directory));
      write(std::string(repository) + "/.git/HEAD", "ref: refs/heads/main\n");
      write(std::string(repository) + "/.git/config", "[core]\n\tbare = false\n");
    }
    ASSERT_TRUE(os::make_private_directory(top_ + "/tree"));
    ASSERT_TRUE(os::make_private_directory(top_ + "/w/.git/worktrees/tree"));
    write("/tree/.git", "gitdir: " + top_ + "/w/.git/worktrees/tree\n");
    write("/w/.git/worktrees/tree/HEAD", "ref: refs/heads/tree\n");
    write("/w/.git/worktrees/tree/commondir", "../..\n");
    write("/w/.git/worktrees/tree/gitdir", top_ + "/tree/.git\n");
    ASSERT_EQ(symlink("vendor/src/deep", (top_ + "/w/link").c_str()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  void write(const std::string& path, const std::string& text) {
    ASSERT_TRUE(os::write_atomically(top_ + path, text));
  }
  PathLook look(std::string command, const std::string& root = "/w") {
    RealWorld world;
    return seen(world, std::move(command), top_ + root, {top_ + root});
  }

  std::string top_;
};

TEST_F(RealRepositories, AreFollowedOnlyWhereTheyAreTheWorkspacesOwn) {
  EXPECT_EQ(look("git status").repository, kOwn) << look("git status").why;
  EXPECT_EQ(look("git -C src/deep log").repository, kOwn);
  EXPECT_EQ(look("git status", "/w/src").repository, kOwn) << "the root is a directory of one";
  EXPECT_EQ(look("git status", "/tree").repository, kOwn) << look("git status", "/tree").why;
  EXPECT_EQ(look("git -C vendor status").repository, kOther);
  EXPECT_EQ(look("git -C vendor/src/deep status").repository, kOther);
  EXPECT_EQ(look("git -C link status").repository, kOther) << "behind a link";
  EXPECT_EQ(look("git -C link/.. status").repository, kOther) << "where the kernel goes";
  EXPECT_EQ(look("git -C link/../../.. status").repository, kOwn);
  EXPECT_EQ(look("git -C .. status").repository, kOther);
  EXPECT_EQ(look("git -C nowhere status").repository, kMissing);
  EXPECT_EQ(look("git -C /proc/self/cwd status").repository, Repository::kNone);
}

TEST_F(RealRepositories, AreReadAtEachLook) {
  write("/w/.git/config", "[core]\n\tfsmonitor = ./x.sh\n");
  EXPECT_EQ(look("git status").why,
            "`" + top_ + "/w/.git/config` names the program `./x.sh` in `core.fsmonitor`");
  EXPECT_EQ(look("git status", "/tree").repository, kNames);
  write("/w/.git/config", "[core]\n\tfsmonitor = true\n");
  EXPECT_EQ(look("git status").repository, kOwn);
  const os::FaultPlan plan("open", EIO);
  EXPECT_EQ(look("git status").repository, kNames) << "what cannot be read may name any program";
}

}  // namespace
}  // namespace tollgate
