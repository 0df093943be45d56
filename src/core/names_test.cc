// Names of enumerations: complete, distinct, and read back to what they name.
// The last enumerator of each list is spelled out here; a new one makes the count fail.
// Synonyms of modes and answerers are rows.
#include "core/names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tollgate {
namespace {

template <class E>
void expect_complete(E last) {
  const auto names = kNamesOf<E>;
  ASSERT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(value_named<E>(names[i]), static_cast<E>(i)) << names[i];
    EXPECT_EQ(name_in_list(static_cast<E>(i)), names[i]);
    EXPECT_EQ(std::count(names.begin(), names.end(), names[i]), 1) << names[i];
  }
  EXPECT_EQ(value_named<E>("no such name"), std::nullopt);
}

TEST(Names, EveryEnumeratorHasOne) {
  expect_complete(Verdict::kDeny);
  expect_complete(EffectKind::kUnknown);
  expect_complete(EffectBy::kRedirection);
  expect_complete(Guess::kProgram);
  expect_complete(Rest::kJoined);
  expect_complete(ReasonKind::kLimit);
  expect_complete(Layer::kSandbox);
  expect_complete(ConfigSource::kGrant);
  expect_complete(ChangeKind::kPerson);
  expect_complete(PathState::kOther);
  expect_complete(Repository::kNamesPrograms);
  expect_complete(Mode::kAutonomous);
  expect_complete(Answerer::kYes);
  expect_complete(OnTimeout::kForward);
}

TEST(Names, MatchTheEnumerators) {
  EXPECT_EQ(name(EffectKind::kRun), "run");
  EXPECT_EQ(name(EffectKind::kReach), "reach");
  EXPECT_EQ(name(EffectKind::kUnknown), "unknown");
  EXPECT_EQ(name(ReasonKind::kReadOnly), "read-only");
  EXPECT_EQ(name(ReasonKind::kMalformed), "malformed");
  EXPECT_EQ(name(Layer::kGate), "gate");
  EXPECT_EQ(name(ConfigSource::kManaged), "managed");
  for (Verdict verdict : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny})
    EXPECT_EQ(name(verdict), name_in_list(verdict));
}

struct ModeCase {
  std::string_view name, text;
  std::optional<Mode> want;
};
constexpr ModeCase kModes[] = {
    {"default is a mode", "default", Mode::kDefault},
    {"manual is default", "manual", Mode::kDefault},
    {"bypassPermissions is autonomous", "bypassPermissions", Mode::kAutonomous},
    {"yolo is autonomous", "yolo", Mode::kAutonomous},
    {"plan is a mode", "plan", Mode::kPlan},
    {"case counts", "Plan", std::nullopt},
    {"nothing is no mode", "", std::nullopt},
};

TEST(Mode, IsReadWithItsSynonyms) {
  for (const ModeCase& c : kModes) EXPECT_EQ(mode_named(c.text), c.want) << c.name;
  EXPECT_EQ(answerer_named("true"), Answerer::kYes);
  EXPECT_EQ(answerer_named("false"), Answerer::kNo);
  EXPECT_EQ(answerer_named("parent"), Answerer::kParent);
  EXPECT_EQ(answerer_named("maybe"), std::nullopt);
}

TEST(Mode, TheTighterOneIsTheStricterOne) {
  EXPECT_EQ(tighter(Mode::kPlan, Mode::kAutonomous), Mode::kPlan);
  EXPECT_EQ(tighter(Mode::kDefault, Mode::kDontAsk), Mode::kDontAsk);
  EXPECT_EQ(tighter(Answerer::kYes, Answerer::kNo), Answerer::kNo);
  EXPECT_EQ(tighter(OnTimeout::kForward, OnTimeout::kDeny), OnTimeout::kDeny);
}

}  // namespace
}  // namespace tollgate
