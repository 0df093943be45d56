// A hook from payload to answer, with files in a temporary home: the verdict in the client's
// words, the record, where a session began, and that every failure blocks.
#include "hook/hook.h"

#include <gtest/gtest.h>

#include <thread>

#include "audit/spool.h"
#include "config/live_policy.h"
#include "config/test_files.h"
#include "hook/command_line.h"
#include "hook/sessions.h"
#include "os/fault.h"
#include "os/user.h"
#include "policy/flat.h"

namespace tollgate::hook {
namespace {

class HookTest : public testing::Test {
 protected:
  HookTest() {
    files_.write("policy.yaml", "version: 1\nrules: {deny: [\"Bash(rm *)\"]}\n");
    registration_.provider = "claude";
    registration_.config_file = files_.at("policy.yaml");
    registration_.data_dir = files_.at("data");
  }

  static std::optional<Policy> read(const config::LoadOptions& options) {
    return std::move(config::live_policy(options).policy);
  }

  HookReply answer_to(const std::string& payload, const PolicySource& source = read) {
    const os::Environment environment(
        {{"HOME", files_.at("home")}, {"PATH", "/usr/bin:/bin"}, {"TMPDIR", "/none-of-a-test"}});
    const Place place{.environment = environment,
                      .managed_file = files_.at("etc/tollgate.yaml"),
                      .program = files_.at("bin/tollgate-hook")};
    const std::optional<HookReply> reply = answer(payload, registration_, place, source);
    return reply ? *reply : HookReply{.out = "none", .err = {}, .status = -1};
  }

  std::string bash(const std::string& command, const std::string& cwd = "home/project") const {
    return R"({"session_id":"s","cwd":")" + files_.at(cwd) +
           R"(","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":")" +
           command + R"("},"tool_use_id":"t"})";
  }

  std::string spool() const {
    return os::read_file(files_.at("data/spool.jsonseq"), 1u << 20).value_or("");
  }

  config::TestFiles files_;
  Registration registration_;
};

TEST_F(HookTest, AnswersInTheClientsWordsAndRecords) {
  const HookReply denied = answer_to(bash("ls; rm a"));
  EXPECT_NE(denied.out.find(R"("permissionDecision":"deny")"), std::string::npos) << denied.out;
  EXPECT_NE(denied.out.find("Bash(rm *)"), std::string::npos);
  EXPECT_NE(answer_to(bash("ls")).out.find(R"("permissionDecision":"allow")"), std::string::npos);
  EXPECT_NE(answer_to(bash("npm install")).out.find(R"("permissionDecision":"ask")"),
            std::string::npos);
  EXPECT_NE(spool().find(R"("layer":"hook")"), std::string::npos);
}

TEST_F(HookTest, APolicyThatProvesDamagedAnswersNothing) {
  const auto damaged = [](const config::LoadOptions& options) -> std::optional<Policy> {
    const Policy made = config::live_policy(options).policy;
    auto bytes = std::make_shared<std::vector<std::byte>>(made.bytes().begin(), made.bytes().end());
    const auto* header = reinterpret_cast<const flat::Header*>(bytes->data());
    auto* rules = reinterpret_cast<flat::RuleRecord*>(bytes->data() + header->rules.offset);
    for (std::uint32_t i = 0; i < header->rules.count; ++i) rules[i].text.offset = 0xfffffff0;
    return Policy::open(*bytes, bytes, PolicyCheck::kAsRead).value();
  };
  EXPECT_EQ(answer_to(bash("rm a"), damaged).out, "none");
  EXPECT_NE(spool().find("bad-snapshot"), std::string::npos);
  EXPECT_EQ(spool().find(R"("decision":{"verdict":"allow")"), std::string::npos);
  EXPECT_NE(answer_to(bash("ls"), damaged).out.find(R"("permissionDecision":"allow")"),
            std::string::npos)
      << "no rule is about it";
}

TEST_F(HookTest, WhoeverLeavesAtTheReplyHasTheRecord) {
  const os::Environment environment({{"HOME", files_.at("home")}, {"PATH", "/usr/bin:/bin"}});
  std::string told, kept;
  const Place place{.environment = environment,
                    .managed_file = files_.at("etc/tollgate.yaml"),
                    .program = files_.at("bin/tollgate-hook"),
                    .at_reply = [&](const HookReply& reply) {
                      told = reply.out;
                      kept = spool();
                    }};
  const std::optional<HookReply> reply = answer(bash("rm a"), registration_, place, read);
  ASSERT_TRUE(reply);
  EXPECT_EQ(told, reply->out);
  EXPECT_NE(kept.find(R"("decision":{"verdict":"deny")"), std::string::npos) << kept;
}

