// What a repository may try against the person who opens it, and what comes of it.
// Every file here is one that a stranger wrote, or a place where a stranger could write.
// SAFETY cases: nothing that a project says may widen what a more trusted file left narrow.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "config/layers.h"
#include "config/loader.h"
#include "config/test_files.h"
#include "config/trust.h"
#include "policy/policy.h"

namespace tollgate::config {
namespace {

// "deny Bash(x) @agent", one a line, built-in defaults left out.
std::string rules(const Loaded& loaded) {
  std::string out;
  for (const Rule& rule : loaded.set.rules)
    if (rule.source != ConfigSource::kDefault)
      out += std::string(name(rule.verdict)) + " " + rule.text +
             (rule.agent.empty() ? "" : " @" + rule.agent) + "\n";
  return out;
}

bool has_default_paths(const Loaded& loaded) {
  for (const Rule& rule : loaded.set.rules)
    if (rule.source == ConfigSource::kDefault && rule.specifier_kind == SpecifierKind::kPath)
      return true;
  return false;
}

AgentPolicy agent(const Loaded& loaded, std::string_view wanted) {
  for (const AgentPolicy& each : loaded.set.agents)
    if (each.name == wanted) return each;
  AgentPolicy none;
  none.name = "no such agent";
  return none;
}

std::string tools(const Loaded& loaded, std::string_view wanted) {
  std::string out;
  for (const CeilingEntry& entry : agent(loaded, wanted).ceiling.entries)
    out += (out.empty() ? "" : " ") + entry.text;
  return out;
}

std::string broken_by(const Loaded& loaded) {
  return loaded.set.broken ? loaded.set.broken->code : "nothing";
}

bool has_code(const Loaded& loaded, std::string_view code) {
  for (const Diagnostic& each : loaded.diagnostics)
    if (each.error.code == code) return true;
  return false;
}

void trust(const TestFiles& files, const std::string& name) {
  TrustStore store = TrustStore::open(files.at("home/.local/state/tollgate")).value();
  ASSERT_TRUE(store.pin(files.at(name), os::read_file(files.at(name), 1u << 20).value()));
  ASSERT_TRUE(store.save());
}

std::string many_agents(int count) {
  std::string text = "agents:\n";
  for (int i = 0; i < count; ++i) text += "  a" + std::to_string(i) + ": {}\n";
  return text;
}

struct BrokenCase {
  std::string_view name;
  std::string user, project;
  std::string_view want;
};

// Sanitizers make everything several times slower; quadratic work would take minutes.
constexpr auto kPatience = std::chrono::seconds(60);

TEST(HostileProject, SizesHaveLimitsAndCostNoTime) {
  std::string twice, unknown, wide = "rules: {deny: [";
  for (int i = 0; i < 60'000; ++i) twice += "notify: []\n";
  for (int i = 0; i < 60'000; ++i) unknown += "k" + std::to_string(i) + ": []\n";
  for (int i = 0; i < 50'000; ++i) wide += "Bash(x),";
  const BrokenCase cases[] = {
      {"a thousand agents are taken", "", many_agents(1000), "nothing"},
      {"more agents in a project are refused", "", many_agents(1001), "too-many-agents"},
      {"very many agents in a project are refused", "", many_agents(65'535), "too-many-agents"},
      {"ten thousand agents of the user are taken", many_agents(10'000), "", "nothing"},
      {"more agents of the user are refused", many_agents(10'001), "", "too-many-agents"},
      {"one key very often is read to the limit of errors", "", twice, "too-many-errors"},
      {"very many unknown keys are read to the limit of errors", "", unknown, "too-many-errors"},
      {"very many rules on one line are read", "", wide + "]}\n", "nothing"},
      {"a project file above its limit is refused", "",
       "#" + std::string((1u << 20) + 1, 'x') + "\n", "file-too-large"},
      {"a user's file of that size is taken", "#" + std::string((1u << 20) + 1, 'x') + "\n", "",
       "nothing"},
  };
  for (const BrokenCase& c : cases) {
    TestFiles files;
    if (!c.user.empty()) files.user(c.user);
    if (!c.project.empty()) files.project(c.project);
    const auto begin = std::chrono::steady_clock::now();
    const Loaded loaded = files.load();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience) << c.name;
    EXPECT_EQ(broken_by(loaded), c.want) << c.name;
    EXPECT_LE(loaded.diagnostics.size(), 101u) << c.name;
  }
}

TEST(HostileProject, APolicyWithMoreAgentsThanItsIndexHoldsIsNone) {
  PolicySet set = built_in_policy();
  set.agents.resize(kMaxAgents, set.agents[0]);
  const Policy held = compile(set);
  EXPECT_FALSE(held.broken());
  set.agents.resize(0xffff, set.agents[0]);
  const Policy policy = compile(set);
  EXPECT_TRUE(policy.broken());
}

TEST(HostileProject, AnUntrustedFileMakesNoAgents) {
  TestFiles files;
  files.user("agents: {a: {}}\n");
  files.project("agents: {a: {rules: {deny: [Bash]}}, b: {rules: {deny: [Read]}}}\n");
  const Loaded loaded = files.load();
  EXPECT_EQ(broken_by(loaded), "nothing") << files.report(loaded);
  EXPECT_EQ(rules(loaded), "deny Bash @a\n");
  EXPECT_EQ(loaded.set.agents.size(), 2u);
  EXPECT_NE(files.report(loaded).find("not heard are agents"), std::string::npos);
  LoadOptions options = files.options();
  options.agent = "b";
  EXPECT_EQ(broken_by(load(options)), "unknown-agent");
  trust(files, "home/project/tollgate.yaml");
  EXPECT_EQ(rules(files.load()), "deny Bash @a\ndeny Read @b\n");
}

struct ModeCase {
  std::string_view name, managed, user, project;
  Mode mode, limit;
};
constexpr ModeCase kModes[] = {
    {"a user's mode is no limit", "", "mode: plan\n", "", Mode::kPlan, Mode::kAutonomous},
    {"a managed mode is", "mode: default\n", "", "", Mode::kDefault, Mode::kDefault},
    {"a user's stricter mode leaves the limit", "mode: default\n", "mode: plan\n", "", Mode::kPlan,
     Mode::kDefault},
    {"a project's mode limits as well", "mode: acceptEdits\n", "mode: plan\n", "mode: dontAsk\n",
     Mode::kPlan, Mode::kDontAsk},
    {"a managed preset's mode limits", "presets: {p: {mode: dontAsk}}\npreset: p\n",
     "mode: autonomous\n", "", Mode::kDontAsk, Mode::kDontAsk},
};

TEST(HostileProject, TheModeLimitIsTheTightestOfManagedAndProject) {
  for (const ModeCase& c : kModes) {
    TestFiles files;
    if (!c.managed.empty()) files.managed(std::string(c.managed));
    if (!c.user.empty()) files.user(std::string(c.user));
    if (!c.project.empty()) {
      files.project(std::string(c.project));
      trust(files, "home/project/tollgate.yaml");
    }
    const Loaded loaded = files.load();
    EXPECT_EQ(broken_by(loaded), "nothing") << c.name << files.report(loaded);
    EXPECT_EQ(agent(loaded, "").mode.value, c.mode) << c.name;
    EXPECT_EQ(agent(loaded, "").mode_limit, c.limit) << c.name;
  }
}

TEST(HostileProject, ALinkOutOfTheProjectIsNeverTrusted) {
  TestFiles files;
  const std::string text = "rules: {allow: [Bash]}\n";
  files.project(text);
  trust(files, "home/project/tollgate.yaml");
  EXPECT_EQ(rules(files.load()), "allow Bash\n");

  // A second project that borrows the trusted file of the first.
  files.write("home/other/.git/HEAD", "");
  ASSERT_EQ(::symlink("../project/tollgate.yaml", files.at("home/other/tollgate.yaml").c_str()), 0);
  LoadOptions options = files.options();
  options.cwd = files.at("home/other");
  EXPECT_EQ(rules(load(options)), "");
  TrustStore store = TrustStore::open(files.at("home/.local/state/tollgate")).value();
  const Result<void> pinned = store.pin(files.at("home/other/tollgate.yaml"), text);
  ASSERT_FALSE(pinned);
  EXPECT_EQ(pinned.error().code, "link-leaves-project");

  // The trusted file itself becomes a link with the same bytes behind it.
  files.write("home/elsewhere.yaml", text);
  ASSERT_TRUE(os::remove_file(files.at("home/project/tollgate.yaml")));
  ASSERT_EQ(::symlink("../elsewhere.yaml", files.at("home/project/tollgate.yaml").c_str()), 0);
  EXPECT_EQ(rules(files.load()), "");
  EXPECT_TRUE(has_code(files.load(), "trust-changed"));
}

TEST(HostileProject, ALinkedAgenticDirectoryIsNeverTrusted) {
  TestFiles files;
  files.write("home/other/.agentic/config.yaml", "allowed_tools: [\"Bash(x)\"]\n");
  trust(files, "home/other/.agentic/config.yaml");
  ASSERT_EQ(::symlink("../other/.agentic", files.at("home/project/.agentic").c_str()), 0);
  EXPECT_EQ(rules(files.load()), "");
  LoadOptions options = files.options();
  options.cwd = files.at("home/other");
  EXPECT_EQ(rules(load(options)), "allow Bash(x)\n");
}

TEST(HostileProject, EveryFileUpToTheBorderIsReadNearestFirst) {
  TestFiles files;
  files.write("home/tollgate.yaml", "rules: {deny: [Glob]}\n");
  files.project("rules: {deny: [Bash]}\n");
  files.agentic("disallowed_tools: [Grep]\n");
  files.write("home/project/a/.tollgate.yaml", "rules: {deny: [Read]}\n");
  files.write("home/project/a/b/tollgate.yaml", "rules: {deny: [Edit]}\n");
  LoadOptions options = files.options();
  options.cwd = files.at("home/project/a/b");
  EXPECT_EQ(rules(load(options)), "deny Edit\ndeny Read\ndeny Bash\ndeny Grep\n");

  const Files found = find_files({.managed_file = "",
                                  .user_file = "",
                                  .named = false,
                                  .cwd = options.cwd,
                                  .home = files.at("home"),
                                  .project_files = true});
  std::string absent;
  for (const ConfigFile& each : found.absent) absent += files.plain(each.path) + "\n";
  EXPECT_EQ(absent,
            "home/project/a/b/.tollgate.yaml\nhome/project/a/b/.agentic/config.yaml\n"
            "home/project/a/tollgate.yaml\nhome/project/a/.agentic/config.yaml\n"
            "home/project/.tollgate.yaml\n");
}

TEST(HostileProject, ALinkedDirectoryHidesNoFile) {
  TestFiles files;
  files.project("rules: {deny: [Bash]}\n");
  files.write("home/project/deep/x", "");
  files.write("home/links/.tollgate.yaml", "rules: {deny: [Read]}\n");
  ASSERT_EQ(::symlink("../project/deep", files.at("home/links/here").c_str()), 0);
  LoadOptions options = files.options();
  options.cwd = files.at("home/links/here");
  EXPECT_EQ(rules(load(options)), "deny Bash\ndeny Read\n");
  options.cwd = files.at("home/links/here/..");
  EXPECT_EQ(rules(load(options)), "deny Bash\n");

  options.cwd = files.at("home/links/here");
  const std::string key = load_key(options);
  ASSERT_TRUE(os::remove_file(files.at("home/links/here")));
  ASSERT_EQ(::symlink("..", files.at("home/links/here").c_str()), 0);
  EXPECT_NE(load_key(options), key);
}

TEST(HostileProject, ALinkedHomeIsABorderToo) {
  TestFiles files;
  files.write("tollgate.yaml", "rules: {deny: [Bash]}\n");
  files.write("home/plain/x", "");
  ASSERT_EQ(::symlink("home", files.at("link").c_str()), 0);
  files.set("HOME", files.at("link"));
  LoadOptions options = files.options();
  options.cwd = files.at("home/plain");
  EXPECT_EQ(rules(load(options)), "");
}

struct NameCase {
  std::string_view name, managed, user, project;
  std::string_view want;  // the code, or the tools of agent a
};
constexpr NameCase kNames[] = {
    {"a project does not fill in the user's role", "", "agents: {a: {role: r}}\n",
     "roles: {r: {allowedTools: [Bash]}}\n", "unknown-role"},
    {"nor what the user's role extends", "", "roles: {q: {extends: r}}\nagents: {a: {role: q}}\n",
     "roles: {r: {allowedTools: [Bash]}}\n", "unknown-role"},
    {"nor the user's preset", "", "agents: {a: {preset: p}}\n",
     "presets: {p: {allowedTools: [Bash]}}\n", "unknown-preset"},
    {"a user does not fill in the managed role", "agents: {a: {role: r}}\n",
     "roles: {r: {allowedTools: [Bash]}}\n", "", "unknown-role"},
    {"a user may use a managed role", "roles: {r: {allowedTools: [Bash]}}\n",
     "agents: {a: {role: r}}\n", "", "Bash"},
    {"a project may use a user's role", "", "roles: {r: {allowedTools: [Read]}}\n",
     "agents: {a: {role: r}}\n", "Read"},
    {"a project's role only tightens", "", "agents: {a: {allowedTools: [Bash, Read]}}\n",
     "roles: {r: {allowedTools: [Read, Edit]}}\nagents: {a: {role: r}}\n", "Read"},
};

TEST(HostileProject, NamesResolveAmongAtLeastAsTrustedFiles) {
  for (const NameCase& c : kNames) {
    TestFiles files;
    if (!c.managed.empty()) files.managed(std::string(c.managed));
    files.user(std::string(c.user));
    if (!c.project.empty()) {
      files.project(std::string(c.project));
      trust(files, "home/project/tollgate.yaml");
    }
    const Loaded loaded = files.load();
    EXPECT_EQ(loaded.set.broken ? broken_by(loaded) : tools(loaded, "a"), c.want)
        << c.name << "\n"
        << files.report(loaded);
  }
}

TEST(HostileProject, AProjectDoesNotTurnOutsideHostsIntoAQuestion) {
  TestFiles files;
  files.project("workspace: {allowedHosts: [a.example], hosts: ask}\n");
  trust(files, "home/project/tollgate.yaml");
  EXPECT_TRUE(agent(files.load(), "").network.limited);
  EXPECT_FALSE(agent(files.load(), "").network.outside_asks);
  files.project("workspace: {hosts: ask}\n");
  trust(files, "home/project/tollgate.yaml");
  EXPECT_TRUE(agent(files.load(), "").network.limited);
  EXPECT_FALSE(agent(files.load(), "").network.outside_asks);
  files.user("workspace: {hosts: ask}\n");
  EXPECT_TRUE(agent(files.load(), "").network.outside_asks);
}

TEST(HostileProject, OnlyOthersReplaceTheDefaultBlockedPaths) {
  TestFiles files;
  files.project("workspace: {blockedPaths: []}\nagents: {a: {workspace: {blockedPaths: []}}}\n");
  trust(files, "home/project/tollgate.yaml");
  EXPECT_TRUE(has_default_paths(files.load()));
  EXPECT_TRUE(agent(files.load(), "a").default_paths);
  files.project("preset: full-access\n");
  trust(files, "home/project/tollgate.yaml");
  EXPECT_TRUE(has_default_paths(files.load()));
  files.user("workspace: {blockedPaths: []}\nagents: {a: {workspace: {blockedPaths: []}}}\n");
  EXPECT_FALSE(has_default_paths(files.load()));
  EXPECT_FALSE(agent(files.load(), "a").default_paths);
}

TEST(HostileProject, TheEnvironmentsToolsBeatTheBlocksFileAlone) {
  TestFiles files;
  files.agentic("allowed_tools: [Glob]\n");
  trust(files, "home/project/.agentic/config.yaml");
  files.set("AGENTIC_ALLOWED_TOOLS", "Bash,Read");
  EXPECT_EQ(tools(files.load(), ""), "Bash Read");
  files.project("allowedTools: [Read]\n");
  trust(files, "home/project/tollgate.yaml");
  EXPECT_EQ(tools(files.load(), ""), "Read");
}

TEST(HostileProject, ItsExamplesMayTakeOnlySoLong) {
  const std::string letters(9'900, 'a');
  std::string text = "rules:\n  deny:\n";
  for (int i = 0; i < 40; ++i)
    text += "    - rule: Bash(x *" + letters + "b)\n      not_match: [\"x " + letters + "\"]\n";
  TestFiles files;
  int tried = 0;
  const auto load_it = [&] {
    LoadOptions options = files.options();
    options.read_effects = [&](const ToolCall&, std::span<const ToolDeclaration>) {
      ++tried;
      return Effects{};
    };
    return load(options);
  };
  files.project(text);
  EXPECT_EQ(broken_by(load_it()), "too-many-examples");
  EXPECT_LE(tried, 2);
  files.project("");
  files.user(text);
  EXPECT_EQ(broken_by(load_it()), "nothing");
}

// The denied commands that no file names.
int default_pairs(const Loaded& loaded) {
  return static_cast<int>(std::ranges::count_if(loaded.set.rules, [](const Rule& rule) {
    return rule.source == ConfigSource::kDefault && rule.specifier_kind == SpecifierKind::kShell;
  }));
}

TEST(HostileProject, AnEmptyListLiftsNoDefaultCommandOfSomebodyElsesBlock) {
  constexpr std::string_view kProject = "workspace: {blockedBash: []}\n";
  TestFiles files;
  files.project(std::string(kProject));
  EXPECT_EQ(default_pairs(files.load()), 4) << "an untrusted project";
  trust(files, "home/project/tollgate.yaml");
  EXPECT_EQ(default_pairs(files.load()), 0) << "a block that is all the project's own";
  files.user("workspace: {}\n");
  EXPECT_EQ(default_pairs(files.load()), 4) << "the user's block";
  files.user("workspace: {blockedBash: []}\n");
  EXPECT_EQ(default_pairs(files.load()), 0) << "the user's own empty list";
  files.user("mode: default\n");
  files.managed("workspace: {}\n");
  EXPECT_EQ(default_pairs(files.load()), 4) << "the managed block";
  files.managed("mode: default\n");
  files.set("AGENTIC_ALLOW_NETWORK", "true");
  EXPECT_EQ(default_pairs(files.load()), 4) << "the environment's block";
}

TEST(HostileProject, AProjectDoesNotSayHowAnAgentIsStarted) {
  for (const char* key : {"command: x", "claudePath: x", "path: /x", "roots: [/]", "provider: x",
                          "mcpServers: {}", "permissionTimeout: 1h"}) {
    TestFiles files;
    files.project("agents: {a: {" + std::string(key) + "}}\n");
    EXPECT_EQ(broken_by(files.load()), "not-in-project") << key;
  }
}

TEST(HostileProject, AProjectDoesNotSayWhatHappensWhenNobodyAnswers) {
  for (const char* then : {"deny", "escalate", "forward"}) {
    TestFiles files;
    files.project("rules: {ask: [{rule: Bash(make), onTimeout: " + std::string(then) + "}]}\n");
    EXPECT_EQ(broken_by(files.load()), "not-in-project") << then;
  }
}

TEST(HostileProject, AProjectDoesNotRenameTheRoleOfSomebodyElsesAgent) {
  TestFiles files;
  files.user("agents: {a: {}}\n");
  files.project("agents: {a: {role: reviewer}, b: {role: reviewer}}\n");
  trust(files, "home/project/tollgate.yaml");
  const Loaded loaded = files.load();
  EXPECT_EQ(agent(loaded, "a").role, "");
  EXPECT_EQ(agent(loaded, "b").role, "reviewer");
  EXPECT_EQ(tools(loaded, "a").find("execute_bash"), std::string::npos);
}

struct PlaceCase {
  std::string_view name, directory;
  mode_t mode;
  std::string_view want;
};
constexpr PlaceCase kPlaces[] = {
    {"the user's own directory", "home/.config/tollgate", 0755, "nothing"},
    {"a user's directory that the group can write", "home/.config/tollgate", 0775,
     "unsafe-policy-file"},
    {"a managed directory that others can write", "etc", 0757, "unsafe-policy-file"},
    {"a shared directory with the sticky bit", "etc", 01777, "nothing"},
    {"a data directory that others can write", "home/.local/state/tollgate", 0777,
     "unsafe-trust-store"},
};

TEST(HostileProject, DirectoriesThatOthersCanWriteDeny) {
  for (const PlaceCase& c : kPlaces)
    for (const bool with_files : {false, true}) {
      TestFiles files;
      const std::string directory = files.at(std::string(c.directory));
      ASSERT_TRUE(os::make_private_directory(directory));
      if (with_files) {
        files.user("mode: plan\n");
        files.managed("mode: plan\n");
      }
      ASSERT_EQ(::chmod(directory.c_str(), c.mode), 0);
      EXPECT_EQ(broken_by(files.load()), c.want) << c.name << (with_files ? ", with files" : "");
    }
}

}  // namespace
}  // namespace tollgate::config
