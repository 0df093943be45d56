// The plain dialect: one JSON object a call, one JSON object an answer.
// `tollgate eval --jsonl` and programs without a dialect of their own speak it.
// SAFETY: an unknown member or a wrong type is an error; nothing is filled in for the sender.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/decision.h"
#include "core/effect.h"
#include "core/tool_call.h"
#include "json/value.h"

namespace tollgate {

// {"tool", "input", and perhaps "cwd", "agent", "mode", "id", "provider", "session", "reason"}.
// The mode goes to client_mode; whoever trusts the sender more may take it for more.
// Error: malformed-call, with the place in the text when it is no JSON.
Result<ToolCall> decode_generic(std::string_view text);

// The id as it was sent, a string or a number, so that even a refused line can be told apart;
// null when there is none.
json::Value generic_id(std::string_view text);

// {"id", "verdict", "reasons", "layer", "config_source", "effects"} on one line, without a newline.
// No id, no member.
std::string encode_generic(const json::Value& id, const Decision& decision, const Effects& effects);

}  // namespace tollgate
