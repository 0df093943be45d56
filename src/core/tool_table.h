// Every client's tool names, and the one canonical name each has here.
// Canonical names are Claude's, because that is what people already write in rules.
// A tool that stands in no row has side effects: nothing is known about it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// What kind of thing a canonical tool is; rules and the ceiling speak of these.
enum class ToolKind : std::uint8_t {
  kShell,       // Bash
  kShellInput,  // BashInput: feeds a running process
  kRead,        // Read
  kList,        // Glob Grep LS
  kEdit,        // Edit Write NotebookEdit
  kFetch,       // WebFetch
  kSearch,      // WebSearch
  kAgent,       // Agent
  kHelper,      // bookkeeping without effects: todo lists, plans, reading a background shell
  kPerson,      // ExitPlanMode AskUserQuestion: a person answers, whatever the mode
  kMcp,         // mcp__server__tool
  kApp,         // dotted: files.write, terminal.exec
  kOther,       // in no table
};

// Where a tool keeps what matters in its input. Names are alternatives, comma separated; every one
// that is present counts; "" where the tool has no such field.
struct ToolRow {
  std::string_view provider;  // "claude", …; "" for a canonical name itself
  std::string_view native;
  std::string_view canonical;
  ToolKind kind;
  std::string_view main;  // the field rules and spans are about: command, file_path, url …
  std::string_view text;  // new content, for edits: content, new_string, edits …
};

std::span<const ToolRow> tool_rows();

// The row of a provider's tool. With provider "" any provider's row of that name serves.
const ToolRow* tool_row(std::string_view provider, std::string_view native);

// The canonical name: from the table; `mcp_server_tool` and `server/tool` spellings of MCP tools
// become `mcp__server__tool`; any other name is its own.
std::string canonical_tool(std::string_view provider, std::string_view native);

// What else a name can stand for: Copilot (`server-tool`), opencode (`server_tool`) and Gemini
// (`mcp_server_tool`) join server and tool with a character that both may hold. Each
// `mcp__server__tool` that it may be; empty where the name is plain.
std::vector<std::string> mcp_readings(std::string_view provider, std::string_view native);

ToolKind kind_of(std::string_view canonical);

// The canonical names of built-in tools, for "did you mean" and the `tools` listing.
std::span<const std::string_view> canonical_tools();
std::span<const std::string_view> provider_names();

// The server and tool of `mcp__server__tool`; empty views when it is none.
struct McpName {
  std::string_view server;
  std::string_view tool;
};
McpName mcp_name(std::string_view canonical);

}  // namespace tollgate
