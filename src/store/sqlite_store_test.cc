// SQLite's own promises: whose file it is, groups and their order, many threads.
// What it does when the disk says no is in sqlite_faults_test.cc.
#include "store/sqlite_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "os/fault.h"
#include "os/files.h"
#include "store/migrations.h"
#include "store/sqlite.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

class SqliteStoreTest : public testing::Test {
 protected:
  std::string file() const { return directory_.at("data/store.db"); }
  std::unique_ptr<Store> open(const SqliteOptions& options = {}) {
    Result<std::unique_ptr<Store>> opened = open_sqlite(file(), options);
    EXPECT_TRUE(opened) << render(opened.error());
    return opened ? std::move(*opened) : nullptr;
  }
  // The message of a refusal, without the directory's name.
  std::string refusal() {
    const Result<std::unique_ptr<Store>> opened = open_sqlite(file());
    if (opened) return "opened";
    EXPECT_EQ(opened.error().code, "store-unavailable");
    EXPECT_FALSE(opened.error().hint.empty());
    std::string message = opened.error().message;
    for (std::size_t at; (at = message.find(directory_.at(""))) != message.npos;)
      message.erase(at, directory_.at("").size());
    return message;
  }
  void sql(const std::string& text) {
    Result<Database> database = Database::open(file(), {});
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->script(text));
  }
  static unsigned mode_of(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777;
  }

  TestDirectory directory_;
};

TEST_F(SqliteStoreTest, EverythingIsPrivate) {
  const std::unique_ptr<Store> store = open();
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("a")}));
  EXPECT_EQ(mode_of(directory_.at("data")), 0700u);
  for (const char* end : {"", "-wal", "-shm"}) EXPECT_EQ(mode_of(file() + end), 0600u) << end;
}

TEST_F(SqliteStoreTest, SaysWhoseFileItIsAndOfWhichVersion) {
  open();
  Result<Database> database = Database::open(file(), {});
  ASSERT_TRUE(database);
  EXPECT_EQ(database->integer("PRAGMA application_id").value(), kApplicationId);
  EXPECT_EQ(database->integer("PRAGMA user_version").value(), newest_version());
  EXPECT_EQ(database->text("PRAGMA journal_mode").value(), "wal");
}

TEST_F(SqliteStoreTest, RefusesWhatIsNotOurs) {
  ASSERT_TRUE(os::make_private_directory(directory_.at("data")));
  ASSERT_TRUE(os::write_atomically(file(), std::string(8'192, 'x')));
  EXPECT_EQ(refusal(), "cannot read `data/store.db`: file is not a database");
  EXPECT_EQ(os::read_file(file(), 1 << 20).value(), std::string(8'192, 'x'));

  ASSERT_TRUE(os::write_atomically(file(), ""));
  sql("CREATE TABLE other (a)");
  EXPECT_EQ(refusal(), "cannot use `data/store.db`: it is a database of another program");
  ASSERT_TRUE(os::write_atomically(file(), ""));
  sql("PRAGMA application_id = 7");
  EXPECT_EQ(refusal(), "cannot use `data/store.db`: it is a database of another program");
}

TEST_F(SqliteStoreTest, RefusesANewerVersion) {
  open();
  sql("PRAGMA user_version = 999");
  EXPECT_EQ(refusal(),
            "cannot use `data/store.db`: its version is 999, and this program knows "
            "versions up to " +
                std::to_string(newest_version()));
}

TEST_F(SqliteStoreTest, RefusesWhatOthersMayUse) {
  open();
  ASSERT_EQ(::chmod(file().c_str(), 0640), 0);
  EXPECT_EQ(refusal(), "cannot use `data/store.db`: others may use it");
  ASSERT_EQ(::chmod(file().c_str(), 0600), 0);
  ASSERT_EQ(::chmod(directory_.at("data").c_str(), 0777), 0);
  EXPECT_EQ(refusal(), "cannot use `data/.`: others may use it");
  ASSERT_EQ(::chmod(directory_.at("data").c_str(), 0700), 0);
  ASSERT_EQ(::rename(file().c_str(), directory_.at("data/real").c_str()), 0);
  ASSERT_EQ(::symlink("real", file().c_str()), 0);
  EXPECT_EQ(refusal(), "cannot use `data/store.db`: it is no regular file");
}

TEST_F(SqliteStoreTest, AFileThatCannotBeMadeIsAnError) {
  for (const char* call : {"mkdir", "create", "fsync", "stat"}) {
    const os::FaultPlan plan(call, ENOSPC);
    const Result<std::unique_ptr<Store>> opened = open_sqlite(file());
    ASSERT_FALSE(opened) << call;
    EXPECT_EQ(opened.error().code, "store-unavailable") << call;
    EXPECT_NE(opened.error().message.find("no space left"), std::string::npos) << call;
  }
  EXPECT_EQ(refusal(), "opened");
}

TEST_F(SqliteStoreTest, AnUrgentBatchTakesThoseBeforeItAlong) {
  const std::unique_ptr<Store> store = open({.group_delay = std::chrono::hours(1)});
  std::atomic<int> told = 0;
  for (int i = 0; i < 10; ++i)
    store->submit({audit_of("x")}, Durability::kGrouped, [&](Result<void>) { ++told; });
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("y")}, Durability::kNow));
  EXPECT_EQ(told, 10);
}

TEST_F(SqliteStoreTest, AFullGroupDoesNotWait) {
  const std::unique_ptr<Store> store = open({.group_delay = std::chrono::hours(1), .max_group = 4});
  for (int i = 0; i < 3; ++i) store->submit({audit_of("x")}, Durability::kGrouped, {});
  EXPECT_TRUE(submit_and_wait(*store, {audit_of("y")}, Durability::kGrouped));
}

TEST_F(SqliteStoreTest, AGroupedBatchWaitsNoLongerThanTheDelay) {
  const std::unique_ptr<Store> store = open({.group_delay = std::chrono::milliseconds(1)});
  EXPECT_TRUE(submit_and_wait(*store, {audit_of("x")}, Durability::kGrouped));
}

TEST_F(SqliteStoreTest, ARefusalSpoilsNoOtherOfItsGroup) {
  const std::unique_ptr<Store> store = open({.group_delay = std::chrono::hours(1)});
  std::string told;
  const auto note = [&](Result<void> result) { told += result ? "+" : result.error().code; };
  store->submit({audit_of("a")}, Durability::kGrouped, note);
  store->submit({audit_of("lost"), SpendLink{"none", 1}}, Durability::kGrouped, note);
  store->submit({AddQuestion{question_of("q")}}, Durability::kGrouped, note);
  store->submit({ChangeQuestion{question_of("q"), QuestionState::kDenied}}, Durability::kGrouped,
                note);
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("b")}));
  EXPECT_EQ(told, "+link-spent+already-answered");
  const std::vector<AuditRow> rows = store->audit({}).value();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].number, 2);
}

