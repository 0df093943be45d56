// Targets of `notify`: what they take, what they need, and who may have them.
#include "config/notify.h"

#include <gtest/gtest.h>

#include "config/test_files.h"

namespace tollgate::config {
namespace {

TEST(Notify, IsReadWhole) {
  TestFiles files;
  files.user(
      "rules: {ask: [\"Bash(git push *)\"]}\n"
      "notify:\n"
      "  - {name: here, type: desktop}\n"
      "  - {name: phones, type: push, contact: \"mailto:a@b.org\", hosts: [\"*.corp.example\"], "
      "people: [ann]}\n"
      "  - {name: ntfy, type: ntfy, url: \"https://ntfy.example/\", topic: t, secretFile: ~/token, "
      "agents: [web], after: 20s}\n"
      "  - {name: team, type: slack, urlFile: hook.url, secretFile: /etc/slack, rules: [\"Bash(git "
      "push *)\", breaker], answer: {as: ann, rules: [\"Bash(git push *)\"], within: 2m, "
      "slackUser: U1}}\n"
      "  - {name: ops, type: webhook, url: \"http://10.0.0.1/x\", secret: s, allowHttp: true, "
      "caFile: ca.pem}\n");
  const Loaded loaded = files.load();
  ASSERT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  const std::vector<NotifyEntry> all = notify_entries(loaded.settings);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0], (NotifyEntry{.name = "here", .type = "desktop"}));
  EXPECT_EQ(all[1].people, std::vector<std::string>{"ann"});
  EXPECT_EQ(all[1].hosts, std::vector<std::string>{"*.corp.example"});
  EXPECT_EQ(all[2].secret_file, files.at("home/token"));
  EXPECT_EQ(all[2].after_ms, 20'000);
  EXPECT_EQ(all[3].url_file, files.at("home/.config/tollgate/hook.url"));
  EXPECT_EQ(
      all[3].answer,
      (NotifyAnswer{
          .as = "ann", .rules = {"Bash(git push *)"}, .within_ms = 120'000, .slack_user = "U1"}));
  EXPECT_TRUE(all[4].allow_http);
}

struct Case {
  std::string_view name, entry, code, says;
};
constexpr Case kCases[] = {
    {"no name", "{type: desktop}", "bad-notify", "no name"},
    {"a name with a slash", "{name: a/b, type: desktop}", "bad-notify", "no name of a target"},
    {"no type", "{name: a}", "bad-notify", "no type"},
    {"a misspelt type", "{name: a, type: desktp}", "bad-notify", "did you mean `desktop`"},
    {"a misspelt key", "{name: a, type: desktop, afterr: 3s}", "unknown-key",
     "did you mean `after`"},
    {"a webhook without a key", "{name: a, type: webhook, url: \"https://x.org/\"}", "bad-notify",
     "needs `secret`"},
    {"a webhook without an address", "{name: a, type: webhook, secret: s}", "bad-notify",
     "needs `url`"},
    {"ntfy without a topic", "{name: a, type: ntfy, url: \"https://x.org/\"}", "bad-notify",
     "needs `topic`"},
    {"a topic on a desktop", "{name: a, type: desktop, topic: t}", "bad-notify",
     "takes no `topic`"},
    {"the power to answer by push", "{name: a, type: push, answer: {as: a, rules: [Read]}}",
     "bad-notify", "takes no `answer`"},
    {"a secret twice",
     "{name: a, type: webhook, url: \"https://x.org/\", secret: s, secretFile: f}", "bad-notify",
     "say the same"},
    {"plain http to another machine", "{name: a, type: slack, url: \"http://x.org/\"}",
     "bad-notify", "plain http"},
    {"another machine that looks like this one",
     "{name: a, type: slack, url: \"http://localhost.x.org/\"}", "bad-notify", "plain http"},
    {"another machine whose name begins like this one",
     "{name: a, type: slack, url: \"http://127.evil.example/\"}", "bad-notify", "plain http"},
    {"no address at all", "{name: a, type: slack, url: \"x.org\"}", "bad-notify", "a URL like"},
    {"a password in the address", "{name: a, type: slack, url: \"https://u:p@x.org/\"}",
     "bad-notify", "a URL like"},
    {"a contact that is none", "{name: a, type: push, contact: ann}", "bad-notify", "no contact"},
    {"a rule that stands nowhere", "{name: a, type: desktop, rules: [\"Bash(git pussh *)\"]}",
     "unknown-rule", "did you mean `Bash(git push *)`"},
    {"a rule that is none of ask", "{name: a, type: desktop, rules: [\"Bash(make *)\"]}",
     "unknown-rule", "no ask rule"},
    {"answers for every rule",
     "{name: a, type: ntfy, url: \"https://x.org/\", topic: t, answer: "
     "{as: ann}}",
     "bad-notify", "names no rules"},
    {"answers as nobody",
     "{name: a, type: ntfy, url: \"https://x.org/\", topic: t, answer: {rules: "
     "[\"Bash(git push *)\"]}}",
     "bad-notify", "as whom"},
    {"answers to breakers",
     "{name: a, type: ntfy, url: \"https://x.org/\", topic: t, answer: {as: "
     "ann, rules: [breaker]}}",
     "bad-notify", "never answers"},
    {"answers for a day",
     "{name: a, type: ntfy, url: \"https://x.org/\", topic: t, answer: {as: "
     "ann, rules: [\"Bash(git push *)\"], within: 1d}}",
     "bad-notify", "at most 15m"},
    {"Slack's buttons without a member",
     "{name: a, type: slack, url: \"https://x.org/\", secret: s, "
     "answer: {as: ann, rules: [\"Bash(git push *)\"]}}",
     "bad-notify", "slackUser"},
    {"Slack's buttons without a secret",
     "{name: a, type: slack, url: \"https://x.org/\", answer: "
     "{as: ann, rules: [\"Bash(git push *)\"], slackUser: U1}}",
     "bad-notify", "signing secret"},
    {"no mapping", "desktop", "wrong-type", "a list of mappings"},
};

TEST(Notify, SaysWhatIsWrong) {
  for (const Case& each : kCases) {
    TestFiles files;
    files.user("rules: {ask: [\"Bash(git push *)\"], allow: [\"Bash(make *)\"]}\nnotify: [" +
               std::string(each.entry) + "]\n");
    const Loaded loaded = files.load();
    ASSERT_FALSE(loaded.diagnostics.empty()) << each.name;
    const Error& error = loaded.diagnostics[0].error;
    EXPECT_EQ(error.code, each.code) << each.name << ": " << error.message;
    EXPECT_NE((error.message + " " + error.hint).find(each.says), std::string::npos)
        << each.name << ": " << error.message << "; " << error.hint;
    EXPECT_EQ(error.where.line, 2u) << each.name;
    EXPECT_TRUE(loaded.set.broken) << each.name;
  }
}

TEST(Notify, NamesAreForOneTargetEach) {
  TestFiles files;
  files.user("notify: [{name: a, type: desktop}, {name: a, type: push}]\n");
  const Loaded loaded = files.load();
  ASSERT_EQ(loaded.diagnostics.size(), 1u) << files.report(loaded);
  EXPECT_EQ(loaded.diagnostics[0].error.message, "two targets are called `a`");
}

TEST(Notify, RulesOfTheManagedFileAreKnown) {
  TestFiles files;
  files.managed("rules: {ask: [\"Bash(terraform apply *)\"]}\n");
  files.user("notify: [{name: a, type: desktop, rules: [\"Bash(terraform apply *)\"]}]\n");
  EXPECT_TRUE(files.load().diagnostics.empty());
}

TEST(Notify, AProjectHasNone) {
  TestFiles files;
  files.user("version: 1\n");
  files.project("notify: [{name: a, type: webhook, url: \"https://evil.example/\", secret: s}]\n");
  const Loaded loaded = files.load();
  ASSERT_TRUE(loaded.set.broken);
  EXPECT_EQ(loaded.set.broken->code, "not-in-project");
  EXPECT_TRUE(loaded.settings.notify.empty());
}

}  // namespace
}  // namespace tollgate::config
