// The tool table: its order, its canonical names, and how clients' names are read.
// A native name that means different tools for different clients is listed here on purpose.
// Names that must stay without a row, because they have effects, are rows of their own.
#include "core/tool_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tollgate {
namespace {

TEST(ToolTable, IsSortedWithoutDuplicates) {
  const auto rows = tool_rows();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto before = std::pair(rows[i - 1].provider, rows[i - 1].native);
    EXPECT_LT(before, std::pair(rows[i].provider, rows[i].native)) << rows[i].native;
  }
}

TEST(ToolTable, EveryRowNamesAListedToolAndProvider) {
  const auto canonical = canonical_tools();
  const auto providers = provider_names();
  EXPECT_TRUE(std::ranges::is_sorted(canonical));
  EXPECT_TRUE(std::ranges::is_sorted(providers));
  for (const ToolRow& row : tool_rows()) {
    EXPECT_TRUE(std::ranges::binary_search(canonical, row.canonical)) << row.native;
    EXPECT_EQ(row.kind, kind_of(row.canonical)) << row.native;
    EXPECT_TRUE(row.provider.empty() || std::ranges::binary_search(providers, row.provider))
        << row.provider;
    EXPECT_EQ(tool_row(row.provider, row.native), &row) << row.native;
    EXPECT_EQ(canonical_tool(row.provider, row.native), row.canonical) << row.native;
  }
}

TEST(ToolTable, EveryProviderHasAShellAndAFileTool) {
  for (std::string_view provider : provider_names()) {
    std::set<ToolKind> kinds;
    for (const ToolRow& row : tool_rows())
      if (row.provider == provider) kinds.insert(row.kind);
    for (ToolKind kind : {ToolKind::kShell, ToolKind::kRead, ToolKind::kEdit})
      EXPECT_TRUE(kinds.contains(kind)) << provider << " " << static_cast<int>(kind);
  }
}

TEST(ToolTable, EveryToolThatActsNamesAField) {
  // These carry their path in a patch, or search wherever they please.
  const std::set<std::string_view> without = {"apply_patch", "patch", "codebase_investigator",
                                              "file_search", "grep_search"};
  for (const ToolRow& row : tool_rows()) {
    if (row.kind == ToolKind::kHelper || row.kind == ToolKind::kPerson) continue;
    EXPECT_TRUE(!row.main.empty() || without.contains(row.native))
        << row.provider << " " << row.native;
    if (row.kind == ToolKind::kEdit) {
      EXPECT_FALSE(row.text.empty()) << row.provider << " " << row.native;
    }
  }
}

TEST(ToolTable, NamesThatDifferBetweenClientsAreDeliberate) {
  std::map<std::string_view, std::set<std::string_view>> meanings;
  for (const ToolRow& row : tool_rows()) meanings[row.native].insert(row.canonical);
  std::map<std::string_view, std::set<std::string_view>> several;
  for (const auto& [native, canonical] : meanings)
    if (canonical.size() > 1) several[native] = canonical;
  const std::map<std::string_view, std::set<std::string_view>> want = {
      // Kiro's `write` is fs_write: it changes files as well as creating them.
      {"write", {"Edit", "Write"}},
  };
  EXPECT_EQ(several, want);
}

