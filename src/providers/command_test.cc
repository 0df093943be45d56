// The registered command: what it says, and that it is known again.
#include "providers/command.h"

#include <gtest/gtest.h>

#include "base/shell_words.h"
#include "providers/codex_hooks.h"
#include "providers/sha256.h"

namespace tollgate::providers {
namespace {

const HookCommand kCommand = {.program = "/opt/to ll/tollgate-hook",
                              .client = "claude",
                              .config = "/home/you/it's \"$HOME\".yaml",
                              .agent = "back end",
                              .data = "/var/data"};

TEST(Command, NamesEverythingAndQuotesIt) {
  EXPECT_EQ(command_line(kCommand, Shell::kPosix),
            "'/opt/to ll/tollgate-hook' claude --config '/home/you/it'\\''s \"$HOME\".yaml' "
            "--agent 'back end' --data /var/data --timeout 60 || { [ $? -eq 2 ] || echo "
            "'Tollgate: the hook failed, so the call is blocked' >&2; exit 2; }");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a;b"), "'a;b'");
}

TEST(Command, IsKnownAgain) {
  for (const Shell shell : {Shell::kPosix, Shell::kAny}) {
    const auto words = hook_words(command_line(kCommand, shell));
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, words_of(kCommand));
    EXPECT_EQ(option_of(*words, "--config"), kCommand.config);
    EXPECT_EQ(option_of(*words, "--sync"), "");
  }
}

TEST(Command, OtherCommandsAreNotOurs) {
  struct Case {
    const char *name, *line;
    bool ours;
  };
  const Case cases[] = {
      {"written by hand", "tollgate-hook claude --config /x", true},
      {"through the big program", "/usr/bin/tollgate hook claude", true},
      {"nothing", "", false},
      {"another program", "/usr/bin/guard claude", false},
      {"ours as a word of another", "echo /usr/bin/tollgate-hook claude", false},
      {"ours behind another", "guard; tollgate-hook claude", false},
      {"a name that only begins like it", "/x/tollgate-hook-logger claude", false},
      {"another verb", "tollgate eval x", false},
  };
  for (const Case& each : cases) EXPECT_EQ(is_ours(each.line), each.ours) << each.name;
}

TEST(Sha256, OfKnownTexts) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// As codex-cli 0.166.0 gave them in answer to hooks/list.
TEST(CodexHash, IsTheOneThatCodexMakes) {
  EXPECT_EQ(codex_hook_hash("pre_tool_use", ".*",
                            "'/a b/tollgate-hook' codex --config '/x/é\".yaml' || { [ $? -eq 2 ] "
                            "|| echo x >&2; exit 2; }",
                            60),
            "sha256:564afea6eb2a451b2a16989b431976634468e41d4df8056b5b80230524928eef");
  EXPECT_EQ(codex_hook_hash("permission_request", "", "x", 60),
            "sha256:1b0e21c8fa11a90af90929714d36d07d31a5291e87697db07aa7050042abd686");
}

}  // namespace
}  // namespace tollgate::providers
