// Every client: into nothing, into a file with other things, twice, and out again.
#include <gtest/gtest.h>

#include <cstring>

#include "json/json.h"
#include "providers/json_text.h"
#include "providers/test_home.h"
#include "providers/toml_text.h"

namespace tollgate::providers {
namespace {

struct Client {
  const char* name;
  Scope scope;
  const char* file;    // where its hooks go
  const char* files;   // how many files an install makes from nothing
  const char* other;   // a file with other things in it
  const char* broken;  // a file that is refused
  const char* place;   // and where
};

constexpr const char* kSettings =
    "{\n"
    "    \"model\": \"opus\",   \"zzz\": [1,2],\n"
    "    \"hooks\": {\n"
    "        \"PreToolUse\": [\n"
    "            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": "
    "\"mine\"}]}\n"
    "        ]\n"
    "    },\n"
    "    \"aaa\": {\"é\": null}\n"
    "}";

const Client kClients[] = {
    {"claude", Scope::kUser, "home/.claude/settings.json", "1", kSettings, "{\n  \"a\" 1\n}",
     "json-syntax home/.claude/settings.json:2:"},
    {"claude", Scope::kProject, "project/.claude/settings.local.json", "1", kSettings, "[",
     "json-syntax project/.claude/settings.local.json:1:"},
    {"claude", Scope::kPlugin, "plugin/hooks/hooks.json", "3", "{\"description\": \"x\"}\n", "{",
     "json-syntax plugin/hooks/hooks.json:1:"},
    {"codex", Scope::kUser, "home/.codex/config.toml", "1",
     "# mine\nmodel = \"x\" # the best\n\n[[hooks.PreToolUse]]\nmatcher = \"^a\"\n"
     "[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"mine\"\n\n"
     "[projects.\"/a b\"]\ntrust_level = \"trusted\"",
     "model = \n", "toml-syntax home/.codex/config.toml:1:9"},
    {"gemini", Scope::kUser, "home/.gemini/settings.json", "2",
     "{\n\t// a comment\n\t\"ui\": {\"theme\": \"x\"} /* y */\n}\n", "{\"a\": 1,}",
     "json-syntax home/.gemini/settings.json:1:"},
    {"gemini", Scope::kProject, "project/.gemini/settings.json", "1", "{}", "\"x\"",
     "settings-shape project/.gemini/settings.json:1:1"},
    {"copilot", Scope::kUser, "home/.copilot/hooks/tollgate.json", "1",
     "{\"version\": 1, \"hooks\": {\"sessionStart\": [{\"type\": \"command\", \"bash\": "
     "\"x\"}]}}\n",
     "{\"hooks\": []}", "settings-shape home/.copilot/hooks/tollgate.json:1:"},
    {"copilot", Scope::kProject, "project/.github/hooks/tollgate.json", "1", "{\r\n}\r\n",
     "{\"a\": 1, \"a\": 2}", "json-duplicate-key project/.github/hooks/tollgate.json:1:"},
    {"opencode", Scope::kUser, "home/.config/opencode/plugin/tollgate.js", "1", nullptr,
     "export const Mine = 1\n", "file-exists "},
    {"opencode", Scope::kProject, "project/.opencode/plugin/tollgate.js", "1", nullptr,
     "export const Mine = 1\n", "file-exists "},
    {"kiro", Scope::kUser, "home/.kiro/agents/tollgate.json", "2",
     "{\"name\": \"dev\", \"tools\": [\"read\"], \"hooks\": {\"agentSpawn\": [{\"command\": "
     "\"x\"}]}}",
     "{\"hooks\": {\"preToolUse\": 1}}", "settings-shape home/.kiro/agents/tollgate.json:1:"},
    {"q", Scope::kProject, "project/.amazonq/cli-agents/tollgate.json", "1",
     "{\n \"name\": \"dev\"\n}\n", "nul",
     "json-syntax project/.amazonq/cli-agents/tollgate.json:1:"},
    {"kimi", Scope::kUser, "home/.kimi/config.toml", "1",
     "default_model = \"k\"\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n", "a = [1\n",
     "toml-syntax home/.kimi/config.toml:2:1"},
    {"cursor", Scope::kUser, "home/.cursor/hooks.json", "1",
     "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"x\"}]}}", "{\"version\": 1",
     "json-syntax home/.cursor/hooks.json:1:"},
};

TEST(Clients, AFreshInstallRegistersAndASecondChangesNothing) {
  for (const Client& each : kClients) {
    TestHome home;
    EXPECT_EQ(home.install(each.name, each.scope), each.files) << each.file;
    const std::string text = home.read(each.file);
    EXPECT_NE(text.find("tollgate-hook"), text.npos) << each.file;
    EXPECT_EQ(home.install(each.name, each.scope), "0") << each.file;
    EXPECT_EQ(home.read(each.file), text) << each.file;
  }
}

TEST(Clients, WhatIsRegisteredIsTheWholeCommand) {
  for (const Client& each : kClients) {
    TestHome home;
    home.install(each.name, each.scope);
    const auto targets = home.targets(each.name, each.scope);
    ASSERT_TRUE(targets);
    std::size_t found = 0;
    for (const Target& target : *targets) {
      const auto registered = target.find(text_of(target.path).value_or(""));
      ASSERT_TRUE(registered) << target.path;
      for (const Registered& entry : *registered) {
        EXPECT_EQ(hook_words(entry.command), words_of(home.command())) << target.path;
        EXPECT_FALSE(entry.event.empty()) << target.path;
        EXPECT_EQ(entry.event.find("not trusted"), entry.event.npos) << target.path;
        ++found;
      }
    }
    EXPECT_GT(found, 0u) << each.file;
  }
}

TEST(Clients, AnUninstallLeavesNothingOfAFreshInstall) {
  for (const Client& each : kClients) {
    TestHome home;
    home.install(each.name, each.scope);
    EXPECT_EQ(home.uninstall(each.name, each.scope), each.files) << each.file;
    EXPECT_EQ(home.read(each.file), "(none)") << each.file;
    EXPECT_EQ(home.uninstall(each.name, each.scope), "0") << each.file;
  }
}

TEST(Clients, OtherContentStaysByteForByteAndComesBack) {
  for (const Client& each : kClients) {
    if (each.other == nullptr) continue;
    TestHome home;
    home.write(each.file, each.other, 0640);
    ASSERT_NE(home.install(each.name, each.scope), "0") << each.file;
    const std::string text = home.read(each.file);
    EXPECT_NE(text, each.other) << each.file;
    EXPECT_EQ(home.install(each.name, each.scope), "0") << each.file;
    EXPECT_EQ(os::stamp_of(home.at(each.file))->mode & 0777, 0640u) << each.file;
    home.uninstall(each.name, each.scope);
    EXPECT_EQ(home.read(each.file), each.other) << each.file;
    EXPECT_EQ(os::stamp_of(home.at(each.file))->mode & 0777, 0640u) << each.file;
  }
}

// Every line of the file before stands in the file after, in its order, up to a comma at its end.
TEST(Clients, NoLineOfTheFileIsLost) {
  for (const Client& each : kClients) {
    if (each.other == nullptr || std::string_view(each.other).find('\n') == std::string::npos)
      continue;
    TestHome home;
    home.write(each.file, each.other);
    home.install(each.name, each.scope);
    const std::string text = home.read(each.file);
    std::size_t at = 0;
    for (const char* line = each.other; line != nullptr && *line != '\0';) {
      const char* end = std::strchr(line, '\n');
      const std::string part = end == nullptr ? std::string(line) : std::string(line, end);
      line = end == nullptr ? nullptr : end + 1;
      const std::string word = part.substr(0, part.find_last_not_of(" ,\r}/*y") + 1);
      const std::size_t found = text.find(word, at);
      EXPECT_NE(found, text.npos) << each.file << ": " << part << "\n" << text;
      if (found != text.npos) at = found;
    }
  }
}

TEST(Clients, WithoutARecordOnlyOurEntriesGo) {
  for (const Client& each : kClients) {
    if (each.other == nullptr) continue;
    TestHome home;
    home.write(each.file, each.other);
    home.install(each.name, each.scope);
    const auto targets = home.targets(each.name, each.scope);
    for (const Target& target : *targets) {
      const auto rest = target.drop(text_of(target.path).value_or(""));
      ASSERT_TRUE(rest) << each.file;
      EXPECT_EQ(rest->find("tollgate-hook"), rest->npos) << each.file;
      if (target.path != home.at(each.file)) continue;
      if (target.path.ends_with(".toml")) {
        std::string want = each.other;
        if (!want.ends_with('\n')) want += '\n';
        EXPECT_EQ(*rest, want) << each.file;
        continue;
      }
      const auto before = read_json(each.other, "", JsonForm::kWithComments);
      const auto after = read_json(rest->empty() ? "{}" : *rest, "", JsonForm::kWithComments);
      ASSERT_TRUE(before && after) << each.file << *rest;
      // What is missing was added: the members that such a file needs.
      for (const auto& [key, value] : before->value.members()) {
        ASSERT_NE(after->value.find(key), nullptr) << each.file << key;
        EXPECT_EQ(*after->value.find(key), value) << each.file << key;
      }
    }
  }
}

TEST(Clients, ChangesBySomebodyElseSurviveAnUninstall) {
  TestHome home;
  home.write("home/.claude/settings.json", kSettings);
  home.install("claude");
  std::string text = home.read("home/.claude/settings.json");
  text.replace(text.find("opus"), 4, "haiku");
  home.write("home/.claude/settings.json", text);
  EXPECT_EQ(home.uninstall("claude"), "1");
  std::string want = kSettings;
  want.replace(want.find("opus"), 4, "haiku");
  EXPECT_EQ(home.read("home/.claude/settings.json"), want);
}

TEST(Clients, BrokenFilesAreRefusedWithAPlaceAndStay) {
  for (const Client& each : kClients) {
    TestHome home;
    home.write(each.file, each.broken);
    const std::string got = home.install(each.name, each.scope);
    EXPECT_TRUE(got.starts_with(each.place)) << each.file << ": " << got;
    EXPECT_EQ(home.read(each.file), each.broken) << each.file;
  }
}

TEST(Clients, AnotherAgentTakesTheOldEntrysPlaceAndTheFirstBytesStillComeBack) {
  for (const Client& each : kClients) {
    TestHome home;
    if (each.other != nullptr) home.write(each.file, each.other);
    home.install(each.name, each.scope);
    home.command().agent = "frontend";
    EXPECT_NE(home.install(each.name, each.scope), "0") << each.file;
    const std::string text = home.read(each.file);
    EXPECT_EQ(text.find("backend"), text.npos) << each.file;
    EXPECT_NE(text.find("frontend"), text.npos) << each.file;
    home.uninstall(each.name, each.scope);
    EXPECT_EQ(home.read(each.file), each.other == nullptr ? "(none)" : each.other) << each.file;
  }
}

TEST(Clients, ScopesThatAClientDoesNotHaveAreUsageErrors) {
  TestHome home;
  EXPECT_EQ(home.install("codex", Scope::kProject), "bad-usage");
  EXPECT_EQ(home.install("kimi", Scope::kProject), "bad-usage");
  for (const Provider& each : providers()) {
    if (each.name == "claude") continue;
    EXPECT_EQ(home.install(each.name, Scope::kPlugin), "bad-usage") << each.name;
  }
}

TEST(Clients, VariablesNameTheDirectory) {
  TestHome home;
  home.set("CODEX_HOME", home.at("elsewhere"));
  home.set("COPILOT_HOME", "relative");
  home.install("codex");
  home.install("copilot");
  EXPECT_NE(home.read("elsewhere/config.toml"), "(none)");
  EXPECT_NE(home.read("home/.copilot/hooks/tollgate.json"), "(none)");
}

}  // namespace
}  // namespace tollgate::providers
