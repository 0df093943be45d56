// What the payloads of hooks have in common: one object, and the members that make a call.
// Members that the gate does not know are left alone, because clients add new ones.
// SAFETY: a member that is known and of another type is an error, and so is a key that stands
// twice.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/decision.h"
#include "core/tool_call.h"
#include "json/value.h"
#include "protocol/dialect.h"

namespace tollgate {

// Under which names a client sends the parts of a call; "" where it does not send one.
struct PayloadNames {
  std::string_view provider;
  std::string_view tool;
  std::string_view input;
  std::string_view session;
  std::string_view cwd;
  std::string_view id;
  std::string_view mode;
  std::string_view child;
  std::string_view child_type;
};

std::unexpected<Error> malformed(std::string message, std::string hint);

// Error: malformed-call.
Result<json::Value> parse_payload(std::string_view text);

// "" where the member is missing or null. Error: malformed-call when it is no string.
Result<std::string> text_of(const json::Value& payload, std::string_view name);

// The event that the payload says it is about. SAFETY: a payload that names none could be about a
// tool, so it is no call that can be left unanswered. Error: malformed-call.
Result<std::string> event_in(const json::Value& payload, std::string_view name);

// Whether a payload is about a tool that is about to run, whatever its event is called.
bool holds_call(const json::Value& payload, const PayloadNames& names);

// The session, the directory and the sub-agent; for kTool and kPermission the whole call.
// Error: malformed-call.
Result<HookRequest> request_of(const json::Value& payload, const PayloadNames& names,
                               HookEvent event);

// Why, for the model that made the call: one line, never empty.
std::string told(const Decision& decision);
// The same for what went wrong before there was a decision.
std::string told(const Error& error);

// Says it on standard error with exit status 2, which blocks in most clients.
HookReply block(std::string_view reason);

// One line of JSON on standard output.
HookReply say(const json::Value& value);

}  // namespace tollgate