TEST_F(HookTest, AnAskIsADenyWhereTheClientWouldRun) {
  registration_.provider = "codex";
  const HookReply reply = answer_to(bash("npm install"));
  EXPECT_NE(reply.out.find(R"("permissionDecision":"deny")"), std::string::npos);
  EXPECT_NE(reply.out.find("nobody to ask"), std::string::npos);
}

// A repository's settings can set variables for the client and so for its hooks.
TEST_F(HookTest, TheClientsVariablesLoosenNothing) {
  files_.write("policy.yaml",
               "version: 1\nrules: {allow: [\"Bash(touch *)\"], "
               "deny: [\"Read(~/none-of-a-test/**)\"]}\n");
  const std::string own = os::home_directory(os::Environment()).value();
  const auto says = [&](const std::string& command, std::string_view verdict) {
    const HookReply reply = answer_to(bash(command));
    EXPECT_NE(reply.out.find("\"permissionDecision\":\"" + std::string(verdict) + "\""),
              std::string::npos)
        << command << "\n"
        << reply.out << reply.err;
  };
  says("cat " + own + "/none-of-a-test/x", "deny");
  says("cat ~/none-of-a-test/x", "deny");
  says("touch /none-of-a-test/x", "ask");
  says("touch x", "allow");
  says("echo > " + own + "/.config/tollgate/tollgate.yaml", "deny");
}

TEST_F(HookTest, EveryFailureBlocks) {
  const auto blocks = [&](const HookReply& reply) {
    EXPECT_TRUE(reply.status == 2 ||
                reply.out.find(R"("permissionDecision":"deny")") != std::string::npos)
        << reply.out << reply.err;
    EXPECT_FALSE(reply.out.empty() && reply.err.empty());
  };
  blocks(answer_to("{"));
  blocks(answer_to("{}{}"));
  blocks(answer_to(R"({"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash"})"));
  {
    const os::FaultPlan full("write", ENOSPC);
    blocks(answer_to(bash("ls")));
  }
  registration_.agent = "nobody";
  blocks(answer_to(bash("ls")));
  registration_.agent = "";
  files_.write("policy.yaml", "version: 1\nrules: {deny: [");
  blocks(answer_to(bash("ls")));
  registration_.config_file = files_.at("missing.yaml");
  blocks(answer_to(bash("ls")));
  registration_.provider = "nobody";
  blocks(answer_to(bash("ls")));
}

TEST_F(HookTest, WithoutAPolicyNothingIsSaidOrKept) {
  const auto none = [](const config::LoadOptions&) { return std::optional<Policy>(); };
  EXPECT_EQ(answer_to(bash("ls"), none).status, -1);
  EXPECT_EQ(spool(), "");
}

// An agent that moves about does not take its roots along.
TEST_F(HookTest, ASessionStaysWhereItBegan) {
  files_.write("elsewhere/a", "");
  answer_to(bash("ls"));
  answer_to(bash("cat a", "elsewhere"));
  const std::string last = spool().substr(spool().rfind(kRecordSeparator));
  EXPECT_NE(last.find(R"("cwd":")" + files_.at("elsewhere")), std::string::npos) << last;
  EXPECT_NE(last.find(R"("base":)"), std::string::npos) << last;
  EXPECT_NE(last.find(files_.at("home/project")), std::string::npos) << last;
  EXPECT_EQ(base_of(files_.at("data"), "claude", "s", "/x"), files_.at("home/project"));
  EXPECT_EQ(base_of(files_.at("data"), "claude", "other", "/x"), "/x");
  EXPECT_EQ(base_of(files_.at("data"), "claude", "", "/y"), "/y");
}

// `roots:` of the user's file are workspace beside the directory where the session began.
TEST_F(HookTest, AnAgentsOwnRootsAreWorkspaceToo) {
  files_.write("more/a", "");
  registration_.agent = "worker";
  const auto touch = [&](const std::string& roots) {
    files_.write("policy.yaml",
                 "version: 1\nmode: acceptEdits\nagents: {worker: {" + roots + "}}\n");
    return answer_to(bash("touch " + files_.at("more/b"))).out;
  };
  const std::string without = touch("");
  EXPECT_NE(without.find(R"("ask")"), std::string::npos) << without;
  const std::string with = touch("roots: [" + files_.at("more") + "]");
  EXPECT_NE(with.find(R"("allow")"), std::string::npos) << with;
}

// Two calls of one turn may be the first at once; all of them go by the same beginning.
TEST_F(HookTest, ASessionBeginsOnce) {
  constexpr int kCalls = 8, kRounds = 20;
  for (int round = 0; round < kRounds; ++round) {
    const std::string session = "race-" + std::to_string(round);
    std::vector<std::string> bases(kCalls);
    std::vector<std::thread> threads;
    for (int i = 0; i < kCalls; ++i)
      threads.emplace_back([&, i] {
        bases[i] = base_of(files_.at("data"), "claude", session, "/from-" + std::to_string(i));
      });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& base : bases) EXPECT_EQ(base, bases[0]) << session;
    EXPECT_EQ(base_of(files_.at("data"), "claude", session, "/later"), bases[0]) << session;
  }
}

