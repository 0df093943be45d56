// AGENTIC_* as exported, read back by the loader: the same judgement, or a stricter one that the
// export tells of.
#include "native/agentic.h"

#include <gtest/gtest.h>

#include "config/test_files.h"
#include "effects/effects.h"
#include "gate/decide.h"
#include "json/json.h"
#include "oracle/random_case.h"
#include "translation/plain_world.h"

namespace tollgate::native {
namespace {

Verdict verdict(const PolicySet& set, const Policy& policy, ToolCall call) {
  call.agent.clear();
  call.client_mode.clear();
  call.cwd = kRoot;
  const Effects effects = effects_of(call, set.tools, std::string(kHome));
  return decide(policy, call, effects, plain_world(call, effects), {}).verdict;
}

// The policy that a process without any file has under these variables.
PolicySet read_back(const Agentic& exported, std::string* report) {
  config::TestFiles files;
  for (const auto& [name, value] : exported.variables) files.set(name, value);
  config::Loaded loaded = files.load();
  *report = files.report(loaded);
  return std::move(loaded.set);
}

std::string show(const Agentic& exported) {
  std::string text = agentic_text(exported);
  for (const std::string& each : exported.left_out) text += "left out: " + each + "\n";
  return text;
}

TEST(AgenticExport, IsReadBackToTheSameJudgement) {
  struct Row {
    std::string_view name, yaml;
  };
  constexpr Row kRows[] = {
      {"a preset with hosts", "preset: security-audit\n"},
      {"a block with everything",
       "allowedTools: [Bash, Read, Edit, '@s', 'Bash(npm run *)', 'mcp__t__get(a=1)']\n"
       "disallowedTools: [WebSearch, 'Read(**/.env)', 'mcp__*__del']\n"
       "workspace:\n"
       "  blockedBash: [[rm, '-rf /'], [git, 'push --force *'], [npm, 'run build']]\n"
       "  blockedPaths: ['/etc/hosts', '~/n', src/b]\n"
       "  allowNetwork: true\n"
       "  allowedHosts: [a.io, '*.b.a.io']\n"},
      {"no tool at all", "allowedTools: []\nworkspace: {allowedHosts: [a.io]}\n"},
      {"every tool and no network",
       "allowedTools: ['*']\nworkspace: {allowNetwork: false, allowedHosts: [a.io]}\n"},
  };
  for (const Row& row : kRows) {
    config::TestFiles files;
    files.user("version: 1\n" + std::string(row.yaml));
    const config::Loaded loaded = files.load();
    ASSERT_FALSE(loaded.set.broken) << row.name << "\n" << files.report(loaded);
    const Agentic exported = agentic_export(loaded.set, loaded.set.agents[0]);
    EXPECT_TRUE(exported.left_out.empty()) << row.name << "\n" << show(exported);
    std::string report;
    const PolicySet back = read_back(exported, &report);
    ASSERT_FALSE(back.broken) << row.name << "\n" << show(exported) << report;
    const Policy one = compile(loaded.set), two = compile(back);
    for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
      oracle::Random random(seed);
      const ToolCall call = oracle::random_call(random);
      ASSERT_EQ(verdict(loaded.set, one, call), verdict(back, two, call))
          << row.name << " " << call.tool << " " << json::write(call.input) << "\n"
          << show(exported);
    }
  }
}

TEST(AgenticExport, NeverAllowsMoreThanThePolicy) {
  std::size_t allowed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    oracle::Random random(seed);
    const PolicySet set = oracle::random_policy(random);
    const Agentic exported = agentic_export(set, set.agents[0]);
    std::string report;
    const PolicySet back = read_back(exported, &report);
    ASSERT_FALSE(back.broken) << seed << "\n" << oracle::show(set) << show(exported) << report;
    const Policy one = compile(set), two = compile(back);
    for (int n = 0; n < 60; ++n) {
      const ToolCall call = oracle::random_call(random);
      if (verdict(back, two, call) != Verdict::kAllow) continue;
      ++allowed;
      ASSERT_EQ(verdict(set, one, call), Verdict::kAllow)
          << seed << "\n"
          << oracle::show(set) << call.tool << " " << json::write(call.input) << "\n"
          << show(exported);
    }
  }
  EXPECT_GT(allowed, 500u);
}

TEST(AgenticExport, QuotesWhatAShellWouldRead) {
  const Agentic exported{.variables = {{"A", "it's $HOME"}, {"B", "plain,words"}, {"C", ""}},
                         .left_out = {}};
  EXPECT_EQ(agentic_text(exported),
            "export A='it'\\''s $HOME'\nexport B=plain,words\nexport C=''\n");
}

}  // namespace
}  // namespace tollgate::native
