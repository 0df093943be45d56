// A hook without a daemon with each of its system calls failing in turn, and what it wrote being
// taken in: what may not run is never allowed, what was allowed is in the spool, and every line of
// it gets into the store once.
#include "hook/hook.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "audit/spool.h"
#include "config/live_policy.h"
#include "config/test_files.h"
#include "faults/every_point.h"
#include "store/failing_vfs.h"
#include "store/memory_store.h"
#include "store/spool_reader.h"
#include "store/sqlite_store.h"

namespace tollgate::faults {
namespace {

class HookFaults : public testing::Test {
 protected:
  HookFaults() {
    files_.write("policy.yaml",
                 "version: 1\nrules:\n  allow: [\"Bash(make *)\", \"Bash(cat *)\"]\n"
                 "  deny: [\"Bash(git push --force *)\", \"Read(./secret/**)\"]\n");
    files_.write("home/project/secret/key", "a key");
    EXPECT_EQ(::symlink("secret/key", files_.at("home/project/link").c_str()), 0);
    EXPECT_TRUE(os::make_private_directory(files_.at("data")));
    registration_.provider = "claude";
    registration_.config_file = files_.at("policy.yaml");
    registration_.data_dir = files_.at("data");
  }

  static std::optional<Policy> read(const config::LoadOptions& options) {
    return std::move(config::live_policy(options).policy);
  }

  struct Call {
    std::string id;
    HookReply reply;
    bool allows() const {
      return reply.status == 0 && reply.out.find(R"("deny")") == std::string::npos &&
             reply.out.find(R"("ask")") == std::string::npos;
    }
  };
  Call call(const std::string& command) {
    Call made{.id = "call-" + std::to_string(++calls_) + "-", .reply = {}};
    const std::string payload =
        R"({"session_id":"s","cwd":")" + files_.at("home/project") +
        R"(","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":")" +
        command + R"(","description":")" + made.id + R"("},"tool_use_id":")" + made.id + R"("})";
    const os::Environment environment({{"HOME", files_.at("home")}, {"PATH", "/usr/bin:/bin"}});
    const hook::Place place{.environment = environment,
                            .managed_file = files_.at("etc/tollgate.yaml"),
                            .program = files_.at("bin/tollgate-hook")};
    const auto reply = hook::answer(payload, registration_, place, read);
    made.reply = reply ? *reply
                       : HookReply{.out = {},
                                   .err = "the source gave nothing, and then the files are read",
                                   .status = 2};
    return made;
  }

  // What the spool has of a call, read as the daemon reads it.
  std::size_t records_of(const std::string& id) {
    store::MemoryStore store;
    EXPECT_TRUE(store::swallow_spool(store, Spool(files_.at("data")).file(), 1));
    return store.audit({.kind = "call", .verdict = "allow", .grep = id}).value().size();
  }

  config::TestFiles files_;
  hook::Registration registration_;
  int calls_ = 0;
};

TEST_F(HookFaults, NoFailureOpensTheGate) {
  const auto struck = at_every_point([this](const auto& failing) {
    // A snapshot and the base of the session are made by the first call that lacks them.
    static_cast<void>(os::remove_file(Spool(files_.at("data")).file()));
    Call refused, led, asked, free;
    failing([&] {
      refused = call("git push --force origin");
      led = call("cat link");
      asked = call("npm ci");
      free = call("make all");
    });
    for (const Call& each : {refused, led, asked}) {
      EXPECT_FALSE(each.allows()) << each.id << each.reply.out;
      EXPECT_FALSE(each.reply.out.empty() && each.reply.err.empty());
    }
    EXPECT_EQ(records_of(free.id), free.allows() ? 1u : 0u) << "an allow without its record";
    const Call after = call("make after");
    EXPECT_TRUE(after.allows()) << after.reply.out << after.reply.err;
    EXPECT_EQ(records_of(after.id), 1u);
  });
  std::printf("%s\n", listed(struck).c_str());
  EXPECT_TRUE(struck.contains("lstat") && struck.contains("write"));
}

TEST_F(HookFaults, EveryLineOfTheSpoolIsTakenInOnce) {
  const std::string spool = Spool(files_.at("data")).file();
  const std::string path = files_.at("data/tollgate.db");
  const auto opened = store::open_sqlite(path, {.vfs = store::FailingVfs::registered()}).value();
  const auto struck = at_every_point([&](const auto& failing) {
    std::vector<std::string> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(call("make all").id);
    failing([&] { static_cast<void>(store::swallow_spool(*opened, spool, 1)); });
    const auto done = store::swallow_spool(*opened, spool, 1);
    EXPECT_TRUE(done) << render(done.error());
    for (const std::string& id : ids)
      EXPECT_EQ(opened->audit({.kind = "call", .grep = id}).value().size(), 1u) << id;
  });
  std::printf("%s\n", listed(struck).c_str());
  EXPECT_TRUE(struck.contains("sqlite-sync") && struck.contains("read"));
}

}  // namespace
}  // namespace tollgate::faults
