// Records, links, and files that others touch meanwhile.
#include "providers/install.h"

#include <gtest/gtest.h>

#include "os/fault.h"
#include "providers/test_home.h"

namespace tollgate::providers {
namespace {

constexpr const char* kFile = "home/.claude/settings.json";

TEST(Install, KeepsWhatTheFileSaidBefore) {
  TestHome home;
  home.write(kFile, "{\"a\":1}");
  const auto changes = plan_install(*home.targets("claude"), home.data());
  ASSERT_TRUE(changes && changes->size() == 1);
  ASSERT_TRUE(apply_install(*changes, home.data()));
  EXPECT_EQ(os::read_file(backup_of((*changes)[0], home.data()), 1000).value_or(""), "{\"a\":1}");
}

TEST(Install, WritesThroughALinkAndLeavesTheLink) {
  TestHome home;
  home.write("dotfiles/claude.json", "{\"a\":1}");
  home.write("home/.claude/x", "");
  ASSERT_EQ(::symlink(home.at("dotfiles/claude.json").c_str(), home.at(kFile).c_str()), 0);
  EXPECT_EQ(home.install("claude"), "1");
  EXPECT_NE(home.read("dotfiles/claude.json").find("tollgate-hook"), std::string::npos);
  char buffer[4096];
  EXPECT_GT(::readlink(home.at(kFile).c_str(), buffer, sizeof buffer), 0);
  EXPECT_EQ(home.uninstall("claude"), "1");
  EXPECT_EQ(home.read("dotfiles/claude.json"), "{\"a\":1}");
}

TEST(Install, ALinkThatLeadsToNothingYetIsFilledWhereItLeads) {
  TestHome home;
  home.write("home/.claude/x", "");
  ASSERT_EQ(::symlink(home.at("later/claude.json").c_str(), home.at(kFile).c_str()), 0);
  EXPECT_EQ(home.install("claude"), "1");
  EXPECT_NE(home.read("later/claude.json").find("tollgate-hook"), std::string::npos);
}

TEST(Install, LinksInACircleAreRefused) {
  TestHome home;
  home.write("home/.claude/x", "");
  ASSERT_EQ(::symlink("settings.json", home.at(kFile).c_str()), 0);
  EXPECT_EQ(home.install("claude"), "file-unwritable ");
}

TEST(Install, AFileThatChangedMeanwhileIsLeftAlone) {
  TestHome home;
  home.write(kFile, "{\"a\":1}");
  const auto changes = plan_install(*home.targets("claude"), home.data());
  ASSERT_TRUE(changes);
  home.write(kFile, "{\"a\":2}");
  const Result<void> applied = apply_install(*changes, home.data());
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, "file-changed");
  EXPECT_EQ(home.read(kFile), "{\"a\":2}");
}

TEST(Install, AFailedWriteLeavesTheOldFile) {
  for (const char* call : {"create", "write", "fsync", "rename"}) {
    TestHome home;
    home.write(kFile, "{\"a\":1}");
    const auto changes = plan_install(*home.targets("claude"), home.data());
    ASSERT_TRUE(changes);
    for (int skip = 0; skip < 3; ++skip) {
      os::FaultPlan plan(call, EIO, skip);
      EXPECT_FALSE(apply_install(*changes, home.data())) << call << skip;
    }
    EXPECT_EQ(home.read(kFile), "{\"a\":1}") << call;
  }
}

TEST(Install, AnEmptyFileComesBackEmpty) {
  TestHome home;
  home.write(kFile, "");
  home.install("claude");
  home.uninstall("claude");
  EXPECT_EQ(home.read(kFile), "");
}

TEST(Install, WithoutTheRecordsOurOwnFileGoes) {
  TestHome home;
  home.install("claude");
  home.command().data = home.at("elsewhere");
  const auto changes = plan_uninstall(*home.targets("claude"), home.at("elsewhere"));
  ASSERT_TRUE(changes && changes->size() == 1);
  EXPECT_FALSE((*changes)[0].stays);
}

TEST(Install, EveryAgentOfKiroGetsTheHook) {
  TestHome home;
  home.write("home/.kiro/agents/a.json", "{\"name\": \"a\"}");
  home.write("home/.kiro/agents/b.json", "{\"name\": \"b\"}");
  home.write("home/.kiro/agents/notes.txt", "x");
  EXPECT_EQ(home.install("kiro"), "3");
  EXPECT_NE(home.read("home/.kiro/agents/a.json").find("tollgate-hook"), std::string::npos);
  EXPECT_NE(home.read("home/.kiro/agents/b.json").find("tollgate-hook"), std::string::npos);
  EXPECT_EQ(home.read("home/.kiro/agents/tollgate.json"), "(none)");
}

TEST(Install, BothHomesOfKimiAreFilledAndAnEmptyListMakesRoom) {
  TestHome home;
  home.write("home/.kimi/config.toml", "hooks = []\na = 1\n");
  home.write("home/.kimi-code/config.toml", "hooks = [{}]\n");
  EXPECT_EQ(home.install("kimi"), "settings-shape home/.kimi-code/config.toml:1:1");
  home.write("home/.kimi-code/config.toml", "");
  EXPECT_EQ(home.install("kimi"), "2");
  EXPECT_TRUE(home.read("home/.kimi/config.toml").starts_with("a = 1\n\n[[hooks]]\n"));
}

TEST(Install, CodexTrustFollowsThePlaceOfTheHook) {
  TestHome home;
  const std::string file = "home/.codex/config.toml";
  home.write(file,
             "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\n"
             "command = \"mine\"\n");
  home.install("codex");
  const std::string text = home.read(file);
  EXPECT_NE(text.find(":pre_tool_use:1:0\"]"), text.npos);
  EXPECT_NE(text.find(":permission_request:0:0\"]"), text.npos);
  // Another hook before ours moves it, and Codex would skip it: an install puts that right.
  home.write(file, "[[hooks.PreToolUse]]\n" + text);
  const auto found = (*home.targets("codex"))[0].find(home.read(file));
  ASSERT_TRUE(found && found->size() == 2);
  EXPECT_EQ((*found)[0].event, "PreToolUse (not trusted)");
  EXPECT_EQ(home.install("codex"), "1");
  EXPECT_NE(home.read(file).find(":pre_tool_use:2:0\"]"), std::string::npos);
}

TEST(Install, CodexHooksOfAnotherShapeAreRefused) {
  TestHome home;
  const std::string file = "home/.codex/config.toml";
  home.write(file, "a = 1\n[[hooks]]\n");
  EXPECT_EQ(home.install("codex"), "settings-shape home/.codex/config.toml:2:1");
  home.write(file, "[hooks.PreToolUse]\n");
  EXPECT_EQ(home.install("codex"), "settings-shape home/.codex/config.toml:1:1");
  home.write(file, "a = 1\nhooks = {}\n");
  EXPECT_EQ(home.install("codex"), "settings-shape home/.codex/config.toml:2:1");
  home.write(file, "[hooks]\nPreToolUse = []\n");
  EXPECT_EQ(home.install("codex"), "settings-shape home/.codex/config.toml:2:1");
}

}  // namespace
}  // namespace tollgate::providers
