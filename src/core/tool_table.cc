// Looking up tools by a client's name or the canonical one.
// The rows come from tool_rows.h and are sorted at compile time; a lookup allocates nothing.
// SAFETY: a name that no row has is its own name and of kind kOther, which may do anything.
#include "core/tool_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>

#include "core/tool_rows.h"

namespace tollgate {
namespace {

constexpr std::string_view kProviders[] = {
    "antigravity", "claude", "codex", "copilot",  "cursor", "gemini",
    "grok",        "kimi",   "kiro",  "opencode", "q",
};

constexpr auto key_of(const ToolRow& row) { return std::pair(row.provider, row.native); }

constexpr bool earlier(const ToolRow& a, const ToolRow& b) { return key_of(a) < key_of(b); }

consteval ToolKind listed_kind(std::string_view canonical) {
  for (const CanonicalRow& row : kCanonicalRows)
    if (row.name == canonical) return row.kind;
  throw "a row names a canonical tool that is not listed";  // stops the build
}

consteval auto sorted_rows() {
  std::array<ToolRow, std::size(kCanonicalRows) + std::size(kNativeRows)> rows{};
  std::size_t count = 0;
  for (const CanonicalRow& row : kCanonicalRows)
    rows[count++] = {"", row.name, row.name, row.kind, row.main, row.text};
  for (const NativeRow& row : kNativeRows)
    rows[count++] = {row.provider, row.native, row.canonical, listed_kind(row.canonical),
                     row.main,     row.text};
  std::sort(rows.begin(), rows.end(), earlier);
  return rows;
}
constexpr auto kRows = sorted_rows();

consteval auto canonical_names() {
  std::array<std::string_view, std::size(kCanonicalRows)> names{};
  std::transform(std::begin(kCanonicalRows), std::end(kCanonicalRows), names.begin(),
                 [](const CanonicalRow& row) { return row.name; });
  return names;
}
constexpr auto kCanonicalNames = canonical_names();

// Rows of no provider sort first and are the canonical names: those are looked up most.
constexpr auto kCanonicalCount = std::ranges::count(kRows, std::string_view(), &ToolRow::provider);

constexpr std::size_t kSlots = 256;

constexpr std::size_t slot_of(std::string_view name) {
  if (name.empty()) return 0;
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  return (first * 31u + last * 7u + name.size()) % kSlots;
}

// Where each canonical name's row is, and one; the next free slot where another name has the same.
consteval auto canonical_slots() {
  std::array<std::uint8_t, kSlots> slots{};
  for (std::uint8_t i = 0; i < kCanonicalCount; ++i) {
    std::size_t slot = slot_of(kRows[i].native);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<std::uint8_t>(i + 1);
  }
  return slots;
}
static_assert(kCanonicalCount < 128);
constexpr auto kCanonicalSlots = canonical_slots();

// The name that is looked up most by far.
constexpr const ToolRow& kShellRow =
    *std::ranges::find(kRows, std::pair(std::string_view(), std::string_view("Bash")), key_of);
static_assert(kShellRow.kind == ToolKind::kShell);

const ToolRow* canonical_row(std::string_view name) {
  if (name == kShellRow.native) return &kShellRow;
  for (std::size_t slot = slot_of(name); kCanonicalSlots[slot] != 0; slot = (slot + 1) % kSlots)
    if (const ToolRow& row = kRows[kCanonicalSlots[slot] - 1u]; row.native == name) return &row;
  return nullptr;
}

const ToolRow* exact_row(std::string_view provider, std::string_view native) {
  const auto wanted = std::pair(provider, native);
  const auto* found =
      std::lower_bound(kRows.begin(), kRows.end(), wanted,
                       [](const ToolRow& row, const auto& key) { return key_of(row) < key; });
  return found != kRows.end() && key_of(*found) == wanted ? &*found : nullptr;
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

// "" where the join could be split again in another place: then the name stays as it was sent.
std::string mcp_tool(std::string_view server, std::string_view tool) {
  const bool splits_back = server.find("__") == server.npos && !server.ends_with('_');
  if (!is_plain_name(server) || !is_plain_name(tool) || !splits_back) return {};
  return "mcp__" + std::string(server) + "__" + std::string(tool);
}

// The two sides of the first `separator`.
std::string mcp_tool_split(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == text.npos) return {};
  return mcp_tool(text.substr(0, at), text.substr(at + separator.size()));
}

// How each client spells a tool of an MCP server; "" when this is no such spelling.
std::string mcp_spelling(std::string_view provider, std::string_view native) {
  if (native.starts_with("mcp__")) return {};
  if (provider == "gemini" || provider == "antigravity" || provider.empty()) {
    // Gemini itself splits at the first underscore after the prefix.
    if (native.starts_with("mcp_")) return mcp_tool_split(native.substr(4), "_");
  }
  if (native.find('/') != native.npos)
    return mcp_tool_split(native.substr(native.starts_with('@') ? 1 : 0), "/");
  if (provider == "kiro" || provider == "q") return mcp_tool_split(native, "___");
  if (provider == "grok") return mcp_tool_split(native, "__");
  return {};
}

}  // namespace

std::span<const ToolRow> tool_rows() { return kRows; }

const ToolRow* tool_row(std::string_view provider, std::string_view native) {
  if (!provider.empty())
    if (const ToolRow* own = exact_row(provider, native)) return own;
  if (const ToolRow* canonical = canonical_row(native)) return canonical;
  if (!provider.empty()) return nullptr;
  for (std::string_view any : kProviders)
    if (const ToolRow* row = exact_row(any, native)) return row;
  return nullptr;
}

std::string canonical_tool(std::string_view provider, std::string_view native) {
  if (const ToolRow* row = tool_row(provider, native)) return std::string(row->canonical);
  std::string mcp = mcp_spelling(provider, native);
  return mcp.empty() ? std::string(native) : mcp;
}

std::vector<std::string> mcp_readings(std::string_view provider, std::string_view native) {
  const bool prefixed = provider == "gemini" || provider == "antigravity";
  const char joint = provider == "copilot" ? '-' : prefixed || provider == "opencode" ? '_' : '\0';
  std::vector<std::string> readings;
  if (joint == '\0' || tool_row(provider, native) != nullptr || native.starts_with("mcp__") ||
      (prefixed && !native.starts_with("mcp_")))
    return readings;
  if (prefixed) native.remove_prefix(4);
  for (std::size_t at = native.find(joint); at != native.npos; at = native.find(joint, at + 1))
    if (std::string name = mcp_tool(native.substr(0, at), native.substr(at + 1)); !name.empty())
      readings.push_back(std::move(name));
  return readings;
}

ToolKind kind_of(std::string_view canonical) {
  if (canonical == kShellRow.native) return kShellRow.kind;
  // No row's name begins so.
  if (canonical.starts_with("mcp__"))
    return mcp_name(canonical).server.empty() ? ToolKind::kOther : ToolKind::kMcp;
  if (const ToolRow* row = canonical_row(canonical)) return row->kind;
  const std::size_t dot = canonical.find('.');
  const bool dotted = dot != canonical.npos && dot > 0 && dot + 1 < canonical.size();
  return dotted ? ToolKind::kApp : ToolKind::kOther;
}

std::span<const std::string_view> canonical_tools() { return kCanonicalNames; }
std::span<const std::string_view> provider_names() { return kProviders; }

McpName mcp_name(std::string_view canonical) {
  constexpr std::string_view kPrefix = "mcp__";
  if (!canonical.starts_with(kPrefix)) return {};
  const std::string_view rest = canonical.substr(kPrefix.size());
  const std::size_t gap = rest.find("__");
  if (gap == rest.npos || gap == 0 || gap + 2 == rest.size()) return {};
  return {rest.substr(0, gap), rest.substr(gap + 2)};
}

}  // namespace tollgate
