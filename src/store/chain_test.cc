// The chain in the store's file: made with every row, found broken wherever somebody was at it.
#include "store/chain.h"

#include <gtest/gtest.h>

#include "audit/chain_check.h"
#include "json/json.h"
#include "os/files.h"
#include "store/migrations.h"
#include "store/postings.h"
#include "store/record_file.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

AppendAudit call_row(int number) {
  static const auto kPlaces = std::make_shared<const std::string>(R"("places":["/a","/b"])");
  AuditRow row;
  row.at = number * 10;
  row.kind = "call";
  row.session = number % 2 == 0 ? "even" : "odd";
  row.tool = "Bash";
  row.verdict = "allow";
  row.origin = "mcp";
  if (number % 5 == 0) {
    row.record = json::Value::object({{"n", json::Value::integer(number)}});
  } else {
    row.text = R"({"n":)" + std::to_string(number) + ",}";
    row.shared = {{row.text.size() - 1, kPlaces}};
  }
  return {row};
}

class ChainTest : public testing::Test {
 protected:
  std::string file() const { return directory_.at("data/store.db"); }
  void open() { store_ = std::move(*open_sqlite(file())); }
  void write(int count) {
    std::vector<Change> batch;
    for (int i = 0; i < count; ++i) batch.emplace_back(call_row(++written_));
    ASSERT_TRUE(submit_and_wait(*store_, std::move(batch)));
  }
  void sql(const std::string& text) {
    Database database = std::move(*Database::open(file(), {}));
    const Result<void> done = database.script(text);
    ASSERT_TRUE(done) << render(done.error());
  }
  ChainReport check(std::vector<Anchor> anchors = {}) {
    RecordFile record = std::move(*RecordFile::open(file()));
    ChainCheck check(
        {.store = record.state().store, .first = record.state().first, .before = record.before()},
        std::move(anchors));
    EXPECT_TRUE(record.each(0, INT64_MAX, [&](LoggedRow& row) -> Result<bool> {
      check.row(row);
      return true;
    }));
    return check.finish(record.state().last);
  }
  std::string faults(const ChainReport& report) {
    std::string out;
    for (const ChainFault& fault : report.faults)
      out += std::string(kChainFaultNames[static_cast<std::size_t>(fault.kind)]) + " " +
             std::to_string(fault.first) + "-" + std::to_string(fault.last) + "; ";
    return out;
  }
  Anchor head() {
    const RecordState state = store_->record_state().value();
    return {.store = state.store, .number = state.last, .digest = state.head, .at = 1, .from = "x"};
  }

  TestDirectory directory_;
  std::unique_ptr<Store> store_;
  int written_ = 0;
};

TEST_F(ChainTest, EveryRowIsChained) {
  open();
  EXPECT_EQ(check().rows, 0u);
  write(300);
  EXPECT_FALSE(submit_and_wait(*store_, {audit_of("refused"), SpendLink{"none", 1}}));
  for (int i = 0; i < 20; ++i) write(1);
  open();
  write(5);
  const ChainReport report = check();
  EXPECT_EQ(faults(report), "");
  EXPECT_EQ(report.rows, 325u);
  EXPECT_EQ(report.head, store_->record_state().value().head);
}

TEST_F(ChainTest, TwoDaemonsOfOneFileMakeOneChain) {
  open();
  const std::unique_ptr<Store> other = std::move(*open_sqlite(file()));
  for (int i = 0; i < 20; ++i) {
    write(1);
    ASSERT_TRUE(submit_and_wait(*other, {audit_of("other")}));
    ASSERT_TRUE(submit_and_wait(*other, {audit_of("other")}));
  }
  EXPECT_EQ(faults(check()), "");
  EXPECT_EQ(check().rows, 60u);
}

struct Attack {
  std::string_view name, sql, want;
};
constexpr Attack kAttacks[] = {
    {"a record", "UPDATE audit SET record = replace(record, '7', '8') WHERE number = 7",
     "changed 7-7; "},
    {"a byte of a part", "UPDATE parts SET text = replace(text, '/b', '/c')", ""},
    {"a name in its table", "UPDATE names SET text = 'EVEN' WHERE text = 'even'", ""},
    {"another name for a row",
     "UPDATE audit SET verdict = (SELECT id FROM names WHERE text = 'Bash') WHERE number = 9",
     "changed 9-9; "},
    {"a row less", "DELETE FROM audit WHERE number = 5", "missing 5-5; "},
    {"a row less, and the others moved up",
     "DELETE FROM audit WHERE number = 5;"
     "UPDATE audit SET number = number - 1 WHERE number = 6;"
     "UPDATE audit SET number = number - 1 WHERE number = 7;"
     "UPDATE audit SET number = number - 1 WHERE number = 8;"
     "UPDATE audit SET number = number - 1 WHERE number = 9;"
     "UPDATE audit SET number = number - 1 WHERE number = 10",
     "changed 5-5; end 10-10; "},
    {"two rows exchanged",
     "UPDATE audit SET number = 100 WHERE number = 5;"
     "UPDATE audit SET number = 5 WHERE number = 6;"
     "UPDATE audit SET number = 6 WHERE number = 100",
     "changed 5-7; "},
    {"a row put at the end",
     "INSERT INTO audit SELECT 11, at, kind, session, agent, tool, verdict,"
     "rule, question, \"by\", origin, record, digest FROM audit "
     "WHERE number = 3; UPDATE numbers SET last = 11 WHERE name = 'audit'",
     "changed 11-11; "},
    {"the end cut", "DELETE FROM audit WHERE number > 8", "end 9-10; "},
    {"no digest", "UPDATE audit SET digest = x'' WHERE number = 4",
     "unreadable 4-4; changed 5-5; "},
    {"a beginning that nothing says was removed",
     "UPDATE chain SET first = 4, before = (SELECT digest FROM audit WHERE number = 3);"
     "DELETE FROM audit WHERE number < 4",
     "beginning 1-3; "},
};

