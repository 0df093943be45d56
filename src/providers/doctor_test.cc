// The doctor, with a runner that answers as hooks do.
#include "providers/doctor.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "json/json.h"
#include "providers/failure_modes.h"
#include "providers/test_home.h"

namespace tollgate::providers {
namespace {

TEST(Probe, EachClientHearsItsOwnWords) {
  struct Case {
    const char *name, *client;
    int status;
    const char *out, *err;
    Outcome outcome;
  };
  constexpr const char* kNested =
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}})";
  constexpr const char* kNestedAsk = R"({"hookSpecificOutput":{"permissionDecision":"ask"}})";
  constexpr const char* kFlat = R"({"permissionDecision":"deny","permissionDecisionReason":"r"})";
  const Case cases[] = {
      {"a nested deny blocks Claude", "claude", 0, kNested, "", Outcome::kBlocks},
      {"exit 2 blocks Claude", "claude", 2, "", "r", Outcome::kBlocks},
      {"exit 1 does not", "claude", 1, "", "r", Outcome::kOpen},
      {"a program that is not there does not", "claude", 127, "", "not found", Outcome::kOpen},
      {"garbage does not", "claude", 0, "hello", "", Outcome::kOpen},
      {"silence does not", "claude", 0, "", "", Outcome::kOpen},
      {"an ask asks", "claude", 0, kNestedAsk, "", Outcome::kAsks},
      {"Codex runs on ask", "codex", 0, kNestedAsk, "", Outcome::kOpen},
      {"exit 2 without a word does not block Codex", "codex", 2, "", "", Outcome::kOpen},
      {"with a word it does", "codex", 2, "", "r", Outcome::kBlocks},
      {"Copilot hears flat members", "copilot", 0, kFlat, "", Outcome::kBlocks},
      {"and no nested ones", "copilot", 0, kNested, "", Outcome::kOpen},
      {"exit 1 blocks Copilot", "copilot", 1, "", "", Outcome::kBlocks},
      {"Gemini hears decision", "gemini", 0, R"({"decision":"deny","reason":"r"})", "",
       Outcome::kBlocks},
      {"Gemini passes exit 1 over", "gemini", 1, "", "", Outcome::kOpen},
      {"Kiro hears the status", "kiro", 2, "", "r", Outcome::kBlocks},
      {"and runs on nothing", "kiro", 0, "", "", Outcome::kRuns},
      {"and passes exit 1 over", "kiro", 1, "", "", Outcome::kOpen},
      {"Kimi hears a deny", "kimi", 0, kNested, "", Outcome::kBlocks},
      {"Cursor hears permission", "cursor", 0, R"({"permission":"allow"})", "", Outcome::kRuns},
      {"the plugin of opencode throws on silence", "opencode", 0, "", "", Outcome::kBlocks},
      {"and lets pass on allow alone", "opencode", 0, R"({"decision":"allow"})", "",
       Outcome::kRuns},
  };
  for (const Case& each : cases)
    EXPECT_EQ(heard_by_client(each.client, each.status, each.out, each.err).outcome, each.outcome)
        << each.name;
}

// What Claude's hook says to each probe; a hook that is not there does what the command says.
Result<os::Ran> good_hook(std::span<const std::string> words, std::string_view input, int limit) {
  EXPECT_GT(limit, 0);
  if (words.size() == 2) return os::Ran{0, false, "9.9.9 (Claude Code)\nmore\n", ""};
  if (words[2].find("/nonexistent/") != std::string::npos) {
    const bool wrapped = words[2].find("exit 2") != std::string::npos;
    return os::Ran{wrapped ? 2 : 127, false, "", "Tollgate: failed"};
  }
  const bool allows = input.find("\"pwd\"") != input.npos;
  return os::Ran{0, false,
                 std::string(R"({"hookSpecificOutput":{"permissionDecision":")") +
                     (allows ? "allow" : "deny") + R"(","permissionDecisionReason":"r"}})",
                 ""};
}

class Doctor : public testing::Test {
 protected:
  void SetUp() override {
    home_.write("bin/tollgate-hook", "x", 0755);
    home_.write("bin/claude", "x", 0755);
    home_.command().program = home_.at("bin/tollgate-hook");
  }

  ClientReport examine_claude(Runner run = good_hook) {
    const Surroundings surroundings{.scene = {.home = home_.at("home"),
                                              .project = home_.at("project"),
                                              .plugin = "",
                                              .environment = environment_},
                                    .search_path = "relative:" + home_.at("bin"),
                                    .data_dir = home_.data(),
                                    .hook = home_.at("bin/tollgate-hook"),
                                    .run = std::move(run)};
    return examine(*provider_named("claude"), surroundings);
  }

  // The open ones, a line each.
  std::string open(const ClientReport& report) const {
    std::string out;
    for (const Check& each : report.checks)
      if (each.state == State::kOpen) out += home_.plain(each.what) + "\n";
    return out;
  }

