// Where words on messages of Slack go, and which words.
#include "server/slack_places.h"

#include <gtest/gtest.h>

#include <string_view>

namespace tollgate::server {
namespace {

TEST(SlackPlaces, AreThoseOfOneQuestionAndGoOnce) {
  SlackPlaces places;
  places.keep("q1", {.target = "team", .url = "https://x/1"}, 0);
  places.keep("q1", {.target = "ops", .url = "https://x/2"}, 0);
  places.keep("q1", {.target = "team", .url = "https://x/3"}, 0);
  places.keep("q10", {.target = "team", .url = "https://x/4"}, 0);
  places.keep("q1", {.target = "none", .url = ""}, 0);
  EXPECT_EQ(places.take("q1", 1),
            (std::vector<SlackPlace>{{"ops", "https://x/2"}, {"team", "https://x/3"}}));
  EXPECT_TRUE(places.take("q1", 1).empty());
  EXPECT_EQ(places.size(), 1u);
}

TEST(SlackPlaces, TakeNoWordsAfterSlackDoes) {
  SlackPlaces places;
  places.keep("q1", {.target = "team", .url = "https://x/1"}, 0);
  places.keep("q2", {.target = "team", .url = "https://x/2"}, 10);
  EXPECT_TRUE(places.take("q1", kSlackPlaceLifetime).empty());
  places.tick(kSlackPlaceLifetime + 10);
  EXPECT_EQ(places.size(), 0u);
}

TEST(SlackPlaces, AreNoMoreThanAThousand) {
  SlackPlaces places;
  for (int i = 0; i < 3'000; ++i)
    places.keep("q" + std::to_string(i), {.target = "team", .url = "https://x/1"}, 0);
  EXPECT_EQ(places.size(), 1'024u);
  places.keep("q1", {.target = "team", .url = "https://x/2"}, 0);
  EXPECT_EQ(places.take("q1", 0), (std::vector<SlackPlace>{{"team", "https://x/2"}}))
      << "a newer one of the same message is taken";
}

TEST(SlackWords, SayHowAndByWhomAndNothingThatWasWritten) {
  using enum store::QuestionState;
  struct Case {
    std::string_view name;
    store::QuestionState state;
    store::QuestionType type;
    store::Scope scope;
    std::string_view by, want;
  };
  using store::QuestionType::kEscalation, store::QuestionType::kPermission;
  constexpr Case kCases[] = {
      {"once", kApproved, kPermission, store::Scope::kOnce, "ann", "Allowed, once, by ann."},
      {"a rule", kApproved, kPermission, store::Scope::kAgent, "bob",
       "Allowed always, for this agent, by bob."},
      {"everyone's", kApproved, kPermission, store::Scope::kEveryone, "bob",
       "Allowed always, for everyone, by bob."},
      {"an answer", kApproved, kEscalation, store::Scope::kOnce, "ann", "Answered, by ann."},
      {"a denial", kDenied, kPermission, store::Scope::kOnce, "ann", "Denied, by ann."},
      {"nobody's", kExpired, kPermission, store::Scope::kOnce, "timeout",
       "Denied: nobody answered in time."},
      {"no longer asked", kCancelled, kPermission, store::Scope::kOnce, "",
       "Over: nobody needs to answer any more."},
  };
  for (const Case& each : kCases) {
    store::Question question;
    question.type = each.type;
    question.state = each.state;
    question.settlement.by = each.by;
    question.settlement.reason = "rm -rf is fine";
    question.settlement.scope = each.scope;
    EXPECT_EQ(slack_words(question), each.want) << each.name;
  }
}

}  // namespace
}  // namespace tollgate::server
