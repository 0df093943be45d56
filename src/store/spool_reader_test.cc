// Swallowing the hook's spool: every record once, torn ones noted, and its place kept over kills,
// cuts and replacements.
#include "store/spool_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <set>

#include "audit/spool.h"
#include "core/codec.h"
#include "os/descriptor.h"
#include "os/fault.h"
#include "os/files.h"
#include "store/memory_store.h"
#include "store/sqlite_store.h"
#include "store/test_directory.h"

namespace tollgate::store {
namespace {

class SpoolReaderTest : public testing::Test {
 protected:
  static AuditRecord record(const std::string& id) {
    AuditRecord record;
    record.call.id = id;
    record.call.session = "s1";
    record.call.agent = "backend";
    record.call.tool = "Bash";
    record.call.input = json::Value::object({{"command", json::Value::string("ls\n\x1e\x1f")}});
    record.situation.now = 1'700'000'000;
    record.decision.verdict = Verdict::kAllow;
    record.decision.reasons.push_back({.kind = ReasonKind::kRule, .rule = "Bash(ls *)"});
    return record;
  }
  void append(const std::string& id) { ASSERT_TRUE(spool_.append(record(id))); }
  void raw(std::string_view bytes) {
    std::ofstream(spool_.file(), std::ios::app | std::ios::binary) << bytes;
    ::chmod(spool_.file().c_str(), 0600);
  }
  Swallowed swallow(SpoolLimits limits = {}) {
    const Result<Swallowed> swallowed = swallow_spool(store_, spool_.file(), kNow, limits);
    EXPECT_TRUE(swallowed) << render(swallowed.error());
    return swallowed.value_or(Swallowed{});
  }
  // The ids of calls, "!" for what was garbled, "^" for a new beginning, "+" for an event.
  static std::string seen(const std::vector<AuditRow>& rows) {
    std::string all;
    for (const AuditRow& row : rows) {
      if (row.kind == "call")
        all += row.record.find("call")->find("id")->as_string();
      else if (row.kind != "spool")
        all += '+';
      else
        all += row.record.find("torn") != nullptr ? '!' : '^';
    }
    return all;
  }
  std::string seen() const { return seen(store_.all_audit()); }

