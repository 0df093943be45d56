// Any bytes as a request of MCP: it is refused in words that can be read, or it is a call of a tool
// that exists, and whatever the permission tool makes of it is one answer that denies or repeats.
// The first byte chooses transport and headers, the rest is the body.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/scenes.h"
#include "json/json.h"
#include "protocol/mcp.h"
#include "protocol/mcp_permission.h"
#include "protocol/mcp_reply.h"
#include "protocol/mcp_tools.h"

namespace {

using namespace tollgate;
using fuzz::require;

McpServer gate() {
  return {.name = "gate",
          .version = "1",
          .instructions = {},
          .tools = session_tools(McpSessionKind::kParent),
          .ttl_ms = 0,
          .prompts = {},
          .logging = false};
}

// Headers that make each path reachable; the method's own come from the body where it has them.
HttpIn request(unsigned choice, std::string body) {
  HttpIn in{
      .method = "POST", .headers = {{"content-type", "application/json"}}, .body = std::move(body)};
  constexpr std::string_view kVersions[] = {"", "2025-03-26", "2025-11-25", "2026-07-28", "v9"};
  const std::string_view version = kVersions[choice % 5];
  if (!version.empty()) in.headers.emplace_back("mcp-protocol-version", version);
  if ((choice & 32) != 0) in.headers.emplace_back("accept", "text/event-stream");
  const Result<json::Value> value = json::parse(in.body);
  const json::Value* method = value ? value->find("method") : nullptr;
  const json::Value* params = value ? value->find("params") : nullptr;
  const json::Value* name = params == nullptr ? nullptr : params->find("name");
  if (method != nullptr) in.headers.emplace_back("mcp-method", method->as_string());
  if (name != nullptr) in.headers.emplace_back("mcp-name", name->as_string());
  return in;
}

void check_answer(const json::Value& result, const HookRequest* allowed) {
  require(result.find("isError") == nullptr && result.find("structuredContent") == nullptr);
  const json::Value* content = result.find("content");
  require(content != nullptr && content->items().size() == 1);
  const json::Value* text = content->items()[0].find("text");
  require(text != nullptr);
  const Result<json::Value> answer = json::parse(text->as_string(), {.max_depth = 80});
  require(answer.has_value());
  const json::Value* behavior = answer->find("behavior");
  const json::Value* hook = answer->find("hookSpecificOutput");
  require((behavior == nullptr) != (hook == nullptr));
  if (behavior == nullptr) return;
  const bool allows = behavior->as_string() == "allow";
  require(allows == (allowed != nullptr));
  if (allows) require(*answer->find("updatedInput") == allowed->call.input);
  if (!allows) require(!answer->find("message")->as_string().empty());
}

void check_call(const McpCall& call, const McpServer& server) {
  require(call.arguments.is_object() && call.meta.is_object());
  require(!call.id.is_null());
  const std::string line = json::write(result_message(call, server, text_result("x")));
  require(line.find('\n') == std::string::npos);
  static_cast<void>(decode_ask_user(call));
  static_cast<void>(decode_answer_child(call));
  const Result<HookRequest> asked = decode_permission(call);
  if (!asked) return check_answer(refuse_permission(call, asked.error()), nullptr);
  Decision allow;
  allow.verdict = Verdict::kAllow;
  const PermissionForm form = permission_form(call);
  check_answer(encode_permission(form, *asked, allow, nullptr), &*asked);
  check_answer(encode_permission(form, *asked, Decision(), nullptr), nullptr);
}

void check_turn(const McpTurn& turn, const McpServer& server) {
  if (const auto* out = std::get_if<HttpOut>(&turn)) {
    require(out->status >= 200 && out->status < 500);
    if (out->body.empty()) return require(out->status == 202);
    const bool events = out->body.starts_with("event: message\ndata: ");
    const std::string_view body =
        events ? std::string_view(out->body).substr(21) : std::string_view(out->body);
    const Result<json::Value> message =
        json::parse(events ? body.substr(0, body.size() - 2) : body);
    require(message.has_value());
    require((message->find("result") == nullptr) != (message->find("error") == nullptr));
  } else if (const auto* call = std::get_if<McpCall>(&turn)) {
    check_call(*call, server);
  } else if (const auto* batch = std::get_if<McpBatch>(&turn)) {
    require(!batch->parts.empty() && batch->parts.size() <= kMaxMcpBatch);
    for (const McpPart& part : batch->parts)
      if (const auto* inner = std::get_if<McpCall>(&part)) check_call(*inner, server);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const McpServer kServer = gate();
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string body(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((choice & 64) != 0) {
    std::string version = (choice & 128) != 0 ? "2025-03-26" : "";
    check_turn(read_mcp_line(body, kServer, version), kServer);
  } else {
    check_turn(read_mcp(request(choice, body), kServer), kServer);
  }
  return 0;
}
