// The built-in places: what is guarded, sensitive or vital, and what only looks like it.
#include "gate/places.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

Situation situation() {
  Situation s;
  s.home = {"/home/user", "/data/home/user"};
  s.base = s.cwd = {"/home/user/project", "/data/home/user/project"};
  s.roots = {s.base};
  s.path_dirs = {{"/home/user/bin", "/home/user/bin"}};
  s.gate = {{"/home/user/.config/tollgate", "/home/user/.config/tollgate"}};
  return s;
}

struct Case {
  const char* path;
  bool guarded;
  bool sensitive;
};

constexpr Case kCases[] = {
    {"/home/user/project/.git/config", true, false},
    {"/home/user/project/.GIT/hooks/x", true, false},
    {"/home/user/project/.gitignore", false, false},
    {"/home/user/project/.github/workflows/x.yml", false, false},
    {"/home/user/project/.env", false, true},
    {"/home/user/project/.env.local", false, true},
    {"/home/user/project/.env.example", false, false},
    {"/home/user/project/.environment", false, true},
    {"/home/user/project/.envrc", true, true},
    {"/home/user/project/.env~", false, true},
    {"/home/user/project/.env.local.sample", false, false},
    {"/home/user/project/.vscode/tasks.json", true, false},
    {"/home/user/project/.claude/settings.json", true, false},
    {"/home/user/project/.npmrc", true, true},
    {"/home/user/project/.cargo/config.toml", true, false},
    {"/home/user/project/.cargo", true, false},
    {"/home/user/project/Cargo.toml", false, false},
    {"/home/user/project/rust-toolchain", true, false},
    {"/home/user/project/sub/rust-toolchain.toml", true, false},
    {"/home/user/project/rust-toolchain.md", false, false},
    {"/home/user/project/.mvn/jvm.config", true, false},
    {"/home/user/project/.yarnrc", true, false},
    {"/home/user/project/.yarnrc.yml", true, false},
    {"/home/user/project/.yarn/releases/yarn.cjs", true, false},
    {"/home/user/project/.YARN/Plugins/x.cjs", true, false},
    {"/home/user/project/.yarn", true, false},
    {"/home/user/.cargo/registry/x", false, false},
    {"/home/user/project/.yarn/cache/x.zip", false, false},
    {"/home/user/project/.yarn/releasesx", false, false},
    {"/home/user/project/.pnpmfile.cjs", true, false},
    {"/home/user/project/.tool-versions", true, false},
    {"/home/user/project/mise.toml", true, false},
    {"/home/user/project/.config/mise/config.toml", true, false},
    {"/home/user/project/.config/nextest.toml", false, false},
    {"/home/user/project/.bazelrc", true, false},
    {"/home/user/project/tools/bazel", true, false},
    {"/home/user/project/tools/bazel.md", false, false},
    {"/home/user/project/.hg/hgrc", true, false},
    {"/home/user/project/.hgignore", false, false},
    {"/home/user/project/package.json", false, false},
    {"/home/user/project/pyproject.toml", false, false},
    {"/home/user/project/Makefile", false, false},
    {"/home/user/project/.venv/pyvenv.cfg", true, false},
    {"/home/user/project/.venv/lib/python3/site-packages/x.pth", true, false},
    {"/home/user/project/.venv/lib/python3/site-packages/sitecustomize.py", true, false},
    {"/home/user/project/.venv/bin/python", true, false},
    {"/home/user/project/.poetry/plugins/x.py", true, false},
    {"/home/user/project/.pdm-python", true, false},
    {"/home/user/project/toxfile.py", true, false},
    {"/home/user/project/global.json", true, false},
    {"/home/user/project/models/x.pth", false, false},
    {"/home/user/project/src/sitecustomize.py", false, false},
    {"/home/user/.bashrc", true, false},
    {"/data/home/user/.bashrc", true, false},
    {"/home/user/project/.bashrc", false, false},
    {"/home/user/.ssh/config", true, true},
    {"/home/user/.ssh", true, true},
    {"/home/user/.sshx", false, false},
    {"/home/user/.aws/credentials", true, true},
    {"/home/user/bin/ls", true, false},
    {"/etc/shadow", false, true},
    {"/etc/cron.d/x", true, false},
    {"/etc/hosts", false, false},
    {"/proc/17/environ", false, true},
    {"/home/user/project/server.key", false, true},
    {"/home/user/project/id_ed25519", false, true},
    {"/home/user/project/id_ed25519.pub", false, false},
    {"/home/user/project/keys.txt", false, false},
    {"/home/user/.config/systemd/user/x.service", true, false},
    {"", false, false},
};

TEST(Places, AreKnownByName) {
  for (const Case& c : kCases) {
    EXPECT_EQ(!guarded_place(c.path, situation()).empty(), c.guarded) << c.path;
    EXPECT_EQ(!sensitive_place(c.path, situation()).empty(), c.sensitive) << c.path;
  }
}

TEST(Places, KnowTheRootsThatMustNotGo) {
  for (const char* path : {"/", "/usr", "/etc", "/home", "/home/user", "/home/user/project",
                           "/data/home/user", "/data", "/root"})
    EXPECT_FALSE(vital_root(path, situation()).empty()) << path;
  for (const char* path :
       {"/home/user/project/build", "/home/user/other", "/tmp/x", "/usr/local/x"})
    EXPECT_TRUE(vital_root(path, situation()).empty()) << path;
}

TEST(Places, KnowTheGatesOwnFiles) {
  EXPECT_FALSE(gate_place("/home/user/.config/tollgate/tollgate.yaml", situation()).empty());
  EXPECT_TRUE(gate_place("/home/user/.config/tollgates", situation()).empty());
}

TEST(Secrets, ManyMarksOnOneLineCostNoMoreThanOne) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "-----BEGIN ";
  EXPECT_EQ(secret_in(text), "");
  EXPECT_EQ(secret_in(text + "PRIVATE KEY"), "a private key");
  EXPECT_EQ(secret_in(text + "\nPRIVATE KEY"), "");
  EXPECT_EQ(secret_in("-----BEGIN X\n-----BEGIN PRIVATE KEY"), "a private key");
}

TEST(Secrets, AreKnownByTheirShape) {
  const std::string letters(60, 'a');
  for (const std::string& text :
       {std::string("x\n-----BEGIN RSA PRIVATE KEY-----\n"), "key = AKIA" + std::string(16, 'A'),
        "ghp_" + letters, "token: sk-ant-" + letters, "xoxb-" + letters})
    EXPECT_FALSE(secret_in(text).empty()) << text;
  for (const std::string& text :
       {std::string("-----BEGIN PUBLIC KEY-----"), std::string("AKIA"), "task-" + letters,
        std::string("sk-short"), "xghp_" + letters, std::string()})
    EXPECT_TRUE(secret_in(text).empty()) << text;
}

}  // namespace
}  // namespace tollgate
