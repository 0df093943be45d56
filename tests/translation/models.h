// How each client reads what was compiled for it, as far as it was observed or is documented.
// A model is a second writing of the client's own matching: it reads the flags and files that
// `tollgate compile` makes and knows nothing of how they were made.
// SAFETY: where a client's reading is not known, the model takes the one that runs more.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_call.h"
#include "native/client.h"

namespace tollgate::native {

enum class Outcome {
  kRefused,  // the client refuses, or asks where nobody is
  kGate,     // the gate is asked and its answer counts
  kRuns,     // nobody is asked
};

// A call as the client's model makes it.
struct NativeCall {
  std::string tool;
  std::string server;  // of an MCP tool, which is then `tool`
  json::Value input;
};

inline constexpr std::string_view kRoot = "/w/p";
inline constexpr std::string_view kHome = "/home/user";

// The call under each name that the client has for the tool; nothing where it has none.
std::vector<NativeCall> native_calls(std::string_view provider, const ToolCall& call);

// What the client makes of a call under what was compiled for it. Empty for clients without a
// model. Lives no longer than `compiled`.
using Model = std::function<Outcome(const NativeCall& call)>;
Model model_of(const Compiled& compiled);

// Clients that refuse or ask whatever they are not told to run.
bool is_closed(std::string_view client);

}  // namespace tollgate::native
