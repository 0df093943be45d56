// The workspace block as rules and as a network: blocked commands, blocked paths, allowed hosts.
// Inside the block env beats file beats default; user and managed entries always stay.
// SAFETY: a project adds to the default paths and to the default commands of somebody else's block
// and never replaces them, trusted or not; an untrusted one replaces no default at all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/statement.h"
#include "policy/policy_set.h"

namespace tollgate::config {

// Where the rules go, and for whom.
struct BlockRules {
  std::string agent;
  bool hosts = false;  // allowed hosts were named, which replaces the blocking of curl and wget
  std::span<const ToolDeclaration> tools;
  std::vector<Rule>& rules;
  std::vector<Diagnostic>& out;
};

struct BlockLayer {
  WorkspaceText block;
  ConfigSource source = ConfigSource::kProject;
  bool project = false;
  bool trusted = false;
};

// The rules that bind every agent: the files' top blocks, the environment, the defaults.
void emit_global_block(BlockRules& emit, const std::vector<BlockLayer>& layers,
                       const WorkspaceText& environment);
// The rules of one agent's own block.
void emit_agent_block(BlockRules& emit, const WorkspaceText& block, ConfigSource source);

// Adds what the block says of the network; only ever tighter.
void tighten(Network& network, const WorkspaceText& block, ConfigSource source);
void use_default_hosts(Network& network, const WorkspaceText& said);

}  // namespace tollgate::config
