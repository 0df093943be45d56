// Every dialect on payloads as clients send them: the call that is read, and what is said to each
// verdict. tests/dialects has one file a payload; TOLLGATE_UPDATE=1 writes what is said anew.
#include "protocol/dialect.h"

#include <dirent.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/codec.h"
#include "core/names.h"
#include "json/json.h"

namespace tollgate {
namespace {

const std::string kDirectory = TOLLGATE_SOURCE_DIR "/tests/dialects";

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  DIR* open = ::opendir(directory.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  ::closedir(open);
  std::ranges::sort(names);
  return names;
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Decision decided(Verdict verdict) {
  constexpr std::string_view kTexts[] = {"the rule allows it", "the rule wants a person's answer",
                                         "the rule forbids it"};
  Decision decision;
  decision.verdict = verdict;
  decision.reasons.push_back({.kind = ReasonKind::kRule,
                              .verdict = verdict,
                              .rule = "Bash(touch *)",
                              .source = "/etc/tollgate.yaml:3:5",
                              .text = std::string(kTexts[static_cast<int>(verdict)]),
                              .span = {}});
  return decision;
}

std::string shown(const HookReply& reply) {
  return "status " + std::to_string(reply.status) + "\n" +
         (reply.out.empty() ? "" : "out " + reply.out) +
         (reply.err.empty() ? "" : "err " + reply.err);
}

std::string shown(const HookRequest& request) {
  constexpr std::string_view kEvents[] = {"tool", "permission", "session", "child", "other"};
  std::string out = "event " + std::string(kEvents[static_cast<int>(request.event)]) + "\n";
  if (!request.child.empty()) out += "child " + request.child + " " + request.child_type + "\n";
  return out + json::write(to_json(request.call)) + "\n";
}

// All that is said about a payload.
std::string told_about(const Dialect& dialect, const std::string& payload) {
  std::string out = "--- payload\n" + payload;
  const Result<HookRequest> request = dialect.decode(payload);
  if (!request) {
    out += "--- refused: " + request.error().message + "\n";
    return out + shown(dialect.refuse("Tollgate: " + request.error().message));
  }
  out += "--- call\n" + shown(*request);
  const json::Value changed = json::Value::object({{"command", json::Value::string("ls")}});
  for (const Verdict verdict : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
    const Decision heard = heard_by(dialect, *request, decided(verdict));
    out += "--- " + std::string(name(verdict)) + "\n" +
           shown(dialect.encode(*request, heard, nullptr));
  }
  const Decision heard = heard_by(dialect, *request, decided(Verdict::kAllow), &changed);
  return out + "--- allow, changed\n" + shown(dialect.encode(*request, heard, &changed));
}

TEST(Dialect, SaysWhatItsClientHeeds) {
  std::size_t files = 0;
  for (const Dialect& dialect : dialects()) {
    const std::string directory = kDirectory + "/" + std::string(dialect.name);
    const std::vector<std::string> names = names_in(directory);
    EXPECT_FALSE(names.empty()) << dialect.name << " has no payloads";
    for (const std::string& name : names) {
      const std::string path = directory + "/" + name;
      const std::string text = read(path);
      constexpr std::string_view kHead = "--- payload\n";
      ASSERT_TRUE(text.starts_with(kHead)) << path;
      const std::size_t end = std::min(text.find("\n--- ", kHead.size()), text.size() - 1);
      const std::string payload = text.substr(kHead.size(), end + 1 - kHead.size());
      const std::string told = told_about(dialect, payload);
      if (std::getenv("TOLLGATE_UPDATE") != nullptr) std::ofstream(path) << told;
      EXPECT_EQ(told, read(path)) << path;
      ++files;
    }
  }
  EXPECT_GE(files, 30u);
}

// SAFETY: whatever arrives, a client is told something that it heeds, and never to run the tool.
TEST(Dialect, NeverLetsWhatItCannotReadRun) {
  for (const Dialect& dialect : dialects())
    for (const std::string_view payload :
         {"", "{", "[]", "null", "{}", "{\"tool_name\":5}", "\xff\xfe", "{\"toolName\":\"bash\"}",
          "{\"tool\":\"\"}", "{\"tool_name\":\"Bash\",\"tool_input\":[]}",
          "{\"hook_event_name\":\"\"}", "{\"hook_event_name\":null,\"hookName\":null}",
          "{\"hook_event_name\":1,\"hookName\":1,\"tool\":1}", "\xef\xbb\xbf{}", "{}{}", "{} x",
          "{\"cwd\":\"/a\",\"cwd\":\"/b\"}", "{\"session_id\":\"s\",\"sessionId\":\"s\"}"}) {
      const Result<HookRequest> request = dialect.decode(payload);
      EXPECT_FALSE(request) << dialect.name << " " << payload;
      if (request) continue;
      const HookReply reply = dialect.refuse("Tollgate: " + request.error().message);
      EXPECT_FALSE(reply.out.empty() && reply.err.empty()) << dialect.name;
      EXPECT_EQ(reply.out.find("\"allow\""), std::string::npos) << dialect.name;
      const bool heeded = reply.status != 0 || dialect.name == "copilot";
      EXPECT_TRUE(heeded) << dialect.name;
    }
}

TEST(Dialect, AChangeThatAClientWouldLeaveAsideIsDenied) {
  const json::Value changed = json::Value::object({{"command", json::Value::string("ls")}});
  const json::Value empty = json::Value::object();
  for (const Dialect& dialect : dialects()) {
    const auto heard = [&](const json::Value* input) {
      return heard_by(dialect, {}, decided(Verdict::kAllow), input).verdict;
    };
    EXPECT_EQ(heard(nullptr), Verdict::kAllow) << dialect.name;
    const bool takes = dialect.change != ChangeMeans::kNothing;
    EXPECT_EQ(heard(&changed), takes ? Verdict::kAllow : Verdict::kDeny) << dialect.name;
    EXPECT_EQ(heard(&empty), Verdict::kDeny) << dialect.name;
  }
}

// Gemini lays the new members over the old ones, so that what an approver took away would come
// back.
TEST(Dialect, AChangeThatAClientWouldMixWithTheCallIsDenied) {
  const json::Value changed = json::Value::object({{"command", json::Value::string("ls")}});
  HookRequest request;
  request.call.input = json::Value::object(
      {{"command", json::Value::string("ls; id")}, {"dir_path", json::Value::string("/etc")}});
  for (const Dialect& dialect : dialects()) {
    const Verdict want = dialect.change == ChangeMeans::kRuns ? Verdict::kAllow : Verdict::kDeny;
    EXPECT_EQ(heard_by(dialect, request, decided(Verdict::kAllow), &changed).verdict, want)
        << dialect.name;
  }
  EXPECT_EQ(dialect_named("gemini")->change, ChangeMeans::kMerged);
}

// An answer to the question that Copilot or Codex is about to ask says yes or no, and no more.
TEST(Dialect, AChangeWhereTheClientAsksIsDeniedUnlessItCanBeSaid) {
  const json::Value changed = json::Value::object({{"command", json::Value::string("ls")}});
  const HookRequest request{
      .event = HookEvent::kPermission, .call = {}, .child = {}, .child_type = {}};
  for (const Dialect& dialect : dialects()) {
    const Decision heard = heard_by(dialect, request, decided(Verdict::kAllow), &changed);
    EXPECT_EQ(heard.verdict, dialect.name == "claude" ? Verdict::kAllow : Verdict::kDeny)
        << dialect.name;
  }
}

TEST(Dialect, AsksOnlyWhereTheClientAsks) {
  for (const Dialect& dialect : dialects()) {
    const HookRequest request{.event = HookEvent::kTool, .call = {}, .child = {}, .child_type = {}};
    const Decision heard = heard_by(dialect, request, decided(Verdict::kAsk));
    const bool asks = dialect.ask == AskMeans::kClientAsks;
    EXPECT_EQ(heard.verdict, asks ? Verdict::kAsk : Verdict::kDeny) << dialect.name;
    EXPECT_FALSE(heard.reasons.empty());
  }
  EXPECT_EQ(dialect_named("codex")->ask, AskMeans::kClientRuns);
}

}  // namespace
}  // namespace tollgate