TEST_F(SqliteStoreTest, WhatWaitsAtTheEndIsWritten) {
  std::string told;
  {
    const std::unique_ptr<Store> store = open({.group_delay = std::chrono::hours(1)});
    for (int i = 0; i < 3; ++i)
      store->submit({audit_of("x")}, Durability::kGrouped, [&, i](Result<void> result) {
        told += result ? "+" : "-";
        // A last word may ask for more.
        if (i == 2)
          store->submit({audit_of("more")}, Durability::kGrouped,
                        [&](Result<void> more) { told += more ? "m" : "-"; });
      });
  }
  EXPECT_EQ(told, "+++m");
  EXPECT_EQ(open()->audit({}).value().size(), 4u);
}

TEST_F(SqliteStoreTest, WhatFindsNoRoomIsRefusedInItsTurn) {
  const std::unique_ptr<Store> store =
      open({.group_delay = std::chrono::hours(1), .max_waiting = 2});
  std::string told;
  const auto note = [&](Result<void> result) { told += result ? "+" : "-"; };
  for (int i = 0; i < 3; ++i) store->submit({audit_of("x")}, Durability::kGrouped, note);
  const Result<void> last = submit_and_wait(*store, {audit_of("y")}, Durability::kNow);
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().code, "store-unavailable");
  EXPECT_EQ(told, "++-");
  EXPECT_TRUE(submit_and_wait(*store, {audit_of("z")}));
  EXPECT_EQ(store->audit({}).value().size(), 3u);
}

TEST_F(SqliteStoreTest, ManyThreadsWriteAndRead) {
  constexpr int kThreads = 4;
  constexpr int kEach = 50;
  const std::unique_ptr<Store> store = open({.max_readers = 2});
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        if (!submit_and_wait(*store, {audit_of(std::to_string(t))},
                             i % 2 == 0 ? Durability::kNow : Durability::kGrouped))
          ++failures;
        // What was acknowledged is there for who asks next.
        const Result<std::vector<AuditRow>> rows = store->audit({.kind = std::to_string(t)});
        if (!rows || std::ssize(*rows) != i + 1) ++failures;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  const std::vector<AuditRow> all = store->audit({.limit = 1'000, .oldest_first = true}).value();
  ASSERT_EQ(all.size(), std::size_t{kThreads * kEach});
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i].number, static_cast<std::int64_t>(i + 1));
}

TEST_F(SqliteStoreTest, TwoStoresOfOneFileAgree) {
  const std::unique_ptr<Store> one = open();
  const std::unique_ptr<Store> two = open();
  ASSERT_TRUE(submit_and_wait(*one, {AddQuestion{question_of("q")}, audit_of("a")}));
  Question answered = question_of("q");
  answered.state = QuestionState::kDenied;
  ASSERT_TRUE(submit_and_wait(*two, {ChangeQuestion{answered}, audit_of("b")}));
  answered.state = QuestionState::kApproved;
  const Result<void> late = submit_and_wait(*one, {ChangeQuestion{answered}, audit_of("c")});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, "already-answered");
  ASSERT_TRUE(submit_and_wait(*one, {audit_of("d")}));
  const std::vector<AuditRow> rows = two->audit({}).value();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].number, 3);
  EXPECT_EQ(rows[0].kind, "d");
}

}  // namespace
}  // namespace tollgate::store