  TestHome home_;
  os::Environment environment_;
};

TEST_F(Doctor, FindsTheProgramAndItsVersion) {
  const ClientReport report = examine_claude();
  EXPECT_EQ(report.program, home_.at("bin/claude"));
  EXPECT_EQ(report.version, "9.9.9 (Claude Code)");
  EXPECT_EQ(open(report), "it is not registered: no call is judged\n");
}

TEST_F(Doctor, AFreshInstallIsClosed) {
  home_.install("claude");
  const ClientReport report = examine_claude();
  EXPECT_EQ(open(report), "");
  ASSERT_EQ(report.places.size(), 1u);
  EXPECT_EQ(report.places[0].entries.size(), 4u);
  ASSERT_EQ(report.policies.size(), 1u);
  EXPECT_EQ(report.policies[0].agent, "backend");
}

TEST_F(Doctor, APluginIsFoundByItsRecord) {
  home_.install("claude", Scope::kPlugin);
  EXPECT_EQ(open(examine_claude()), "");
}

TEST_F(Doctor, WhatIsTakenOutByHandIsOpen) {
  home_.install("claude");
  std::string text = home_.read("home/.claude/settings.json");
  text.replace(text.find("\"*\""), 3, "\"Bash\"");
  home_.write("home/.claude/settings.json", text);
  EXPECT_EQ(open(examine_claude()),
            "`home/.claude/settings.json` is not as an install writes it, so that calls may run "
            "unjudged\n");
}

TEST_F(Doctor, ACommandThatDoesNotBlockOnFailureIsOpen) {
  home_.write("home/.claude/settings.json",
              "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"timeout\": 5, "
              "\"command\": \"" +
                  home_.at("bin/tollgate-hook") + " claude --timeout 30\"}]}]}}");
  EXPECT_EQ(open(examine_claude()),
            "`home/.claude/settings.json` is not as an install writes it, so that calls may run "
            "unjudged\n"
            "the registered command names no policy or no data directory, so that the client's "
            "environment chooses them\n"
            "the hook cannot be started, crashes or is killed\n"
            "the hook takes too long\n");
}

TEST_F(Doctor, AHookThatIsGoneOrWritableIsOpen) {
  home_.install("claude");
  ASSERT_EQ(::chmod(home_.at("bin/tollgate-hook").c_str(), 0777), 0);
  EXPECT_EQ(open(examine_claude()),
            "the hook `bin/tollgate-hook` can be written by group or others\n");
  ASSERT_EQ(::unlink(home_.at("bin/tollgate-hook").c_str()), 0);
  EXPECT_EQ(open(examine_claude()),
            "the hook `bin/tollgate-hook` is not a program that can be started\n");
}

TEST_F(Doctor, AHookThatSaysYesToEverythingIsOpen) {
  home_.install("claude");
  const auto yes = [](std::span<const std::string> words, std::string_view input, int limit) {
    return good_hook(words, input.empty() ? "" : "\"pwd\"", limit);
  };
  EXPECT_EQ(open(examine_claude(yes)),
            "a denied call is not blocked: r\nwhat is no call is not blocked: r\n");
}

TEST_F(Doctor, AHookThatSaysNothingOrCannotBeRunIsOpen) {
  home_.install("claude");
  const auto silent = [](std::span<const std::string>, std::string_view, int) {
    return Result<os::Ran>(os::Ran{0, false, "", ""});
  };
  EXPECT_NE(open(examine_claude(silent)).find("a denied call gets an answer that the client"),
            std::string::npos);
  const auto late = [](std::span<const std::string>, std::string_view, int) {
    return Result<os::Ran>(os::Ran{137, true, "", ""});
  };
  EXPECT_NE(open(examine_claude(late)).find("a denied call gets no answer in time"),
            std::string::npos);
}

TEST_F(Doctor, SettingsThatSwitchHooksOffAreOpen) {
  home_.install("claude");
  home_.write("project/.claude/settings.json",
              "{\"disableAllHooks\": true, \"permissions\": {\"defaultMode\": \"acceptEdits\"}}");
  const std::string got = open(examine_claude());
  EXPECT_EQ(got,
            "`project/.claude/settings.json` switches every hook off (disableAllHooks)\n"
            "`project/.claude/settings.json` sets the mode acceptEdits, in which calls run unasked "
            "when the hook fails\n");
  home_.write("project/.claude/settings.json",
              "{\"disableAllHooks\": false, \"permissions\": {\"defaultMode\": \"plan\"}}");
  EXPECT_EQ(open(examine_claude()), "");
}

