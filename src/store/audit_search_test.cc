// Searches over many rows, listed and not, held to the store's twin, which looks at every row.
// Also what an older file becomes, and that parts of a text are kept once.
#include <gtest/gtest.h>

#include <random>

#include "json/json.h"
#include "os/files.h"
#include "store/memory_store.h"
#include "store/migrations.h"
#include "store/postings.h"
#include "store/sqlite.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

using Random = std::mt19937;

std::string one_of(Random& random, std::initializer_list<const char*> texts) {
  return *(texts.begin() + random() % texts.size());
}

// Some names are common and some are rare; times mostly ascend.
AuditRow random_row(Random& random, Millis at) {
  static const auto kPlaces = std::make_shared<const std::string>(R"("places":["/a","/b"])");
  AuditRow row;
  row.at = random() % 50 == 0 ? at / 2 : at;
  row.kind = random() % 30 == 0 ? "question" : "call";
  row.session = one_of(random, {"s1", "s2", "s3", ""});
  if (random() % 97 == 0) row.session = "rare" + std::to_string(random() % 5);
  row.agent = one_of(random, {"backend", "frontend"});
  row.tool = one_of(random, {"Bash", "Bash", "Bash", "Edit"});
  row.verdict = random() % 100 == 0 ? "deny" : "allow";
  row.rule = one_of(random, {"", "Bash(make *)"});
  if (random() % 40 == 0) row.question = "q" + std::to_string(random() % 20);
  const std::string number = "word " + std::to_string(random() % 100);
  if (random() % 3 == 0) {
    row.record = json::Value::object({{"n", json::Value::string(number)}});
  } else {
    row.text = R"({"n":")" + number + R"(",})";
    row.shared = {{row.text.size() - 1, kPlaces}};
  }
  return row;
}

AuditQuery random_query(Random& random, std::int64_t rows) {
  AuditQuery query;
  const auto maybe = [&](std::string& into, std::initializer_list<const char*> texts) {
    if (random() % 4 == 0) into = one_of(random, texts);
  };
  maybe(query.kind, {"call", "question", "none"});
  maybe(query.session, {"s1", "s2", "rare1", "rare2"});
  maybe(query.agent, {"backend", "frontend"});
  maybe(query.tool, {"Bash", "Edit"});
  maybe(query.verdict, {"allow", "deny"});
  maybe(query.rule, {"Bash(make *)"});
  maybe(query.question, {"q1", "q2"});
  if (random() % 6 == 0)
    query.grep = one_of(random, {"7", "/b", "11", "word 1", "ord 57", "Word 11", "plac"});
  const auto number = [&] { return static_cast<std::int64_t>(random()) % (rows + 2); };
  if (random() % 4 == 0) query.before = number();
  if (random() % 4 == 0) query.after = number();
  if (random() % 4 == 0) query.since = number() * 10;
  if (random() % 4 == 0) query.until = number() * 10;
  query.limit = random() % 3 == 0 ? 100'000 : 1 + random() % 20;
  query.oldest_first = random() % 2 == 0;
  return query;
}

TEST(AuditSearch, ListedRowsAndTheTailAreOneOrder) {
  const TestDirectory directory;
  const std::string file = directory.at("data/store.db");
  std::unique_ptr<Store> sqlite = std::move(*open_sqlite(file));
  MemoryStore memory;
  Random random(5);
  std::int64_t rows = 0;
  for (const std::int64_t wanted : {1, 100, 255, 256, 257, 511, 700, 1'500}) {
    while (rows < wanted) {
      std::vector<Change> batch;
      for (std::size_t i = 1 + random() % 40; i > 0 && rows < wanted; --i)
        batch.emplace_back(AppendAudit{random_row(random, ++rows * 10)});
      ASSERT_TRUE(submit_and_wait(memory, batch));
      ASSERT_TRUE(submit_and_wait(*sqlite, std::move(batch)));
      // What was known of the tables is gone, and the lists go on.
      if (random() % 10 == 0) {
        sqlite.reset();
        sqlite = std::move(*open_sqlite(file));
      }
    }
    for (int i = 0; i < 300; ++i) {
      const AuditQuery query = random_query(random, rows);
      EXPECT_EQ(sqlite->audit(query).value(), memory.audit(query).value())
          << "rows " << rows << " kind " << query.kind << " session " << query.session << " grep "
          << query.grep << " before " << query.before << " after " << query.after << " since "
          << query.since << " until " << query.until << " limit " << query.limit << " oldest "
          << query.oldest_first;
    }
  }
  Database database = std::move(*Database::open(file, {}));
  EXPECT_EQ(listed_to(database).value(), rows / kSpanRows * kSpanRows);
  EXPECT_EQ(database.integer("SELECT count(*) FROM parts").value(), 1);
}

TEST(AuditSearch, TwoWhoWriteListEachOthersRows) {
  const TestDirectory directory;
  const std::string file = directory.at("data/store.db");
  const std::unique_ptr<Store> one = std::move(*open_sqlite(file));
  const std::unique_ptr<Store> two = std::move(*open_sqlite(file));
  for (int i = 0; i < 300; ++i)
    ASSERT_TRUE(submit_and_wait(i % 3 == 0 ? *one : *two, {audit_of("k" + std::to_string(i % 7))}));
  EXPECT_EQ(one->audit({.kind = "k3", .limit = 1'000}).value().size(), 43u);
  Database database = std::move(*Database::open(file, {}));
  EXPECT_EQ(listed_to(database).value(), kSpanRows);
  EXPECT_EQ(database.integer("SELECT count(*) FROM names").value(), 7);
}

// A refused batch takes its names along; who comes next must not rely on them.
TEST(AuditSearch, NamesOfARefusedBatchAreForgotten) {
  const TestDirectory directory;
  const std::string file = directory.at("data/store.db");
  std::unique_ptr<Store> store = std::move(*open_sqlite(file));
  EXPECT_FALSE(submit_and_wait(*store, {audit_of("fresh"), SpendLink{"none", 1}}));
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("other")}));
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("fresh")}));
  EXPECT_EQ(store->audit({.kind = "fresh"}).value().size(), 1u);
  EXPECT_EQ(store->audit({.limit = 1}).value().at(0).kind, "fresh");
}

