// Which git commands lose work or change git's configuration, by their words alone.
// Options may be cut short, bundled, and stand behind git's own.
#include "gate/git_work.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace tollgate {
namespace {

std::vector<Word> words_of(std::string_view command) {
  std::vector<Word> words;
  for (const std::string_view word : split(command, ' ')) words.push_back({std::string(word), {}});
  return words;
}

constexpr std::string_view kDiscards[] = {
    "git reset --hard",
    "git -C x reset --har HEAD~1",
    "git --git-dir=x -c a=b reset --hard",
    "/usr/bin/git reset --hard",
    "git clean -f",
    "git clean -xdf",
    "git clean --force -d",
    "git checkout -- a.c",
    "git checkout .",
    "git checkout -f main",
    "git checkout HEAD -- a",
    "git restore a.c",
    "git restore --staged --worktree a.c",
    "git switch --discard-changes main",
    "git stash drop",
    "git stash clear",
    "git branch -D x",
    "git branch -d -f x",
    "git branch --delete --force x",
    "git push -f",
    "git push --force origin main",
    "git push origin +main",
    "git push origin :main",
    "git push --mirror",
    "git reflog expire --all",
    "git worktree remove --force x",
    "git reset --h",
    "git reset --merge",
    "git reset --k HEAD~1",
    "git checkout -p",
    "git checkout-index -fa",
    "git checkout-index --fo a.c",
    "git read-tree -u --reset HEAD",
    "git update-ref -d refs/heads/x",
    "git update-ref --stdin",
};

constexpr std::string_view kKeeps[] = {
    "git",
    "git reset",
    "git reset --soft HEAD~1",
    "git clean -n",
    "git clean -fn",
    "git checkout main",
    "git checkout -b x",
    "git restore --staged a.c",
    "git switch main",
    "git stash",
    "git stash list",
    "git branch -d x",
    "git push",
    "git push --force-with-lease",
    "git push -u origin main",
    "git log --hard",
    "git read-tree -m -u HEAD",
    "git checkout-index a.c",
    "git update-ref refs/heads/x HEAD",
    "hub reset --hard",
};

TEST(GitWork, WhatIsLost) {
  for (const std::string_view command : kDiscards)
    EXPECT_NE(git_discards(words_of(command)), "") << command;
  for (const std::string_view command : kKeeps)
    EXPECT_EQ(git_discards(words_of(command)), "") << command;
}

TEST(GitWork, Configuration) {
  for (const std::string_view command :
       {"git config a.b c", "git config --global a.b c", "git config --unset a.b", "git config -e",
        "git config set a.b c", "git -C x config --add a.b c"})
    EXPECT_TRUE(git_configures(words_of(command))) << command;
  for (const std::string_view command : {"git config a.b", "git config --get a.b", "git config -l",
                                         "git config --list", "git config get a.b", "git status"})
    EXPECT_FALSE(git_configures(words_of(command))) << command;
}

}  // namespace
}  // namespace tollgate
