// Tool calls as tests write them.
#pragma once

#include <string>
#include <utility>

#include "core/tool_call.h"

namespace tollgate {

inline ToolCall bash(std::string command, std::string cwd = "/w") {
  ToolCall call;
  call.tool = call.native_tool = "Bash";
  call.cwd = std::move(cwd);
  call.input = json::Value::object({{"command", json::Value::string(std::move(command))}});
  return call;
}

}  // namespace tollgate