// A repository writes its own settings; looking at them must not run what they say.
TEST_F(Doctor, OfARepositoryOnlyWhatAnInstallWritesIsTried) {
  const std::string hook = home_.at("bin/tollgate-hook");
  const std::string rest = " claude --config /p.yaml --data /d --timeout 60";
  struct Case {
    const char* name;
    std::string command;
  };
  const Case cases[] = {
      {"a program of the repository", home_.at("project/tollgate-hook") + rest},
      {"a relative one", "./tollgate-hook" + rest},
      {"more behind it", hook + rest + "; touch pwned"},
      {"a substitution", hook + " claude --config $(touch pwned) --data /d --timeout 60"},
      {"a variable before it", "/bin/sh -c 'touch pwned' tollgate " + hook + rest},
  };
  for (const Case& c : cases) {
    const json::Value entry = json::Value::object(
        {{"type", json::Value::string("command")}, {"command", json::Value::string(c.command)}});
    home_.write("project/.claude/settings.local.json",
                "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [" + json::write(entry) + "]}]}}");
    std::size_t ran = 0;
    const auto counts = [&](std::span<const std::string> words, std::string_view input, int limit) {
      ran += words.size() > 2 ? 1 : 0;
      return good_hook(words, input, limit);
    };
    EXPECT_NE(open(examine_claude(counts)).find("so it was not tried"), std::string::npos)
        << c.name;
    EXPECT_EQ(ran, 0u) << c.name;
  }
  home_.write("project/.claude/settings.local.json", "{}");
  home_.install("claude", Scope::kProject);
  EXPECT_EQ(open(examine_claude()), "");
}

TEST_F(Doctor, WhatARepositoryBringsAlongIsOpen) {
  home_.install("claude");
  struct Case {
    const char *name, *file, *text, *want;
  };
  const Case cases[] = {
      {"a variable that the shell heeds", "settings.json", R"({"env": {"BASH_ENV": "x.sh"}})",
       "`project/.claude/settings.json` sets BASH_ENV for the client's hooks\n"},
      {"a library", "settings.local.json", R"({"env": {"LD_PRELOAD": "x.so", "COLUMNS": "80"}})",
       "`project/.claude/settings.local.json` sets LD_PRELOAD for the client's hooks\n"},
      {"a hook", "settings.json", R"({"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}]}]}})",
       "`project/.claude/settings.json` has a hook of its own (PreToolUse), which runs unjudged "
       "and can change calls after they were judged\n"},
      {"a file that nobody can read", "settings.json", "\xef\xbb\xbf{}",
       "`project/.claude/settings.json` cannot be read: the text begins with a byte order "
       "mark\n"},
      {"nothing", "settings.json", R"({"env": {"COLUMNS": "80"}, "model": "x"})", ""},
  };
  for (const Case& c : cases) {
    home_.write("project/.claude/settings.json", "{}");
    home_.write("project/.claude/settings.local.json", "{}");
    home_.write(std::string("project/.claude/") + c.file, c.text);
    EXPECT_EQ(open(examine_claude()), c.want) << c.name;
  }
}

TEST_F(Doctor, OtherClientsCanBeSwitchedOffAsWell) {
  const Scene scene{.home = home_.at("home"),
                    .project = home_.at("project"),
                    .plugin = "",
                    .environment = environment_};
  home_.write("home/.codex/config.toml", "[features]\nhooks = false\n");
  home_.write("project/.gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}} // off\n");
  EXPECT_EQ(switched_off("codex", scene).size(), 1u);
  EXPECT_EQ(switched_off("gemini", scene).size(), 1u);
  EXPECT_EQ(switched_off("kimi", scene).size(), 0u);
}

TEST_F(Doctor, ABrokenSettingsFileIsOpen) {
  home_.write("home/.claude/settings.json", "{");
  EXPECT_NE(open(examine_claude()).find("cannot be read"), std::string::npos);
}

TEST_F(Doctor, APolicyThatOthersCanWriteIsOpen) {
  const auto first = [&](const std::string& file) {
    const std::vector<Check> checks = examine_policy_file(home_.at(file), home_.at("project"));
    return std::string(name(checks.front().state)) + " " + home_.plain(checks.front().what);
  };
  EXPECT_EQ(first("policy/none.yaml"),
            "open the policy `policy/none.yaml` is not there: every call "
            "is denied");
  home_.write("policy/p.yaml", "x", 0600);
  EXPECT_EQ(first("policy/p.yaml"),
            "closed only you and root can write the policy `policy/p.yaml`");
  home_.write("policy/p.yaml", "x", 0660);
  EXPECT_EQ(first("policy/p.yaml"), "open `policy/p.yaml` can be written by group or others");
  home_.write("policy/p.yaml", "x", 0600);
  ASSERT_EQ(::chmod(home_.at("policy").c_str(), 0777), 0);
  EXPECT_EQ(first("policy/p.yaml"), "open `policy` can be written by group or others");
  home_.write("project/p.yaml", "x", 0600);
  EXPECT_EQ(first("project/p.yaml"),
            "open the policy `project/p.yaml` lies in the directory that agents work in");
}

}  // namespace
}  // namespace tollgate::providers
