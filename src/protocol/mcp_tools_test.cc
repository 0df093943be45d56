// The gate's tools over MCP: how they are listed, what their arguments come to, and what the
// permission tool says to each client, letter for letter.
#include "protocol/mcp_tools.h"

#include <gtest/gtest.h>

#include "json/json.h"
#include "protocol/mcp_permission.h"
#include "protocol/mcp_reply.h"

namespace tollgate {
namespace {

json::Value read(std::string_view text) {
  Result<json::Value> value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value.value_or(json::Value());
}

McpCall call_with(std::string_view arguments, std::string_view meta = "{}") {
  McpCall call;
  call.method = "tools/call";
  call.tool = "approve";
  call.arguments = read(arguments);
  call.meta = read(meta);
  return call;
}

std::string text_in(const json::Value& result) {
  EXPECT_EQ(result.find("isError"), nullptr);
  EXPECT_EQ(result.find("structuredContent"), nullptr);
  const json::Value* content = result.find("content");
  if (content == nullptr || content->items().size() != 1) return "not one block";
  const json::Value* text = content->items()[0].find("text");
  return text == nullptr ? "no text" : text->as_string();
}

Decision decided(Verdict verdict, std::string text = "because") {
  Decision decision;
  decision.verdict = verdict;
  decision.reasons.push_back({.kind = ReasonKind::kRule,
                              .verdict = verdict,
                              .rule = {},
                              .source = {},
                              .text = std::move(text),
                              .span = {}});
  return decision;
}

std::string answer(const McpCall& call, const Decision& decision,
                   const json::Value* changed = nullptr) {
  const Result<HookRequest> request = decode_permission(call);
  EXPECT_TRUE(request);
  if (!request) return "malformed";
  return text_in(encode_permission(permission_form(call), *request, decision, changed));
}

constexpr std::string_view kPrompt =
    R"({"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1"})";
constexpr std::string_view kHook =
    R"({"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1","session_id":"s","cwd":"/w"})";

TEST(McpTools, AreListedWithSchemas) {
  const std::vector<McpTool> plain = session_tools(McpSessionKind::kPlain);
  const std::vector<McpTool> parent = session_tools(McpSessionKind::kParent);
  const std::vector<std::string> want = {
      "approve",  "permissions__approve",   "handle_permission_request",
      "ask_user", "list_child_permissions", "answer_child_permission"};
  ASSERT_EQ(parent.size(), want.size());
  ASSERT_EQ(plain.size(), 4u);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const McpTool& tool = parent[i];
    EXPECT_EQ(tool.name, want[i]);
    EXPECT_FALSE(tool.title.empty() || tool.description.empty()) << tool.name;
    ASSERT_NE(tool.input_schema.find("type"), nullptr) << tool.name;
    EXPECT_NE(tool.annotations.find("readOnlyHint"), nullptr) << tool.name;
    EXPECT_EQ(is_permission_tool(tool.name), i < 3) << tool.name;
  }
  EXPECT_EQ(json::write(*plain[0].input_schema.find("required")), R"(["tool_name","input"])");
}

TEST(McpPermission, ReadsTheCallOfAPromptTool) {
  const Result<HookRequest> request = decode_permission(call_with(
      R"({"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1","reason":"to see","new":1})",
      R"({"claudecode/toolUseId":"t2"})"));
  ASSERT_TRUE(request);
  HookRequest want;
  want.call.id = "t1";
  want.call.provider = "claude";
  want.call.native_tool = want.call.tool = "Bash";
  want.call.input = read(R"({"command":"ls"})");
  want.call.stated_reason = "to see";
  EXPECT_EQ(*request, want);
}

TEST(McpPermission, TakesTheClientsIdFromMetaWhereThereIsNoOther) {
  const Result<HookRequest> request = decode_permission(
      call_with(R"({"tool_name":"Task","input":{}})", R"({"claudecode/toolUseId":"t2"})"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->call.id, "t2");
  EXPECT_EQ(request->call.tool, "Agent") << "by the client's table of tools";
}

TEST(McpPermission, ReadsTheCallOfAHook) {
  const Result<HookRequest> request = decode_permission(call_with(kHook));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->call.provider, "codex");
  EXPECT_EQ(request->call.session, "s");
  EXPECT_EQ(request->call.cwd, "/w");
  EXPECT_EQ(request->call.id, "t1");
  const Result<HookRequest> native = decode_permission(
      call_with(R"({"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{}})"));
  ASSERT_TRUE(native);
  EXPECT_EQ(native->call.provider, "codex");
}

TEST(McpPermission, TellsTheFormsApartByTheArguments) {
  struct Case {
    std::string_view arguments;
    PermissionForm form;
  };
  constexpr Case kCases[] = {
      {"{}", PermissionForm::kPrompt},
      {kPrompt, PermissionForm::kPrompt},
      {kHook, PermissionForm::kHook},
      {R"({"session_id":"s"})", PermissionForm::kPrompt},
      {R"({"cwd":"/w"})", PermissionForm::kPrompt},
      {R"({"session_id":null,"cwd":null})", PermissionForm::kHook},
      {R"({"hook_event_name":"PreToolUse"})", PermissionForm::kHook},
      {R"({"tool_name":"Bash","input":{"session_id":"s","cwd":"/w","hook_event_name":"x"}})",
       PermissionForm::kPrompt},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(permission_form(call_with(c.arguments)), c.form) << c.arguments;
}

TEST(McpPermission, AnswersAPromptToolInItsWords) {
  const json::Value changed = read(R"({"command":"ls -l"})");
  const json::Value empty = json::Value::object();
  const McpCall call = call_with(kPrompt);
  EXPECT_EQ(answer(call, decided(Verdict::kAllow)),
            R"({"behavior":"allow","updatedInput":{"command":"ls"}})");
  EXPECT_EQ(answer(call, decided(Verdict::kAllow), &changed),
            R"({"behavior":"allow","updatedInput":{"command":"ls -l"}})");
  EXPECT_EQ(answer(call, decided(Verdict::kDeny)),
            R"({"behavior":"deny","message":"Tollgate: because"})");
  EXPECT_EQ(answer(call, decided(Verdict::kDeny), &changed),
            R"({"behavior":"deny","message":"Tollgate: because"})");
  EXPECT_EQ(answer(call, Decision()),
            R"({"behavior":"deny","message":"Tollgate: no reason was given"})");
  EXPECT_TRUE(answer(call, decided(Verdict::kAsk)).starts_with(R"({"behavior":"deny",)"))
      << "there is nobody left to ask";
  EXPECT_TRUE(answer(call, decided(Verdict::kAllow), &empty).starts_with(R"({"behavior":"deny",)"))
      << "this client takes an empty input for the one that nobody approved";
  EXPECT_EQ(answer(call_with(R"({"tool_name":"TodoRead","input":{}})"), decided(Verdict::kAllow)),
            R"({"behavior":"allow","updatedInput":{}})");
}

TEST(McpPermission, AnswersAHookInItsWords) {
  const json::Value changed = read(R"({"command":"ls -l"})");
  const McpCall call = call_with(kHook);
  const std::string begins =
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":)";
  EXPECT_EQ(answer(call, decided(Verdict::kAllow)),
            begins + R"("allow","permissionDecisionReason":"Tollgate: because"}})");
  EXPECT_EQ(
      answer(call, decided(Verdict::kAllow), &changed),
      begins +
          R"("allow","permissionDecisionReason":"Tollgate: because","updatedInput":{"command":"ls -l"}}})");
  EXPECT_EQ(answer(call, decided(Verdict::kDeny)),
            begins + R"("deny","permissionDecisionReason":"Tollgate: because"}})");
  EXPECT_TRUE(answer(call, decided(Verdict::kAsk)).starts_with(begins + R"("deny",)"))
      << "an ask would run the command";
}

struct Malformed {
  std::string_view name, arguments, meta = "{}";
};

constexpr Malformed kMalformed[] = {
    {"nothing", "{}"},
    {"no input", R"({"tool_name":"Bash"})"},
    {"no tool", R"({"input":{}})"},
    {"an empty tool", R"({"tool_name":"","input":{}})"},
    {"a tool that is a list", R"({"tool_name":["Bash"],"input":{}})"},
    {"an input that is a list", R"({"tool_name":"Bash","input":[]})"},
    {"an input that is a text", R"({"tool_name":"Bash","input":"ls"})"},
    {"an input that is null", R"({"tool_name":"Bash","input":null})"},
    {"two inputs", R"({"tool_name":"Bash","input":{},"tool_input":{"command":"rm"}})"},
    {"an id that is a number", R"({"tool_name":"Bash","input":{},"tool_use_id":1})"},
    {"a reason that is a number", R"({"tool_name":"Bash","input":{},"reason":1})"},
    {"an id in `_meta` that is a number", R"({"tool_name":"Bash","input":{}})",
     R"({"claudecode/toolUseId":1})"},
    {"a relative directory", R"({"tool_name":"Bash","input":{},"session_id":"s","cwd":"w"})"},
    {"a session that is a number", R"({"tool_name":"Bash","input":{},"session_id":1,"cwd":"/w"})"},
    {"an event that is a number", R"({"tool_name":"Bash","input":{},"hook_event_name":1})"},
    {"an event that asks for something else",
     R"({"tool_name":"Bash","input":{},"hook_event_name":"PermissionRequest"})"},
    {"an event after the tool",
     R"({"tool_name":"Bash","input":{},"hook_event_name":"PostToolUse"})"},
};

TEST(McpPermission, DeniesWhatItCannotRead) {
  for (const Malformed& c : kMalformed) {
    const McpCall call = call_with(c.arguments, c.meta);
    const Result<HookRequest> request = decode_permission(call);
    ASSERT_FALSE(request) << c.name;
    EXPECT_EQ(request.error().code, "malformed-call") << c.name;
    const json::Value told = read(text_in(refuse_permission(call, request.error())));
    if (permission_form(call) == PermissionForm::kPrompt) {
      EXPECT_EQ(told.find("behavior")->as_string(), "deny") << c.name;
      EXPECT_GT(told.find("message")->as_string().size(), 12u) << c.name;
      EXPECT_EQ(told.members().size(), 2u) << c.name;
      continue;
    }
    const json::Value* output = told.find("hookSpecificOutput");
    ASSERT_NE(output, nullptr) << c.name;
    const json::Value* decision = output->find("decision");
    const json::Value* plain =
        decision == nullptr ? output->find("permissionDecision") : decision->find("behavior");
    ASSERT_NE(plain, nullptr) << c.name;
    EXPECT_EQ(plain->as_string(), "deny") << c.name;
  }
}

TEST(McpTools, ReadAQuestion) {
  EXPECT_EQ(decode_ask_user(call_with(R"({"question":"why?","options":["a","b"]})")).value(),
            (UserQuestion{.question = "why?", .options = {"a", "b"}}));
  EXPECT_EQ(decode_ask_user(call_with(R"({"question":"why?","options":null})")).value(),
            (UserQuestion{.question = "why?", .options = {}}));
  const std::string long_one(kMaxQuestionBytes + 1, 'x');
  for (
      const std::string& wrong :
      {std::string("{}"), std::string(R"({"question":""})"), std::string(R"({"question":1})"),
       R"({"question":")" + long_one + R"("})", std::string(R"({"question":"q","options":"a"})"),
       std::string(R"({"question":"q","options":[1]})"),
       std::string(R"({"question":"q","options":[""]})"),
       std::string(
           R"({"question":"q","options":["1","2","3","4","5","6","7","8","9","a","b","c","d","e","f","g","h"]})")})
    EXPECT_FALSE(decode_ask_user(call_with(wrong))) << wrong;
}

TEST(McpTools, ReadAParentsAnswer) {
  EXPECT_EQ(
      decode_answer_child(call_with(R"({"permission_id":"p","decision":"allow","reason":"fine"})"))
          .value(),
      (ChildAnswer{.permission = "p", .allow = true, .reason = "fine"}));
  EXPECT_EQ(decode_answer_child(call_with(R"({"permission_id":"p","decision":"deny"})")).value(),
            (ChildAnswer{.permission = "p", .allow = false, .reason = ""}));
  for (const std::string_view wrong :
       {"{}", R"({"permission_id":"p"})", R"({"decision":"allow"})",
        R"({"permission_id":"p","decision":"Allow"})", R"({"permission_id":"p","decision":true})",
        R"({"permission_id":1,"decision":"allow"})",
        R"({"permission_id":"p","decision":"allow","reason":[]})"})
    EXPECT_FALSE(decode_answer_child(call_with(wrong))) << wrong;
}

}  // namespace
}  // namespace tollgate
