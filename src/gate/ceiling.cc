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
  if (effect.guess != Guess::kNone || is_configured_home(effect) || is_repository(effect))
    return {0, "", ""};
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

// What one list puts inside: kinds of built-in tool, and perhaps this very tool.
struct Inside {
  std::uint16_t kinds = 0;
  bool named = false;

  void add(const ToolPart& part, const Scene& scene) {
    if (part.kind == ToolPartKind::kKinds) {  // as most are
      kinds |= part.kinds;
      named = named || (part.kinds & kind_bit(scene.kind)) != 0;
      return;
    }
    kinds |= kinds_of(part);
    named = named || covers(part, scene.call.tool, scene.kind);
  }
};

Inside inside(const std::vector<CeilingEntry>& entries, const Scene& scene) {
  Inside found;
  for (const CeilingEntry& entry : entries) found.add(entry.tool, scene);
  return found;
}

// Whether the first entries put the tool and all that it does inside, as they mostly do.
bool is_plainly_inside(const std::vector<CeilingEntry>& entries, const Scene& scene) {
  std::uint16_t needed = 0;
  for (const Effect& effect : scene.effects)
    // A command mostly runs programs, and each of them needs the same.
    needed |=
        effect.kind == EffectKind::kRun ? kind_bit(ToolKind::kShell) : need_of(scene, effect).kinds;
  Inside found;
  for (const CeilingEntry& entry : entries) {
    found.add(entry.tool, scene);
    if (found.named && (needed & ~found.kinds) == 0) return true;
  }
  return false;
}

// The written lists that lack it; the most trusted first. Never empty: where each list by itself
// has it and their meeting has not, all of them stand in the way.
template <class Lacks>
std::vector<CeilingList> lacking(const Ceiling& ceiling, const Scene& scene, const Lacks& lacks) {
  if (ceiling.lists.empty())
    return {{ceiling.entries, ceiling.source, ceiling.where, ceiling.from}};
  std::vector<CeilingList> found;
  for (const CeilingList& list : ceiling.lists)
    if (lacks(inside(list.entries, scene))) found.push_back(list);
  return found.empty() ? ceiling.lists : found;
}

// What people call the list, to change it.
std::string list_name(const CeilingList& list) {
  switch (list.source) {
    case ConfigSource::kEnv:
    case ConfigSource::kSession:
      return list.from;
    case ConfigSource::kProject:
      return "the project's allowedTools";
    case ConfigSource::kManaged:
      return "the managed allowedTools";
    default:
      return "allowedTools";
  }
}

std::string to_change(const std::vector<CeilingList>& lists) {
  std::vector<std::string> names;
  for (const CeilingList& list : lists)
    if (std::string name = list_name(list); std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and to ") + name;
  return text;
}

enum class Remedy { kAdd, kNone };

OutsideCeiling outside(std::vector<CeilingList> lists, const std::string& text, Remedy remedy,
                       Span span) {
  const CeilingList& first = lists.front();
  OutsideCeiling result;
  result.reason = {.kind = ReasonKind::kCeiling,
                   .verdict = Verdict::kDeny,
                   .rule = first.from,
                   .source = first.where.empty() ? "built-in" : first.where,
                   .text = text + " is not among this agent's tools (" + first.from + ")",
                   .span = span};
  if (remedy == Remedy::kAdd)
    result.reason.text += "; add it to " + to_change(lists) + " if the agent should have it";
  result.lists = std::move(lists);
  return result;
}

}  // namespace

std::optional<OutsideCeiling> outside_ceiling(const AgentPolicy& agent, const Scene& scene,
                                              const Overlay* overlay) {
  if (is_plainly_inside(agent.ceiling.entries, scene)) return std::nullopt;
  const std::string& tool = scene.call.tool;
  Inside all = inside(agent.ceiling.entries, scene);
  if (overlay != nullptr && overlay->tool) all.add(*overlay->tool, scene);
  if (scene.kind == ToolKind::kMcp)
    all.named =
        all.named || std::ranges::find(agent.servers, mcp_name(tool).server) != agent.servers.end();
  const ToolDeclaration* declaration = declaration_of(tool, scene.tools);
  const bool spoken_for = scene.kind == ToolKind::kApp && declaration != nullptr &&
                          declaration->does != Does::kUnknown &&
                          declaration->does != Does::kNothing;
  if (!all.named && !spoken_for && (agent.ceiling.chosen || !is_unlisted(scene.kind)))
    return outside(lacking(agent.ceiling, scene, [](const Inside& list) { return !list.named; }),
                   "`" + tool + "`", Remedy::kAdd, {});
  for (const Effect& effect : scene.effects) {
    const Need need = need_of(scene, effect);
    if (need.kinds == 0 || (need.kinds & all.kinds) != 0) continue;
    return outside(
        lacking(agent.ceiling, scene,
                [&](const Inside& list) { return (list.kinds & need.kinds) == 0; }),
        "`" + tool + "` " + std::string(need.does) + " here, and " + std::string(need.word),
        effect.kind == EffectKind::kUnknown ? Remedy::kNone : Remedy::kAdd, effect.span);
  }
  return std::nullopt;
}

}  // namespace tollgate
