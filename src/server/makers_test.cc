// Who does not count in a quorum, by what the daemon knows of a call.
#include "server/makers.h"

#include <gtest/gtest.h>

#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

constexpr std::string_view kPolicy =
    "version: 1\nrules: {ask: [{rule: \"Bash(ship *)\", approve: {any: 2}}]}\n";

TEST(Makers, WhoTaughtAGrantThatCoversAPartDoesNotCount) {
  TestDaemon daemon{std::string(kPolicy)};
  const std::string first = daemon.ask_shell("make assets");
  ASSERT_EQ(daemon
                .post_as(daemon.ann, "/api/permissions/" + first + "/approve",
                         R"x({"scope":"agent","rule":"Bash(make assets)"})x")
                .status,
            200);
  const std::string alone = daemon.ask_shell("ship it");
  EXPECT_EQ(daemon.post_as(daemon.ann, "/api/permissions/" + alone + "/approve", "{}").status, 200)
      << "of a call without the grant she is one";
  const std::string both = daemon.ask_shell("make assets && ship it");
  const std::string target = "/api/permissions/" + both + "/approve";
  EXPECT_EQ(daemon.post_as(daemon.ann, target, "{}").code(), "answer-not-counted");
  EXPECT_EQ(daemon.post_as(daemon.olga, target, "{}").status, 200);
}

TEST(Makers, OfASessionThatIsGoneAreNotKnown) {
  TestDaemon daemon{std::string(kPolicy)};
  store::Question question;
  question.session = "nobody's";
  EXPECT_FALSE(makers_of(question, daemon.sessions, daemon.grants, daemon.loop.now()));
  question.session = daemon.bot;
  EXPECT_EQ(makers_of(question, daemon.sessions, daemon.grants, daemon.loop.now()),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace tollgate::server
