// The policy as the page shows, tries and changes it.
#include <gtest/gtest.h>

#include "os/files.h"
#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr const char* kPolicy =
    "version: 1\n"
    "# ours\n"
    "rules:\n"
    "  allow:\n"
    "    - Bash(git status) # free\n"
    "  ask:\n"
    "    - {rule: Bash(git push *), reason: it leaves the house}\n"
    "roles:\n"
    "  tester: {allowedTools: [Read]}\n"
    "agents:\n"
    "  backend: {role: tester}\n";

std::string text_of(TestDaemon& gate) {
  return os::read_file(gate.config_file(), 1u << 20).value_or("");
}

TEST(Policy, EachRuleSaysWhereItStands) {
  TestDaemon gate(kPolicy);
  const auto shown = gate.get("/api/policy");
  ASSERT_EQ(shown.status, 200);
  const Value& ask = shown.at("rules").find("ask")->items().at(0);
  EXPECT_EQ(text_in(ask, "list"), "ask");
  EXPECT_EQ(text_in(ask, "text"), "Bash(git push *)");
  EXPECT_EQ(text_in(ask, "reason"), "it leaves the house");
  EXPECT_EQ(text_in(ask, "layer"), "user");
  EXPECT_TRUE(text_in(ask, "source").starts_with(gate.config_file() + ":7"));
  EXPECT_TRUE(ask.find("editable")->as_bool());
  for (const Value& rule : shown.at("rules").find("deny")->items())
    EXPECT_FALSE(rule.find("editable")->as_bool()) << text_in(rule, "text");
  EXPECT_EQ(gate.get("/api/policy?agent=nobody").status, 422);
}

TEST(Policy, RolesAndPresetsSayWhatTheyAllow) {
  TestDaemon gate(kPolicy);
  const auto shown = gate.get("/api/roles");
  ASSERT_EQ(shown.status, 200);
  std::string roles;
  for (const Value& role : shown.at("roles").items()) roles += text_in(role, "name") + " ";
  EXPECT_EQ(roles, "developer reviewer supervisor tester ");
  const Value& own = shown.at("roles").items().back();
  EXPECT_EQ(json::write(*own.find("allowedTools")), "[\"Read\"]");
  EXPECT_FALSE(own.find("builtIn")->as_bool());
  EXPECT_EQ(shown.at("presets").items().size(), 4u);
}

struct Checked {
  std::string_view name, list, rule, want;  // the first error's or warning's code, "" for none
};
const Checked kChecked[] = {
    {"a rule", "ask", "Bash(npm publish *)", ""},
    {"no rule", "ask", "Bash(", "rule-syntax"},
    {"an unknown tool", "deny", "Bsh(x)", "unknown-tool"},
    {"one that stands there", "allow", "Bash(git status)", "shadowed-rule"},
    {"one that is broad", "allow", "Bash(python *)", "broad-rule"},
};

TEST(Policy, ARuleIsCheckedAsItIsTyped) {
  TestDaemon gate(kPolicy);
  for (const Checked& one : kChecked) {
    const auto answer = gate.post_as(gate.ann, "/api/policy/check",
                                     json::write(Value::object({{"list", text_value(one.list)},
                                                                {"rule", text_value(one.rule)}})));
    ASSERT_EQ(answer.status, 200) << one.name;
    std::string code;
    for (const std::string_view part : {"errors", "warnings"})
      for (const Value& each : answer.at(part).items())
        if (code.empty()) code = text_in(each, "code");
    EXPECT_EQ(code, one.want) << one.name;
    EXPECT_EQ(answer.at("ok").as_bool(), answer.at("errors").items().empty()) << one.name;
  }
  EXPECT_EQ(gate.post_as(gate.ann, "/api/policy/check", R"~({"list":"x","rule":"y"})~").status,
            400);
}

TEST(PolicyEdit, IsShownAndThenMadeAndRecorded) {
  TestDaemon gate(kPolicy);
  const std::string body =
      R"~("add":{"list":"deny","rule":"Bash(npm publish *)","reason":"by hand"})~";
  const auto shown = gate.post_as(gate.olga, "/api/policy/edit", "{" + body + ",\"dryRun\":true}");
  ASSERT_EQ(shown.status, 200) << json::write(shown.body);
  EXPECT_FALSE(shown.at("applied").as_bool());
  EXPECT_NE(shown.text("diff").find("+  deny:"), std::string::npos) << shown.text("diff");
  EXPECT_EQ(text_of(gate), kPolicy);
  const auto made =
      gate.post_as(gate.olga, "/api/policy/edit",
                   "{" + body + ",\"dryRun\":false,\"version\":\"" + shown.text("version") + "\"}");
  ASSERT_EQ(made.status, 200) << json::write(made.body);
  EXPECT_TRUE(made.at("applied").as_bool());
  EXPECT_NE(text_of(gate).find("# ours"), std::string::npos);
  EXPECT_NE(text_of(gate).find("{rule: Bash(npm publish *), reason: by hand}"), std::string::npos);
  const store::AuditRow row = gate.store.all_audit().back();
  EXPECT_EQ(row.kind, "policy");
  EXPECT_EQ(row.by, "Olga");
  // It holds from now on.
  EXPECT_EQ(gate.ask_shell("npm publish ."), "");
  EXPECT_EQ(gate.outcomes.back().record.decision.verdict, Verdict::kDeny);
  // And it can be taken back.
  const std::string gone = R"~({"remove":{"list":"deny","rule":"Bash(npm publish *)","source":")~";
  const auto back = gate.post_as(gate.olga, "/api/policy/edit",
                                 gone + gate.config_file() + R"~(:8:7"},"dryRun":false})~");
  EXPECT_EQ(back.status, 200) << json::write(back.body);
  EXPECT_EQ(text_of(gate).find("npm publish"), std::string::npos);
}

