// A hook without a daemon with each of its system calls failing in turn, and what it wrote being
// taken in: what may not run is never allowed, what was allowed is in the spool, and every line of
// it gets into the store once. The same with a daemon that answers: each call on the way there and
// back fails, and nothing is allowed but by its whole word.
#include "hook/hook.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <thread>

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

// A daemon that allows what is called `npm ci` and denies all else. Its own calls do not fail.
class Answering {
 public:
  explicit Answering(const std::string& socket)
      : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    EXPECT_LT(socket.size(), sizeof address.sun_path);
    socket.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    thread_ = std::thread([this] { run(); });
  }
  ~Answering() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  bool has_allowed(const std::string& id) {
    const std::scoped_lock lock(mutex_);
    return std::ranges::any_of(allowed_,
                               [&](const std::string& text) { return text.find(id) != text.npos; });
  }

 private:
  void run() {
    for (int peer = 0; (peer = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(peer))
      answer(peer);
  }
  void answer(int peer) {
    std::string text;
    char piece[4'096];
    while (!is_whole(text)) {
      const ssize_t got = ::recv(peer, piece, sizeof piece, 0);
      if (got <= 0) return;
      text.append(piece, static_cast<std::size_t>(got));
    }
    const bool allow = text.find("npm ci") != text.npos;
    const std::string body = allow ? R"({"verdict":"allow"})" : R"({"verdict":"deny"})";
    {
      // Before it is sent: whoever reads it may be faster.
      const std::scoped_lock lock(mutex_);
      if (allow) allowed_.insert(text);
    }
    const std::string response =
        "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    // In two pieces: what was cut off is no answer.
    const std::size_t half = response.size() - 3;
    static_cast<void>(::send(peer, response.data(), half, MSG_NOSIGNAL));
    static_cast<void>(::send(peer, response.data() + half, response.size() - half, MSG_NOSIGNAL));
  }
  static bool is_whole(const std::string& text) {
    const std::size_t length = text.find("Content-Length: "), end = text.find("\r\n\r\n");
    return length != text.npos && end != text.npos &&
           text.size() - end - 4 >= std::stoul(text.substr(length + 16));
  }

  int listener_;
  std::mutex mutex_;
  std::set<std::string> allowed_;  // GUARDED_BY(mutex_)
  std::thread thread_;
};

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

TEST_F(HookFaults, NothingIsAllowedWithoutTheWholeWordOfTheDaemon) {
  Answering daemon(files_.at("data/gate.sock"));
  registration_.within = 10'000;
  const auto struck = at_every_point([&](const auto& failing) {
    static_cast<void>(os::remove_file(Spool(files_.at("data")).file()));
    Call allowed, denied, refused;
    failing([&] {
      allowed = call("npm ci");
      denied = call("npm update");
      refused = call("git push --force origin");
    });
    for (const Call& each : {denied, refused})
      EXPECT_FALSE(each.allows()) << each.id << each.reply.out;
    EXPECT_TRUE(!allowed.allows() || daemon.has_allowed(allowed.id)) << allowed.reply.out;
    EXPECT_EQ(records_of(allowed.id), allowed.allows() ? 1u : 0u) << "an allow without its record";
    const Call after = call("npm ci");
    EXPECT_TRUE(after.allows() && daemon.has_allowed(after.id)) << after.reply.out;
  });
  std::printf("%s\n", listed(struck).c_str());
  for (const char* name : {"access", "socket", "connect", "getsockopt", "send", "poll", "recv"})
    EXPECT_TRUE(struck.contains(name)) << name;
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
