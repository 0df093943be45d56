// Programs without hooks of their own: the plain dialect's call, and a short answer.
// {"decision": allow, ask or block, "reason"}; the exit status says the same: 0, 10 or 20.
#include "protocol/dialects.h"
#include "protocol/generic.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

HookReply answer(std::string_view decision, const std::string& reason, int status) {
  HookReply reply =
      say(json::Value::object({{"decision", json::Value::string(std::string(decision))},
                               {"reason", json::Value::string(reason)}}));
  reply.status = status;
  return reply;
}

}  // namespace

Result<HookRequest> decode_plain(std::string_view text) {
  Result<ToolCall> call = decode_generic(text);
  if (!call) return Fail(std::move(call).error());
  HookRequest request;
  request.call = std::move(*call);
  return request;
}

HookReply encode_plain(const HookRequest&, const Decision& decision, const json::Value*) {
  switch (decision.verdict) {
    case Verdict::kAllow:
      return answer("allow", told(decision), 0);
    case Verdict::kAsk:
      return answer("ask", told(decision), 10);
    case Verdict::kDeny:
      break;
  }
  return answer("block", told(decision), 20);
}

HookReply refuse_plain(std::string_view reason) { return answer("block", std::string(reason), 20); }

}  // namespace tollgate