TEST_F(ChainTest, WhoeverWasAtTheFileIsSeen) {
  for (const Attack& attack : kAttacks) {
    store_ = nullptr;
    for (const char* end : {"", "-wal", "-shm"}) ASSERT_TRUE(os::remove_file(file() + end));
    written_ = 0;
    open();
    write(10);
    store_ = nullptr;
    ASSERT_EQ(faults(check()), "") << attack.name;
    sql(std::string(attack.sql));
    const std::string found = faults(check());
    EXPECT_NE(found, "") << attack.name;
    if (attack.want.empty()) continue;
    EXPECT_EQ(found, attack.want) << attack.name;
  }
}

TEST_F(ChainTest, AHeadKeptElsewhereShowsAnEndThatWasCutWithCare) {
  open();
  write(10);
  const Anchor anchor = head();
  store_ = nullptr;
  sql("DELETE FROM audit WHERE number > 8; UPDATE numbers SET last = 8 WHERE name = 'audit'");
  EXPECT_EQ(faults(check()), "");
  EXPECT_EQ(faults(check({anchor})), "end 9-10; ");
}

TEST_F(ChainTest, WhatIsRemovedByTheRuleKeepsTheChain) {
  open();
  write(1'000);
  // Row 700 is of time 7000: the spans up to row 512 are older as a whole.
  ASSERT_TRUE(submit_and_wait(*store_, {RemoveAudit{.before = 7'000, .at = 99'000, .most = 300}}));
  EXPECT_EQ(store_->record_state().value().first, 257);
  ASSERT_TRUE(submit_and_wait(*store_, {RemoveAudit{.before = 7'000, .at = 99'000}}));
  EXPECT_EQ(store_->record_state().value().first, 513);
  ASSERT_TRUE(submit_and_wait(*store_, {RemoveAudit{.before = 7'000, .at = 99'000}}));
  const ChainReport report = check();
  EXPECT_EQ(faults(report), "");
  EXPECT_EQ(report.first, 513);
  EXPECT_EQ(report.last, 1'002);
  EXPECT_EQ(report.removed, 512);
  const std::vector<AuditRow> odd =
      store_->audit({.session = "odd", .limit = 10'000, .oldest_first = true}).value();
  EXPECT_EQ(odd.size(), 244u);
  EXPECT_EQ(odd.front().number, 513);
  EXPECT_EQ(store_->audit({.kind = "retention"}).value().size(), 2u);
  open();
  write(3);
  EXPECT_EQ(faults(check()), "");
}

TEST_F(ChainTest, AnOlderFileIsChainedWhenItIsOpened) {
  ASSERT_TRUE(os::make_private_directory(directory_.at("data")));
  ASSERT_TRUE(os::write_atomically(file(), ""));
  {
    Database database = std::move(*Database::open(file(), {}));
    ASSERT_TRUE(migrate_to(database, 2));
    ASSERT_TRUE(
        database.script("INSERT INTO names VALUES (1, 'call');"
                        "INSERT INTO parts VALUES (1, 5, '\"a\":1')"));
    for (std::int64_t i = 1; i <= 300; ++i)
      ASSERT_TRUE(database.run("INSERT INTO audit VALUES (?, ?, 1, 0, 0, 0, 0, 0, 0, 0, 0, ?)",
                               {i, i,
                                std::string_view(i % 2 == 0 ? "{\x01"
                                                              "1\x02}"
                                                            : "{}")}));
    ASSERT_TRUE(database.run("UPDATE numbers SET last = 300 WHERE name = 'audit'"));
  }
  EXPECT_FALSE(RecordFile::open(file()));
  open();
  const ChainReport report = check();
  EXPECT_EQ(faults(report), "");
  EXPECT_EQ(report.rows, 301u);
  EXPECT_EQ(report.chained_late, 300);
  write(2);
  EXPECT_EQ(faults(check()), "");
}

TEST(RecordFile, SaysWhatIsNoStore) {
  const TestDirectory directory;
  EXPECT_EQ(RecordFile::open(directory.at("none")).error().code, "file-missing");
  ASSERT_TRUE(os::write_atomically(directory.at("text"), std::string(5'000, 'x')));
  EXPECT_EQ(RecordFile::open(directory.at("text")).error().code, "store-unavailable");
}

}  // namespace
}  // namespace tollgate::store
