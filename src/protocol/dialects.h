// The dialects, each in a file of its own. Only dialect.cc, which lists them, uses all of this.
#pragma once

#include "protocol/dialect.h"

namespace tollgate {

Result<HookRequest> decode_claude(std::string_view text);
Result<HookRequest> decode_codex(std::string_view text);
Result<HookRequest> decode_gemini(std::string_view text);
Result<HookRequest> decode_copilot(std::string_view text);
Result<HookRequest> decode_opencode(std::string_view text);
Result<HookRequest> decode_kiro(std::string_view text);
Result<HookRequest> decode_q(std::string_view text);
Result<HookRequest> decode_kimi(std::string_view text);
Result<HookRequest> decode_cursor(std::string_view text);
Result<HookRequest> decode_plain(std::string_view text);

HookReply encode_gemini(const HookRequest& request, const Decision& decision,
                        const json::Value* changed);
HookReply encode_copilot(const HookRequest& request, const Decision& decision,
                         const json::Value* changed);
HookReply encode_opencode(const HookRequest& request, const Decision& decision,
                          const json::Value* changed);
HookReply encode_kiro(const HookRequest& request, const Decision& decision,
                      const json::Value* changed);
HookReply encode_kimi(const HookRequest& request, const Decision& decision,
                      const json::Value* changed);
HookReply encode_cursor(const HookRequest& request, const Decision& decision,
                        const json::Value* changed);
HookReply encode_plain(const HookRequest& request, const Decision& decision,
                       const json::Value* changed);

HookReply refuse_copilot(std::string_view reason);
HookReply refuse_opencode(std::string_view reason);
HookReply refuse_cursor(std::string_view reason);
HookReply refuse_plain(std::string_view reason);

}  // namespace tollgate
