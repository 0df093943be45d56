// What an ask says about its settlement, and what grants settle and do not.
// Effects are written by hand: this room reads no commands.
#include <gtest/gtest.h>

#include "base/text.h"
#include "core/test_call.h"
#include "gate/decide.h"

namespace tollgate {
namespace {

Rule rule_of(Verdict list, std::string_view text) {
  Result<Rule> rule = parse_rule(list, text, {});
  EXPECT_TRUE(rule) << text;
  return rule ? *rule : Rule{};
}

// `git push` in /w, and whatever else is added.
struct Stage {
  PolicySet set = built_in_policy();
  ToolCall call = bash("git push");
  Effects effects = {run("git push")};
  Situation situation;
  DecideOptions options;

  Stage() {
    situation.base = situation.cwd = {"/w", "/w"};
    situation.roots = {{"/w", "/w"}};
    situation.home = {"/home/u", "/home/u"};
    situation.paths.resize(1);
  }

  static Effect run(std::string_view command) {
    Effect effect;
    effect.kind = EffectKind::kRun;
    effect.told = true;
    for (const std::string_view word : split(command, ' '))
      effect.argv.push_back({std::string(word), {}});
    return effect;
  }
  Rule& add(Verdict list, std::string_view text) {
    set.rules.push_back(rule_of(list, text));
    return set.rules.back();
  }
  void grant(std::string_view text, std::string root = "") {
    options.grants = std::make_shared<const Grants>(
        Grants{{.rule = rule_of(Verdict::kAllow, text), .id = "7", .root = std::move(root)}});
  }
  Decision decided() const { return decide(compile(set), call, effects, situation, options); }
};

TEST(Settling, AnAskWithoutARuleIsForPeopleWithinTheAgentsTime) {
  Stage stage;
  EXPECT_EQ(stage.decided().verdict, Verdict::kAsk);
  EXPECT_EQ(stage.decided().answer, Answerer::kAsk);
  EXPECT_EQ(stage.decided().within_ms, kPermissionTimeoutMs);
  EXPECT_EQ(stage.decided().on_timeout, OnTimeout::kDeny);
  stage.set.agents[0].timeout_ms.value = 0;
  EXPECT_EQ(stage.decided().within_ms, 0) << "0 waits for ever";
}

TEST(Settling, OfSeveralRulesAllQuorumsTheShortestTimeAndTheStrictestEndCount) {
  Stage stage;
  Rule& first = stage.add(Verdict::kAsk, "Bash(git push *)");
  first.approve = {Quorum{.any = 2, .of = {"lead"}, .within_ms = 600'000}};
  first.on_timeout = OnTimeout::kForward;
  Decision decision = stage.decided();
  EXPECT_EQ(decision.quorums, stage.set.rules.back().approve);
  EXPECT_EQ(decision.approve, format_quorum(decision.quorums[0]));
  EXPECT_EQ(decision.within_ms, 600'000);
  EXPECT_EQ(decision.on_timeout, OnTimeout::kForward);

  Rule& second = stage.add(Verdict::kAsk, "Bash(git *)");
  second.approve = {Quorum{.any = 1, .of = {"on call"}, .within_ms = 5'000, .expires_ms = 9}};
  second.on_timeout = OnTimeout::kEscalate;
  decision = stage.decided();
  ASSERT_EQ(decision.quorums.size(), 2u);
  EXPECT_EQ(decision.within_ms, 5'000);
  EXPECT_EQ(decision.on_timeout, OnTimeout::kEscalate);

  stage.add(Verdict::kAsk, "Bash").approve = {Quorum{.any = 3}};
  decision = stage.decided();
  EXPECT_EQ(decision.quorums.size(), 3u);
  EXPECT_EQ(decision.within_ms, 5'000) << "a quorum without a time shortens nothing";
  EXPECT_EQ(decision.on_timeout, OnTimeout::kDeny) << "a rule that says nothing says deny";
}

TEST(Settling, WhatARuleWantsSeveralPeopleForIsForNobodyElse) {
  Stage stage;
  stage.set.agents[0].answer.value = Answerer::kParent;
  EXPECT_EQ(stage.decided().answer, Answerer::kParent);
  stage.add(Verdict::kAsk, "Bash(git push *)").approve = {Quorum{.any = 2}};
  EXPECT_EQ(stage.decided().answer, Answerer::kAsk);
}

TEST(Settling, AllowAndDenyCarryNoneOfIt) {
  Stage stage;
  stage.set.agents[0].timeout_ms.value = 5;
  stage.add(Verdict::kAsk, "Bash(git push *)").approve = {Quorum{.any = 2, .within_ms = 9}};
  for (const Answerer answer : {Answerer::kYes, Answerer::kNo}) {
    stage.set.agents[0].answer.value = answer;
    const Decision decision = stage.decided();
    EXPECT_NE(decision.verdict, Verdict::kAsk);
    EXPECT_TRUE(decision.quorums.empty());
    EXPECT_EQ(decision.within_ms, kPermissionTimeoutMs);
  }
}

struct AnswerCase {
  std::string_view name;
  Answerer agent;
  ConfigSource source;
  std::optional<Answerer> session;
  Verdict want;
  Answerer settles;
};

constexpr AnswerCase kAnswers[] = {
    {"the agent's own", Answerer::kForward, ConfigSource::kUser, std::nullopt, Verdict::kAsk,
     Answerer::kForward},
    {"the operator's in its place", Answerer::kForward, ConfigSource::kUser, Answerer::kAsk,
     Verdict::kAsk, Answerer::kAsk},
    {"the operator may loosen a user's", Answerer::kAsk, ConfigSource::kUser, Answerer::kYes,
     Verdict::kAllow, Answerer::kAsk},
    {"and refuse everything", Answerer::kYes, ConfigSource::kUser, Answerer::kNo, Verdict::kDeny,
     Answerer::kAsk},
    {"but not loosen a managed one", Answerer::kAsk, ConfigSource::kManaged, Answerer::kYes,
     Verdict::kAsk, Answerer::kAsk},
    {"only tighten it", Answerer::kYes, ConfigSource::kManaged, Answerer::kAsk, Verdict::kAsk,
     Answerer::kAsk},
};

TEST(Settling, TheOperatorsAnswererCountsAsTheUsers) {
  for (const AnswerCase& c : kAnswers) {
    Stage stage;
    stage.set.agents[0].answer = {c.agent, c.source, "tollgate.yaml:1:1"};
    stage.options.answer = c.session;
    const Decision decision = stage.decided();
    EXPECT_EQ(decision.verdict, c.want) << c.name;
    EXPECT_EQ(decision.answer, c.settles) << c.name;
    if (decision.verdict == Verdict::kAsk) continue;
    EXPECT_EQ(decision.config_source, ConfigSource::kSession) << c.name;
    EXPECT_EQ(decision.reasons[0].source, "session") << c.name;
  }
}

TEST(Settling, AYesGoesToPeopleWhereOnlyTheyMaySettleIt) {
  Stage stage;
  stage.set.agents[0].answer.value = Answerer::kYes;
  Effect& write = stage.effects[0] = {};
  write.kind = EffectKind::kWrite;
  write.path = "/w/.git/config";
  stage.call.tool = stage.call.native_tool = "Write";
  stage.situation.paths[0] = {.state = PathState::kFile, .real = "/w/.git/config"};
  const Decision decision = stage.decided();
  EXPECT_EQ(decision.verdict, Verdict::kAsk);
  EXPECT_EQ(decision.answer, Answerer::kAsk);
}

TEST(Grants, AllowAndSayWhichTheyAre) {
  Stage stage;
  stage.grant("Bash(git push *)");
  const Decision decision = stage.decided();
  EXPECT_EQ(decision.verdict, Verdict::kAllow);
  EXPECT_EQ(decision.config_source, ConfigSource::kGrant);
  ASSERT_EQ(decision.reasons.size(), 1u);
  EXPECT_EQ(decision.reasons[0].kind, ReasonKind::kGrant);
  EXPECT_EQ(decision.reasons[0].rule, "Bash(git push *)");
  EXPECT_EQ(decision.reasons[0].source, "grant 7");
}

struct AgainstCase {
  std::string_view name;
  Verdict list;
  std::string_view rule;
  Mode mode;
  Verdict want;
};

constexpr AgainstCase kAgainst[] = {
    {"a deny rule holds", Verdict::kDeny, "Bash(git push *)", Mode::kDefault, Verdict::kDeny},
    {"an ask rule holds", Verdict::kAsk, "Bash(git push *)", Mode::kDefault, Verdict::kAsk},
    {"a rule about something else does not", Verdict::kDeny, "Bash(git pull *)", Mode::kDefault,
     Verdict::kAllow},
    {"plan holds", Verdict::kDeny, "Bash(git pull *)", Mode::kPlan, Verdict::kDeny},
    {"dontAsk has nothing to ask", Verdict::kDeny, "Bash(git pull *)", Mode::kDontAsk,
     Verdict::kAllow},
    {"dontAsk denies what an ask rule holds up", Verdict::kAsk, "Bash(git push *)", Mode::kDontAsk,
     Verdict::kDeny},
};

TEST(Grants, NeverOverrideARuleOrAMode) {
  for (const AgainstCase& c : kAgainst) {
    Stage stage;
    stage.add(c.list, c.rule);
    stage.options.mode = c.mode;
    stage.grant("Bash(git push)");
    EXPECT_EQ(stage.decided().verdict, c.want) << c.name;
  }
}

TEST(Grants, NeverSettleABreaker) {
  Stage stage;
  stage.effects = {Stage::run("git push --force")};
  stage.call = bash("git push --force");
  stage.add(Verdict::kAllow, "Bash(git push *)");
  EXPECT_EQ(stage.decided().verdict, Verdict::kAsk) << "a rule does not";
  stage.grant("Bash(git push --force)");
  EXPECT_EQ(stage.decided().verdict, Verdict::kAsk);
}

TEST(Grants, NeverSettleAGuardedPathEvenByItsName) {
  Stage stage;
  Effect& write = stage.effects[0] = {};
  write.kind = EffectKind::kWrite;
  write.path = "/w/.envrc";
  stage.call.tool = stage.call.native_tool = "Edit";
  stage.situation.paths[0] = {.state = PathState::kFile, .real = "/w/.envrc"};
  stage.grant("Edit(//w/.envrc)");
  const Decision decision = stage.decided();
  EXPECT_EQ(decision.verdict, Verdict::kAsk);
  EXPECT_EQ(decision.reasons[0].kind, ReasonKind::kGuarded);
  stage.add(Verdict::kAllow, "Edit(//w/.envrc)");
  EXPECT_EQ(stage.decided().verdict, Verdict::kAllow) << "a rule in the policy does";
}

TEST(Grants, NeverSettleWhatWasNotRead) {
  Stage stage;
  Effect unread;
  unread.kind = EffectKind::kUnknown;
  unread.owner = 0;
  unread.target = kUnreadScript;
  unread.why = "the script is not read";
  stage.effects = {Stage::run("python x.py"), unread};
  stage.situation.paths.resize(2);
  for (const std::string_view rule : {"Bash(python x.py)", "Bash(python *)", "Bash"}) {
    stage.grant(rule);
    EXPECT_EQ(stage.decided().verdict, Verdict::kAsk) << rule;
  }
}

struct RootCase {
  std::string_view name, root, session_root, cwd;
  Verdict want;
};

constexpr RootCase kRoots[] = {
    {"a grant without a root holds everywhere", "", "/w", "/w", Verdict::kAllow},
    {"one with a root holds in it", "/w", "/w", "/w", Verdict::kAllow},
    {"and in what lies below", "/w", "/w", "/w/sub", Verdict::kAllow},
    {"not in another workspace", "/other", "/w", "/w", Verdict::kAsk},
    {"not in a workspace below it", "/w", "/w/sub", "/w/sub", Verdict::kAsk},
    {"nor in one above it", "/w/sub", "/w", "/w/sub", Verdict::kAsk},
    {"not for a command outside it", "/w", "/w", "/elsewhere", Verdict::kAsk},
    {"a name that begins alike is another", "/w", "/w", "/w2", Verdict::kAsk},
};

TEST(Grants, HoldOnlyInTheirRoot) {
  for (const RootCase& c : kRoots) {
    Stage stage;
    const std::string root(c.session_root), cwd(c.cwd);
    stage.situation.roots = {{root, root}};
    stage.situation.cwd = {cwd, cwd};
    stage.grant("Bash(git push)", std::string(c.root));
    EXPECT_EQ(stage.decided().verdict, c.want) << c.name;
  }
}

TEST(Grants, ARootIsComparedByWhereItReallyIs) {
  Stage stage;
  stage.situation.roots = {{"/link", "/real"}};
  stage.situation.cwd = {"/link", "/real"};
  stage.grant("Bash(git push)", "/real");
  EXPECT_EQ(stage.decided().verdict, Verdict::kAllow);
  stage.grant("Bash(git push)", "/link");
  EXPECT_EQ(stage.decided().verdict, Verdict::kAsk);
}

TEST(Grants, AreNoOthersThanAllowRules) {
  Stage stage;
  stage.options.grants = std::make_shared<const Grants>(
      Grants{{.rule = rule_of(Verdict::kDeny, "Bash"), .id = "7", .root = ""}});
  EXPECT_EQ(stage.decided().verdict, Verdict::kAsk) << "a deny among them counts for nothing";
}

TEST(Grants, CoverTogetherWithRules) {
  Stage stage;
  stage.effects = {Stage::run("git push"), Stage::run("git pull")};
  stage.situation.paths.resize(2);
  stage.grant("Bash(git push)");
  EXPECT_EQ(stage.decided().verdict, Verdict::kAsk);
  stage.add(Verdict::kAllow, "Bash(git pull)");
  const Decision decision = stage.decided();
  EXPECT_EQ(decision.verdict, Verdict::kAllow);
  EXPECT_EQ(decision.reasons.size(), 2u);
}

TEST(Grants, NeverLiftTheCeiling) {
  Stage stage;
  Result<ToolPart> read = parse_tool_part(Verdict::kAllow, "Read", {});
  ASSERT_TRUE(read);
  stage.set.agents[0].ceiling = {.entries = {{*read, "Read"}}, .chosen = true};
  stage.grant("Bash(git push)");
  EXPECT_EQ(stage.decided().verdict, Verdict::kDeny);
}

}  // namespace
}  // namespace tollgate
