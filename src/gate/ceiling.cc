// The ceiling: which tools an agent may use at all, and what that means for what they do.
// It binds effects: an agent without fs_write does not write through its shell either.
// SAFETY: a list that somebody chose is exact. Where nobody chose, developer is assumed, and a
// tool that this list could not know about is asked about instead of denied.
#include <algorithm>

#include "gate/judge.h"

namespace tollgate {
namespace {

struct Need {
  std::uint16_t kinds;
  std::string_view word;  // of the role vocabulary, for the hint
  std::string_view does;
};

constexpr std::uint16_t kReads = kind_bit(ToolKind::kRead) | kind_bit(ToolKind::kList);

Need need_of(const Scene& scene, const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::kUnknown:
      return {kinds_of_tool(scene), "the right to do it", "does something that cannot be read"};
    case EffectKind::kRun:
      return {kind_bit(ToolKind::kShell), "execute_bash", "runs a program"};
    case EffectKind::kRead:
      return {kReads, "fs_read", "reads a file"};
    case EffectKind::kWrite:
    case EffectKind::kCreate:
    case EffectKind::kDelete:
    case EffectKind::kRename:
    case EffectKind::kLink:
    case EffectKind::kMode:
      return {kind_bit(ToolKind::kEdit), "fs_write", "changes a file"};
    case EffectKind::kReach:
      return {kind_bit(ToolKind::kFetch), "web_fetch", "reaches a host"};
    case EffectKind::kSearch:
      return {kind_bit(ToolKind::kSearch), "web_fetch", "searches the web"};
    case EffectKind::kAgent:
      return {kind_bit(ToolKind::kAgent), "subagent", "starts an agent"};
    default:
      return {0, "", ""};
  }
}

// The kinds of built-in tool that an entry puts inside.
std::uint16_t kinds_of(const ToolPart& part) {
  if (part.kind == ToolPartKind::kAll) return 0xffff;
  if (part.kind == ToolPartKind::kKinds) return part.kinds;
  return part.kind == ToolPartKind::kName ? kind_bit(kind_of(part.name)) : std::uint16_t{0};
}

// Tools that no list of roles can know: a server's, an application's, a client's newest.
bool is_unlisted(ToolKind kind) {
  return kind == ToolKind::kMcp || kind == ToolKind::kApp || kind == ToolKind::kOther;
}

Reason outside(const AgentPolicy& agent, std::string text, Span span) {
  return {.kind = ReasonKind::kCeiling,
          .verdict = Verdict::kDeny,
          .rule = agent.ceiling.from,
          .source = agent.ceiling.where.empty() ? "built-in" : agent.ceiling.where,
          .text = std::move(text),
          .span = span};
}

}  // namespace

std::optional<Reason> outside_ceiling(const AgentPolicy& agent, const Scene& scene,
                                      const Overlay* overlay) {
  const std::string& tool = scene.call.tool;
  std::uint16_t kinds = 0;
  bool named = false;
  for (const CeilingEntry& entry : agent.ceiling.entries) {
    kinds |= kinds_of(entry.tool);
    named = named || covers(entry.tool, tool, scene.kind);
  }
  if (overlay != nullptr && overlay->tool) {
    kinds |= kinds_of(*overlay->tool);
    named = named || covers(*overlay->tool, tool, scene.kind);
  }
  if (scene.kind == ToolKind::kMcp)
    named = named || std::ranges::find(agent.servers, mcp_name(tool).server) != agent.servers.end();
  const ToolDeclaration* declaration = declaration_of(tool, scene.tools);
  const bool spoken_for = scene.kind == ToolKind::kApp && declaration != nullptr &&
                          declaration->does != Does::kUnknown &&
                          declaration->does != Does::kNothing;
  if (!named && !spoken_for && (agent.ceiling.chosen || !is_unlisted(scene.kind)))
    return outside(agent,
                   "`" + tool + "` is not among this agent's tools (" + agent.ceiling.from +
                       "); add it to allowedTools if the agent should have it",
                   {});
  for (const Effect& effect : scene.effects) {
    const Need need = need_of(scene, effect);
    if (need.kinds == 0 || (need.kinds & kinds) != 0) continue;
    return outside(agent,
                   "`" + tool + "` " + std::string(need.does) + " here, and " +
                       std::string(need.word) + " is not among this agent's tools (" +
                       agent.ceiling.from + ")",
                   effect.span);
  }
  return std::nullopt;
}

}  // namespace tollgate
