// kill -9 at any point: what was acknowledged is there, and batches are there whole or not at all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <map>
#include <random>
#include <set>

#include "os/descriptor.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

constexpr std::size_t kRowsOfABatch = 3;

// In the child: submits batch after batch, and writes the number of each acknowledged one. Ends
// only by being killed.
[[noreturn]] void write_until_killed(const std::string& path, int pipe, std::uint32_t first) {
  Result<std::unique_ptr<Store>> store = open_sqlite(path);
  if (!store) ::_exit(1);
  for (std::uint32_t id = first;; ++id) {
    const std::string name = std::to_string(id);
    std::vector<Change> batch(kRowsOfABatch, audit_of(name));
    batch.emplace_back(AddQuestion{question_of(name)});
    batch.emplace_back(PutSetting{"last", name});
    const auto told = [pipe, id](const Result<void>& result) {
      if (!result || ::write(pipe, &id, sizeof id) != sizeof id) ::_exit(2);
    };
    if (id % 7 == 0) {
      told(submit_and_wait(**store, std::move(batch), Durability::kNow));
    } else {
      (*store)->submit(std::move(batch), Durability::kGrouped, told);
    }
  }
}

// Lets a child write until `count` batches are acknowledged, and kills it at once. Gives those that
// were, also the ones in the pipe when it died.
std::vector<std::uint32_t> acknowledged_before_kill(const std::string& path, std::uint32_t first,
                                                    std::size_t count) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) write_until_killed(path, ends[1], first);
  ::close(ends[1]);
  const os::Descriptor from(ends[0]);
  std::vector<std::uint32_t> ids;
  std::uint32_t id = 0;
  while (::read(from.number(), &id, sizeof id) == sizeof id) {
    ids.push_back(id);
    if (ids.size() == count) ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  return ids;
}

TEST(Crash, WhatWasAcknowledgedSurvivesAndBatchesAreWhole) {
  const TestDirectory directory;
  const std::string path = directory.at("data/store.db");
  std::mt19937 random(20);
  std::set<std::uint32_t> acknowledged;
  std::uint32_t first = 1;
  for (int round = 0; round < 20; ++round) {
    const std::size_t count = 1 + random() % 60;
    for (const std::uint32_t id : acknowledged_before_kill(path, first, count))
      acknowledged.insert(id);
    first = (static_cast<std::uint32_t>(round) + 1) * 1'000'000;
    Result<std::unique_ptr<Store>> store = open_sqlite(path);
    ASSERT_TRUE(store) << render(store.error());
    const std::vector<AuditRow> rows =
        (*store)->audit({.limit = SIZE_MAX, .oldest_first = true}).value();
    std::map<std::string, std::size_t> found;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].number, static_cast<std::int64_t>(i + 1));
      ++found[rows[i].kind];
    }
    for (const auto& [name, number] : found) {
      EXPECT_EQ(number, kRowsOfABatch) << name;
      EXPECT_TRUE((*store)->question(name).value()) << name;
    }
    for (const std::uint32_t id : acknowledged)
      EXPECT_TRUE(found.contains(std::to_string(id))) << id << " of round " << round;
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ((*store)->load(0, 0).value().settings.at(0).second, rows.back().kind);
  }
}

}  // namespace
}  // namespace tollgate::store
