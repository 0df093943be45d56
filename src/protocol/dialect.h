// How each client speaks to its hook: what it sends before a tool runs, and what it heeds.
// One row a client in dialect.cc, one file a dialect; the words on both sides are the client's own.
// SAFETY: what cannot be decoded is refused in words that make this very client block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/decision.h"
#include "core/tool_call.h"
#include "json/value.h"

namespace tollgate {

enum class HookEvent : std::uint8_t {
  kTool,        // a tool is about to run
  kPermission,  // the client is about to ask its user
  kSession,     // a session begins
  kChild,       // a sub-agent begins
  kOther,       // nothing that the gate answers
};

// What a client sent.
struct HookRequest {
  HookEvent event = HookEvent::kTool;
  ToolCall call;      // of kTool and kPermission; else only its session and cwd are set
  std::string child;  // the client's id of the sub-agent it is about, "" for the session itself
  std::string child_type;  // and what sort of agent that is

  bool operator==(const HookRequest&) const = default;
};

// What the process says and how it ends.
struct HookReply {
  std::string out;
  std::string err;
  int status = 0;

  bool operator==(const HookReply&) const = default;
};

// What a client does when it is told to ask.
enum class AskMeans : std::uint8_t {
  kClientAsks,  // puts it to its user or its permission tool, and refuses where there is neither
  kClientRuns,  // runs the tool, or has no such answer: it must be told deny instead
};

// What a client does with an input that an approver changed.
enum class ChangeMeans : std::uint8_t {
  kNothing,  // it would run the call as it was
  kMerged,   // it lays the members over those of the call: what was taken away comes back
  kRuns,     // it runs just that
};

struct Dialect {
  std::string_view name;
  AskMeans ask;
  ChangeMeans change;
  ChangeMeans change_asked;  // the same where it is about to ask its user
  Result<HookRequest> (*decode)(std::string_view text);
  // `changed` is what an approver made of the input, nothing where it stays.
  HookReply (*encode)(const HookRequest& request, const Decision& decision,
                      const json::Value* changed);
  // Blocks whatever was sent. REQUIRES: a reason; some clients run the tool when there is none.
  HookReply (*refuse)(std::string_view reason);
};

std::span<const Dialect> dialects();

// Nothing where there is no such client.
const Dialect* dialect_named(std::string_view name);

// The decision as this client can hear it: an ask that would run the tool is a deny, and so is an
// allow of another input than it would run.
Decision heard_by(const Dialect& dialect, const HookRequest& request, Decision decision,
                  const json::Value* changed = nullptr);

}  // namespace tollgate
