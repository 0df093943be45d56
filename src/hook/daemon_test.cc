// Questions put to a daemon: a socket in a temporary directory with a scripted one behind it.
// What is tested is the wire and what each answer comes to; the daemon has tests of its own.
#include "hook/daemon.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "config/test_files.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "service/memory_log.h"
#include "service/service.h"

namespace tollgate::hook {
namespace {

constexpr std::int64_t kLong = 60'000;

// Takes one question and says what it was told to; an empty text ends the stream at once.
class ScriptedDaemon {
 public:
  ScriptedDaemon(const std::string& path, std::string response, bool answers = true)
      : response_(std::move(response)), answers_(answers) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    listener_ = os::Descriptor(::socket(AF_UNIX, SOCK_STREAM, 0));
    EXPECT_EQ(::bind(listener_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_.number(), 1), 0);
    thread_ = std::thread([this] { serve(); });
  }
  ~ScriptedDaemon() {
    ::shutdown(listener_.number(), SHUT_RDWR);
    thread_.join();
  }

  std::string question;

 private:
  void serve() {
    const os::Descriptor peer(::accept(listener_.number(), nullptr, nullptr));
    if (!peer.valid()) return;
    const auto whole = [&] {
      const std::size_t end = question.find("\r\n\r\n"), length = question.find("Content-Length: ");
      return end != question.npos &&
             question.size() - end - 4 == std::stoul(question.substr(length + 16));
    };
    char buffer[4096];
    while (!whole()) {
      const ssize_t got = ::read(peer.number(), buffer, sizeof buffer);
      if (got <= 0) return;
      question.append(buffer, static_cast<std::size_t>(got));
    }
    if (answers_) {
      EXPECT_EQ(::write(peer.number(), response_.data(), response_.size()),
                static_cast<ssize_t>(response_.size()));
    } else {
      // The other side goes first.
      static_cast<void>(::read(peer.number(), buffer, 1));
    }
  }

