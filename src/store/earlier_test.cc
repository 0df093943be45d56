// Every earlier version of the store, with what a daemon of its time left in it, is brought to this
// one: nothing is lost or changed on the way, and it is written to from there on.
// earlier/version_N.sql is a dump of such a store. Whoever adds a version adds a dump of the one
// before: `sqlite3 tollgate.db .dump` and the two numbers at its end.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "audit/chain_check.h"
#include "json/json.h"
#include "os/files.h"
#include "store/copies.h"
#include "store/migrations.h"
#include "store/record_file.h"
#include "store/sqlite.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

std::string dump_of(std::int64_t version) {
  std::ifstream file(std::string(TOLLGATE_SOURCE_DIR) + "/src/store/earlier/version_" +
                     std::to_string(version) + ".sql");
  return {std::istreambuf_iterator<char>(file), {}};
}

// A store as that version left it.
class Earlier {
 public:
  explicit Earlier(std::int64_t version) {
    EXPECT_TRUE(os::make_private_directory(directory_.at("data")));
    EXPECT_TRUE(os::write_once(path(), ""));
    Database database = std::move(*Database::open(path(), {}));
    const Result<void> made = database.script(dump_of(version));
    EXPECT_TRUE(made) << render(made.error());
    EXPECT_EQ(database.integer("PRAGMA user_version").value(), version);
  }
  std::string path() const { return directory_.at("data/tollgate.db"); }
  std::unique_ptr<Store> open() const {
    Result<std::unique_ptr<Store>> opened = open_sqlite(path());
    EXPECT_TRUE(opened) << (opened ? "" : render(opened.error()));
    return std::move(*opened);
  }

 private:
  TestDirectory directory_;
};

// What the dumps have, one line a record, and that it was chained.
constexpr std::string_view kRecord = R"(1 credential by olga
2 credential by olga
3 credential by olga
4 credential by olga
5 credential by olga
6 credential by olga
7 session by olga
8 session by olga
9 call allow make all
10 call deny git push --force origin
11 question
12 answer by ann
13 call allow npm ci by ann
14 question
15 answer by bob
16 call deny npm install left-pad by bob
17 question
18 credential by ann
19 freeze by ann
20 call allow make hooked
21 call deny npm publish
22 chain
)";

// What is wrong with the chain of its record.
std::vector<ChainFault> faults_of(const std::string& path) {
  RecordFile record = std::move(*RecordFile::open(path));
  const RecordState& state = record.state();
  ChainCheck check({.store = state.store, .first = state.first, .before = record.before()}, {});
  EXPECT_TRUE(record.each(0, INT64_MAX, [&](LoggedRow& row) -> Result<bool> {
    check.row(row);
    return true;
  }));
  return check.finish(state.last).faults;
}

// The same of rows, oldest first.
std::string told(const std::vector<AuditRow>& rows) {
  std::string out;
  for (const AuditRow& row : rows) {
    out += std::to_string(row.number) + " " + row.kind;
    const json::Value* call = row.record.find("call");
    const json::Value* input = call == nullptr ? nullptr : call->find("input");
    const json::Value* command = input == nullptr ? nullptr : input->find("command");
    if (command != nullptr) out += " " + row.verdict + " " + command->as_string();
    if (!row.by.empty()) out += " by " + row.by;
    out += "\n";
  }
  return out;
}

TEST(EarlierVersions, EachHasADumpOfItsOwn) {
  for (std::int64_t version = 1; version < newest_version(); ++version)
    EXPECT_FALSE(dump_of(version).empty())
        << "src/store/earlier/version_" << version << ".sql is missing: see the head of this file";
}

TEST(EarlierVersions, NothingIsLostOnTheWay) {
  for (std::int64_t version = 1; version < newest_version(); ++version) {
    SCOPED_TRACE("version " + std::to_string(version));
    const Earlier earlier(version);
    const std::unique_ptr<Store> store = earlier.open();
    const Kept kept = store->load(0, 0).value();
    EXPECT_EQ(kept.sessions.size(), 2u);
    std::string open;
    for (const Question& each : kept.questions)
      if (each.state == QuestionState::kPending)
        open += each.asked.call.input.find("command")->as_string();
    EXPECT_EQ(open, "npm publish");
    ASSERT_EQ(kept.grants.size(), 1u);
    EXPECT_EQ(kept.grants[0].rule, "Bash(npm ci)");
    EXPECT_EQ(kept.credentials.size(), 4u);
    EXPECT_FALSE(kept.logins.empty());
    EXPECT_FALSE(kept.settings.empty());
    EXPECT_EQ(store->questions({}).value().size(), 2u);
    EXPECT_EQ(
        store->questions({.state = QuestionState::kApproved}).value().at(0).votes.at(0).person,
        "ann");
    const std::vector<AuditRow> rows = store->audit({.limit = 99, .oldest_first = true}).value();
    EXPECT_EQ(told(rows), kRecord);
    EXPECT_EQ(store->audit({.kind = "call", .verdict = "deny"}).value().size(), 3u);
    EXPECT_EQ(store->audit({.grep = "left-pad"}).value().empty(), false);
    EXPECT_TRUE(faults_of(earlier.path()).empty());
  }
}

TEST(EarlierVersions, EachIsWrittenToAndWholeFromThereOn) {
  for (std::int64_t version = 1; version < newest_version(); ++version) {
    SCOPED_TRACE("version " + std::to_string(version));
    const Earlier earlier(version);
    std::int64_t before = 0;
    {
      const std::unique_ptr<Store> store = earlier.open();
      before = store->audit({.limit = 1}).value().at(0).number;
      std::vector<Change> batch(600, audit_of("after"));
      batch.emplace_back(AddQuestion{question_of("new")});
      ASSERT_TRUE(submit_and_wait(*store, std::move(batch)));
    }
    const Condition want{.version = newest_version(), .records = before + 600, .problems = {}};
    EXPECT_EQ(condition_of(earlier.path()).value(), want);
    EXPECT_TRUE(faults_of(earlier.path()).empty());
    EXPECT_EQ(earlier.open()->audit({.kind = "after", .limit = 999}).value().size(), 600u);
  }
}

// Two programs may open it at the same time, and one is first.
TEST(EarlierVersions, WhoeverComesSecondFindsItDone) {
  const Earlier earlier(1);
  const std::unique_ptr<Store> first = earlier.open(), second = earlier.open();
  EXPECT_EQ(told(first->audit({}).value()), told(second->audit({}).value()));
}

}  // namespace
}  // namespace tollgate::store
