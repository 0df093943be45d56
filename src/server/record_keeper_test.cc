// What the daemon does for the record by itself: what a set clock makes old stays, and a place that
// missed a head gets it later, rows or not.
#include "server/record_keeper.h"

#include <gtest/gtest.h>

#include "notify/courier.h"
#include "server/memory_exchange.h"
#include "server/notices.h"
#include "server/test_server.h"
#include "store/sqlite_store.h"

namespace tollgate::server {
namespace {

constexpr Millis kMinute = 60'000, kDay = 24 * 60 * kMinute;

class NoSender : public notify::Sender {
 public:
  void send(notify::Order, std::function<void(notify::Outcome)>) override {}
  void recall(const std::string&) override {}
};

class RecordKeeperTest : public testing::Test {
 protected:
  void begin(const std::string& settings) {
    directory.write("config/tollgate.yaml", "version: 1\nsettings: {" + settings + "}\n");
    PolicyFiles files;
    files.config_file = directory.at("config/tollgate.yaml");
    files.data_dir = directory.at("data");
    policies = std::make_unique<Policies>(files);
    ASSERT_TRUE(policies->errors().empty());
    ASSERT_TRUE(os::make_private_directory(files.data_dir));
    store = store::open_sqlite(directory.at("data/tollgate.db")).value();
    again();
  }
  // As after a restart of the daemon.
  void again() {
    keeper = std::make_unique<RecordKeeper>(
        RecordParts{loop,
                    *store,
                    *policies,
                    sender,
                    [](const std::string&) -> const NoticeRoute* { return nullptr; },
                    [this](const std::string& line) { said.push_back(line); },
                    {}});
    keeper->restore(store->load(0, 0).value().settings, now, boot, "this start");
  }
  void write(int rows) {
    std::vector<store::Change> batch;
    for (int i = 0; i < rows; ++i) {
      store::AuditRow row;
      row.at = now;
      row.kind = "call";
      batch.emplace_back(store::AppendAudit{std::move(row)});
    }
    ASSERT_TRUE(submit_and_wait(*store, std::move(batch)));
  }
  // So much time as the machine measures it, in looks of a day at most.
  void pass(Millis time) {
    while (time > 0) {
      const Millis step = std::min(time, kDay);
      now += step;
      boot += step;
      time -= step;
      for (int turn = 0; turn < 20; ++turn) {
        keeper->tick(now, boot);
        loop.run();
      }
    }
  }
  std::int64_t first() const { return store->record_state().value().first; }

  TestDirectory directory;
  ManualLoop loop;
  NoSender sender;
  std::unique_ptr<Policies> policies;
  std::unique_ptr<store::Store> store;
  std::unique_ptr<RecordKeeper> keeper;
  std::vector<std::string> said;
  Millis now = 1'700'000'000'000, boot = 5'000;
};

TEST_F(RecordKeeperTest, WhatOnlyASetClockMakesOldStays) {
  begin("retention: 7d, anchor: {journal: false}");
  write(600);
  pass(kMinute);
  now += 400 * kDay;
  pass(kMinute);
  EXPECT_EQ(first(), 1) << "a step while the daemon runs";
  again();
  now += 400 * kDay;
  pass(kMinute);
  EXPECT_EQ(first(), 1) << "a step while it did not, and a restart that confirms nothing";
  pass(6 * kDay);
  EXPECT_EQ(first(), 1);
  pass(2 * kDay);
  EXPECT_GT(first(), 512) << "now the machine has measured seven days";
}

TEST_F(RecordKeeperTest, WhatIsOldGoes) {
  begin("retention: 7d, anchor: {journal: false}");
  write(600);
  pass(6 * kDay);
  EXPECT_EQ(first(), 1);
  pass(2 * kDay);
  EXPECT_GT(first(), 512);
}

TEST_F(RecordKeeperTest, APlaceThatMissedAHeadGetsItLater) {
  begin("retention: 0, anchor: {journal: false, file: " + directory.at("later/heads") + "}");
  write(3);
  pass(kMinute);
  ASSERT_EQ(said.size(), 1u);
  ASSERT_TRUE(os::make_private_directory(directory.at("later")));
  pass(kMinute);
  const std::string heads = os::read_file(directory.at("later/heads"), 1u << 20).value_or("");
  EXPECT_NE(heads.find("\"number\":"), heads.npos) << "without a new row";
  pass(10 * kMinute);
  EXPECT_EQ(os::read_file(directory.at("later/heads"), 1u << 20).value_or(""), heads)
      << "once is enough";
}

}  // namespace
}  // namespace tollgate::server
