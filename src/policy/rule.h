// One rule of the policy language: `Tool` or `Tool(specifier)`, with what else was said about it.
// parse_rule() is the only maker; a Rule that exists is well formed and can match something.
// `text` is what the person wrote: every reason shown to people quotes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/decision.h"
#include "core/mode.h"
#include "core/quorum.h"
#include "core/tool_declaration.h"
#include "core/tool_table.h"
#include "core/verdict.h"
#include "policy/hours.h"

namespace tollgate {

enum class ToolPartKind : std::uint8_t {
  kAll,        // *
  kKinds,      // a set of built-in tools by kind: execute_bash, fs_*, @builtin …
  kName,       // one canonical, native or dotted tool, or mcp__server__tool
  kServer,     // @server, mcp__server, mcp__server__*
  kNamespace,  // files.*
  kGlob,       // a star elsewhere: only in deny and ask
};

// Which tools a rule or a ceiling entry speaks of.
struct ToolPart {
  ToolPartKind kind = ToolPartKind::kName;
  std::uint16_t kinds = 0;  // kKinds: bits 1 << ToolKind
  std::string name;         // kName, kGlob: the name; kServer: the server; kNamespace: "files."

  bool operator==(const ToolPart&) const = default;
};

constexpr std::uint16_t kind_bit(ToolKind kind) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
}

// `tool` is canonical; `kind` is kind_of(tool), for callers that know it already.
bool covers(const ToolPart& part, std::string_view tool);
bool covers(const ToolPart& part, std::string_view tool, ToolKind kind);

enum class SpecifierKind : std::uint8_t {
  kNone,       // the bare tool
  kShell,      // matched against each simple command's words
  kPath,       // gitignore style
  kHost,       // domain:x
  kUrl,        // a URL pattern
  kArguments,  // name=pattern, …
  kTemplate,   // the rendered specifierTemplate
  kAgentType,
};

// `name=pattern` of an argument specifier; the pattern keeps its escapes.
struct ArgumentPattern {
  std::string name;  // dotted for nested
  std::string pattern;

  bool operator==(const ArgumentPattern&) const = default;
};

struct Rule {
  Verdict verdict = Verdict::kDeny;  // which list it stands in
  ToolPart tool;
  SpecifierKind specifier_kind = SpecifierKind::kNone;
  std::string specifier;  // normalised: one blank between words, `:*` as ` *`
  std::vector<ArgumentPattern> arguments;
  std::string text;  // as written
  Position where;
  ConfigSource source = ConfigSource::kUser;
  std::string agent;  // "" for every agent

  std::string reason;              // the author's words, shown to agent and approver
  std::vector<std::string> match;  // examples, checked when the file loads
  std::vector<std::string> not_match;
  std::optional<Hours> hours;
  std::vector<Quorum> approve;  // thresholds side by side; empty: none
  std::optional<Answerer> answer;
  std::optional<OnTimeout> on_timeout;
  std::int64_t expires = 0;  // seconds since 1970; 0: never

  bool operator==(const Rule&) const = default;
};

// LIMIT: the longest command with every character escaped, and its tool.
inline constexpr std::size_t kMaxRuleBytes = 20'100;

// What the parser must know of the rest of the configuration.
struct RuleContext {
  std::span<const ToolDeclaration> tools;
};

// The rule of `text` in list `list`. `where` is the place of the text's first character; an
// error's place is moved to the offending character. Errors: rule-syntax, unknown-tool,
// rule-never-matches, rule-too-long, bad-specifier, bad-tool-star.
Result<Rule> parse_rule(Verdict list, std::string_view text, const Position& where,
                        const RuleContext& context = {});

// A name alone, as allowedTools and disallowedTools take it.
Result<ToolPart> parse_tool_part(Verdict list, std::string_view text, const Position& where,
                                 const RuleContext& context = {});

// The rule as `tollgate fmt` writes it; parses back to an equal rule.
std::string format_rule(const Rule& rule);

// Escapes what the language reads as more than itself, so that the text stands for exactly this.
std::string escape_shell_word(std::string_view word);
std::string escape_pattern(std::string_view text);

}  // namespace tollgate
