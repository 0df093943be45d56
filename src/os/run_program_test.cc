// Programs that answer, fail, say too much, or do not end.
#include "os/run_program.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "os/fault.h"
#include "os/replace_process.h"

namespace tollgate::os {
namespace {

Result<Ran> shell(std::string text, std::string_view input = "", RunLimits limits = {}) {
  const std::string words[] = {"/bin/sh", "-c", std::move(text)};
  return run_program(words, input, limits);
}

TEST(RunProgram, GivesInputAndKeepsWhatIsSaid) {
  const auto ran = shell("cat; echo no >&2; exit 7", "hello");
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out, "hello");
  EXPECT_EQ(ran->err, "no\n");
  EXPECT_EQ(ran->status, 7);
  EXPECT_FALSE(ran->late);
}

TEST(RunProgram, InputThatNobodyReadsIsNoError) {
  const auto ran = shell("exit 0", std::string(1'000'000, 'x'));
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->status, 0);
}

TEST(RunProgram, ASignalIsAStatus) {
  const auto ran = shell("kill -9 $$");
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->status, 137);
}

TEST(RunProgram, MoreThanTheLimitIsDropped) {
  const auto ran = shell("head -c 300000 /dev/zero", "", {.milliseconds = 10'000, .bytes = 1000});
  ASSERT_TRUE(ran);
  EXPECT_LT(ran->out.size(), 10'000u);
}

TEST(RunProgram, WhatDoesNotEndIsKilledWithItsChildren) {
  for (const char* text : {"sleep 1000 & wait", "exec >&- 2>&-; sleep 1000"}) {
    const auto ran = shell(text, "", {.milliseconds = 50, .bytes = 1000});
    ASSERT_TRUE(ran) << text;
    EXPECT_TRUE(ran->late) << text;
    EXPECT_EQ(ran->status, 137) << text;
  }
}

TEST(RunProgram, WhatCannotBeStartedIsAnError) {
  const std::string words[] = {"/nonexistent/program"};
  const auto ran = run_program(words, "");
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, "program-unstartable");
  for (const char* call : {"memfd", "pipe", "spawn"}) {
    FaultPlan plan(call, EMFILE);
    EXPECT_FALSE(shell("true")) << call;
  }
}

TEST(OwnProgram, IsTheSameByThePathThatTheKernelWasGiven) {
  const Result<std::string> own = own_program();
  ASSERT_TRUE(own);
  EXPECT_EQ(started_program().value(), *own);
  FaultPlan plan("lstat", EACCES);
  EXPECT_EQ(started_program().value(), *own) << "where the path cannot be followed";
}

}  // namespace
}  // namespace tollgate::os
