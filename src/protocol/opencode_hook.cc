// opencode: what its plugin sends, and what the plugin throws on.
// The plugin lets a tool run on `allow` alone; whatever else comes back, or nothing, is an error
// that it throws, and that blocks.
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

constexpr PayloadNames kNames = {.provider = "opencode",
                                 .tool = "tool",
                                 .input = "args",
                                 .session = "sessionID",
                                 .cwd = "cwd",
                                 .id = "callID"};

json::Value answer(std::string_view decision, std::string_view reason) {
  return json::Value::object({{"decision", json::Value::string(std::string(decision))},
                              {"reason", json::Value::string(std::string(reason))}});
}

}  // namespace

Result<HookRequest> decode_opencode(std::string_view text) {
  Result<json::Value> payload = parse_payload(text);
  if (!payload) return Fail(std::move(payload).error());
  return request_of(*payload, kNames, HookEvent::kTool);
}

HookReply encode_opencode(const HookRequest&, const Decision& decision,
                          const json::Value* changed) {
  const bool allows = decision.verdict == Verdict::kAllow;
  json::Value out = answer(allows ? "allow" : "deny", told(decision));
  if (allows && changed != nullptr) out.set("args", *changed);
  return say(out);
}

HookReply refuse_opencode(std::string_view reason) {
  HookReply reply = say(answer("deny", reason));
  reply.status = 2;
  return reply;
}

}  // namespace tollgate
