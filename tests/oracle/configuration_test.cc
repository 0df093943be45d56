// The same policy by three ways: read from YAML, from formatted YAML, and from its snapshot.
// Whatever the policy and the call, all three judge alike.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "config/fmt.h"
#include "config/loader.h"
#include "config/snapshot.h"
#include "effects/effects.h"
#include "json/json.h"
#include "oracle/random_case.h"
#include "os/files.h"

namespace tollgate::oracle {
namespace {

// One policy as a person might have written it: odd indents, comments, both forms of a rule.
class YamlWriter {
 public:
  explicit YamlWriter(Random& random) : random_(random) {}

  std::string write(const PolicySet& set) {
    text_ = "# a policy\nversion: 1\n";
    for (const AgentPolicy& agent : set.agents)
      if (agent.name.empty()) write_choices(agent, "");
    write_rules(set, "", "");
    text_ += "agents:\n";
    for (const AgentPolicy& agent : set.agents) {
      if (agent.name.empty()) continue;
      text_ += "  " + agent.name + ":\n    provider: claude   # any\n";
      write_choices(agent, "    ");
      write_rules(set, agent.name, "    ");
    }
    return text_;
  }

 private:
  void write_choices(const AgentPolicy& agent, const std::string& indent) {
    text_ += indent + "mode: " + std::string(name(agent.mode.value)) + "\n";
    text_ += indent + "answer: \"" + std::string(name(agent.answer.value)) + "\"\n";
    if (agent.network.limited)
      text_ += indent + "workspace: {allowedHosts: [a.io, \"*.b.a.io\"]}\n";
  }

  void write_rules(const PolicySet& set, const std::string& agent, const std::string& indent) {
    text_ += indent + "rules:\n";
    for (const Verdict list : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
      text_ += indent + "  " + std::string(name(list)) + ":\n";
      const std::string inner = indent + (random_.one_in(2) ? "  " : "      ");
      bool any = false;
      for (const Rule& rule : set.rules) {
        if (rule.verdict != list || rule.agent != agent || rule.where.line == 0) continue;
        any = true;
        if (random_.one_in(4)) text_ += inner + "# about the next\n\n\n";
        write_rule(rule, inner);
      }
      if (!any) text_.insert(text_.size() - 1, " []");
    }
  }

  void write_rule(const Rule& rule, const std::string& inner) {
    const std::string quoted = json::quote(random_.one_in(3) ? "  " + rule.text : rule.text);
    if (!rule.hours && !rule.answer && rule.reason.empty()) {
      text_ += inner + "-   " + quoted + (random_.one_in(3) ? "   # why\n" : "\n");
      return;
    }
    text_ += inner + "- rule: " + quoted + "\n";
    if (rule.hours) text_ += inner + "  hours: \"" + format_hours(*rule.hours) + "\"  \n";
    if (!rule.reason.empty()) text_ += inner + "  reason: " + rule.reason + "\n";
    if (rule.answer) text_ += inner + "  answer: \"" + std::string(name(*rule.answer)) + "\"\n";
  }

  Random& random_;
  std::string text_;
};

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = "/var/tmp/tollgate-oracle-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    for (const char* file : {"/tollgate.yaml", "/data/snapshot"}) unlink((path_ + file).c_str());
    rmdir((path_ + "/data").c_str());
    rmdir(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Configuration, JudgesAlikeFromYamlFormattedYamlAndSnapshot) {
  const TemporaryDirectory directory;
  const os::Environment environment(os::Environment::Variables{{"HOME", directory.path()}});
  const std::string file = directory.path() + "/tollgate.yaml";
  const int policies = std::getenv("TOLLGATE_LONG") != nullptr ? 5'000 : 500;
  for (int seed = 1; seed <= policies; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::string text = YamlWriter(random).write(random_policy(random));
    const Result<std::string> formatted = config::format_config(text, file);
    ASSERT_TRUE(formatted) << render(formatted.error()) << text;
    const Result<std::string> again = config::format_config(*formatted, file);
    ASSERT_TRUE(again);
    ASSERT_EQ(*again, *formatted) << "formatting twice changes more";

    config::LoadOptions options{.config_file = file,
                                .managed_file = "",
                                .cwd = directory.path(),
                                .data_dir = directory.path() + "/data",
                                .environment = &environment};
    ASSERT_TRUE(os::write_atomically(file, text, 0600));
    const config::Loaded loaded = config::load(options);
    ASSERT_FALSE(loaded.set.broken) << render(*loaded.set.broken) << text;
    const Policy from_yaml = compile(loaded.set);
    const std::string snapshot = directory.path() + "/data/snapshot";
    const std::string key = config::load_key(options);
    const Result<void> written = config::write_snapshot(snapshot, from_yaml, loaded.sources, key);
    ASSERT_TRUE(written) << render(written.error());
    const Result<Policy> from_snapshot = config::open_snapshot(snapshot, key);
    ASSERT_TRUE(from_snapshot) << render(from_snapshot.error());
    ASSERT_TRUE(os::write_atomically(file, *formatted, 0600));
    const config::Loaded reloaded = config::load(options);
    ASSERT_FALSE(reloaded.set.broken) << render(*reloaded.set.broken) << *formatted;
    const Policy from_formatted = compile(reloaded.set);
    ASSERT_FALSE(config::open_snapshot(snapshot, key)) << "a changed source makes it stale";

    for (int n = 0; n < 20; ++n) {
      const ToolCall call = random_call(random);
      const Effects effects = effects_of(call, loaded.set.tools, "/home/user");
      const Situation situation = random_situation(random, call, effects);
      const DecideOptions decide_options = random_options(random);
      const Decision one = decide(from_yaml, call, effects, situation, decide_options);
      ASSERT_EQ(one, decide(*from_snapshot, call, effects, situation, decide_options)) << text;
      ASSERT_EQ(one.verdict,
                decide(from_formatted, call, effects, situation, decide_options).verdict)
          << text << "\n----\n"
          << *formatted;
    }
  }
}

}  // namespace
}  // namespace tollgate::oracle