// What each client hears when the record cannot be written.
TEST_F(HookTest, AFullDiskIsANoInEveryDialect) {
  for (const Dialect& dialect : dialects()) {
    registration_.provider = dialect.name;
    const std::string payload =
        R"({"session_id":"s","sessionId":"s","cwd":")" + files_.at("home/project") +
        R"(","hook_event_name":")" +
        std::string(dialect.name == "gemini"   ? "BeforeTool"
                    : dialect.name == "cursor" ? "beforeShellExecution"
                                               : "PreToolUse") +
        R"(","tool_name":"Bash","toolName":"bash","tool":"bash","command":"ls",)"
        R"("tool_input":{"command":"ls"},"toolArgs":{"command":"ls"},"input":{"command":"ls"},)"
        R"("args":{"command":"ls"}})";
    const os::FaultPlan full("write", ENOSPC);
    const HookReply reply = answer_to(payload);
    const std::string said = reply.out + reply.err;
    EXPECT_TRUE(reply.status == 2 || reply.status == 20 ||
                said.find(R"("deny")") != std::string::npos)
        << dialect.name << ": " << reply.status << said;
    EXPECT_EQ(said.find(R"("allow")"), std::string::npos) << dialect.name << ": " << said;
    EXPECT_NE(said.find("Tollgate:"), std::string::npos) << dialect.name << ": " << said;
  }
}

TEST_F(HookTest, ASessionThatBeginsIsNoted) {
  const HookReply reply =
      answer_to(R"({"session_id":"n","cwd":"/w","hook_event_name":"SessionStart"})");
  EXPECT_EQ(reply, HookReply{});
  EXPECT_NE(spool().find(R"("kind":"session-began")"), std::string::npos);
  EXPECT_EQ(base_of(files_.at("data"), "claude", "n", "/x"), "/w");
}

struct Line {
  std::string_view name;
  std::vector<std::string> words;
  std::string_view message;  // "" where it is right
};

TEST(HookCommandLine, TakesWhatARegistrationSays) {
  const Line lines[] = {
      {"only the client", {"claude"}, ""},
      {"everything",
       {"codex", "--config", "/p", "--agent", "a", "--data", "/d", "--timeout", "30", "--sync"},
       ""},
      {"nothing", {}, "no client is named"},
      {"an option first", {"--sync"}, "no client is named"},
      {"an option that there is not", {"claude", "--yolo"}, "unknown option `--yolo`"},
      {"a value that is missing", {"claude", "--agent"}, "`--agent` has no value"},
      {"a relative path", {"claude", "--config", "p"}, "`--config` is no absolute path"},
      {"no number", {"claude", "--timeout", "5s"}, "`5s` is no number of seconds"},
      {"no time", {"claude", "--timeout", "0"}, "`0` is no number of seconds"},
  };
  for (const Line& line : lines) {
    CommandLine read;
    const Result<void> result = read_command_line(line.words, read);
    EXPECT_EQ(result ? "" : result.error().message, line.message) << line.name;
  }
  CommandLine all;
  ASSERT_TRUE(read_command_line(lines[1].words, all));
  EXPECT_EQ(all.registration.config_file, "/p");
  EXPECT_EQ(all.registration.agent, "a");
  EXPECT_EQ(all.registration.data_dir, "/d");
  EXPECT_TRUE(all.registration.sync);
  EXPECT_EQ(deadline_of(all), 28'000);
  all.timeout = 1'000;
  EXPECT_EQ(deadline_of(all), 500);
}

}  // namespace
}  // namespace tollgate::hook
