// What every store promises, tried on each: SQLite's and its twin in memory.
// Rows come back as they went in; a batch is applied whole or not at all; orders and bounds agree.
#include "store/store.h"

#include <gtest/gtest.h>

#include <memory>

#include "store/memory_store.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"
#include "store/test_rows.h"

namespace tollgate::store {
namespace {

enum class Which { kMemory, kSqlite };

class StoreTest : public testing::TestWithParam<Which> {
 protected:
  StoreTest() { open(); }

  // SQLite's is closed and opened again; memory's is what it was.
  void open() {
    if (GetParam() == Which::kMemory) {
      if (!store_) store_ = std::make_unique<MemoryStore>();
      return;
    }
    store_.reset();
    Result<std::unique_ptr<Store>> opened = open_sqlite(directory_.at("data/store.db"));
    ASSERT_TRUE(opened) << render(opened.error());
    store_ = std::move(*opened);
  }
  void put(std::vector<Change> batch) {
    const Result<void> done = submit_and_wait(*store_, std::move(batch));
    ASSERT_TRUE(done) << render(done.error());
  }
  std::string refusal(std::vector<Change> batch) {
    const Result<void> done = submit_and_wait(*store_, std::move(batch));
    return done ? "" : done.error().code;
  }
  Kept kept(Millis now = 0, Millis recent = 0) { return store_->load(now, recent).value(); }
  std::string kinds(const AuditQuery& query) {
    std::string all;
    const std::vector<AuditRow> rows = store_->audit(query).value();
    for (const AuditRow& row : rows) all += row.kind + " ";
    return all;
  }

  TestDirectory directory_;
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(Both, StoreTest, testing::Values(Which::kMemory, Which::kSqlite),
                         [](const auto& which) {
                           return which.param == Which::kMemory ? "Memory" : "Sqlite";
                         });

TEST_P(StoreTest, WhatIsReadBackEqualsWhatWasWritten) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomRows random(seed);
    const Session session = random.session();
    const Question question = random.question();
    const Grant grant = random.grant();
    const Credential credential = random.credential();
    const Login login = random.login();
    AuditRow row = random.audit_row();
    const std::string setting = random.bytes() + "x";
    put({PutSession{session}, AddQuestion{question}, PutGrant{grant}, PutCredential{credential},
         PutLogin{login}, PutSetting{setting, setting}, AppendAudit{row}});
    if (seed % 20 == 0) open();
    const Kept all = kept();
    const auto has = [](const auto& rows, const auto& wanted) {
      return std::ranges::find(rows, wanted) != rows.end();
    };
    EXPECT_TRUE(has(all.sessions, session)) << seed;
    EXPECT_EQ(store_->question(question.id).value(), question) << seed;
    EXPECT_TRUE(has(store_->grants().value(), grant)) << seed;
    EXPECT_TRUE(has(all.credentials, credential)) << seed;
    EXPECT_TRUE(has(all.logins, login)) << seed;
    EXPECT_TRUE(has(all.settings, std::pair(setting, setting))) << seed;
    row.number = static_cast<std::int64_t>(seed);
    const std::vector<AuditRow> newest = store_->audit({.limit = 1}).value();
    ASSERT_EQ(newest.size(), 1u) << seed;
    EXPECT_EQ(newest[0], row) << seed;
  }
}

TEST_P(StoreTest, AMegabyteIsNothingSpecial) {
  std::string large;
  RandomRows random(7);
  while (large.size() < (1u << 20)) large += random.text(100);
  Question question = question_of("q");
  question.asked.call.tool = "Write";
  question.asked.call.input = json::Value::object({{"content", json::Value::string(large)}});
  question.asked.effects.resize(1);
  question.asked.effects[0].text = large;
  AuditRow row;
  row.record = question.asked.call.input;
  put({AddQuestion{question}, AppendAudit{row}});
  open();
  EXPECT_TRUE(store_->question("q").value() == question);
  EXPECT_TRUE(store_->audit({}).value().at(0).record == row.record);
}

TEST_P(StoreTest, ABatchThatFailsLeavesNothing) {
  put({AddQuestion{question_of("q")}, audit_of("before")});
  Question answered = question_of("q");
  answered.state = QuestionState::kApproved;
  put({ChangeQuestion{answered}});
  Question denied = question_of("q");
  denied.state = QuestionState::kDenied;
  EXPECT_EQ(refusal({PutSession{session_of("s")}, audit_of("lost"), ChangeQuestion{denied},
                     audit_of("lost")}),
            "already-answered");
  EXPECT_EQ(refusal({PutSetting{"a", "b"}, ChangeQuestion{question_of("unknown")}}),
            "already-answered");
  EXPECT_EQ(refusal({PutSetting{"a", "b"}, AddQuestion{question_of("q")}}), "already-answered");
  put({audit_of("after")});
  EXPECT_EQ(store_->question("q").value(), answered);
  EXPECT_TRUE(kept().sessions.empty());
  EXPECT_TRUE(kept().settings.empty());
  const std::vector<AuditRow> rows = store_->audit({}).value();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].number, 2);  // the numbers of what was undone are given again
  EXPECT_EQ(rows[0].kind, "after");
}

