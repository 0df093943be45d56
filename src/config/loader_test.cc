// Loading: where files are found, what each layer may say, and what a mistake looks like.
// Errors are compared as the text that people see; policies by one-line dumps.
// SAFETY cases: whatever is wrong, the set must be broken, and so deny.
#include "config/loader.h"

#include <gtest/gtest.h>

#include "config/names.h"
#include "config/test_files.h"
#include "config/trust.h"
#include "os/fault.h"

namespace tollgate::config {
namespace {

// "deny Bash(x) @agent [source]", one a line, built-in defaults left out.
std::string rules(const Loaded& loaded) {
  std::string out;
  for (const Rule& rule : loaded.set.rules) {
    if (rule.source == ConfigSource::kDefault && rule.specifier_kind == SpecifierKind::kPath)
      continue;
    out += std::string(name(rule.verdict)) + " " + rule.text +
           (rule.agent.empty() ? "" : " @" + rule.agent) + " [" + std::string(name(rule.source)) +
           "]\n";
  }
  return out;
}

std::string ceiling(const Loaded& loaded, std::string_view agent) {
  for (const AgentPolicy& each : loaded.set.agents) {
    if (each.name != agent) continue;
    std::string out = each.ceiling.from + ":";
    for (const CeilingEntry& entry : each.ceiling.entries) out += " " + entry.text;
    return out;
  }
  return "no such agent";
}

const AgentPolicy& agent(const Loaded& loaded, std::string_view wanted) {
  static const AgentPolicy none;
  for (const AgentPolicy& each : loaded.set.agents)
    if (each.name == wanted) return each;
  return none;
}

TEST(Load, WithoutAnyFileTheBuiltInPolicyHolds) {
  TestFiles files;
  const Loaded loaded = files.load();
  EXPECT_EQ(loaded.set, built_in_policy());
  EXPECT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  EXPECT_FALSE(loaded.sources.empty());
}

struct ErrorCase {
  std::string_view name, text, want;
};
constexpr ErrorCase kUserErrors[] = {
    {"an unknown key is named with the nearest one", "rulse: {}\n",
     "home/.config/tollgate/tollgate.yaml:1:1: error[unknown-key]: unknown key `rulse`\n"
     "  rulse: {}\n  ^^^^^\n  hint: did you mean `rules`?"},
    {"an unknown mode", "mode: pln\n",
     "home/.config/tollgate/tollgate.yaml:1:7: error[unknown-mode]: unknown mode `pln`\n"
     "  mode: pln\n        ^^^\n  hint: did you mean `plan`?"},
    {"an unknown role", "agents:\n  a: {role: reviwer}\n",
     "home/.config/tollgate/tollgate.yaml:2:13: error[unknown-role]: unknown role `reviwer`\n"
     "    a: {role: reviwer}\n              ^^^^^^^\n  hint: did you mean `reviewer`?"},
    {"an unknown preset", "preset: devlopment\n",
     "home/.config/tollgate/tollgate.yaml:1:9: error[unknown-preset]: unknown preset `devlopment`"},
    {"an unknown answer", "agents: {a: {answer: maybe}}\n",
     "home/.config/tollgate/tollgate.yaml:1:22: error[unknown-answer]: unknown answer `maybe`"},
    {"both spellings of one key", "agents: {}\nteams: {}\n",
     "home/.config/tollgate/tollgate.yaml:2:1: error[both-spellings]: `agents` and `teams` are the "
     "same key"},
    {"both spellings of an agent's command", "agents: {a: {command: x, claudePath: y}}\n",
     "home/.config/tollgate/tollgate.yaml:1:26: error[both-spellings]: `command` and `claudePath` "
     "are the same key"},
    {"a text where a list belongs", "rules: {deny: Bash}\n",
     "home/.config/tollgate/tollgate.yaml:1:15: error[wrong-type]: `deny` is `Bash`, expected a "
     "list"},
    {"a list where a mapping belongs", "rules: []\n",
     "home/.config/tollgate/tollgate.yaml:1:8: error[wrong-type]: `rules` is a list, expected a "
     "mapping"},
    {"nothing where a mapping belongs", "version: 1\nrules:\nmode: plan\n",
     "home/.config/tollgate/tollgate.yaml:2:1: error[wrong-type]: `rules` is nothing, expected a "
     "mapping\n  rules:\n  ^^^^^\n"},
    {"nothing in a list", "version: 1\nrules:\n  deny:\n    -\n",
     "home/.config/tollgate/tollgate.yaml:4:5: error[wrong-type]: `deny` is nothing, expected a "
     "list of texts\n"},
    {"a bad duration", "settings: {permissionTimeout: soon}\n",
     "home/.config/tollgate/tollgate.yaml:1:31: error[wrong-type]: `permissionTimeout` is `soon`, "
     "expected a duration like 30s, 10m, 2h or 7d"},
    {"a bad host", "workspace: {allowedHosts: [\"http://x\"]}\n",
     "home/.config/tollgate/tollgate.yaml:1:29: error[bad-host]: `http://x` is not a host name"},
    {"a host that is below an address", "workspace: {allowedHosts: [\"*.127.0.0.1\"]}\n",
     "home/.config/tollgate/tollgate.yaml:1:29: error[bad-host]: `*.127.0.0.1` is not a host name"},
    {"a pattern that is open", "settings:\n  redact: [ok, \"key=(a\"]\n",
     "home/.config/tollgate/tollgate.yaml:2:17: error[bad-pattern]: `key=(a` cannot be used to "
     "redact: missing )\n"
     "    redact: [ok, \"key=(a\"]\n                  ^^^^^^\n"
     "  hint: write an expression of RE2"},
    {"a pattern that looks around", "settings:\n  redact:\n    - token(?=x)y\n",
     "home/.config/tollgate/tollgate.yaml:3:12: error[bad-pattern]: `token(?=x)y` cannot be used "
     "to "
     "redact: invalid perl operator\n"
     "      - token(?=x)y\n             ^^^\n"},
    {"a pattern that matches nothing at all", "settings: {redact: [\"x*\"]}\n",
     "error[bad-pattern]: `x*` cannot be used to redact: it matches the empty text"},
    {"a certificate without its key", "settings: {tls: {cert: a.pem}}\n",
     "home/.config/tollgate/tollgate.yaml:1:17: error[incomplete-tls]: `tls` names a certificate "
     "and "
     "no key"},
    {"a key without its certificate", "settings: {tls: {key: a.pem}}\n",
     "error[incomplete-tls]: `tls` names a key and no certificate"},
    {"heads for a webhook that is none", "settings: {anchor: {notify: nobody}}\n",
     "error[unknown-target]: `notify` of this file has no webhook `nobody`"},
    {"neither of the two", "settings: {tls: {}}\n",
     "error[incomplete-tls]: `tls` names neither a certificate nor a key"},
    {"a bad pair", "workspace: {blockedBash: [[rm]]}\n",
     "home/.config/tollgate/tollgate.yaml:1:27: error[wrong-type]: an entry of `blockedBash` must "
     "be a pair [command, arguments]"},
    {"another version", "version: 2\n",
     "home/.config/tollgate/tollgate.yaml:1:10: error[unknown-version]: version `2` of the "
     "configuration is not known"},
    {"a role that extends itself", "roles: {a: {extends: b}, b: {extends: a}}\n",
     "error[extends-circle]: the role `a` extends itself"},
    {"a built-in role under a new meaning", "roles: {developer: {allowedTools: [\"*\"]}}\n",
     "home/.config/tollgate/tollgate.yaml:1:9: error[name-taken]: the role `developer` is built in "
     "and cannot be changed"},
    {"a bad zone",
     "rules:\n  deny:\n    - {rule: Bash, hours: \"Mon-Fri 09:00-18:00 Europe/Berln\"}\n",
     "error[unknown-zone]: unknown time zone `Europe/Berln`"},
    {"a quorum of nobody", "rules: {ask: [{rule: Bash, approve: {any: 0}}]}\n",
     "error[bad-quorum]: `any` and `deny` of `approve` must be at least 1"},
    {"a list of no thresholds", "rules: {ask: [{rule: Bash, approve: []}]}\n",
     "error[bad-quorum]: `approve` has 0 thresholds, expected 1 to 8"},
    {"more thresholds than a person reads",
     "rules: {ask: [{rule: Bash, approve: [{}, {}, {}, {}, {}, {}, {}, {}, {}]}]}\n",
     "error[bad-quorum]: `approve` has 9 thresholds"},
    {"others who are asked when it is over",
     "rules: {ask: [{rule: Bash, approve: {after: 10m, within: 10m}}]}\n",
     "error[bad-quorum]: `after` of `approve` is not before the end"},
    {"others without an end of their own",
     "rules: {ask: [{rule: Bash, approve: [{any: 2}, {after: 10m}]}]}\n",
     "error[bad-quorum]: `after` of `approve` is not before the end"},
    {"a text among thresholds", "rules: {ask: [{rule: Bash, approve: [lead]}]}\n",
     "error[wrong-type]"},
    {"a text for a threshold", "rules: {ask: [{rule: Bash, approve: lead}]}\n",
     "error[wrong-type]"},
    {"a word of a threshold that is none", "rules: {ask: [{rule: Bash, approve: [{anny: 2}]}]}\n",
     "did you mean `any`"},
    {"a quorum on a deny rule", "rules: {deny: [{rule: Bash, approve: {any: 2}}]}\n",
     "error[only-for-ask]: `approve` has no meaning in the deny list"},
    {"an unknown effect", "tools: {x.y: {effect: {shel: command}}}\n",
     "error[unknown-effect]: unknown effect `shel`"},
    {"a rule that cannot be read", "rules: {deny: [\"Bash(\"]}\n",
     "home/.config/tollgate/tollgate.yaml:1:"},
    {"a file that is a list", "- a\n", "error[wrong-type]: the file is a list, expected a mapping"},
};

TEST(Load, EveryMistakeIsShownAndDeniesAll) {
  for (const ErrorCase& c : kUserErrors) {
    TestFiles files;
    files.user(std::string(c.text));
    const Loaded loaded = files.load();
    EXPECT_TRUE(loaded.set.broken) << c.name;
    EXPECT_NE(files.report(loaded).find(c.want), std::string::npos)
        << c.name << "\nwant: " << c.want << "\ngot:  " << files.report(loaded);
    for (const Diagnostic& each : loaded.diagnostics)
      EXPECT_FALSE(each.error.hint.empty()) << c.name << ": " << render(each);
  }
}

TEST(Load, AllErrorsOfAFileAreReported) {
  TestFiles files;
  files.user("mode: x\nrulse: {}\nagents:\n  a: {role: y, preset: z, mode: w}\n");
  EXPECT_EQ(files.load().diagnostics.size(), 5u) << files.report(files.load());
}

// p0 extends the built-in one, and each of the others the one before it.
std::string preset_chain(std::size_t length) {
  std::string text = "presets:\n  p0: {extends: read-only}\n";
  for (std::size_t i = 1; i < length; ++i)
    text += "  p" + std::to_string(i) + ": {extends: p" + std::to_string(i - 1) + "}\n";
  return text + "agents: {a: {preset: p" + std::to_string(length - 1) + "}}\n";
}

TEST(Load, AChainOfPresetsHasALimit) {
  TestFiles files;
  files.user(preset_chain(kMaxExtends));
  const Loaded longest = files.load();
  EXPECT_FALSE(longest.set.broken) << files.report(longest);
  EXPECT_EQ(ceiling(longest, "a"), "preset p63: Read Grep Glob LS");

  for (const std::size_t length : {kMaxExtends + 1, std::size_t{5'000}}) {
    files.user(preset_chain(length));
    const Loaded loaded = files.load();
    ASSERT_TRUE(loaded.set.broken) << length;
    EXPECT_EQ(loaded.set.broken->code, "extends-too-deep") << length;
    EXPECT_EQ(loaded.diagnostics.size(), 1u) << files.report(loaded);
  }
}

TEST(Load, AWideCircleOfRolesEndsToo) {
  TestFiles files;
  std::string text = "roles:\n";
  for (int i = 0; i < 2'000; ++i)
    text += "  r" + std::to_string(i) + ": {extends: r" + std::to_string((i + 1) % 2'000) + "}\n";
  files.user(text);
  const Loaded loaded = files.load();
  ASSERT_TRUE(loaded.set.broken);
  EXPECT_EQ(loaded.set.broken->code, "extends-too-deep");
}

TEST(Load, ACeilingRemembersTheListsItWasMadeOf) {
  TestFiles files;
  files.user("allowedTools: [Read, Bash]\n");
  files.set("AGENTIC_ALLOWED_TOOLS", "Read,Edit");
  const Ceiling met = agent(files.load(), "").ceiling;
  ASSERT_EQ(met.lists.size(), 2u);
  EXPECT_EQ(met.lists[0].from, "allowedTools");
  EXPECT_EQ(met.lists[0].source, ConfigSource::kUser);
  EXPECT_EQ(met.lists[1].from, "AGENTIC_ALLOWED_TOOLS");
  EXPECT_EQ(met.lists[1].entries.size(), 2u);
  EXPECT_EQ(met.entries.size(), 1u);
  files.user("mode: default\n");
  EXPECT_TRUE(agent(files.load(), "").ceiling.lists.empty());
}

TEST(Load, AllowedHostsHaveOneSpelling) {
  TestFiles files;
  files.user(
      "workspace: {allowedHosts: [GitHub.COM., \"*.Example.org.\", 0x7f.1, \"[0:0::1]\", "
      "\"::FFFF:10.0.0.1\"]}\n");
  const Loaded loaded = files.load();
  EXPECT_FALSE(loaded.set.broken) << files.report(loaded);
  const std::vector<std::string> want = {"github.com", "*.example.org", "127.0.0.1", "::1",
                                         "10.0.0.1"};
  EXPECT_EQ(agent(loaded, "").network.hosts, want);
  files.set("AGENTIC_ALLOWED_HOSTS", "2130706433,GITHUB.com");
  const std::vector<std::string> both = {"github.com", "127.0.0.1"};
  EXPECT_EQ(agent(files.load(), "").network.hosts, both);
}

TEST(Load, ANamedFileMustBeThere) {
  TestFiles files;
  LoadOptions options = files.options();
  options.config_file = "missing.yaml";
  const Loaded loaded = load(options);
  ASSERT_TRUE(loaded.set.broken);
  EXPECT_EQ(files.plain(loaded.set.broken->message),
            "cannot read `home/project/missing.yaml`: no such file or directory");
}

TEST(Load, ANamedFileInTheProjectCountsAsTheUsers) {
  TestFiles files;
  files.project("settings: {httpPort: 99}\nrules: {allow: [\"Bash(make *)\"]}\n");
  LoadOptions options = files.options();
  options.config_file = "tollgate.yaml";
  const Loaded loaded = load(options);
  EXPECT_FALSE(loaded.set.broken) << files.report(loaded);
  EXPECT_EQ(rules(loaded), "allow Bash(make *) [user]\n");
  EXPECT_EQ(loaded.settings.listen, (Listen{"127.0.0.1", 99}));
}

TEST(Load, FilesThatOthersCanWriteAreRefused) {
  TestFiles files;
  files.write("home/.config/tollgate/tollgate.yaml", "mode: plan\n", 0664);
  const Loaded loaded = files.load();
  ASSERT_TRUE(loaded.set.broken);
  EXPECT_EQ(loaded.set.broken->code, "unsafe-policy-file");
}

TEST(Load, UnreadableFilesDeny) {
  TestFiles files;
  files.user("mode: plan\n");
  for (const char* call : {"open", "read", "fstat"}) {
    os::FaultPlan plan(call, EIO);
    EXPECT_TRUE(files.load().set.broken) << call;
  }
}

TEST(Load, AnUntrustedProjectOnlyTightens) {
  TestFiles files;
  files.project(
      "mode: plan\n"
      "rules:\n"
      "  allow: [\"Bash(make *)\"]\n"
      "  ask: [\"Bash(git push *)\"]\n"
      "  deny: [\"Bash(rm *)\"]\n"
      "workspace: {allowNetwork: false, allowedHosts: [example.com]}\n");
  const Loaded loaded = files.load();
  EXPECT_FALSE(loaded.set.broken);
  EXPECT_EQ(rules(loaded),
            "ask Bash(git push *) [project]\n"
            "deny Bash(rm *) [project]\n"
            "deny Bash(rm -rf /) [default]\n"
            "deny Bash(rm -rf ~) [default]\n"
            "deny Bash(curl *) [default]\n"
            "deny Bash(wget *) [default]\n");
  EXPECT_EQ(agent(loaded, "").mode.value, Mode::kDefault);
  EXPECT_FALSE(agent(loaded, "").network.allowed);
  EXPECT_FALSE(agent(loaded, "").network.limited);
  EXPECT_EQ(files.report(loaded),
            "home/project/tollgate.yaml:3:12: warning[untrusted-project]: this project file is not "
            "trusted: not heard are allow rules, mode, allowedHosts\n"
            "    allow: [\"Bash(make *)\"]\n"
            "             ^^^^^^^^^^^^\n"
            "  hint: read it, then run `tollgate trust home/project/tollgate.yaml`\n");
}

TEST(Load, ATrustedProjectAddsAllowRulesHostsAndStricterModes) {
  TestFiles files;
  const std::string text =
      "mode: autonomous\n"
      "rules: {allow: [\"Bash(make *)\"]}\n"
      "workspace: {allowedHosts: [example.com]}\n";
  files.project(text);
  TrustStore trust = TrustStore::open(files.at("home/.local/state/tollgate")).value();
  ASSERT_TRUE(trust.pin(files.at("home/project/tollgate.yaml"), text));
  ASSERT_TRUE(trust.save());
  Loaded loaded = files.load();
  EXPECT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  EXPECT_EQ(agent(loaded, "").mode.value, Mode::kDefault);
  EXPECT_EQ(agent(loaded, "").network.hosts, std::vector<std::string>{"example.com"});
  EXPECT_NE(rules(loaded).find("allow Bash(make *) [project]\n"), std::string::npos);

  files.project(text + "# changed\n");
  loaded = files.load();
  EXPECT_EQ(rules(loaded).find("allow"), std::string::npos);
  EXPECT_NE(files.report(loaded).find("warning[trust-changed]"), std::string::npos);

  ASSERT_TRUE(os::remove_file(files.at("home/project/tollgate.yaml")));
  loaded = files.load();
  ASSERT_TRUE(loaded.set.broken);
  EXPECT_EQ(loaded.set.broken->code, "trusted-file-missing");
}

TEST(Load, ATrustStoreThatOthersCanWriteDenies) {
  TestFiles files;
  files.write("home/.local/state/tollgate/trust.json", "{\"pins\": []}", 0666);
  EXPECT_EQ(files.load().set.broken->code, "unsafe-trust-store");
  files.write("home/.local/state/tollgate/trust.json", "{");
  EXPECT_EQ(files.load().set.broken->code, "bad-trust-store");
}

TEST(Load, AProjectMayNotSetWhatIsTheUsers) {
  for (const char* text :
       {"answer: yes\n", "approvers: {}\n", "notify: []\n", "settings: {}\n", "tools: {}\n",
        "agents: {a: {answer: ask}}\n", "agents: {a: {delegate: []}}\n",
        "agents: {a: {remote: x}}\n", "agents: {a: {sandbox: {}}}\n",
        "rules: {ask: [{rule: Bash, answer: yes}]}\n"}) {
    TestFiles files;
    files.project(text);
    const Loaded loaded = files.load();
    ASSERT_TRUE(loaded.set.broken) << text;
    EXPECT_EQ(loaded.set.broken->code, "not-in-project") << text;
  }
}

TEST(Load, ABrokenProjectDeniesEvenUntrusted) {
  TestFiles files;
  files.project("rules: {deny: [\"Bash(\"]}\n");
  EXPECT_TRUE(files.load().set.broken);
}

TEST(Load, ProjectFilesAreFoundUpToTheRepository) {
  TestFiles files;
  files.write("home/tollgate.yaml", "rules: {deny: [Read]}\n");
  files.project("rules: {deny: [Bash]}\n");
  LoadOptions options = files.options();
  EXPECT_TRUE(os::make_private_directory(files.at("home/project/a/b")));
  options.cwd = files.at("home/project/a/b");
  EXPECT_EQ(rules(load(options)), "deny Bash [project]\n");
  options.cwd = files.at("home/project/../other");
  EXPECT_EQ(rules(load(options)), "deny Read [project]\n");
}

TEST(Load, LessTrustedLayersOnlyTighten) {
  TestFiles files;
  files.managed(
      "mode: default\nanswer: ask\nallowedTools: [Bash, Read]\n"
      "workspace: {allowedHosts: [\"*.example.com\"], blockedBash: []}\n");
  files.user(
      "mode: autonomous\nanswer: yes\nallowedTools: [\"*\"]\n"
      "workspace: {allowedHosts: [a.example.com, other.org]}\n");
  const Loaded loaded = files.load();
  EXPECT_FALSE(loaded.set.broken) << files.report(loaded);
  const AgentPolicy& all = agent(loaded, "");
  EXPECT_EQ(all.mode.value, Mode::kDefault);
  EXPECT_EQ(all.answer.value, Answerer::kAsk);
  EXPECT_EQ(ceiling(loaded, ""), "allowedTools: Bash Read");
  EXPECT_EQ(all.network.hosts, std::vector<std::string>{"a.example.com"});
}

struct CeilingCase {
  std::string_view name, text, want;
};
constexpr CeilingCase kCeilings[] = {
    {"nothing chosen is developer", "mode: plan\nagents: {a: {}}\n",
     "role developer: @builtin fs_* execute_bash web_fetch subagent @tollgate"},
    {"an empty list is none", "agents: {a: {allowedTools: []}}\n", "allowedTools:"},
    {"own tools beat the role", "agents: {a: {role: reviewer, allowedTools: [Bash]}}\n",
     "allowedTools: Bash"},
    {"a role", "agents: {a: {role: supervisor}}\n",
     "role supervisor: fs_read fs_list subagent @tollgate"},
    {"a preset", "agents: {a: {preset: security-audit}}\n", "preset security-audit: Read Grep"},
    {"preset and role both bind", "agents: {a: {preset: development, role: reviewer}}\n",
     "preset development and role reviewer: Read Glob Grep LS"},
    {"a role of one's own", "roles: {r: {allowedTools: [Read]}}\nagents: {a: {role: r}}\n",
     "role r: Read"},
    {"a preset that extends", "presets: {p: {extends: read-only}}\nagents: {a: {preset: p}}\n",
     "preset p: Read Grep Glob LS"},
    {"the file's top holds for silent agents", "role: reviewer\nagents: {a: {}}\n",
     "role reviewer: @builtin fs_read fs_list @tollgate"},
    {"the block brings its own tools", "agents: {a: {workspace: {}}}\n",
     "the workspace defaults: @builtin Bash Read Write Edit Glob Grep LS"},
};

TEST(Load, TheCeilingIsResolvedInOrder) {
  for (const CeilingCase& c : kCeilings) {
    TestFiles files;
    files.user(std::string(c.text));
    const Loaded loaded = files.load();
    EXPECT_FALSE(loaded.set.broken) << c.name << files.report(loaded);
    EXPECT_EQ(ceiling(loaded, "a"), c.want) << c.name;
  }
}

TEST(Load, TheCommandLineCountsAsTheUser) {
  TestFiles files;
  files.user("agents: {a: {role: reviewer, mode: plan}}\n");
  LoadOptions options = files.options();
  options.agent = "a";
  options.allowed_tools = {"Bash(npm *)", "Read"};
  Loaded loaded = load(options);
  EXPECT_EQ(ceiling(loaded, "a"), "--allowed-tools: Bash(npm *) Read");
  EXPECT_EQ(rules(loaded), "allow Bash(npm *) @a [session]\n");
  options.allowed_tools.clear();
  options.yolo = true;
  loaded = load(options);
  EXPECT_EQ(ceiling(loaded, "a"), "--yolo: *");
  EXPECT_EQ(agent(loaded, "a").mode.value, Mode::kAutonomous);
  files.managed("mode: dontAsk\nallowedTools: [Read]\n");
  loaded = load(options);
  EXPECT_EQ(ceiling(loaded, "a"), "--yolo: Read");
  EXPECT_EQ(agent(loaded, "a").mode.value, Mode::kDontAsk);
  options.agent = "b";
  EXPECT_EQ(load(options).set.broken->message, "unknown agent `b`");
}

TEST(Load, ListsBecomeRules) {
  TestFiles files;
  files.user(
      "agents:\n"
      "  a:\n"
      "    allowedTools: [\"Bash(npm *)\", Read]\n"
      "    disallowedTools: [WebFetch]\n"
      "    answer: no\n"
      "    permissionTimeout: 60s\n"
      "    mcpServers: {github: {command: x}}\n"
      "    path: ./backend\n"
      "    workspace:\n"
      "      blockedBash: [[rm, \"-rf /\"], [curl, \"*\"]]\n"
      "      blockedPaths: [/etc/x, ~/.ssh]\n"
      "      allowedHosts: [github.com, \"*.example.com\"]\n"
      "      hosts: ask\n");
  const Loaded loaded = files.load();
  EXPECT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  EXPECT_EQ(rules(loaded),
            "allow Bash(npm *) @a [user]\n"
            "deny WebFetch @a [user]\n"
            "deny Bash(rm -rf /) @a [user]\n"
            "deny Bash(curl *) @a [user]\n"
            "deny Read(//etc/x) @a [user]\n"
            "deny Edit(//etc/x) @a [user]\n"
            "deny Read(~/.ssh) @a [user]\n"
            "deny Edit(~/.ssh) @a [user]\n");
  const AgentPolicy& a = agent(loaded, "a");
  EXPECT_EQ(a.answer.value, Answerer::kNo);
  EXPECT_EQ(a.timeout_ms.value, 60'000);
  EXPECT_EQ(a.servers, std::vector<std::string>{"github"});
  EXPECT_EQ(files.plain(a.path), "home/.config/tollgate/backend");
  EXPECT_TRUE(a.network.limited && a.network.outside_asks);
}

TEST(Load, TheEnvironmentBlockBeatsTheFileAndNeverLiftsARule) {
  TestFiles files;
  files.user("workspace: {blockedBash: [[dd, \"*\"]], blockedPaths: [/u]}\n");
  files.agentic("blocked_bash_patterns: [[make, \"*\"]]\nblocked_paths: [/f]\n");
  files.set("AGENTIC_BLOCKED_BASH", "[[\"nc\", \"*\"]]");
  files.set("AGENTIC_BLOCKED_PATHS", "/e1, /e2");
  files.set("AGENTIC_ALLOWED_HOSTS", "A.example.com.");
  files.set("AGENTIC_DISALLOWED_TOOLS", "WebSearch");
  files.set("AGENTIC_ALLOW_NETWORK", "");
  const Loaded loaded = files.load();
  EXPECT_FALSE(loaded.set.broken) << files.report(loaded);
  EXPECT_EQ(rules(loaded),
            "deny Bash(nc *) [env]\n"
            "deny Read(//e1) [env]\n"
            "deny Edit(//e1) [env]\n"
            "deny Read(//e2) [env]\n"
            "deny Edit(//e2) [env]\n"
            "deny Bash(dd *) [user]\n"
            "deny Read(//u) [user]\n"
            "deny Edit(//u) [user]\n"
            "deny WebSearch [env]\n");
  EXPECT_EQ(agent(loaded, "").network.hosts, std::vector<std::string>{"a.example.com"});
  EXPECT_EQ(agent(loaded, "").network.source, ConfigSource::kEnv);
}

TEST(Load, AMalformedVariableDeniesAll) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"AGENTIC_BLOCKED_BASH", "rm"},
                                                        {"AGENTIC_BLOCKED_BASH", "[[\"rm\"]]"},
                                                        {"AGENTIC_ALLOW_NETWORK", "yes"},
                                                        {"AGENTIC_ALLOWED_HOSTS", "a b"},
                                                        {"AGENTIC_ALLOWED_TOOLS", " , "},
                                                        {"AGENTIC_ALLOWED_TOOLS", "Bash(npm"},
                                                        {"AGENTIC_BLOCKED_PATHS", "\xff"}}) {
    TestFiles files;
    files.set(name, value);
    const Loaded loaded = files.load();
    ASSERT_TRUE(loaded.set.broken) << name << "=" << value;
    EXPECT_EQ(loaded.set.broken->code, "bad-environment") << name << "=" << value;
  }
}

TEST(Load, SettingsAreRead) {
  TestFiles files;
  files.user(
      "settings: {listen: \"0.0.0.0:80\", publicUrl: https://gate.example.com, store: "
      "\"postgres://db/x\", redact: ['(?i)token=\\S+'], retention: 7d, permissionTimeout: 1500, "
      "tls: {cert: c.pem, key: k.pem}, anchor: {journal: false, file: ~/heads, every: 30s}}\n"
      "approvers: {oncall: {person: ann, roles: [lead]}}\n"
      "notify: [{name: here, type: desktop}]\n"
      "teams: {t: {claudePath: /x, grantPermission: yes, sandbox: {memory: 4G, pids: 512, cpu: 2}, "
      "remote: ssh x, enableReverseMcp: true, delegate: [u]}}\n"
      "tools: {files.rename: {sideEffect: true, specifierTemplate: \"{path}\", effect: {rename: "
      "[path, newPath]}}}\n");
  const Loaded loaded = files.load();
  EXPECT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  const Settings& s = loaded.settings;
  EXPECT_EQ(s.listen, (Listen{"0.0.0.0", 80}));
  EXPECT_EQ(s.permission_timeout_ms, 1500);
  EXPECT_EQ(s.redact, std::vector<std::string>{"(?i)token=\\S+"});
  EXPECT_TRUE(s.tls);
  EXPECT_EQ(s.retention_ms, 7LL * 86'400'000);
  EXPECT_EQ(s.anchor, (AnchorPlaces{false, files.at("home/heads"), "", 30'000}));
  EXPECT_EQ(s.approvers, (std::vector<ApproverEntry>{{"oncall", "ann", {"lead"}}}));
  ASSERT_EQ(s.agents.size(), 1u);
  EXPECT_EQ(s.agents[0].sandbox, (Sandbox{true, 4LL << 30, 512, 2.0, false}));
  EXPECT_EQ(agent(loaded, "t").answer.value, Answerer::kYes);
  EXPECT_EQ(agent(loaded, "t").command, "/x");
  EXPECT_EQ(agent(loaded, "t").timeout_ms.value, 1500);
  ASSERT_EQ(loaded.set.tools.size(), 1u);
  EXPECT_EQ(loaded.set.tools[0].arguments, (std::vector<std::string>{"path", "newPath"}));
}

TEST(Load, RulesCarryTheirDetails) {
  TestFiles files;
  files.user(
      "rules:\n"
      "  ask:\n"
      "    - rule: Bash(terraform apply *)\n"
      "      reason: production goes through the pipeline\n"
      "      match: [\"terraform apply -auto-approve\"]\n"
      "      not_match: [\"terraform plan\"]\n"
      "      approve: {any: 2, of: [lead, security], deny: 1, within: 10m, expires: 5m}\n"
      "      hours: \"Mon-Fri 09:00-18:00 Europe/Berlin\"\n"
      "      answer: ask\n"
      "      onTimeout: escalate\n");
  const Loaded loaded = files.load();
  EXPECT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  const Rule& rule = loaded.set.rules.front();
  EXPECT_EQ(rule.reason, "production goes through the pipeline");
  EXPECT_EQ(rule.approve, (std::vector<Quorum>{{2, {"lead", "security"}, 1, 600'000, 300'000}}));
  EXPECT_EQ(rule.on_timeout, OnTimeout::kEscalate);
  EXPECT_EQ(rule.where.line, 3u);
  EXPECT_EQ(rule.where.column, 13u);
  ASSERT_EQ(loaded.set.zones.size(), 1u);
  EXPECT_EQ(loaded.set.zones[0].name, "Europe/Berlin");
}

TEST(Load, ThresholdsStandSideBySide) {
  TestFiles files;
  files.user(
      "rules:\n"
      "  ask:\n"
      "    - rule: Bash(terraform apply *)\n"
      "      approve:\n"
      "        - {any: 2, of: [lead], within: 1h, name: two leads}\n"
      "        - {of: [oncall], after: 15m, within: 1h}\n");
  const Loaded loaded = files.load();
  EXPECT_TRUE(loaded.diagnostics.empty()) << files.report(loaded);
  const Quorum leads{.any = 2, .of = {"lead"}, .within_ms = 3'600'000, .name = "two leads"};
  const Quorum later{
      .of = {"oncall"}, .within_ms = 3'600'000, .after_ms = 900'000, .or_else = true};
  EXPECT_EQ(loaded.set.rules.front().approve, (std::vector<Quorum>{leads, later}));
}

// Reads a command as one program run, which is all that these examples need.
Effects one_command(const ToolCall& call, std::span<const ToolDeclaration>) {
  Effect effect;
  effect.kind = EffectKind::kRun;
  const json::Value* command = call.input.find("command");
  std::string word;
  for (char c : (command == nullptr ? std::string() : command->as_string()) + " ") {
    if (c != ' ') word += c;
    if (c == ' ' && !word.empty())
      effect.argv.push_back({.text = std::exchange(word, ""), .span = {}});
  }
  return {effect};
}

TEST(Load, ExamplesAreTried) {
  TestFiles files;
  const auto load_with = [&](const std::string& examples) {
    files.user("rules: {deny: [{rule: Bash(terraform apply *), " + examples + "}]}\n");
    LoadOptions options = files.options();
    options.read_effects = one_command;
    return load(options);
  };
  EXPECT_FALSE(load_with("match: [terraform apply -x], not_match: [terraform plan]").set.broken);
  const Loaded missed = load_with("match: [terraform plan]");
  ASSERT_TRUE(missed.set.broken);
  EXPECT_EQ(missed.set.broken->message,
            "the rule `Bash(terraform apply *)` does not match its example `terraform plan`");
  const Loaded hit = load_with("not_match: [terraform apply]");
  ASSERT_TRUE(hit.set.broken);
  EXPECT_EQ(hit.set.broken->message,
            "the rule `Bash(terraform apply *)` matches `terraform apply`, which it must not");
}

TEST(Load, ALongExampleIsRefusedAndNotTried) {
  TestFiles files;
  const auto load_with = [&](std::size_t size) {
    files.user("rules:\n  deny:\n    - rule: Bash(a *)\n      match:\n        - a b\n        - a" +
               std::string(size - 1, 'b') + "\n");
    return files.load();
  };
  EXPECT_FALSE(load_with(kMaxCommandBytes).set.broken);
  const Loaded loaded = load_with(900'000);
  ASSERT_TRUE(loaded.set.broken);
  EXPECT_EQ(files.report(loaded),
            "home/.config/tollgate/tollgate.yaml:6:11: error[example-too-long]: an example has "
            "900000 bytes, more than the limit of 10000\n"
            "  hint: shorten it to what shows the rule's meaning\n");
  ASSERT_EQ(loaded.set.rules.front().match, std::vector<std::string>{"a b"});
}

TEST(Load, VariablesThatNobodyKnowsAreNotPassedOver) {
  struct Case {
    std::string_view name, variable, want;
  };
  constexpr Case kCases[] = {
      {"a misspelt one is an error", "AGENTIC_BLOCKED_PATH",
       "AGENTIC_BLOCKED_PATH: error[unknown-variable]: `AGENTIC_BLOCKED_PATH` is not known\n"
       "  hint: did you mean `AGENTIC_BLOCKED_PATHS`?"},
      {"another program's is a warning", "AGENTIC_RUN",
       "AGENTIC_RUN: warning[unknown-variable]: `AGENTIC_RUN` is not known; the defaults"},
      {"an older library's is a warning", "AGENTIC_SECURITY_LEVEL",
       "warning[unsupported-variable]: `AGENTIC_SECURITY_LEVEL` is not supported"},
      {"one that hides something is not shown", "AGENTIC_\x1b[2J",
       "AGENTIC_…: warning[unknown-variable]: `AGENTIC_…` is not known"},
  };
  for (const Case& c : kCases) {
    TestFiles files;
    const std::string key = load_key(files.options());
    files.set(std::string(c.variable), "");
    EXPECT_EQ(files.load().set, built_in_policy()) << c.name;
    files.set(std::string(c.variable), "x");
    const Loaded loaded = files.load();
    EXPECT_NE(files.report(loaded).find(c.want), std::string::npos)
        << c.name << "\nwant: " << c.want << "\ngot:  " << files.report(loaded);
    EXPECT_EQ(loaded.set.broken.has_value(), c.want.find(" error[") != c.want.npos) << c.name;
    EXPECT_NE(rules(loaded).find("deny Bash(rm -rf /) [default]"), std::string::npos) << c.name;
    EXPECT_NE(load_key(files.options()), key) << c.name;
  }
}

TEST(Load, TheKeyNamesEverythingBesidesFiles) {
  TestFiles files;
  const std::string key = load_key(files.options());
  files.set("AGENTIC_ALLOW_NETWORK", "false");
  EXPECT_NE(load_key(files.options()), key);
  LoadOptions options = files.options();
  options.agent = "a";
  EXPECT_NE(load_key(options), load_key(files.options()));
}

}  // namespace
}  // namespace tollgate::config
