// When the disk says no: everybody who waits hears so, nothing is half done, and it goes on by
// itself when the cause is gone.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>

#include "os/files.h"
#include "store/failing_vfs.h"
#include "store/sqlite.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

class SqliteFaultsTest : public testing::Test {
 protected:
  SqliteFaultsTest() { FailingVfs::clear(); }
  ~SqliteFaultsTest() override { FailingVfs::clear(); }

  std::string file() const { return directory_.at("data/store.db"); }
  std::unique_ptr<Store> open() {
    Result<std::unique_ptr<Store>> opened = open_sqlite(
        file(), {.busy_timeout = std::chrono::milliseconds(20), .vfs = FailingVfs::registered()});
    EXPECT_TRUE(opened) << render(opened.error());
    return opened ? std::move(*opened) : nullptr;
  }
  // A batch is refused with store-unavailable; its message.
  static std::string failure(Store& store) {
    const Result<void> done =
        submit_and_wait(store, {AddQuestion{question_of("half")}, audit_of("half")});
    if (done) return "written";
    EXPECT_EQ(done.error().code, "store-unavailable");
    EXPECT_FALSE(done.error().hint.empty());
    const std::string& message = done.error().message;
    return message.substr(message.rfind(": ") + 2);
  }
  // It writes and reads again, and what failed left nothing.
  static void expect_works(Store& store, std::size_t rows) {
    const Result<void> done = submit_and_wait(store, {audit_of("after")});
    ASSERT_TRUE(done) << render(done.error());
    const Result<std::vector<AuditRow>> all = store.audit({.limit = 100'000});
    ASSERT_TRUE(all) << render(all.error());
    EXPECT_EQ(all->size(), rows);
    EXPECT_EQ(all->at(0).number, static_cast<std::int64_t>(rows));
    EXPECT_EQ(all->at(0).kind, "after");
    EXPECT_EQ(store.question("half").value(), std::nullopt);
  }

  TestDirectory directory_;
};

TEST_F(SqliteFaultsTest, RecoversFromWhateverTheFileSystemSays) {
  struct Case {
    std::string_view name;
    std::atomic<int>& call;
    int code;
    std::string_view want;
  };
  FailingVfs::Plan& plan = FailingVfs::plan();
  const Case cases[] = {
      {"a full disk", plan.write, SQLITE_FULL, "database or disk is full"},
      {"a disk that cannot write", plan.write, SQLITE_IOERR_WRITE, "disk I/O error"},
      {"a disk that cannot sync", plan.sync, SQLITE_IOERR_FSYNC, "disk I/O error"},
      {"a file that cannot be written", plan.write, SQLITE_READONLY,
       "attempt to write a readonly database"},
      {"a lock of somebody else", plan.lock, SQLITE_BUSY, "database is locked"},
      {"a lock that cannot be had", plan.lock, SQLITE_IOERR_SHMLOCK, "input or output error"},
  };
  const std::unique_ptr<Store> store = open();
  std::size_t rows = 0;
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    ASSERT_TRUE(submit_and_wait(*store, {audit_of("before")}));
    each.call = each.code;
    EXPECT_EQ(failure(*store), each.want);
    EXPECT_EQ(failure(*store), each.want);
    FailingVfs::clear();
    rows += 2;
    expect_works(*store, rows);
  }
}

// The index of words is committed without a sync; where the next one fails, nobody can tell what of
// it is on the disk, and what is acknowledged behind it in the log could be lost with it.
TEST_F(SqliteFaultsTest, WhatNoSyncConfirmedGoesIntoTheFileFirst) {
  const std::unique_ptr<Store> store = open();
  std::vector<Change> batch(300, audit_of("before"));
  ASSERT_TRUE(submit_and_wait(*store, batch));
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (store->record_state()->worded < 300) ASSERT_LT(std::chrono::steady_clock::now(), late);
  const auto log_size = [this] { return os::stamp_of(file() + "-wal")->size; };
  const auto before = log_size();
  FailingVfs::plan().sync = SQLITE_IOERR_FSYNC;
  EXPECT_EQ(failure(*store), "disk I/O error");
  EXPECT_NE(failure(*store), "written") << "the log cannot be emptied";
  FailingVfs::clear();
  expect_works(*store, 301);
  EXPECT_LT(log_size(), before);
}

TEST_F(SqliteFaultsTest, EverybodyWhoWaitsHearsOfIt) {
  Result<std::unique_ptr<Store>> opened =
      open_sqlite(file(), {.group_delay = std::chrono::hours(1), .vfs = FailingVfs::registered()});
  ASSERT_TRUE(opened);
  FailingVfs::plan().sync = SQLITE_IOERR_FSYNC;
  std::string told;
  for (int i = 0; i < 3; ++i)
    (*opened)->submit({audit_of("x")}, Durability::kGrouped,
                      [&](Result<void> result) { told += result ? "+" : result.error().code; });
  EXPECT_FALSE(submit_and_wait(**opened, {audit_of("x")}));
  EXPECT_EQ(told, "store-unavailablestore-unavailablestore-unavailable");
  FailingVfs::clear();
  expect_works(**opened, 1);
}

TEST_F(SqliteFaultsTest, AConnectionThatCannotBeOpenedAgainIsTriedLater) {
  const std::unique_ptr<Store> store = open();
  FailingVfs::plan().write = SQLITE_IOERR_WRITE;
  EXPECT_EQ(failure(*store), "disk I/O error");
  FailingVfs::plan().open = SQLITE_CANTOPEN;
  EXPECT_EQ(failure(*store), "input or output error");
  FailingVfs::clear();
  expect_works(*store, 1);
}

TEST_F(SqliteFaultsTest, ReadsFailAndRecoverToo) {
  const std::unique_ptr<Store> store = open();
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("a")}));
  FailingVfs::plan().open = SQLITE_CANTOPEN;
  for (int i = 0; i < 10; ++i) {  // more than there are connections
    const Result<Kept> kept = store->load(0, 0);
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, "store-unavailable");
  }
  FailingVfs::clear();
  EXPECT_TRUE(store->load(0, 0));
}

