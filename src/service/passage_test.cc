// What happens to a call that waits: a world, a policy or an input that is no longer the one that
// was asked about. The world is fixed; where it moves, it moves between open() and close().
#include "service/passage.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/test_call.h"
#include "service/test_chain.h"

namespace tollgate {
namespace {

// ---- what the wait undoes ----

struct MoveCase {
  std::string_view name;
  std::vector<Says> levels;
  std::string_view real;  // where /w/x leads after the answer
  Verdict want;
};

// NOLINTNEXTLINE(cert-err58-cpp)
const MoveCase kMoves[] = {
    {"nothing moved", {{.agent = "a"}}, "/w/x", Verdict::kAllow},
    {"into what the asking session is denied",
     {{.agent = "a", .deny = {"Edit(//secret/**)"}}},
     "/secret/x",
     Verdict::kDeny},
    {"into what the top is denied",
     {{.agent = "a"},
      {.agent = "b", .allow = kWrite},
      {.agent = "c", .allow = kWrite, .deny = {"Edit(//secret/**)"}}},
     "/secret/x",
     Verdict::kDeny},
    {"into what another level must ask now",
     {{.agent = "a"}, {.agent = "b", .allow = kWrite}},
     "/outside/x",
     Verdict::kAsk},
    {"into what is guarded", {{.agent = "a"}}, "/w/.git/config", Verdict::kAsk},
    {"into what is asked about in the same words", {{.agent = "a"}}, "/w/y", Verdict::kAsk},
    {"out of the workspace, in the same words", {{.agent = "a"}}, "/outside/x", Verdict::kAsk},
};

TEST(Passage, AWorldThatMovedUndoesTheAnswer) {
  for (const MoveCase& c : kMoves) {
    FixedWorld world;
    Passage passage = Passage::open(chain_of(c.levels), world, write_to("/w/x"));
    ASSERT_EQ(passage.needs(), Needs::kPerson) << c.name;
    Passage::Rest rest = Passage(passage).rest();
    world.files["/w/x"] = {.state = PathState::kFile, .real = std::string(c.real)};
    Passage rested = Passage::wake(std::move(rest), passage.record());
    rested.close(yes(), world);
    passage.close(yes(), world);
    EXPECT_TRUE(rested.record() == passage.record()) << c.name << ", and it rested meanwhile";
    const Decision& decision = passage.record().decision;
    EXPECT_EQ(decision.verdict, c.want) << c.name;
    EXPECT_EQ(passage.record().situation.paths[0].real, c.real) << c.name;
    if (c.want == Verdict::kAllow) continue;
    EXPECT_EQ(decision.reasons[0].rule, "world-changed") << c.name;
    EXPECT_EQ(passage.needs(), c.want == Verdict::kAsk ? Needs::kPerson : Needs::kNothing)
        << c.name;
  }
}

TEST(Passage, WhatIsAskedAgainCanBeAnsweredAgain) {
  FixedWorld world;
  Passage passage = Passage::open(chain_of({{.agent = "a"}}), world, write_to("/w/x"));
  world.files["/w/x"] = {.state = PathState::kFile, .real = "/w/.git/config"};
  passage.close(yes(), world);
  ASSERT_EQ(passage.needs(), Needs::kPerson);
  passage.close(yes(), world);
  EXPECT_EQ(passage.record().decision.verdict, Verdict::kAllow);
}

Levels shared(std::vector<Level> levels) {
  return std::make_shared<const std::vector<Level>>(std::move(levels));
}

struct RenewCase {
  std::string_view name;
  std::vector<Says> before, after;
  Verdict want;
};

// NOLINTNEXTLINE(cert-err58-cpp)
const RenewCase kRenewals[] = {
    {"the same", {{.agent = "a"}}, {{.agent = "a"}}, Verdict::kAllow},
    {"a deny was written meanwhile",
     {{.agent = "a"}},
     {{.agent = "a", .deny = {"Write"}}},
     Verdict::kDeny},
    {"an allow was written meanwhile",
     {{.agent = "a"}, {.agent = "b"}},
     {{.agent = "a", .allow = kWrite}, {.agent = "b"}},
     Verdict::kAllow},
    {"the parent must ask meanwhile",
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b", .allow = kWrite}},
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b"}},
     Verdict::kAsk},
    {"a person is to answer, and the parent's agent did",
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b", .allow = kWrite}},
     {{.agent = "a", .answer = Answerer::kAsk}, {.agent = "b", .allow = kWrite}},
     Verdict::kAsk},
    {"the parent's agent would do, and a person did",
     {{.agent = "a", .answer = Answerer::kAsk}, {.agent = "b", .allow = kWrite}},
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b", .allow = kWrite}},
     Verdict::kAllow},
    {"the delegation was taken back",
     {{.agent = "a", .delegated = true}, {.agent = "b", .deny = {"Write"}}},
     {{.agent = "a"}, {.agent = "b", .deny = {"Write"}}},
     Verdict::kDeny},
};

TEST(Passage, APolicyThatChangedMeanwhileCounts) {
  for (const RenewCase& c : kRenewals) {
    FixedWorld world;
    Passage passage = Passage::open(chain_of(c.before), world, write_to("/w/x"));
    ASSERT_NE(passage.needs(), Needs::kNothing) << c.name;
    passage.renew(shared(chain_of(c.after)));
    passage.close(yes(), world);
    EXPECT_EQ(passage.record().decision.verdict, c.want) << c.name;
    if (c.want != Verdict::kAllow) {
      EXPECT_EQ(passage.record().decision.reasons[0].rule, "world-changed") << c.name;
    }
  }
}

TEST(Passage, AQuorumThatGrewIsNotMetByTheAnswer) {
  FixedWorld world;
  std::vector<Level> levels = chain_of({{.agent = "a"}});
  levels[0].policy = with_quorum({.any = 1}, "a");
  Passage passage = Passage::open(levels, world, write_to("/w/x"));
  levels[0].policy = with_quorum({.any = 2}, "a");
  passage.renew(shared(levels));
  passage.close(yes(), world);
  EXPECT_EQ(passage.record().decision.verdict, Verdict::kAsk);
}

// ---- changed input ----

// Nobody was shown a breaker, and where a touch is wanted for one nobody gave it.
TEST(Passage, AnInputThatABreakerStopsIsNotWhatWasApproved) {
  FixedWorld world;
  ToolCall call;
  call.provider = "claude";
  call.native_tool = call.tool = "Bash";
  call.input = json::Value::object({{"command", json::Value::string("npm ci")}});
  Passage passage = Passage::open(chain_of({{.agent = "a"}}), world, call);
  ASSERT_EQ(passage.needs(), Needs::kPerson);
  Answer answer = yes();
  answer.changed = json::Value::object({{"command", json::Value::string(":(){ :|:& };:")}});
  passage.close(answer, world);
  EXPECT_EQ(passage.record().decision.verdict, Verdict::kDeny);
  EXPECT_EQ(passage.record().decision.reasons[0].rule, "changed-input");
}

struct ChangeCase {
  std::string_view name;
  std::vector<Says> levels;
  std::string_view path;  // what the approver writes instead of /w/x
  Verdict want;
};

// NOLINTNEXTLINE(cert-err58-cpp)
const ChangeCase kChanges[] = {
    {"what is asked anyway is settled with it", {{.agent = "a"}}, "/w/y", Verdict::kAllow},
    {"so is what would be asked for another reason",
     {{.agent = "a"}},
     "/w/.envrc",
     Verdict::kAllow},
    {"what is denied stays denied", {{.agent = "a", .deny = {"Edit(/y)"}}}, "/w/y", Verdict::kDeny},
    {"at every level",
     {{.agent = "a"}, {.agent = "b", .deny = {"Edit(/y)"}}},
     "/w/y",
     Verdict::kDeny},
    {"a parent's agent settles what its own policy allows",
     {{.agent = "a", .answer = Answerer::kParent}, {.agent = "b", .allow = kWrite}},
     "/w/y",
     Verdict::kAllow},
    {"and nothing that a person must answer",
     {{.agent = "a", .answer = Answerer::kParent},
      {.agent = "b", .allow = kWrite, .ask = {"Edit(/y)"}}},
     "/w/y",
     Verdict::kDeny},
};

TEST(Passage, AChangedInputIsJudgedAnew) {
  for (const ChangeCase& c : kChanges) {
    FixedWorld world;
    Passage passage = Passage::open(chain_of(c.levels), world, write_to("/w/x"));
    ASSERT_NE(passage.needs(), Needs::kNothing) << c.name;
    Answer answer = yes();
    answer.changed = write_to(std::string(c.path)).input;
    passage.close(answer, world);
    const AuditRecord& record = passage.record();
    EXPECT_EQ(record.decision.verdict, c.want) << c.name;
    EXPECT_EQ(record.call.input, *answer.changed) << c.name;
    EXPECT_EQ(record.effects.at(0).path, c.path) << c.name;
    EXPECT_EQ(passage.needs(), Needs::kNothing) << c.name;
    if (c.want == Verdict::kDeny) {
      EXPECT_EQ(record.decision.reasons[0].rule, "changed-input") << c.name;
    }
  }
}

TEST(Passage, AChangedInputDoesNotGetRoundAQuorum) {
  FixedWorld world;
  PolicySet set = built_in_policy();
  Result<Rule> rule = parse_rule(Verdict::kAsk, "Edit(/y)", {});
  ASSERT_TRUE(rule);
  rule->approve = {Quorum{.any = 2}};
  set.rules.push_back(*rule);
  std::vector<Level> levels = chain_of({{.agent = ""}});
  levels[0].policy = std::make_shared<const Policy>(compile(set));
  Passage passage = Passage::open(levels, world, write_to("/w/x"));
  ASSERT_EQ(passage.needs(), Needs::kPerson);
  Answer answer = yes();
  answer.changed = write_to("/w/y").input;
  passage.close(answer, world);
  EXPECT_EQ(passage.record().decision.verdict, Verdict::kDeny);
  EXPECT_TRUE(passage.record().decision.quorums.empty());
}

// ---- threads ----

TEST(Passage, ManyAreJudgedAtOnceByOnePolicy) {
  const Levels levels = shared(chain_of(
      {{.agent = "a", .allow = {"Bash(npm test *)"}}, {.agent = "b", .allow = {"Bash(npm *)"}}}));
  std::vector<std::vector<Verdict>> got(4);
  std::vector<std::thread> threads;
  for (std::vector<Verdict>& mine : got)
    threads.emplace_back([&levels, &mine] {
      RealWorld world;
      for (int i = 0; i < 20; ++i)
        for (const char* command : {"npm test", "npm publish", "ls -l", "rm -rf /"}) {
          Passage passage = Passage::open(levels, world, bash(command));
          passage.close(yes(), world);
          mine.push_back(passage.record().decision.verdict);
        }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Verdict>& mine : got) {
    ASSERT_EQ(mine.size(), 80u);
    EXPECT_EQ(mine, got[0]);
    EXPECT_EQ(mine[0], Verdict::kAllow);
  }
}

}  // namespace
}  // namespace tollgate