TEST(AuditSearch, TextThatWouldPassForAPartIsAString) {
  const TestDirectory directory;
  const std::unique_ptr<Store> sqlite = std::move(*open_sqlite(directory.at("data/store.db")));
  MemoryStore memory;
  AuditRow row;
  row.text =
      "{\"a\":\"\x01"
      "1\x02\"}";
  for (Store* store : {static_cast<Store*>(&memory), sqlite.get()}) {
    ASSERT_TRUE(submit_and_wait(*store, {AppendAudit{row}}));
    EXPECT_EQ(store->audit({}).value().at(0).record, json::Value::string(row.text));
  }
}

TEST(Postings, PackAndUnpack) {
  const std::vector<std::int64_t> lists[] = {
      {1}, {5, 6, 7}, {1, 128, 129, 70'000, std::int64_t{1} << 40}};
  for (const std::vector<std::int64_t>& list : lists)
    EXPECT_EQ(unpacked(packed(list, list.front()), list.front()), list);
  for (const std::string_view bytes :
       {std::string_view(), std::string_view("\x80"), std::string_view("\0\0", 2),
        std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")})
    EXPECT_EQ(unpacked(bytes, 1), std::nullopt);
}

// What version 1 wrote: the texts stood in every row.
TEST(Migration, RowsOfVersionOneAreThere) {
  const TestDirectory directory;
  const std::string file = directory.at("data/store.db");
  ASSERT_TRUE(os::make_private_directory(directory.at("data")));
  ASSERT_TRUE(os::write_atomically(file, ""));
  {
    Database database = std::move(*Database::open(file, {}));
    ASSERT_TRUE(migrate_to(database, 1));
    for (int i = 1; i <= 600; ++i) {
      const std::string session = i % 2 == 0 ? "even" : "odd";
      const std::string record = R"({"n":)" + std::to_string(i) + "}";
      ASSERT_TRUE(
          database.run("INSERT INTO audit VALUES (?, ?, 'call', ?, NULL, 'Bash', 'allow', "
                       "'even', NULL, NULL, 'mcp', ?)",
                       {std::int64_t{i}, std::int64_t{i * 10}, session, record}));
    }
    ASSERT_TRUE(database.run("UPDATE numbers SET last = 600"));
  }
  const std::unique_ptr<Store> store = std::move(*open_sqlite(file));
  const std::vector<AuditRow> rows =
      store->audit({.session = "even", .limit = 1'000, .oldest_first = true}).value();
  ASSERT_EQ(rows.size(), 300u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    AuditRow want;
    want.number = static_cast<std::int64_t>(2 * i + 2);
    want.at = want.number * 10;
    want.kind = "call";
    want.session = want.rule = "even";
    want.tool = "Bash";
    want.verdict = "allow";
    want.origin = "mcp";
    want.record = json::Value::object({{"n", json::Value::integer(want.number)}});
    EXPECT_EQ(rows[i], want);
  }
  Database database = std::move(*Database::open(file, {}));
  EXPECT_EQ(listed_to(database).value(), 2 * kSpanRows);
  ASSERT_TRUE(submit_and_wait(*store, {audit_of("after")}));
  EXPECT_EQ(store->audit({.limit = 1}).value().at(0).number,
            602);  // 601 says that the rows were chained
}

}  // namespace
}  // namespace tollgate::store
