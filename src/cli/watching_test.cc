// Plain lines of what comes: events in, text and requests out.
#include "cli/watching.h"

#include <gtest/gtest.h>

#include "json/json.h"

namespace tollgate::cli {
namespace {

json::Value parsed(const std::string& text) { return json::parse(text).value_or(json::Value()); }

std::string permission(const std::string& id, const std::string& state,
                       const std::string& more = "") {
  return R"({"permissionId":")" + id + R"(","type":"permission","state":")" + state +
         R"(","chain":["backend"],"toolName":"Bash","toolInput":{"command":"npm ci"},"cwd":"/shop",)"
         R"j("teachable":["Bash(npm ci)"])j" +
         more + "}";
}

class Watching : public ::testing::Test {
 protected:
  std::string hear(const std::string& event, const std::string& data) {
    asked_.clear();
    return watcher_.take(top::Heard{parsed(R"({"channel":"permission","event":")" + event +
                                           R"(","data":)" + data + "}")},
                         asked_);
  }
  std::string come(const std::string& id) {
    hear("created", permission(id, "pending"));
    return watcher_.take(
        top::Replied{{top::Purpose::kWhole, id, "GET", "", {}}, parsed(permission(id, "pending"))},
        asked_);
  }
  std::string type(const std::string& line) {
    asked_.clear();
    return watcher_.typed(line, asked_);
  }

  Watcher watcher_{Paint(false), true};
  top::Requests asked_;
};

TEST_F(Watching, OneQuestionIsPromptedForAndAnsweredByAWord) {
  const std::string text = come("q1");
  EXPECT_TRUE(
      text.ends_with("⚠ PERMISSION: backend wants to use Bash(npm ci)  [y]once [a]lways [n]o: "))
      << text;
  type("y");
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].target, "/api/permissions/q1/approve");
  EXPECT_EQ(hear("resolved", permission("q1", "approved", R"(,"answer":{"by":"ann"})")),
            "q1  approved by ann; recorded\n");
  EXPECT_EQ(hear("delivered",
                 permission("q1", "approved", R"(,"answer":{"by":"ann"},"deliveredAt":"x")")),
            "q1  approved by ann; delivered to the agent\n");
}

TEST_F(Watching, WhatIsNoWordOfOursAnswersNothing) {
  come("q1");
  for (const std::string line : {"yesterday", "yes but", "", "allow", "Y y"}) {
    const std::string text = type(line);
    EXPECT_TRUE(asked_.empty()) << line;
    EXPECT_TRUE(text.starts_with("nothing was answered")) << text;
  }
}

TEST_F(Watching, TwoQuestionsHaveNoPromptAndTakeNoWord) {
  come("q1");
  const std::string text = come("q2");
  EXPECT_EQ(text.find("[n]o"), std::string::npos);
  type("y");
  EXPECT_TRUE(asked_.empty());
}

TEST_F(Watching, AReasonStandsBehindTheNo) {
  come("q1");
  type("No  use the cache ");
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(json::write(asked_[0].body), R"({"reason":"use the cache"})");
}

TEST_F(Watching, ACutIsSaidOnceAndWhatEndedMeanwhileIsAskedFor) {
  come("q1");
  EXPECT_EQ(watcher_.take(top::Lost{"gone"}, asked_), "\ncut off: gone; trying again\n");
  EXPECT_EQ(watcher_.take(top::Lost{"gone"}, asked_), "");
  const std::string text = hear("all", R"({"permissions":[]})");
  EXPECT_TRUE(text.starts_with("the daemon is there again\n"));
  ASSERT_EQ(asked_.size(), 1u);
  EXPECT_EQ(asked_[0].target, "/api/permissions/q1");
}

}  // namespace
}  // namespace tollgate::cli
