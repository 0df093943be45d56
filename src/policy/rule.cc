// Rule text to Rule: splits tool and specifier, finds out which kind of specifier the tool takes.
// An error's place is moved from the rule's first character to the offending one.
// What the specifiers themselves must look like is in specifier.cc and arguments.cc.
#include "policy/rule.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

std::unexpected<Error> fail_at(const Position& where, std::size_t offset, const SpecifierError& e) {
  Position place = where;
  if (place.column != 0) place.column += static_cast<std::uint32_t>(offset + e.offset);
  place.width = static_cast<std::uint32_t>(std::max<std::size_t>(e.size, 1));
  return Fail({.code = e.code, .message = e.message, .hint = e.hint, .where = std::move(place)});
}

constexpr std::uint16_t kPathKinds =
    kind_bit(ToolKind::kRead) | kind_bit(ToolKind::kList) | kind_bit(ToolKind::kEdit);
constexpr std::uint16_t kShellKinds = kind_bit(ToolKind::kShell) | kind_bit(ToolKind::kShellInput);

std::optional<SpecifierKind> kind_for_tools(std::uint16_t kinds) {
  if ((kinds & ~kPathKinds) == 0) return SpecifierKind::kPath;
  if ((kinds & ~kShellKinds) == 0) return SpecifierKind::kShell;
  if (kinds & kind_bit(ToolKind::kFetch)) return SpecifierKind::kHost;
  if (kinds == kind_bit(ToolKind::kAgent)) return SpecifierKind::kAgentType;
  return std::nullopt;
}

std::optional<SpecifierKind> kind_for_declaration(const ToolDeclaration& declaration) {
  switch (declaration.does) {
    case Does::kShell:
      return SpecifierKind::kShell;
    case Does::kRead:
    case Does::kWrite:
    case Does::kCreate:
    case Does::kDelete:
    case Does::kRename:
      return SpecifierKind::kPath;
    case Does::kUrl:
      return SpecifierKind::kHost;
    case Does::kUnknown:
    case Does::kNothing:
      break;
  }
  if (!declaration.specifier_template.empty()) return SpecifierKind::kTemplate;
  return std::nullopt;
}

// The kind that all declared tools of a namespace share.
std::optional<SpecifierKind> kind_for_namespace(std::string_view prefix,
                                                std::span<const ToolDeclaration> declared) {
  std::optional<SpecifierKind> shared;
  for (const auto& list : {declared, built_in_declarations()}) {
    for (const ToolDeclaration& declaration : list) {
      if (!declaration.name.starts_with(prefix)) continue;
      const auto kind = kind_for_declaration(declaration);
      if (!kind || (shared && *shared != *kind)) return std::nullopt;
      shared = kind;
    }
  }
  return shared;
}

bool looks_like_arguments(std::string_view text) {
  const std::size_t equals = trim(text).find_first_of("= *");
  return equals != text.npos && equals > 0 && trim(text)[equals] == '=';
}

// Which specifier the tool takes; nothing when it takes none.
std::optional<SpecifierKind> specifier_kind(const ToolPart& tool, std::string_view specifier,
                                            const RuleContext& context) {
  switch (tool.kind) {
    case ToolPartKind::kAll:
      return std::nullopt;
    case ToolPartKind::kKinds:
      return kind_for_tools(tool.kinds);
    case ToolPartKind::kServer:
    case ToolPartKind::kGlob:
      return SpecifierKind::kArguments;
    case ToolPartKind::kNamespace:
      if (const auto kind = kind_for_namespace(tool.name, context.tools)) return kind;
      return looks_like_arguments(specifier) ? SpecifierKind::kArguments : SpecifierKind::kTemplate;
    case ToolPartKind::kName:
      break;
  }
  if (const ToolDeclaration* declaration = declaration_of(tool.name, context.tools))
    if (const auto kind = kind_for_declaration(*declaration)) return kind;
  const ToolKind kind = kind_of(tool.name);
  if (kind == ToolKind::kApp)
    return looks_like_arguments(specifier) ? SpecifierKind::kArguments : SpecifierKind::kTemplate;
  if (kind == ToolKind::kMcp || kind == ToolKind::kOther) return SpecifierKind::kArguments;
  return kind_for_tools(kind_bit(kind));
}

SpecifierResult<std::string> normal_agent(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const std::size_t odd = trimmed.find_first_of("/=() ");
  if (trimmed.empty() || odd != trimmed.npos || trimmed.starts_with("domain:"))
    return std::unexpected(SpecifierError{static_cast<std::size_t>(trimmed.data() - text.data()),
                                          trimmed.size(), "bad-specifier",
                                          "`" + std::string(trimmed) + "` is no agent's type",
                                          "write the type alone: Agent(explore)"});
  return std::string(trimmed);
}

SpecifierResult<std::string> normal_text(std::string_view text) {
  const std::string_view trimmed = trim(text);
  if (trimmed.empty())
    return std::unexpected(SpecifierError{0, 1, "bad-specifier", "the specifier is empty",
                                          "leave the parentheses out to mean any use"});
  return std::string(trimmed);
}

