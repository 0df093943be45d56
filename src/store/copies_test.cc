// A copy has all that was there, made beside a store that is written to; what is damaged never
// takes the place of anything, and the store that was there before is kept.
#include "store/copies.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "json/json.h"
#include "os/files.h"
#include "os/moves.h"
#include "os/paths.h"
#include "store/migrations.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

class CopiesTest : public testing::Test {
 protected:
  std::string file() const { return directory_.at("data/store.db"); }
  std::string copy() const { return directory_.at("copy.db"); }
  std::unique_ptr<Store> open() { return open_sqlite(file()).value(); }
  // A store with so many rows, closed again.
  void fill(int rows) {
    std::vector<Change> batch;
    for (int i = 0; i < rows; ++i) batch.push_back(audit_of("row"));
    ASSERT_TRUE(submit_and_wait(*open(), std::move(batch)));
  }
  Result<Restored> put_back(const std::string& from) {
    return restore({.from = from,
                    .path = file(),
                    .lock = directory_.at("data/lock"),
                    .uid = 1'000,
                    .now = 1'000});
  }
  std::vector<AuditRow> rows() { return open()->audit({.limit = SIZE_MAX}).value(); }
  static void damage(const std::string& path) {
    std::string bytes = os::read_file(path, 64u << 20).value();
    for (std::size_t page = 4'096; page < bytes.size(); page += 4'096)
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page), 64, '\x7f');
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names = os::names_in(directory_.at("data"), 100).value();
    std::ranges::sort(names);
    return names;
  }

  TestDirectory directory_;
};

TEST_F(CopiesTest, ACopyIsOnePrivateFileWithAllThatWasThere) {
  fill(3);
  const std::unique_ptr<Store> store = open();  // as of a daemon that runs
  const Condition want{.version = newest_version(), .records = 3, .problems = {}};
  EXPECT_EQ(back_up(file(), copy()).value(), want);
  EXPECT_EQ(condition_of(copy()).value(), want);
  struct stat status{};
  ASSERT_EQ(::stat(copy().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(back_up(file(), copy()).error().code, "file-exists");
  EXPECT_EQ(os::names_in(directory_.at(""), 9).value().size(), 2u);  // data and the copy
}

TEST_F(CopiesTest, ACopyIsWholeWhileOthersWrite) {
  fill(1);
  const std::unique_ptr<Store> store = open();
  std::atomic<bool> over = false;
  std::atomic<std::int64_t> written = 1;
  std::thread writer([&] {
    while (!over)
      if (submit_and_wait(*store, {audit_of("more")})) ++written;
  });
  for (int i = 0; i < 5; ++i) {
    const std::int64_t least = written;
    const std::string to = copy() + std::to_string(i);
    const Result<Condition> made = back_up(file(), to);
    ASSERT_TRUE(made) << render(made.error());
    EXPECT_GE(made->records, least) << "what was acknowledged before it began";
    EXPECT_TRUE(made->problems.empty());
  }
  over = true;
  writer.join();
  EXPECT_EQ(store->audit({.limit = 1}).value().at(0).number, written);
}

TEST_F(CopiesTest, ARestoredStoreSaysSoAndTheOtherIsKept) {
  fill(2);
  ASSERT_TRUE(back_up(file(), copy()));
  fill(3);
  const Result<Restored> done = put_back(copy());
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(done->aside, file() + ".replaced-1000");
  EXPECT_EQ(done->condition.records, 3);
  const AuditRow told = rows().at(0);
  EXPECT_EQ(told.kind, "restore");
  EXPECT_EQ(told.by, "") << "no person has shown who they are";
  EXPECT_EQ(json::write(told.record), R"({"uid":1000,"from":")" + copy() +
                                          R"(","records":2,"version":)" +
                                          std::to_string(newest_version()) + R"(,"replaced":")" +
                                          done->aside + R"(","replacedRecords":5})");
  EXPECT_EQ(condition_of(done->aside).value().records, 5);
  EXPECT_EQ(files(), (std::vector<std::string>{"lock", "store.db", "store.db.replaced-1000"}));
}

TEST_F(CopiesTest, ADamagedStoreIsReplacedAndKept) {
  fill(1);
  ASSERT_TRUE(back_up(file(), copy()));
  fill(2'000);
  damage(file());
  EXPECT_FALSE(condition_of(file()).value().problems.empty());
  std::ofstream(file(), std::ios::binary) << std::string(3 * 4'096, 'x');
  EXPECT_EQ(condition_of(file()).error().code, "store-unavailable");
  const Result<Restored> done = put_back(copy());
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(rows().size(), 2u);
  EXPECT_EQ(os::read_file(done->aside, 1u << 20).value(), std::string(3 * 4'096, 'x'));
}

// Its log is still there then, and must not lie beside the other one.
TEST_F(CopiesTest, AStoreThatSomebodyReadsIsReplacedAndKeptWithItsLog) {
  fill(1);
  ASSERT_TRUE(back_up(file(), copy()));
  Database reader = std::move(*Database::open(file(), {}));
  ASSERT_TRUE(reader.integer("SELECT last FROM numbers"));
  const Result<Restored> done = put_back(copy());
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(rows().size(), 2u);
  EXPECT_EQ(files(), (std::vector<std::string>{"lock", "store.db", "store.db.replaced-1000",
                                               "store.db.replaced-1000-wal"}));
}

TEST_F(CopiesTest, WhatIsNoWholeCopyChangesNothing) {
  fill(2'000);
  ASSERT_TRUE(back_up(file(), copy()));
  damage(copy());
  EXPECT_FALSE(condition_of(copy()).value().problems.empty());
  std::ofstream(directory_.at("text")) << "no database";
  std::ofstream(directory_.at("empty")) << "";
  for (const std::string& name :
       {copy(), directory_.at("text"), directory_.at("empty"), directory_.at("not-there")}) {
    const Result<Restored> done = put_back(name);
    ASSERT_FALSE(done) << name;
    EXPECT_EQ(done.error().code, "store-unavailable") << name;
    EXPECT_FALSE(done.error().hint.empty()) << name;
    EXPECT_FALSE(back_up(name, directory_.at("second"))) << name;
    EXPECT_EQ(files(), (std::vector<std::string>{"lock", "store.db"})) << name;
    EXPECT_EQ(condition_of(file()).value().records, 2'000) << name;
  }
}

TEST_F(CopiesTest, NothingIsPutInThePlaceOfAStoreThatADaemonUses) {
  fill(1);
  ASSERT_TRUE(back_up(file(), copy()));
  const auto held = os::lock_file(directory_.at("data/lock")).value();
  ASSERT_TRUE(held);
  const Result<Restored> done = put_back(copy());
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("a daemon uses it"), std::string::npos);
  EXPECT_EQ(rows().size(), 1u);
}

TEST_F(CopiesTest, ACopyOfAnEarlierVersionIsBroughtToThisOne) {
  ASSERT_TRUE(os::make_private_directory(directory_.at("data")));
  ASSERT_TRUE(os::write_once(copy(), ""));
  {
    Result<Database> old = Database::open(copy(), {});
    ASSERT_TRUE(migrate_to(*old, 1));
  }
  const Result<Restored> done = put_back(copy());  // where there was no store
  ASSERT_TRUE(done) << render(done.error());
  EXPECT_EQ(done->condition.version, newest_version());
  EXPECT_EQ(done->aside, "");
  EXPECT_EQ(rows().size(), 1u);
}

}  // namespace
}  // namespace tollgate::store