TEST_F(SqliteFaultsTest, AFullDatabaseOfItsOwnSizeIsLikeAFullDisk) {
  Result<Database> database = [&] {
    open();
    return Database::open(file(), {});
  }();
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->run("PRAGMA max_page_count = 1"));  // as many as it has
  const std::string large(1 << 20, 'x');
  const Result<void> done = database->run("INSERT INTO settings VALUES (?, ?)", {large, large});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("database or disk is full"), std::string::npos);
  EXPECT_EQ(done.error().hint, "free some space; it goes on by itself");
}

// Holds the database in another process until it is let go.
class Holder {
 public:
  explicit Holder(const std::string& path) {
    int ready[2];
    int go[2];
    if (::pipe2(ready, O_CLOEXEC) != 0 || ::pipe2(go, O_CLOEXEC) != 0) std::abort();
    child_ = ::fork();
    if (child_ == 0) {
      ::close(go[1]);
      char byte = 0;
      {
        Result<Database> database = Database::open(path, {});
        if (database && database->run("BEGIN EXCLUSIVE")) byte = 1;
        if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
        static_cast<void>(::read(go[0], &byte, 1));
      }
      ::_exit(0);
    }
    ::close(go[0]);
    ::close(ready[1]);
    go_ = go[1];
    char byte = 0;
    holds_ = ::read(ready[0], &byte, 1) == 1 && byte == 1;
    ::close(ready[0]);
  }
  ~Holder() {
    ::close(go_);
    int status = 0;
    ::waitpid(child_, &status, 0);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  bool holds() const { return holds_; }

 private:
  pid_t child_ = -1;
  int go_ = -1;
  bool holds_ = false;
};

TEST_F(SqliteFaultsTest, AnotherProcessThatHoldsTheFileIsWaitedForAndToldOf) {
  ASSERT_TRUE(open());
  std::unique_ptr<Store> store;
  {
    const Holder holder(file());  // before the store has a thread
    ASSERT_TRUE(holder.holds());
    store = open();
    ASSERT_TRUE(store);
    EXPECT_EQ(failure(*store), "database is locked");
    EXPECT_TRUE(store->load(0, 0));  // readers go on
  }
  expect_works(*store, 1);
}

TEST_F(SqliteFaultsTest, ADamagedPageIsToldOfAndMended) {
  {
    const std::unique_ptr<Store> store = open();
    std::vector<Change> batch;
    for (int i = 0; i < 2'000; ++i) batch.push_back(audit_of("row " + std::to_string(i)));
    ASSERT_TRUE(submit_and_wait(*store, std::move(batch)));
  }
  const std::string good = os::read_file(file(), 64u << 20).value();
  std::string bad = good;
  for (std::size_t page = 4'096; page < bad.size(); page += 4'096)
    std::fill_n(bad.begin() + static_cast<std::ptrdiff_t>(page), 64, '\x7f');
  // Over the same bytes of the same file, as a disk would do it.
  const auto overwrite = [&](const std::string& bytes) {
    std::fstream(file(), std::ios::in | std::ios::out | std::ios::binary) << bytes;
  };
  const std::unique_ptr<Store> store = open();
  overwrite(bad);
  EXPECT_EQ(failure(*store), "database disk image is malformed");
  const Result<std::vector<AuditRow>> rows = store->audit({.limit = 5'000});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, "store-unavailable");
  overwrite(good);
  expect_works(*store, 2'001);
}

TEST_F(SqliteFaultsTest, AFileThatIsMovedAwayTakesNoMoreWrites) {
  for (const std::string& name : {file(), file() + "-wal"}) {
    const std::unique_ptr<Store> store = open();
    ASSERT_TRUE(submit_and_wait(*store, {audit_of("before")}));
    const std::size_t rows = store->audit({}).value().size();
    ASSERT_EQ(::rename(name.c_str(), directory_.at("away").c_str()), 0);
    EXPECT_EQ(failure(*store), "it was moved, removed or replaced while it was in use");
    EXPECT_EQ(failure(*store), "it was moved, removed or replaced while it was in use");
    ASSERT_EQ(::rename(directory_.at("away").c_str(), name.c_str()), 0);
    expect_works(*store, rows + 1);
  }
}

}  // namespace
}  // namespace tollgate::store