std::expected<void, SpecifierError> read_specifier(Rule& rule, std::string_view text) {
  SpecifierResult<std::string> normal = std::string();
  switch (rule.specifier_kind) {
    case SpecifierKind::kNone:
      return {};
    case SpecifierKind::kShell:
      normal = normal_shell(text);
      break;
    case SpecifierKind::kPath:
      normal = normal_path(text);
      break;
    case SpecifierKind::kHost:
    case SpecifierKind::kUrl:
      normal = normal_host(text);
      break;
    case SpecifierKind::kTemplate:
      normal = normal_text(text);
      break;
    case SpecifierKind::kAgentType:
      normal = normal_agent(text);
      break;
    case SpecifierKind::kArguments: {
      auto arguments = argument_patterns(text);
      if (!arguments) return std::unexpected(arguments.error());
      rule.arguments = std::move(*arguments);
      rule.specifier = packed(rule.arguments);
      return {};
    }
  }
  if (!normal) return std::unexpected(normal.error());
  rule.specifier = std::move(*normal);
  if (rule.specifier_kind == SpecifierKind::kHost && !rule.specifier.starts_with("domain:"))
    rule.specifier_kind = SpecifierKind::kUrl;
  return {};
}

Result<void> read_rule(Verdict list, std::string_view text, const Position& where,
                       const RuleContext& context, Rule& rule) {
  const std::string_view trimmed = trim(text);
  const std::size_t begin = static_cast<std::size_t>(trimmed.data() - text.data());
  if (const std::size_t nul = trimmed.find('\0'); nul != trimmed.npos)
    return fail_at(where, begin, {nul, 1, "rule-syntax", "a rule cannot hold a NUL", "remove it"});
  if (trimmed.size() > kMaxRuleBytes)
    return fail_at(where, begin,
                   {0, 1, "rule-too-long",
                    "the rule has " + std::to_string(trimmed.size()) +
                        " bytes, more than the limit of " + std::to_string(kMaxRuleBytes),
                    "put a `*` where the words differ, or write several rules"});
  const std::size_t open = trimmed.find('(');
  Result<ToolPart> tool = parse_tool_part(list, trim(trimmed.substr(0, open)), where, context);
  if (!tool) return Fail(std::move(tool).error());
  rule.verdict = list;
  rule.tool = std::move(*tool);
  rule.text = trimmed;
  rule.where = where;
  rule.where.width = static_cast<std::uint32_t>(std::max<std::size_t>(trimmed.size(), 1));
  if (open == trimmed.npos) return {};
  if (!trimmed.ends_with(')'))
    return fail_at(where, begin,
                   {trimmed.size(), 1, "rule-syntax", "the parenthesis is never closed",
                    "add `)` at the end of the rule"});
  const std::string_view specifier = trimmed.substr(open + 1, trimmed.size() - open - 2);
  if (trim(specifier) == "*") return {};  // Tool(*) is Tool
  if (list == Verdict::kAllow && rule.tool.name == "PowerShell")
    return fail_at(where, begin,
                   {open, trimmed.size() - open, "rule-never-matches",
                    "text for PowerShell is not read, so no pattern can allow it",
                    "write `PowerShell` alone to allow all of it, or leave it to a person"});
  const auto kind = specifier_kind(rule.tool, specifier, context);
  if (!kind)
    return fail_at(where, begin,
                   {open, trimmed.size() - open, "bad-specifier",
                    "`" + std::string(trimmed.substr(0, open)) + "` takes no specifier",
                    "write the tool's name alone"});
  rule.specifier_kind = *kind;
  if (auto read = read_specifier(rule, specifier); !read)
    return fail_at(where, begin + open + 1, read.error());
  return {};
}

}  // namespace

Result<Rule> parse_rule(Verdict list, std::string_view text, const Position& where,
                        const RuleContext& context) {
  Result<Rule> rule(std::in_place);  // filled where it is handed out: a Rule is large to move
  if (Result<void> read = read_rule(list, text, where, context, *rule); !read)
    rule = Fail(std::move(read).error());
  return rule;
}

std::string format_rule(const Rule& rule) {
  const std::string_view text = rule.text;
  std::string tool(trim(text.substr(0, text.find('('))));
  switch (rule.specifier_kind) {
    case SpecifierKind::kNone:
      return tool;
    case SpecifierKind::kArguments:
      return tool + "(" + format_arguments(rule.arguments) + ")";
    default:
      return tool + "(" + rule.specifier + ")";
  }
}

std::string escape_shell_word(std::string_view word) {
  constexpr std::string_view kSpecial = " *\\\"'();|&<>$`\n\t";
  std::string text;
  for (const char c : word) {
    if (kSpecial.find(c) != kSpecial.npos || (c == '~' && text.empty())) text += '\\';
    text += c;
  }
  return text;
}

std::string escape_pattern(std::string_view pattern) {
  std::string text;
  for (const char c : pattern) {
    if (c == '*' || c == '\\' || c == '?' || c == '[') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace tollgate
