// The tool part of a rule: which of the many spellings of a tool's name was meant.
// Spellings are tried from the most to the least special; what is left is a name in no table.
// SAFETY: a star in an allow rule stands for the whole of a server's or namespace's tools, or
// for everything; half a name would grant tools that nobody has seen yet.
#include <algorithm>
#include <vector>

#include "base/edit_distance.h"
#include "base/text.h"
#include "policy/glob.h"
#include "policy/roles.h"
#include "policy/rule.h"

namespace tollgate {
namespace {

constexpr std::string_view kMcpPrefix = "mcp__";

std::unexpected<Error> fail_at(const Position& where, std::size_t offset, std::size_t width,
                               std::string code, std::string message, std::string hint) {
  Position place = where;
  if (place.column != 0) place.column += static_cast<std::uint32_t>(offset);
  place.width = static_cast<std::uint32_t>(std::max<std::size_t>(width, 1));
  return Fail({.code = std::move(code),
               .message = std::move(message),
               .hint = std::move(hint),
               .where = std::move(place)});
}

bool is_tool_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == ':' || c == '@' || c == '*' || c == '/' || c == '-';
}

std::string_view own_server(std::string_view server) {
  return server == "cao-mcp-server" ? kOwnServer : server;
}

ToolPart server_part(std::string_view server) {
  return {.kind = ToolPartKind::kServer, .kinds = 0, .name = std::string(own_server(server))};
}

ToolPart named(ToolPartKind kind, std::string name) {
  return {.kind = kind, .kinds = 0, .name = std::move(name)};
}

// A star that stands for half a name: fine where it only tightens.
Result<ToolPart> starred(Verdict list, std::string name, std::string_view text,
                         const Position& where) {
  if (list != Verdict::kAllow) return named(ToolPartKind::kGlob, std::move(name));
  return fail_at(where, text.find('*'), 1, "bad-tool-star",
                 "the star in `" + std::string(text) + "` stands for part of a name",
                 "in an allow rule a star stands for all tools of one server or namespace "
                 "(`mcp__server__*`, `files.*`), or alone for everything");
}

Result<ToolPart> mcp_part(Verdict list, std::string_view server, std::string_view tool,
                          std::string_view text, const Position& where) {
  server = own_server(server);
  if (server.empty())
    return fail_at(where, 0, text.size(), "rule-syntax",
                   "`" + std::string(text) + "` names no server",
                   "write mcp__server__tool or @server:tool");
  std::string full;
  full.reserve(kMcpPrefix.size() + server.size() + 2 + tool.size());
  full.append(kMcpPrefix).append(server).append("__").append(tool);
  if (server.find('*') != server.npos) return starred(list, std::move(full), text, where);
  if (tool == "*") return server_part(server);
  if (tool.find('*') != tool.npos) return starred(list, std::move(full), text, where);
  return named(ToolPartKind::kName, std::move(full));
}

// The canonical name behind a client's own name, when all clients mean the same by it.
Result<ToolPart> native_part(std::string_view text, const Position& where) {
  std::string canonical;
  std::vector<std::string> meanings;
  for (const ToolRow& row : tool_rows()) {
    if (row.native != text) continue;
    if (canonical.empty()) canonical = row.canonical;
    if (std::string meaning(row.canonical); std::ranges::find(meanings, meaning) == meanings.end())
      meanings.push_back(std::move(meaning));
  }
  if (meanings.size() > 1)
    return fail_at(
        where, 0, text.size(), "ambiguous-tool",
        "`" + std::string(text) + "` is " + join(meanings, " or ") + ", depending on the client",
        "write one of these names instead");
  return named(ToolPartKind::kName, std::move(canonical));
}

Result<ToolPart> unlisted_part(std::string_view text, const Position& where) {
  std::vector<std::string_view> known(canonical_tools().begin(), canonical_tools().end());
  known.insert(known.end(), vocabulary().begin(), vocabulary().end());
  const std::string near = nearest(text, known);
  // The same letters in another case, or a slip: a rule for a tool that does not exist.
  if (!near.empty() && near != text)
    return fail_at(where, 0, text.size(), "unknown-tool",
                   "unknown tool `" + std::string(text) + "`",
                   "did you mean `" + near + "`? `tollgate tools` lists the known ones");
  return named(ToolPartKind::kName, std::string(text));
}

}  // namespace

Result<ToolPart> parse_tool_part(Verdict list, std::string_view text, const Position& where,
                                 const RuleContext&) {
  if (text.empty())
    return fail_at(where, 0, 1, "rule-syntax", "the rule names no tool",
                   "write `Tool` or `Tool(specifier)`, for example `Bash(npm run *)`");
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!is_tool_character(text[i]))
      return fail_at(where, i, 1, "rule-syntax",
                     "unexpected `" + std::string(text.substr(i, 1)) + "` in the tool's name",
                     "write `Tool` or `Tool(specifier)`, for example `Bash(npm run *)`");
  if (text == "*") return ToolPart{.kind = ToolPartKind::kAll, .kinds = 0, .name = ""};
  if (const auto kinds = vocabulary_kinds(text))
    return ToolPart{.kind = ToolPartKind::kKinds, .kinds = *kinds, .name = std::string(text)};
  if (text[0] == '@') {
    const std::string_view rest = text.substr(1);
    const std::size_t colon = rest.find_first_of(":/");
    if (colon != rest.npos)
      return mcp_part(list, rest.substr(0, colon), rest.substr(colon + 1), text, where);
    if (rest.find('*') != rest.npos || rest.empty()) return mcp_part(list, rest, "*", text, where);
    return server_part(rest);
  }
  if (text.starts_with(kMcpPrefix)) {
    const std::string_view rest = text.substr(kMcpPrefix.size());
    const std::size_t gap = rest.find("__");
    return mcp_part(list, rest.substr(0, gap), gap == rest.npos ? "*" : rest.substr(gap + 2), text,
                    where);
  }
  if (const std::size_t star = text.find('*'); star != text.npos) {
    const bool whole = text.ends_with(".*") && star == text.size() - 1 && text.size() > 2;
    if (whole) return named(ToolPartKind::kNamespace, std::string(text.substr(0, star)));
    return starred(list, std::string(text), text, where);
  }
  if (text.find('.') != text.npos || kind_of(text) != ToolKind::kOther)
    return named(ToolPartKind::kName, std::string(text));
  if (tool_row("", text) != nullptr) return native_part(text, where);
  return unlisted_part(text, where);
}

bool covers(const ToolPart& part, std::string_view tool) {
  return covers(part, tool, kind_of(tool));
}

bool covers(const ToolPart& part, std::string_view tool, ToolKind kind) {
  switch (part.kind) {
    case ToolPartKind::kAll:
      return true;
    case ToolPartKind::kKinds:
      return (part.kinds & kind_bit(kind)) != 0;
    case ToolPartKind::kName:
      return part.name == tool;
    case ToolPartKind::kServer:
      return mcp_name(tool).server == part.name;
    case ToolPartKind::kNamespace:
      return tool.starts_with(part.name);
    case ToolPartKind::kGlob:
      return plain_glob(part.name, tool);
  }
  return false;
}

}  // namespace tollgate
