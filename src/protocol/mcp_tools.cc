// The gate's tools as they are listed, and their arguments.
// INVARIANT: a schema asks for no more than the decoder needs.
#include "protocol/mcp_tools.h"

#include <algorithm>
#include <utility>

#include "json/json.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

struct ToolText {
  std::string_view name, title, description, schema, annotations;
};

constexpr std::string_view kAsksOnly = R"({"readOnlyHint":true,"openWorldHint":false})";

constexpr std::string_view kPermissionSchema = R"({
  "type": "object",
  "properties": {
    "tool_name": {"type": "string", "description": "the tool that is about to run"},
    "input": {"type": "object", "description": "its arguments"},
    "tool_use_id": {"type": "string", "description": "the client's id of the call"},
    "reason": {"type": "string", "description": "why the agent wants it"}
  },
  "required": ["tool_name", "input"]
})";

constexpr ToolText kAskUser = {
    kAskUserTool, "Ask the user",
    "Asks the person who answers for this session a question and waits for the answer. Give "
    "`options` when only certain answers make sense.",
    R"({
  "type": "object",
  "properties": {
    "question": {"type": "string", "description": "the question, in full"},
    "options": {"type": "array", "items": {"type": "string"}, "maxItems": 16,
                "description": "the answers to choose from"}
  },
  "required": ["question"]
})",
    kAsksOnly};

constexpr ToolText kListChildren = {
    kListChildrenTool, "List the questions of child sessions",
    "Lists the permission questions of sessions below this one that wait for its answer.",
    R"({"type": "object", "additionalProperties": false})", kAsksOnly};

constexpr ToolText kAnswerChild = {
    kAnswerChildTool, "Answer a child session",
    "Answers a permission question of a session below this one. It counts only for what this "
    "session itself is allowed outright.",
    R"({
  "type": "object",
  "properties": {
    "permission_id": {"type": "string", "description": "as list_child_permissions shows it"},
    "decision": {"type": "string", "enum": ["allow", "deny"]},
    "reason": {"type": "string", "description": "told to the child"}
  },
  "required": ["permission_id", "decision"]
})",
    R"({"readOnlyHint":false,"destructiveHint":false,"openWorldHint":false})"};

McpTool made(const ToolText& text) {
  // The texts are constants of this file; a test reads them all.
  return {.name = std::string(text.name),
          .title = std::string(text.title),
          .description = std::string(text.description),
          .input_schema = json::parse(text.schema).value_or(json::Value::object()),
          .annotations = json::parse(text.annotations).value_or(json::Value::object())};
}

// A string that has to be there and is not longer than people read.
Result<std::string> needed(const McpCall& call, std::string_view name, std::size_t most) {
  Result<std::string> text = text_of(call.arguments, name);
  if (text && (text->empty() || text->size() > most))
    return malformed("`" + std::string(name) + "` is missing or has more than " +
                         std::to_string(most) + " bytes",
                     "send `" + std::string(name) + "` as a short text");
  return text;
}

}  // namespace

bool is_permission_tool(std::string_view tool) {
  return std::ranges::find(kPermissionTools, tool) != std::end(kPermissionTools);
}

std::vector<McpTool> session_tools(McpSessionKind kind) {
  std::vector<McpTool> out;
  for (const std::string_view name : kPermissionTools)
    out.push_back(made({name, "Ask for permission",
                        "Asks the gate whether a tool call may run. For the client's permission "
                        "prompt; a model has no use for it.",
                        kPermissionSchema, kAsksOnly}));
  out.push_back(made(kAskUser));
  if (kind == McpSessionKind::kPlain) return out;
  out.push_back(made(kListChildren));
  out.push_back(made(kAnswerChild));
  return out;
}

Result<UserQuestion> decode_ask_user(const McpCall& call) {
  Result<std::string> question = needed(call, "question", kMaxQuestionBytes);
  if (!question) return Fail(std::move(question).error());
  UserQuestion out{.question = std::move(*question), .options = {}};
  const json::Value* options = call.arguments.find("options");
  if (options == nullptr || options->is_null()) return out;
  const bool fits = options->is_array() && options->items().size() <= kMaxOptions;
  for (const json::Value& option : options->items()) {
    const std::string& text = option.as_string();
    if (!fits || text.empty() || text.size() > kMaxOptionBytes) break;
    out.options.push_back(text);
  }
  if (!fits || out.options.size() != options->items().size())
    return malformed(
        "`options` is not a list of at most " + std::to_string(kMaxOptions) + " short texts",
        "leave `options` out where any text is an answer");
  return out;
}

Result<ChildAnswer> decode_answer_child(const McpCall& call) {
  Result<std::string> permission = needed(call, "permission_id", kMaxOptionBytes);
  if (!permission) return Fail(std::move(permission).error());
  const Result<std::string> decision = text_of(call.arguments, "decision");
  if (!decision) return Fail(decision.error());
  if (*decision != "allow" && *decision != "deny")
    return malformed("`decision` is neither `allow` nor `deny`", "send one of the two");
  Result<std::string> reason = text_of(call.arguments, "reason");
  if (!reason) return Fail(std::move(reason).error());
  if (reason->size() > kMaxAnswerReasonBytes)
    return malformed("`reason` has more than " + std::to_string(kMaxAnswerReasonBytes) + " bytes",
                     "say it in fewer words");
  return ChildAnswer{.permission = std::move(*permission),
                     .allow = *decision == "allow",
                     .reason = std::move(*reason)};
}

}  // namespace tollgate