  std::string response_;
  bool answers_;
  os::Descriptor listener_;
  std::thread thread_;
};

std::string http(const std::string& body, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

ToolCall call_of(std::string command) {
  ToolCall call;
  call.id = "t";
  call.session = "s";
  call.tool = call.native_tool = "Bash";
  call.cwd = "/w";
  call.input = json::Value::object({{"command", json::Value::string(std::move(command))}});
  return call;
}

Decision asking() {
  Decision decision;
  decision.verdict = Verdict::kAsk;
  Reason reason;
  reason.verdict = Verdict::kAsk;
  reason.text = "no rule covers it";
  decision.reasons = {reason};
  return decision;
}

struct Case {
  std::string_view name;
  std::string response;
  std::string_view want;
};

TEST(Daemon, WhatItAnswersSettlesTheCall) {
  const Case kCases[] = {
      {"an allow", http(R"({"verdict":"allow","reason":"ann allowed it"})"),
       "allow: ann allowed it"},
      {"an allow without words", http(R"({"verdict":"allow"})"), "allow: a person allowed it"},
      {"a deny", http(R"({"verdict":"deny","reason":"ann: not today"})"), "deny: ann: not today"},
      {"nobody has answered", http(R"({"verdict":"pending"})"),
       "deny: still pending: nobody has answered yet; retry the same call"},
      {"a verdict that is not known", http(R"({"verdict":"Allow"})"),
       "deny: the daemon's answer has no verdict that is known; retry the same call"},
      {"no verdict", http("{}"),
       "deny: the daemon's answer has no verdict that is known; retry the same call"},
      {"an allow that stands twice", http(R"({"verdict":"deny","verdict":"allow"})"),
       "deny: the daemon's answer is no JSON object; retry the same call"},
      {"an allow in an error", http(R"({"verdict":"allow"})", "500 Oh"),
       "deny: the daemon did not take the question; retry the same call"},
      {"an error that says why",
       http(R"({"error":{"code":"too-many-questions","message":"64 are open"}})", "429 Busy"),
       "deny: the daemon did not take the question: 64 are open; retry the same call"},
      {"an allow that was cut off", http(R"({"verdict":"allow"})").substr(0, 80),
       "deny: the daemon did not answer in HTTP; retry the same call"},
      {"a body without its length", "HTTP/1.1 200 OK\r\n\r\n{\"verdict\":\"allow\"}",
       "deny: the daemon did not answer in HTTP; retry the same call"},
      {"no HTTP", R"({"verdict":"allow"})",
       "deny: the daemon did not answer in HTTP; retry the same call"},
      {"nothing", "", "deny: the daemon did not answer in HTTP; retry the same call"},
      {"an input that is none", http(R"({"verdict":"allow","updatedInput":"ls"})"),
       "deny: `updatedInput` is no object; retry the same call"},
  };
  for (const Case& one : kCases) {
    const config::TestFiles files;
    const std::string path = files.at("gate.sock");
    ScriptedDaemon daemon(path, one.response);
    const Answer answer =
        Daemon(path, os::now_monotonic() + kLong).ask(call_of("npm test"), asking());
    ASSERT_FALSE(answer.decision.reasons.empty()) << one.name;
    EXPECT_EQ(std::string(name(answer.decision.verdict)) + ": " + answer.decision.reasons[0].text,
              one.want)
        << one.name;
  }
}

TEST(Daemon, GetsTheWholeQuestion) {
  const config::TestFiles files;
  const std::string path = files.at("gate.sock");
  std::string question;
  {
    ScriptedDaemon daemon(path, http(R"({"verdict":"allow"})"));
    Daemon(path, os::now_monotonic() + kLong).ask(call_of(std::string(100'000, 'a')), asking());
    question = daemon.question;
  }
  EXPECT_TRUE(question.starts_with("POST /ask HTTP/1.1\r\n"));
  EXPECT_NE(question.find(std::string(100'000, 'a')), std::string::npos);
  EXPECT_NE(question.find(R"("text":"no rule covers it")"), std::string::npos);
  EXPECT_NE(question.find(R"("withinMs":)"), std::string::npos);
}

TEST(Daemon, WhereNobodyListensTheQuestionStaysOpen) {
  config::TestFiles files;
  Daemon daemon(files.at("gate.sock"), os::now_monotonic() + kLong);
  EXPECT_EQ(daemon.ask(call_of("npm test"), asking()).decision, asking());
  files.write("gate.sock", "");
  EXPECT_EQ(daemon.ask(call_of("npm test"), asking()).decision, asking());
}

TEST(Daemon, AtTheDeadlineTheCallIsDeniedAndMayBeTriedAgain) {
  const config::TestFiles files;
  const std::string path = files.at("gate.sock");
  ScriptedDaemon silent(path, "", false);
  const Answer answer = Daemon(path, os::now_monotonic() + 30).ask(call_of("npm test"), asking());
  EXPECT_EQ(answer.decision.verdict, Verdict::kDeny);
  EXPECT_EQ(answer.decision.reasons[0].rule, "pending");
}

TEST(Daemon, AChangedInputIsJudgedAgain) {
  PolicySet set = built_in_policy();
  set.rules.push_back(*parse_rule(Verdict::kDeny, "Bash(rm *)", {}));
  const Policy policy = compile(set);
  FixedWorld world;
  const auto settled = [&](const std::string& command) {
    const config::TestFiles files;
    const std::string path = files.at("gate.sock");
    ScriptedDaemon scripted(
        path, http(R"({"verdict":"allow","updatedInput":{"command":")" + command + "\"}}"));
    Daemon daemon(path, os::now_monotonic() + kLong);
    MemoryLog log;
    Service service({policy, world, log, &daemon}, {.plan = {.base = "/w", .home = "/home/u"}});
    return service.settle(call_of("npm install"));
  };
  const AuditRecord other = settled("npm ci");
  EXPECT_EQ(other.decision.verdict, Verdict::kAllow);
  EXPECT_EQ(other.call.input, call_of("npm ci").input);
  const AuditRecord denied = settled("rm -rf x");
  EXPECT_EQ(denied.decision.verdict, Verdict::kDeny);
  EXPECT_EQ(denied.decision.reasons[0].rule, "changed-input");
}

}  // namespace
}  // namespace tollgate::hook