  static constexpr Millis kNow = 5'000;
  TestDirectory directory_;
  Spool spool_{directory_.at("data")};
  MemoryStore store_;
};

TEST_F(SpoolReaderTest, ACallHasAllItsColumns) {
  append("7");
  EXPECT_EQ(swallow(), (Swallowed{.records = 1}));
  const AuditRow row = store_.all_audit().at(0);
  EXPECT_EQ(row.kind, "call");
  EXPECT_EQ(row.origin, "hook");
  EXPECT_EQ(row.session, "s1");
  EXPECT_EQ(row.agent, "backend");
  EXPECT_EQ(row.tool, "Bash");
  EXPECT_EQ(row.verdict, "allow");
  EXPECT_EQ(row.rule, "Bash(ls *)");
  EXPECT_GT(row.at, 1'700'000'000'000);  // the spool says when
  ASSERT_EQ(row.record.members().size(), 4u);
  EXPECT_EQ(tool_call_from_json(*row.record.find("call")).value(), record("7").call);
  EXPECT_EQ(decision_from_json(*row.record.find("decision")).value(), record("7").decision);
}

TEST_F(SpoolReaderTest, EventsAreRowsAndCannotPoseAsAnswers) {
  const auto event = [](const char* kind) {
    return json::Value::object(
        {{"kind", json::Value::string(kind)}, {"session", json::Value::string("s9")}});
  };
  for (const char* kind : {"session-began", "child-began", "answer"})
    ASSERT_TRUE(spool_.note(event(kind)));
  EXPECT_EQ(swallow(), (Swallowed{.records = 3}));
  const std::vector<AuditRow> rows = store_.all_audit();
  EXPECT_EQ(rows.at(0).kind, "session");
  EXPECT_EQ(rows.at(0).session, "s9");
  EXPECT_EQ(rows.at(0).record, event("session-began"));
  EXPECT_EQ(rows.at(1).kind, "session");
  EXPECT_EQ(rows.at(2).kind, "spool");
}

TEST_F(SpoolReaderTest, TheTimeIsTheRecordsOwnOrNow) {
  struct Case {
    std::string_view name, text;
    Millis want;
  };
  constexpr Case kCases[] = {
      {"its own", R"({"call":{},"decision":{},"situation":{"now":9},"time":77})", 77},
      {"of the look", R"({"call":{},"decision":{},"situation":{"now":9}})", 9'000},
      {"none", R"({"call":{},"decision":{}})", kNow},
      {"one that is no time", R"({"call":{},"decision":{},"time":"x","situation":{"now":1e300}})",
       kNow},
  };
  ASSERT_TRUE(os::make_private_directory(directory_.at("data")));
  for (const Case& each : kCases) {
    raw("\x1e" + std::string(each.text) + "\n");
    swallow();
    EXPECT_EQ(store_.all_audit().back().at, each.want) << each.name;
    EXPECT_EQ(store_.all_audit().back().kind, "call") << each.name;
  }
}

TEST_F(SpoolReaderTest, EachRecordOnce) {
  EXPECT_EQ(swallow(), Swallowed{});  // no file yet
  append("a");
  append("b");
  EXPECT_EQ(swallow().records, 2u);
  EXPECT_EQ(swallow(), Swallowed{});
  append("c");
  EXPECT_EQ(swallow().records, 1u);
  EXPECT_EQ(seen(), "abc");
}

TEST_F(SpoolReaderTest, SmallBatchesAndLongRecordsComeToTheSame) {
  std::string want;
  for (char id = 'a'; id <= 'z'; ++id) {
    append(std::string(1, id));
    want += id;
  }
  for (const std::size_t bytes : {1u, 7u, 1'000u, 5'000u}) {
    MemoryStore store;
    const Result<Swallowed> swallowed =
        swallow_spool(store, spool_.file(), kNow, {.records = 3, .bytes = bytes});
    ASSERT_TRUE(swallowed);
    EXPECT_EQ(swallowed->records, 26u) << bytes;
    EXPECT_EQ(seen(store.all_audit()), want) << bytes;
  }
}

TEST_F(SpoolReaderTest, WhatIsTornIsKeptAndSpoilsNoOther) {
  struct Case {
    std::string_view name, bytes, want;
  };
  const Case cases[] = {
      {"a record without its end", "\x1e{\"call\":", "a!b"},
      {"bytes before a separator", "noise", "a!b"},
      {"a newline too many", "\n", "a!b"},
      {"no JSON", "\x1enone\n", "a!b"},
      {"no object", "\x1e[]\n", "a!b"},
      {"no record that a hook writes", "\x1e{\"x\":1}\n", "a!b"},
      {"a call that is none", "\x1e{\"call\":1,\"decision\":{}}\n", "a!b"},
      {"no UTF-8", "\x1e{\"event\":{\"kind\":\"\xff\"}}\n", "a!b"},
      {"a separator alone", "\x1e", "a!b"},
      {"two that are torn", "\x1e{\x1e{", "a!!b"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    MemoryStore store;
    ::unlink(spool_.file().c_str());
    append("a");
    raw(each.bytes);
    append("b");
    ASSERT_TRUE(swallow_spool(store, spool_.file(), kNow));
    const std::vector<AuditRow> rows = store.all_audit();
    EXPECT_EQ(seen(rows), each.want);
    EXPECT_TRUE(rows.at(1).record.find("torn")->as_bool());
    if (each.name == "a record without its end") {
      EXPECT_EQ(rows.at(1).record.find("text")->as_string(), each.bytes);
      EXPECT_EQ(rows.at(1).record.find("bytes")->number_text(), "9");
    }
  }
}

TEST_F(SpoolReaderTest, AnEndThatMayStillGrowIsLeft) {
  append("a");
  raw("\x1e{\"call\":{\"id\":\"b\"},");
  EXPECT_EQ(swallow(), (Swallowed{.records = 1, .left = 20}));
  EXPECT_EQ(swallow(), (Swallowed{.left = 20}));
  raw("\"decision\":{}}\n");
  EXPECT_EQ(swallow(), (Swallowed{.records = 1}));
  EXPECT_EQ(seen(), "ab");
}

TEST_F(SpoolReaderTest, AnEndlessRecordIsCutAndBounded) {
  append("a");
  raw("\x1e" + std::string(10'000, 'x'));
  append("b");
  const SpoolLimits limits{.records = 10, .bytes = 4'096, .longest = 4'096, .kept_garbled = 100};
  const Swallowed swallowed = swallow(limits);
  EXPECT_EQ(swallowed.records, 2u);
  EXPECT_GE(swallowed.garbled, 2u);
  for (const AuditRow& row : store_.all_audit())
    EXPECT_TRUE(row.kind == "call" || row.record.find("text")->as_string().size() <= 100);
  EXPECT_EQ(store_.all_audit().back().kind, "call");
}

TEST_F(SpoolReaderTest, AnotherFileIsReadFromItsBeginning) {
  append("a");
  swallow();
  ASSERT_EQ(::rename(spool_.file().c_str(), directory_.at("data/old").c_str()), 0);
  append("b");
  EXPECT_EQ(swallow(), (Swallowed{.records = 1}));
  EXPECT_EQ(seen(), "ab");
}

TEST_F(SpoolReaderTest, AFileThatWasCutIsReadFromItsBeginningAndSaidSo) {
  append("a");
  append("b");
  swallow();
  ASSERT_EQ(::truncate(spool_.file().c_str(), 0), 0);
  EXPECT_EQ(swallow(), (Swallowed{.began_anew = true}));
  append("c");
  EXPECT_EQ(swallow(), (Swallowed{.records = 1}));
  EXPECT_EQ(seen(), "ab^c");
}

TEST_F(SpoolReaderTest, AnInodeThatIsUsedAgainHidesNothing) {
  append("a");
  swallow();
  // As if it had been removed and made anew with the same number, and had grown past the mark.
  ASSERT_EQ(::truncate(spool_.file().c_str(), 0), 0);
  append("b");
  append("c");
  EXPECT_EQ(swallow(), (Swallowed{.records = 2, .began_anew = true}));
  EXPECT_EQ(seen(), "a^bc");
}

TEST_F(SpoolReaderTest, WhatFailsChangesNothingAndIsTriedAgain) {
  append("a");
  append("b");
  store_.fail_with(MemoryStore::unavailable());
  EXPECT_EQ(swallow_spool(store_, spool_.file(), kNow).error().code, "store-unavailable");
  store_.fail_with(std::nullopt);
  for (const char* call : {"open", "fstat", "read"}) {
    const os::FaultPlan plan(call, EIO);
    EXPECT_EQ(swallow_spool(store_, spool_.file(), kNow).error().code, "file-unreadable") << call;
  }
  ASSERT_EQ(::chmod(spool_.file().c_str(), 0622), 0);
  EXPECT_EQ(swallow_spool(store_, spool_.file(), kNow).error().code, "file-unreadable");
  ASSERT_EQ(::chmod(spool_.file().c_str(), 0600), 0);
  EXPECT_EQ(swallow().records, 2u);
  EXPECT_EQ(seen(), "ab");
}

// In the child: swallows record after record until it is killed, and says that it began.
[[noreturn]] void swallow_until_killed(const std::string& database, const std::string& file,
                                       int pipe) {
  Result<std::unique_ptr<Store>> store = open_sqlite(database);
  const char byte = 1;
  if (!store || ::write(pipe, &byte, 1) != 1) ::_exit(1);
  for (;;)
    if (!swallow_spool(**store, file, 1, {.records = 2})) ::_exit(2);
}

TEST_F(SpoolReaderTest, AKillNeitherDoublesNorLoses) {
  const std::string database = directory_.at("data/store.db");
  std::string want;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 40; ++i) {
      const std::string id = "<" + std::to_string(round * 100 + i) + ">";
      append(id);
      want += id;
    }
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = ::fork();
    if (child == 0) swallow_until_killed(database, spool_.file(), ends[1]);
    ::close(ends[1]);
    const os::Descriptor from(ends[0]);
    char byte = 0;
    EXPECT_EQ(::read(from.number(), &byte, 1), 1);
    for (int i = 0; i < round; ++i) append("<" + std::to_string(round * 100 + 50 + i) + ">");
    for (int i = 0; i < round; ++i) want += "<" + std::to_string(round * 100 + 50 + i) + ">";
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  Result<std::unique_ptr<Store>> store = open_sqlite(database);
  ASSERT_TRUE(store);
  ASSERT_TRUE(swallow_spool(**store, spool_.file(), 1));
  EXPECT_EQ(seen((*store)->audit({.limit = SIZE_MAX, .oldest_first = true}).value()), want);
}

}  // namespace
}  // namespace tollgate::store
