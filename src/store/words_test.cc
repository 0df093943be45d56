// What is searched, and that rows are found alike before and after the index has them.
#include "store/words.h"

#include <gtest/gtest.h>

#include <chrono>

#include "json/json.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

json::Value value_of(std::string_view text) { return json::parse(text).value(); }

TEST(Words, OfACallAreItsInputAndWhyItWasDecided) {
  const json::Value record = value_of(R"~({
      "call": {"tool": "Bash", "cwd": "/home", "input": {"command": "git push",
               "more": [1, {"deep": "x"}]}, "stated_reason": "to ship"},
      "situation": {"base": "/home"}, "effects": ["e"],
      "decision": {"verdict": "deny",
                   "reasons": [{"kind": "rule", "rule": "Bash(git *)", "text": "no"}]}})~");
  EXPECT_EQ(words_of(record), "git push\nx\nto ship\nBash(git *)\nno");
}

TEST(Words, OfAnEventAreAllItsTexts) {
  EXPECT_EQ(words_of(value_of(R"({"act":"add","n":5,"names":["ann","bob"]})")), "add\nann\nbob");
  EXPECT_EQ(words_of(value_of("\"plain\"")), "plain");
  EXPECT_EQ(words_of(value_of("null")), "");
}

TEST(Words, AreBounded) {
  const std::string words = words_of(json::Value::string(std::string(200'000, 'a')));
  EXPECT_EQ(words.size(), kMostWords);
}

TEST(Words, AskTheIndexOnlyForWhatItCanFind) {
  EXPECT_EQ(words_query("git"), "\"git\"");
  EXPECT_EQ(words_query("say \"hi\""), "\"say \"\"hi\"\"\"");
  for (const std::string_view none :
       {std::string_view("gi"), std::string_view("\xc3\xa4\xc3\xb6"), std::string_view("a\0b", 3),
        std::string_view("\xff\xff\xff")})
    EXPECT_EQ(words_query(none), std::nullopt) << none;
}

class WordsSearch : public testing::Test {
 protected:
  WordsSearch() : store_(std::move(*open_sqlite(directory_.at("data/store.db")))) {}

  void write(const std::vector<std::string>& commands) {
    std::vector<Change> batch;
    for (const std::string& command : commands) {
      AppendAudit row = audit_of("call", 1'000);
      row.row.session = command.size() % 2 == 0 ? "even" : "odd";
      row.row.record = json::Value::object(
          {{"call", json::Value::object({{"input", json::Value::string(command)}})},
           {"decision", json::Value::object()}});
      batch.emplace_back(std::move(row));
    }
    ASSERT_TRUE(submit_and_wait(*store_, std::move(batch)));
  }
  // The writer takes them in by itself, when it has nothing else to do.
  void wait_for_index() {
    const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      const RecordState state = store_->record_state().value();
      if (state.worded == state.last) return;
      ASSERT_LT(std::chrono::steady_clock::now(), late);
    }
  }
  std::string found(const std::string& text, AuditQuery query = {}) {
    query.grep = text;
    std::string out;
    const std::vector<AuditRow> rows = store_->audit(query).value();
    for (const AuditRow& row : rows) out += std::to_string(row.number) + " ";
    return out;
  }

  TestDirectory directory_;
  std::unique_ptr<Store> store_;
};

TEST_F(WordsSearch, FindsTheSameBeforeAndAfterRowsAreInTheIndex) {
  write({"git push", "GIT PUSH", "npm run build", "a \"git push\" b", "gitpush", "git  push"});
  const auto look = [&] {
    return found("git push") + "| " + found("t pus") + "| " + found("GIT") + "| " + found("\"git") +
           "| " + found("gi") + "| " + found("git", {.session = "even", .oldest_first = true}) +
           "| " + found("git", {.after = 1, .limit = 1, .oldest_first = true}) + "| " +
           found("none");
  };
  const std::string want = "4 1 | 4 1 | 2 | 4 | 6 5 4 1 | 1 4 | 4 | ";
  EXPECT_EQ(look(), want);
  wait_for_index();
  EXPECT_EQ(look(), want);
  EXPECT_EQ(store_->record_state().value().waiting_since, 0);
}

// Rows are looked at one by one for a while and asked of the index then; who searches sees no seam.
TEST_F(WordsSearch, GivesTheSameRowsHoweverFarApartTheyAre) {
  constexpr int kRows = 700;
  const auto has_it = [](int number) {
    return number % 90 == 0 || number / 50 == 3 || (number > 600 && number % 3 == 0);
  };
  std::vector<std::string> commands;
  for (int i = 1; i <= kRows; ++i)
    commands.push_back((has_it(i) ? "needle " : "thread ") + std::to_string(i));
  write(commands);
  wait_for_index();
  for (const bool oldest_first : {false, true})
    for (const std::string session : {"", "even"})
      for (const std::int64_t border : {0, 160, 350, 640})
        for (const std::size_t limit : {1u, 7u, 1000u}) {
          AuditQuery query{.session = session, .limit = limit, .oldest_first = oldest_first};
          (oldest_first ? query.after : query.before) = border;
          std::string want;
          std::size_t left = limit;
          for (int i = 1; i <= kRows && left > 0; ++i) {
            const int number = oldest_first ? i : kRows + 1 - i;
            if (border != 0 && (oldest_first ? number <= border : number >= border)) continue;
            const bool even = commands[static_cast<std::size_t>(number - 1)].size() % 2 == 0;
            if (!has_it(number) || (!session.empty() && !even)) continue;
            want += std::to_string(number) + " ";
            --left;
          }
          EXPECT_EQ(found("needle", query), want)
              << oldest_first << session << " " << border << " " << limit;
        }
}

TEST_F(WordsSearch, PiecesOfTheIndexBecomeOneAndFindTheSame) {
  Database database = std::move(*Database::open(directory_.at("data/store.db"), {}));
  const auto pieces = [&] {
    return *database.integer("SELECT count(DISTINCT segid) FROM words_idx");
  };
  for (int i = 0; i < 5; ++i) {
    write({"make target " + std::to_string(i)});
    wait_for_index();
  }
  ASSERT_GT(pieces(), 1);
  EXPECT_FALSE(*words_are_scattered(database)) << "five rows are not worth it";
  std::vector<std::string> commands;
  for (int i = 5; i < 600; ++i) commands.push_back("make target " + std::to_string(i));
  write(commands);
  wait_for_index();
  const std::string before = found("target 59");
  // The writer may be at it already.
  Gathering stage = Gathering::kBegin;
  for (bool more = true; more; stage = Gathering::kGoOn) {
    ASSERT_TRUE(database.run("BEGIN IMMEDIATE"));
    more = *gather_words(database, stage);
    ASSERT_TRUE(database.run("COMMIT"));
  }
  EXPECT_EQ(pieces(), 1);
  EXPECT_FALSE(*words_are_scattered(database));
  EXPECT_EQ(found("target 59"), before);
  EXPECT_EQ(before, "600 599 598 597 596 595 594 593 592 591 60 ");
}

TEST_F(WordsSearch, TheWriterGathersThePiecesWhenItIsQuiet) {
  std::vector<std::string> commands;
  for (int i = 0; i < 600; ++i) commands.push_back("make target " + std::to_string(i));
  write(commands);
  Database database = std::move(*Database::open(directory_.at("data/store.db"), {}));
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto gathered = [&] {
    return *database.integer("SELECT count(*) FROM numbers WHERE name = 'gathered' AND last = 600");
  };
  while (gathered() == 0) ASSERT_LT(std::chrono::steady_clock::now(), late);
  EXPECT_EQ(*database.integer("SELECT count(DISTINCT segid) FROM words_idx"), 1);
}

TEST_F(WordsSearch, WhatIsRemovedIsFoundNoMore) {
  std::vector<std::string> commands;
  for (int i = 1; i <= 600; ++i) commands.push_back("make part " + std::to_string(i) + " end");
  write(commands);
  wait_for_index();
  EXPECT_EQ(found("part 7 end"), "7 ");
  AppendAudit later = audit_of("later", 9'000);
  later.row.record = json::Value::string("part 7 end");
  ASSERT_TRUE(submit_and_wait(*store_, {later}));
  ASSERT_TRUE(submit_and_wait(*store_, {RemoveAudit{.before = 5'000, .at = 9'000}}));
  EXPECT_EQ(store_->record_state().value().first, 513);
  EXPECT_EQ(found("part 7 end"), "601 ");
  EXPECT_EQ(found("part 512 end"), "");
  EXPECT_EQ(found("part 513 end"), "513 ");
}

TEST_F(WordsSearch, TextsThatNoRowHasGoWhenTheStoreIsCompacted) {
  write({"make"});
  const auto part = std::make_shared<const std::string>("\"shared\":true");
  std::vector<Change> batch;
  for (int i = 0; i < 300; ++i) {
    AppendAudit row = audit_of("old", 1'000);
    row.row.by = "somebody";
    row.row.text = "{}";
    row.row.shared = {{1, part}};
    batch.emplace_back(std::move(row));
  }
  ASSERT_TRUE(submit_and_wait(*store_, std::move(batch)));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(submit_and_wait(*store_, {audit_of("new", 9'000)}));
  EXPECT_EQ(store_->compact().value(), 0u);
  ASSERT_TRUE(submit_and_wait(*store_, {RemoveAudit{.before = 5'000, .at = 9'000}}));
  // `call` and its session go. Some of the old rows stand in a span with new ones, and stay.
  EXPECT_EQ(store_->compact().value(), 2u);
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(submit_and_wait(*store_, {audit_of("new", 20'000)}));
  ASSERT_TRUE(submit_and_wait(*store_, {RemoveAudit{.before = 15'000, .at = 20'000}}));
  EXPECT_GE(store_->compact().value(), 3u);  // the part, `old` and `somebody`
  EXPECT_EQ(store_->compact().value(), 0u);
  AppendAudit row = audit_of("old", 30'000);
  row.row.by = "somebody";
  row.row.text = "{}";
  row.row.shared = {{1, part}};
  ASSERT_TRUE(submit_and_wait(*store_, {row}));
  const AuditRow back = store_->audit({.limit = 1}).value().at(0);
  EXPECT_EQ(back.kind + " " + back.by + " " + json::write(back.record),
            "old somebody {\"shared\":true}");
}

}  // namespace
}  // namespace tollgate::store
