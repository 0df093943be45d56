// Makes rules of the workspace block.
// A pair [cmd, args] is `deny Bash(cmd args)`; a path is denied to reading and to every change.
// The default blocked paths are the built-in policy's own rules.
#include "config/blocks.h"

#include "config/ceiling.h"

namespace tollgate::config {
namespace {

Position built_in() { return {.file = "built-in", .line = 0, .column = 0, .width = 1, .text = {}}; }

const std::vector<BashPair>& default_pairs() {
  static const std::vector<BashPair> pairs = {{"rm", "-rf /", built_in()},
                                              {"rm", "-rf ~", built_in()},
                                              {"curl", "*", built_in(), true},
                                              {"wget", "*", built_in(), true}};
  return pairs;
}

constexpr std::string_view kDefaultHosts[] = {"api.anthropic.com", "github.com", "api.github.com"};

void deny(BlockRules& emit, const std::string& text, const Position& where, ConfigSource source) {
  Result<Rule> rule = parse_rule(Verdict::kDeny, text, where, {.tools = emit.tools});
  if (!rule) {
    Error error = std::move(rule).error();
    error.where = where;
    emit.out.push_back({Severity::kError, std::move(error)});
    return;
  }
  if (where.file == "built-in") rule->where = {};
  rule->source = source;
  rule->agent = emit.agent;
  emit.rules.push_back(std::move(*rule));
}

void emit_pairs(BlockRules& emit, const std::vector<BashPair>& pairs, ConfigSource source) {
  for (const BashPair& pair : pairs) {
    if (pair.only_without_hosts && emit.hosts) continue;
    const std::string arguments = pair.arguments.empty() ? "" : " " + pair.arguments;
    deny(emit, "Bash(" + pair.command + arguments + ")", pair.where, source);
  }
}

void emit_paths(BlockRules& emit, const Words& paths, ConfigSource source) {
  for (const Said<std::string>& path : paths) {
    const bool from_root = path.value.starts_with('/') && !path.value.starts_with("//");
    const std::string pattern = (from_root ? "/" : "") + path.value;
    deny(emit, "Read(" + pattern + ")", path.where, source);
    deny(emit, "Edit(" + pattern + ")", path.where, source);
  }
}

}  // namespace

void emit_global_block(BlockRules& emit, const std::vector<BlockLayer>& layers,
                       const WorkspaceText& environment) {
  bool present = environment.present;
  bool above = environment.present;  // somebody more trusted than a project has a block
  bool pairs_given = environment.blocked_bash.has_value();
  bool project_pairs = false;
  bool paths_given = environment.blocked_paths.has_value();
  if (environment.blocked_bash) emit_pairs(emit, *environment.blocked_bash, ConfigSource::kEnv);
  if (environment.blocked_paths) emit_paths(emit, *environment.blocked_paths, ConfigSource::kEnv);
  for (const BlockLayer& layer : layers) {
    const WorkspaceText& block = layer.block;
    present = present || block.present;
    if (block.blocked_bash && !(layer.project && environment.blocked_bash))
      emit_pairs(emit, *block.blocked_bash, layer.source);
    if (block.blocked_paths && !(layer.project && environment.blocked_paths))
      emit_paths(emit, *block.blocked_paths, layer.source);
    if (layer.project) {
      project_pairs = project_pairs || (layer.trusted && block.blocked_bash.has_value());
      continue;
    }
    above = above || block.present;
    pairs_given = pairs_given || block.blocked_bash.has_value();
    paths_given = paths_given || block.blocked_paths.has_value();
  }
  // Only where the block is all the project's own does its list stand in for the default one.
  if (!above) pairs_given = pairs_given || project_pairs;
  if (present && !pairs_given) emit_pairs(emit, default_pairs(), ConfigSource::kDefault);
  if (!paths_given)
    for (const Rule& rule : built_in_policy().rules) emit.rules.push_back(rule);
}

void emit_agent_block(BlockRules& emit, const WorkspaceText& block, ConfigSource source) {
  if (block.blocked_bash)
    emit_pairs(emit, *block.blocked_bash, source);
  else if (block.present)
    emit_pairs(emit, default_pairs(), ConfigSource::kDefault);
  if (block.blocked_paths) emit_paths(emit, *block.blocked_paths, source);
}

void tighten(Network& network, const WorkspaceText& block, ConfigSource source) {
  if (block.allow_network && !block.allow_network->value && network.allowed) {
    network.allowed = false;
    network.source = source;
    network.where = place_name(block.allow_network->where);
  }
  if (!block.allowed_hosts) return;
  const bool asks = block.outside_asks && block.outside_asks->value;
  network.outside_asks = network.limited ? network.outside_asks && asks : asks;
  network.hosts = network.limited ? meet_hosts(network.hosts, block.allowed_hosts->value)
                                  : block.allowed_hosts->value;
  network.limited = true;
  if (!network.allowed) return;
  network.source = source;
  network.where = place_name(block.allowed_hosts->where);
}

void use_default_hosts(Network& network, const WorkspaceText& said) {
  network.limited = true;
  network.hosts.assign(std::begin(kDefaultHosts), std::end(kDefaultHosts));
  network.outside_asks = said.outside_asks && said.outside_asks->value;
  if (network.allowed) network.source = ConfigSource::kDefault;
}

}  // namespace tollgate::config
