// One tool call of one agent, in the one shape that the gate judges.
// Made by protocol/ from a client's own words; `tool` is canonical, `native_tool` is as sent.
// The call is all that effects/ may look at: nothing here was checked against the world.
#pragma once

#include <string>

#include "json/value.h"

namespace tollgate {

struct ToolCall {
  std::string id;             // the client's id of the call, "" when it has none
  std::string session;        // "" outside a session
  std::string agent;          // name in the configuration, "" for the default agent
  std::string provider;       // claude, codex, gemini …; "" when unknown
  std::string native_tool;    // the client's name of the tool
  std::string tool;           // the canonical name (core/tool_table.h)
  json::Value input;          // always an object in a well-formed call
  std::string cwd;            // absolute, where the client says the call happens
  std::string client_mode;    // what the client says of its own mode; it can only tighten
  std::string stated_reason;  // the agent's words, never the gate's

  bool operator==(const ToolCall&) const = default;
};

// LIMIT: what one call may hold. Above these the answer is at least ask, and deny rules still
// apply.
inline constexpr std::size_t kMaxCommandBytes = 10'000;  // SEMANTICS: longer commands ask
inline constexpr std::size_t kMaxEffects = 4'096;
inline constexpr std::size_t kMaxCallBytes = 4u << 20;

}  // namespace tollgate
