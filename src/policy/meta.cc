// Field by field, in one order, both ways. A field added here raises flat::kVersion.
#include "policy/meta.h"

#include "policy/pack.h"

namespace tollgate {
namespace {

constexpr std::uint64_t kSources = static_cast<std::uint64_t>(ConfigSource::kGrant) + 1;

void pack(PackWriter& out, const Position& where) {
  out.text(where.file);
  out.number(where.line);
  out.number(where.column);
  out.number(where.width);
  out.text(where.text);
}

Position unpack_position(PackReader& in) {
  Position where;
  where.file = in.text();
  where.line = static_cast<std::uint32_t>(in.below(1ull << 32));
  where.column = static_cast<std::uint32_t>(in.below(1ull << 32));
  where.width = static_cast<std::uint32_t>(in.below(1ull << 32));
  where.text = in.text();
  return where;
}

template <class T>
void pack(PackWriter& out, const Setting<T>& setting) {
  out.number(static_cast<std::uint64_t>(setting.value));
  out.number(static_cast<std::uint64_t>(setting.source));
  out.text(setting.where);
}

template <class T>
Setting<T> unpack_setting(PackReader& in, std::uint64_t limit) {
  Setting<T> setting;
  setting.value = static_cast<T>(in.below(limit));
  setting.source = static_cast<ConfigSource>(in.below(kSources));
  setting.where = in.text();
  return setting;
}

void pack(PackWriter& out, const ToolPart& part) {
  out.number(static_cast<std::uint64_t>(part.kind));
  out.number(part.kinds);
  out.text(part.name);
}

ToolPart unpack_tool_part(PackReader& in) {
  ToolPart part;
  part.kind =
      static_cast<ToolPartKind>(in.below(static_cast<std::uint64_t>(ToolPartKind::kGlob) + 1));
  part.kinds = static_cast<std::uint16_t>(in.below(1u << 16));
  part.name = in.text();
  return part;
}

// A ceiling and each of its lists begin alike.
template <class List>
void pack_list(PackWriter& out, const List& list) {
  out.number(list.entries.size());
  for (const CeilingEntry& entry : list.entries) {
    pack(out, entry.tool);
    out.text(entry.text);
  }
  out.number(static_cast<std::uint64_t>(list.source));
  out.text(list.where);
  out.text(list.from);
}

template <class List>
List unpack_list(PackReader& in) {
  List list;
  for (std::size_t n = in.count(); n > 0 && in.good(); --n) {
    ToolPart part = unpack_tool_part(in);
    list.entries.push_back({std::move(part), in.text()});
  }
  list.source = static_cast<ConfigSource>(in.below(kSources));
  list.where = in.text();
  list.from = in.text();
  return list;
}

void pack(PackWriter& out, const Ceiling& ceiling) {
  pack_list(out, ceiling);
  out.number(ceiling.chosen);
  out.number(ceiling.lists.size());
  for (const CeilingList& list : ceiling.lists) pack_list(out, list);
}

Ceiling unpack_ceiling(PackReader& in) {
  Ceiling ceiling = unpack_list<Ceiling>(in);
  ceiling.chosen = in.below(2) != 0;
  for (std::size_t n = in.count(); n > 0 && in.good(); --n)
    ceiling.lists.push_back(unpack_list<CeilingList>(in));
  return ceiling;
}

void pack(PackWriter& out, const Network& network) {
  out.number(network.allowed);
  out.number(network.limited);
  out.number(network.outside_asks);
  out.texts(network.hosts);
  out.number(static_cast<std::uint64_t>(network.source));
  out.text(network.where);
}

Network unpack_network(PackReader& in) {
  Network network;
  network.allowed = in.below(2) != 0;
  network.limited = in.below(2) != 0;
  network.outside_asks = in.below(2) != 0;
  network.hosts = in.texts();
  network.source = static_cast<ConfigSource>(in.below(kSources));
  network.where = in.text();
  return network;
}

void pack(PackWriter& out, const AgentPolicy& agent) {
  for (const std::string* text :
       {&agent.name, &agent.provider, &agent.command, &agent.path, &agent.role, &agent.preset})
    out.text(*text);
  out.texts(agent.roots);
  out.texts(agent.servers);
  pack(out, agent.mode);
  out.number(static_cast<std::uint64_t>(agent.mode_limit));
  pack(out, agent.answer);
  pack(out, agent.timeout_ms);
  pack(out, agent.ceiling);
  pack(out, agent.network);
  out.number(agent.default_paths);
}

AgentPolicy unpack_agent(PackReader& in) {
  AgentPolicy agent;
  for (std::string* text :
       {&agent.name, &agent.provider, &agent.command, &agent.path, &agent.role, &agent.preset})
    *text = in.text();
  agent.roots = in.texts();
  agent.servers = in.texts();
  agent.mode = unpack_setting<Mode>(in, static_cast<std::uint64_t>(Mode::kAutonomous) + 1);
  agent.mode_limit = static_cast<Mode>(in.below(static_cast<std::uint64_t>(Mode::kAutonomous) + 1));
  agent.answer = unpack_setting<Answerer>(in, static_cast<std::uint64_t>(Answerer::kYes) + 1);
  agent.timeout_ms = unpack_setting<std::int64_t>(in, 1ull << 62);
  agent.ceiling = unpack_ceiling(in);
  agent.network = unpack_network(in);
  agent.default_paths = in.below(2) != 0;
  return agent;
}

void pack(PackWriter& out, const ToolDeclaration& tool) {
  out.text(tool.name);
  out.number(tool.side_effect);
  out.text(tool.specifier_template);
  out.number(static_cast<std::uint64_t>(tool.does));
  out.texts(tool.arguments);
  pack(out, tool.where);
}

ToolDeclaration unpack_tool(PackReader& in) {
  ToolDeclaration tool;
  tool.name = in.text();
  tool.side_effect = in.below(2) != 0;
  tool.specifier_template = in.text();
  tool.does = static_cast<Does>(in.below(static_cast<std::uint64_t>(Does::kUrl) + 1));
  tool.arguments = in.texts();
  tool.where = unpack_position(in);
  return tool;
}

}  // namespace

std::string pack_meta(const PolicySet& set) {
  PackWriter out;
  out.number(set.agents.size());
  for (const AgentPolicy& agent : set.agents) pack(out, agent);
  out.number(set.tools.size());
  for (const ToolDeclaration& tool : set.tools) pack(out, tool);
  out.number(set.broken.has_value());
  if (set.broken) {
    out.text(set.broken->code);
    out.text(set.broken->message);
    out.text(set.broken->hint);
    pack(out, set.broken->where);
  }
  return out.bytes();
}

std::optional<PolicyMeta> unpack_meta(std::string_view bytes) {
  PackReader in(bytes);
  PolicyMeta meta;
  for (std::size_t n = in.count(); n > 0 && in.good(); --n) meta.agents.push_back(unpack_agent(in));
  for (std::size_t n = in.count(); n > 0 && in.good(); --n) meta.tools.push_back(unpack_tool(in));
  if (in.below(2) != 0) {
    Error error;
    error.code = in.text();
    error.message = in.text();
    error.hint = in.text();
    error.where = unpack_position(in);
    meta.broken = std::move(error);
  }
  if (!in.good() || !in.at_end()) return std::nullopt;
  return meta;
}

}  // namespace tollgate