struct NameCase {
  std::string_view name, provider, native, want;
  ToolKind kind;
};
constexpr NameCase kNames[] = {
    {"Claude's shell is Bash", "claude", "Bash", "Bash", ToolKind::kShell},
    {"Monitor runs a command", "claude", "Monitor", "Bash", ToolKind::kShell},
    {"Task starts an agent", "claude", "Task", "Agent", ToolKind::kAgent},
    {"leaving plan mode is for a person", "claude", "ExitPlanMode", "ExitPlanMode",
     ToolKind::kPerson},
    {"a todo list has no effects", "claude", "TodoWrite", "TodoWrite", ToolKind::kHelper},
    {"Skill may do anything", "claude", "Skill", "Skill", ToolKind::kOther},
    {"SlashCommand may do anything", "claude", "SlashCommand", "SlashCommand", ToolKind::kOther},
    {"PowerShell is a shell of its own", "claude", "PowerShell", "PowerShell", ToolKind::kShell},
    {"Copilot's PowerShell is the same", "copilot", "powershell", "PowerShell", ToolKind::kShell},
    {"case counts", "claude", "bash", "bash", ToolKind::kOther},
    {"Codex's exec_command is Bash", "codex", "exec_command", "Bash", ToolKind::kShell},
    {"feeding a process is BashInput", "codex", "write_stdin", "BashInput", ToolKind::kShellInput},
    {"a patch is an Edit", "codex", "apply_patch", "Edit", ToolKind::kEdit},
    {"a plan has no effects", "codex", "update_plan", "TodoWrite", ToolKind::kHelper},
    {"Gemini's shell is Bash", "gemini", "run_shell_command", "Bash", ToolKind::kShell},
    {"Gemini's skills may do anything", "gemini", "activate_skill", "activate_skill",
     ToolKind::kOther},
    {"Gemini's memory writes a file", "gemini", "save_memory", "save_memory", ToolKind::kOther},
    {"Kiro's write changes files", "kiro", "write", "Edit", ToolKind::kEdit},
    {"use_aws may do anything", "q", "use_aws", "use_aws", ToolKind::kOther},
    {"batch runs other tools", "opencode", "batch", "batch", ToolKind::kOther},
    {"a tool that deletes is no Edit", "cursor", "delete_file", "delete_file", ToolKind::kOther},
    {"another client's name is unknown", "claude", "run_shell_command", "run_shell_command",
     ToolKind::kOther},
    {"without a client any client's name serves", "", "run_shell_command", "Bash",
     ToolKind::kShell},
    {"an unlisted client may use canonical names", "newcomer", "Read", "Read", ToolKind::kRead},
    {"an unlisted client's other names are unknown", "newcomer", "todowrite", "todowrite",
     ToolKind::kOther},

    {"an MCP tool is itself", "claude", "mcp__github__merge", "mcp__github__merge", ToolKind::kMcp},
    {"Gemini's MCP names are rewritten", "gemini", "mcp_github_list_issues",
     "mcp__github__list_issues", ToolKind::kMcp},
    {"Gemini's spelling is Gemini's alone", "claude", "mcp_github_list", "mcp_github_list",
     ToolKind::kOther},
    {"Kiro's MCP names are rewritten", "kiro", "@github/list_issues", "mcp__github__list_issues",
     ToolKind::kMcp},
    {"so are they without the at sign", "q", "github/list_issues", "mcp__github__list_issues",
     ToolKind::kMcp},
    {"and with three underscores", "q", "github___list_issues", "mcp__github__list_issues",
     ToolKind::kMcp},
    {"Grok's MCP names are rewritten", "grok", "github__list", "mcp__github__list", ToolKind::kMcp},
    {"a server that could be split elsewhere is not rewritten", "kiro", "@a__b/c", "@a__b/c",
     ToolKind::kOther},
    {"nor one that ends in an underscore", "kiro", "@a_/c", "@a_/c", ToolKind::kOther},
    {"a second slash is no MCP name", "kiro", "@a/b/c", "@a/b/c", ToolKind::kOther},
    {"an empty server is no MCP name", "kiro", "@/c", "@/c", ToolKind::kOther},
    {"a server without a tool is no MCP tool", "claude", "mcp__github", "mcp__github",
     ToolKind::kOther},

    {"a dotted tool is an application's", "", "files.write", "files.write", ToolKind::kApp},
    {"a dot at the end is no name of one", "", "files.", "files.", ToolKind::kOther},
    {"nothing is unknown", "", "", "", ToolKind::kOther},
};

TEST(ToolTable, ReadsClientsNames) {
  for (const NameCase& c : kNames) {
    const std::string got = canonical_tool(c.provider, c.native);
    EXPECT_EQ(got, c.want) << c.name;
    EXPECT_EQ(kind_of(got), c.kind) << c.name;
  }
}

TEST(McpName, SplitsAtTheFirstGap) {
  EXPECT_EQ(mcp_name("mcp__a__b").server, "a");
  EXPECT_EQ(mcp_name("mcp__a__b").tool, "b");
  EXPECT_EQ(mcp_name("mcp__a__b__c").tool, "b__c");
  EXPECT_EQ(mcp_name("mcp__a___b").tool, "_b");
  for (std::string_view none :
       {"", "mcp__", "mcp__a", "mcp__a__", "mcp____b", "Bash", "xmcp__a__b"})
    EXPECT_TRUE(mcp_name(none).server.empty()) << none;
}

}  // namespace
}  // namespace tollgate