TEST_P(StoreTest, ALinkIsSpentOnce) {
  const auto link = [](const std::string& digest, Millis expires) {
    return PutLogin{{digest, Login::Kind::kLink, "ann", 1, expires, 0}};
  };
  put({link("good", 100), link("old", 50), link("never", 0),
       PutLogin{{"cookie", Login::Kind::kCookie, "ann", 1, 100, 0}}});
  EXPECT_EQ(refusal({SpendLink{"good", 60}, PutSetting{"in", "yes"}}), "");
  EXPECT_EQ(refusal({PutSetting{"in", "twice"}, SpendLink{"good", 61}}), "link-spent");
  EXPECT_EQ(refusal({SpendLink{"old", 50}}), "link-spent");
  EXPECT_EQ(refusal({SpendLink{"unknown", 1}}), "link-spent");
  EXPECT_EQ(refusal({SpendLink{"cookie", 1}}), "link-spent");
  EXPECT_EQ(refusal({SpendLink{"never", 1'000}}), "");
  EXPECT_EQ(kept().settings.at(0).second, "yes");
  EXPECT_EQ(kept().logins.at(1).used, 60);
}

TEST_P(StoreTest, LoginsAreDroppedByCredentialAndByAge) {
  const auto login = [](const std::string& digest, const std::string& credential, Millis expires,
                        Millis used) {
    return PutLogin{{digest, Login::Kind::kLink, credential, 1, expires, used}};
  };
  const auto left = [this] {
    std::string names;
    for (const Login& each : kept().logins) names += each.digest;
    return names;
  };
  put({login("a", "ann", 100, 0), login("b", "bob", 100, 0), login("c", "bob", 0, 0),
       login("d", "cleo", 300, 20), login("e", "cleo", 10, 0)});
  put({DropLogins{.credential = "ann", .before = 0}});
  EXPECT_EQ(left(), "bcde");
  put({DropLogins{.credential = "", .before = 20}});
  EXPECT_EQ(left(), "bcd");
  put({DropLogins{.credential = "", .before = 101}});
  EXPECT_EQ(left(), "c");
  put({DropLogins{}});
  EXPECT_EQ(left(), "c");
}

TEST_P(StoreTest, ATouchMovesOnlyForward) {
  put({PutSession{session_of("s")}});
  put({TouchSession{"s", 20}, TouchSession{"s", 10}, TouchSession{"unknown", 30}});
  ASSERT_EQ(kept().sessions.size(), 1u);
  EXPECT_EQ(kept().sessions[0].seen, 20);
}

TEST_P(StoreTest, AnEmptySettingIsRemoved) {
  put({PutSetting{"b", "1"}, PutSetting{"a", "2"}, PutSetting{"b", "3"}});
  using Settings = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(kept().settings, (Settings{{"a", "2"}, {"b", "3"}}));
  put({PutSetting{"a", ""}, PutSetting{"unknown", ""}});
  EXPECT_EQ(kept().settings, (Settings{{"b", "3"}}));
}

TEST_P(StoreTest, LoadGivesWhatIsAlive) {
  const auto ended = [](Session session) {
    session.ended = 5;
    return PutSession{session};
  };
  put({ended(session_of("gone")), ended(session_of("grandparent")),
       ended(session_of("parent", "grandparent")), PutSession{session_of("child", "parent")},
       PutSession{session_of("orphan", "unknown")}, ended(session_of("sister", "parent"))});
  std::string sessions;
  for (const Session& each : kept().sessions) sessions += each.id + " ";
  EXPECT_EQ(sessions, "child grandparent orphan parent ");

  const auto settled = [](const std::string& id, Millis at) {
    Question question = question_of(id, at);
    question.state = QuestionState::kDenied;
    question.settlement.at = at;
    return AddQuestion{question};
  };
  put({settled("old", 900), settled("new", 901), AddQuestion{question_of("open")}});
  std::string questions;
  for (const Question& each : kept(1'000, 100).questions) questions += each.id + " ";
  EXPECT_EQ(questions, "open new ");

  Grant grant;
  for (const auto& [id, expires, revoked] :
       {std::tuple("a", 0, 0), {"b", 1'001, 0}, {"c", 1'000, 0}, {"d", 0, 7}}) {
    grant.id = id;
    grant.expires = expires;
    grant.revoked = revoked;
    put({PutGrant{grant}});
  }
  std::string grants;
  for (const Grant& each : kept(1'000, 100).grants) grants += each.id;
  EXPECT_EQ(grants, "ab");
  EXPECT_EQ(store_->grants().value().size(), 4u);
}

TEST_P(StoreTest, SettledQuestionsComeNewestFirst) {
  for (int i = 0; i < 6; ++i) {
    Question question = question_of(std::to_string(i), i / 2);
    question.session = i % 2 == 0 ? "even" : "odd";
    question.state = i == 5  ? QuestionState::kPending
                     : i < 2 ? QuestionState::kApproved
                             : QuestionState::kDenied;
    put({AddQuestion{question}});
  }
  struct Case {
    std::string_view name;
    QuestionQuery query;
    std::string_view want;
  };
  const Case cases[] = {
      {"all that are settled", {}, "43210"},
      {"of one state", {.state = QuestionState::kApproved}, "10"},
      {"what is open has to be asked for", {.state = QuestionState::kPending}, "5"},
      {"of one session", {.session = "even"}, "420"},
      {"not more than was asked for", {.limit = 2}, "43"},
  };
  for (const Case& each : cases) {
    std::string got;
    const std::vector<Question> found = store_->questions(each.query).value();
    for (const Question& question : found) got += question.id;
    EXPECT_EQ(got, each.want) << each.name;
  }
  EXPECT_EQ(store_->question("none").value(), std::nullopt);
}

TEST_P(StoreTest, TheAuditIsSearched) {
  for (int i = 1; i <= 9; ++i) {
    AuditRow row;
    row.kind = std::to_string(i);
    row.at = i * 10;
    row.session = i % 2 == 0 ? "even" : "";
    row.agent = i == 3 ? "backend" : "";
    row.tool = i <= 4 ? "Bash" : "Edit";
    row.verdict = i == 8 ? "deny" : "allow";
    row.rule = i == 2 ? "Bash(git *)" : "";
    row.question = i == 7 ? "q7" : "";
    row.record = json::Value::object(
        {{"text", json::Value::string(i == 6 ? "say \"hi\" %_ \xC3\xA4" : "quiet")}});
    put({AppendAudit{row}});
  }
  struct Case {
    std::string_view name;
    AuditQuery query;
    std::string_view want;
  };
  const Case cases[] = {
      {"the newest first", {.limit = 3}, "9 8 7 "},
      {"the oldest first", {.limit = 3, .oldest_first = true}, "1 2 3 "},
      {"before a number", {.before = 4}, "3 2 1 "},
      {"after a number", {.after = 7}, "9 8 "},
      {"after a number, oldest first", {.after = 2, .limit = 2, .oldest_first = true}, "3 4 "},
      {"a time includes its beginning and not its end", {.since = 30, .until = 50}, "4 3 "},
      {"of a kind", {.kind = "5"}, "5 "},
      {"of a session", {.session = "even"}, "8 6 4 2 "},
      {"of an agent", {.agent = "backend"}, "3 "},
      {"of a tool and a session", {.session = "even", .tool = "Bash"}, "4 2 "},
      {"of a verdict", {.verdict = "deny"}, "8 "},
      {"of a rule", {.rule = "Bash(git *)"}, "2 "},
      {"of a question", {.question = "q7"}, "7 "},
      {"text is found as it was said", {.grep = "say \"hi\""}, "6 "},
      {"text is not looked for as JSON has it", {.grep = "say \\\"hi\\\""}, ""},
      {"nothing in it is a pattern", {.grep = "%_"}, "6 "},
      {"a pattern finds nothing", {.grep = "qui%"}, ""},
      {"beyond ASCII", {.grep = "\xC3\xA4"}, "6 "},
      {"nothing fits", {.session = "'; DROP TABLE audit; --"}, ""},
      {"none were wanted", {.limit = 0}, ""},
  };
  for (const Case& each : cases) EXPECT_EQ(kinds(each.query), each.want) << each.name;
}

TEST_P(StoreTest, ASpoolsMarkIsKept) {
  EXPECT_EQ(store_->spool_mark("f").value(), (MarkSpool{.file = "f"}));
  const MarkSpool mark{"f", UINT64_MAX, 1u << 20, 77, UINT64_MAX - 5};
  put({mark});
  open();
  EXPECT_EQ(store_->spool_mark("f").value(), mark);
  EXPECT_EQ(store_->spool_mark("g").value(), (MarkSpool{.file = "g"}));
}

}  // namespace
}  // namespace tollgate::store