struct Refused {
  std::string_view name, body, code;
  int status;
};
const Refused kRefused[] = {
    {"nothing to do", R"~({"dryRun":false})~", "malformed-request", 400},
    {"another member", R"~({"mode":"plan","force":true})~", "malformed-request", 400},
    {"no list", R"~({"add":{"rule":"Bash"},"dryRun":false})~", "malformed-request", 400},
    {"no rule of ours", R"~({"add":{"list":"ask","rule":"Bsh(x)"},"dryRun":false})~",
     "unknown-tool", 422},
    {"an unknown mode", R"~({"mode":"fast","dryRun":false})~", "unknown-mode", 422},
    {"an unknown agent", R"~({"agent":"x","mode":"plan","dryRun":false})~", "unknown-agent", 422},
    {"a rule that is not there", R"~({"remove":{"list":"deny","rule":"Bash"},"dryRun":false})~",
     "rule-missing", 422},
    {"a rule of another file",
     R"~({"remove":{"list":"ask","rule":"Bash(git push *)","source":"/x:1:1"},"dryRun":false})~",
     "rule-missing", 422},
    {"a file that was another one", R"~({"mode":"plan","version":"0","dryRun":false})~",
     "file-changed", 409},
};

TEST(PolicyEdit, RefusesAndLeavesTheFile) {
  TestDaemon gate(kPolicy);
  for (const Refused& one : kRefused) {
    const auto answer = gate.post_as(gate.olga, "/api/policy/edit", std::string(one.body));
    EXPECT_EQ(answer.status, one.status) << one.name << json::write(answer.body);
    EXPECT_EQ(answer.code(), one.code) << one.name;
    EXPECT_EQ(text_of(gate), kPolicy) << one.name;
  }
  EXPECT_EQ(gate.post_as(gate.ann, "/api/policy/edit", R"~({"mode":"plan"})~").status, 403);
}

TEST(PolicyEdit, WithoutARecordNothingIsChanged) {
  TestDaemon gate(kPolicy);
  gate.store.fail_with(store::MemoryStore::unavailable());
  EXPECT_EQ(
      gate.post_as(gate.olga, "/api/policy/edit", R"~({"mode":"plan","dryRun":false})~").status,
      503);
  EXPECT_EQ(text_of(gate), kPolicy);
}

TEST(Try, SaysWhatWouldBeDecidedAndKeepsNoCall) {
  TestDaemon gate(kPolicy);
  const auto before = gate.store.all_audit().size();
  const auto answer = gate.post_as(
      gate.ann, "/api/try",
      R"~({"tool":"Bash","text":"git push origin main","cwd":")~" + gate.work() + "\"}");
  ASSERT_EQ(answer.status, 200) << json::write(answer.body);
  EXPECT_EQ(text_in(answer.at("decision"), "verdict"), "ask");
  EXPECT_EQ(answer.at("reading").find("commands")->items().size(), 1u);
  EXPECT_NE(answer.text("explanation").find("it leaves the house"), std::string::npos);
  EXPECT_EQ(answer.text("explanation").find('\x1b'), std::string::npos);
  ASSERT_EQ(gate.store.all_audit().size(), before + 1);
  EXPECT_EQ(gate.store.all_audit().back().kind, "try");
  EXPECT_EQ(gate.desk.pending_count(), 0u);
  const auto whole = gate.post_as(gate.ann, "/api/try",
                                  R"~({"tool":"Bash","input":{"command":"ls"},"mode":"plan"})~");
  EXPECT_EQ(text_in(whole.at("decision"), "verdict"), "allow");
  for (const std::string body :
       {R"~({"text":"x"})~", R"~({"tool":"Bash","input":[]})~", R"~({"tool":"Bash","cwd":"x"})~",
        R"~({"tool":"Bash","mode":"fast"})~", R"~({"tool":"Bash","text":"a","input":{}})~"})
    EXPECT_EQ(gate.post_as(gate.ann, "/api/try", body).status, 400) << body;
}

}  // namespace
}  // namespace tollgate::server
