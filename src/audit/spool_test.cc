// The spool: what it holds, that records do not mix, and that what cannot be kept is an error.
#include "audit/spool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "core/codec.h"
#include "json/json.h"
#include "os/fault.h"
#include "os/files.h"

namespace tollgate {
namespace {

class SpoolTest : public testing::Test {
 protected:
  SpoolTest() {
    std::string pattern = "/tmp/tollgate-spool-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
  }
  ~SpoolTest() override {
    ::unlink((directory_ + "/data/spool.jsonseq").c_str());
    ::rmdir((directory_ + "/data").c_str());
    ::rmdir(directory_.c_str());
  }

  std::vector<json::Value> records() const {
    std::vector<json::Value> all;
    const std::string text = os::read_file(directory_ + "/data/spool.jsonseq", 64u << 20).value();
    for (std::size_t at = text.find(kRecordSeparator); at != text.npos;) {
      const std::size_t next = text.find(kRecordSeparator, at + 1);
      Result<json::Value> one = json::parse(text.substr(at + 1, next - at - 2));
      EXPECT_TRUE(one);
      if (one) all.push_back(std::move(*one));
      at = next;
    }
    return all;
  }

  static AuditRecord record(const std::string& id) {
    AuditRecord record;
    record.call.id = id;
    record.call.tool = record.call.native_tool = "Bash";
    record.call.input = json::Value::object({{"command", json::Value::string("ls\n\x1f")}});
    record.decision.reasons.push_back({});
    return record;
  }

  std::string directory_;
};

TEST_F(SpoolTest, KeepsAllThatADecisionRestedOn) {
  Spool spool(directory_ + "/data", {.sync = true});
  ASSERT_TRUE(spool.append(record("7")));
  ASSERT_TRUE(spool.note(json::Value::object({{"kind", json::Value::string("session-began")}})));
  const std::vector<json::Value> all = records();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(tool_call_from_json(*all[0].find("call")).value(), record("7").call);
  EXPECT_TRUE(decision_from_json(*all[0].find("decision")));
  EXPECT_NE(all[0].find("time"), nullptr);
  EXPECT_EQ(all[1].find("event")->find("kind")->as_string(), "session-began");
  struct stat status{};
  ASSERT_EQ(::stat(spool.file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(SpoolTest, WritersDoNotMix) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&, i] {
      Spool spool(directory_ + "/data");
      for (int j = 0; j < 100; ++j) EXPECT_TRUE(spool.append(record(std::to_string(i * 100 + j))));
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(records().size(), 400u);
}

TEST_F(SpoolTest, WhatCannotBeKeptIsAnError) {
  Spool spool(directory_ + "/data");
  ASSERT_TRUE(spool.append(record("1")));
  for (const char* call : {"open", "fstat", "write"}) {
    const os::FaultPlan plan(call, ENOSPC);
    const Result<void> kept = spool.append(record("2"));
    ASSERT_FALSE(kept) << call;
    EXPECT_EQ(kept.error().code, "audit-unavailable") << call;
  }
  // Somebody else could have written it.
  ASSERT_EQ(::chmod(spool.file().c_str(), 0666), 0);
  EXPECT_FALSE(spool.append(record("3")));
  ASSERT_EQ(::chmod(spool.file().c_str(), 0600), 0);
  EXPECT_EQ(records().size(), 1u);
}

}  // namespace
}  // namespace tollgate
