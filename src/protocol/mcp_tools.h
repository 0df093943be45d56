// The tools that the gate itself offers to a session over MCP, and what their arguments mean.
// The permission tool has three names, because clients and their guides have fixed them; the
// answers it gives are in mcp_permission.h.
// Arguments that a tool does not know are left alone; one of a wrong type is an error, which goes
// back as the result of a tool that failed, so that the model can mend it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "protocol/mcp.h"

namespace tollgate {

inline constexpr std::string_view kPermissionTools[] = {"approve", "permissions__approve",
                                                        "handle_permission_request"};
inline constexpr std::string_view kAskUserTool = "ask_user";
inline constexpr std::string_view kListChildrenTool = "list_child_permissions";
inline constexpr std::string_view kAnswerChildTool = "answer_child_permission";

// LIMIT: what a person is shown at once.
inline constexpr std::size_t kMaxQuestionBytes = 10'000;
inline constexpr std::size_t kMaxOptions = 16;
inline constexpr std::size_t kMaxOptionBytes = 200;
inline constexpr std::size_t kMaxAnswerReasonBytes = 2'000;

bool is_permission_tool(std::string_view tool);

enum class McpSessionKind : std::uint8_t { kPlain, kParent };  // kParent: it has sessions below it

// In the order in which they are listed; the permission tool is first.
std::vector<McpTool> session_tools(McpSessionKind kind);

// A question of the agent's own to whoever answers for it.
struct UserQuestion {
  std::string question;
  std::vector<std::string> options;  // empty: any text answers

  bool operator==(const UserQuestion&) const = default;
};
// Error: malformed-call.
Result<UserQuestion> decode_ask_user(const McpCall& call);

// What a parent's agent says to a question of its child. Whether it may is not said here.
struct ChildAnswer {
  std::string permission;  // the id of the question
  bool allow = false;
  std::string reason;

  bool operator==(const ChildAnswer&) const = default;
};
// Error: malformed-call.
Result<ChildAnswer> decode_answer_child(const McpCall& call);

}  // namespace tollgate
