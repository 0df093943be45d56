// The table of keys.
// Rows of one block stand together; the description becomes the schema's and the manual's words.
// A synonym is a row of its own that points at the key it spells.
#include "config/fields.h"

#include <array>

namespace tollgate::config {
namespace {

using enum FieldType;
using enum SetBy;

constexpr Field kFields[] = {
    {"", "version", kVersion, "", kEveryone, "", "the version of this format: 1"},
    {"", "mode", kMode, "", kEveryone, "", "the mode of every agent that says nothing else"},
    {"", "role", kText, "", kEveryone, "", "the role of every agent that says nothing else"},
    {"", "preset", kText, "", kEveryone, "", "the preset of every agent that says nothing else"},
    {"", "answer", kAnswer, "", kUser, "", "who settles an ask, for agents that say nothing else"},
    {"", "grantPermission", kAnswer, "", kUser, "answer", "another spelling of answer"},
    {"", "allowedTools", kTexts, "", kEveryone, "",
     "the tools that may be used at all; [] is none"},
    {"", "disallowedTools", kTexts, "", kEveryone, "", "tools that are denied to every agent"},
    {"", "rules", kBlock, "rules", kEveryone, "", "rules for every agent"},
    {"", "workspace", kBlock, "workspace", kEveryone, "", "blocked commands, paths and hosts"},
    {"", "settings", kBlock, "settings", kUser, "", "the daemon's settings"},
    {"", "roles", kBlocks, "role", kEveryone, "", "named lists of tools"},
    {"", "presets", kBlocks, "preset", kEveryone, "", "named bundles of tools, rules and hosts"},
    {"", "agents", kBlocks, "agent", kEveryone, "", "the agents by name"},
    {"", "teams", kBlocks, "agent", kEveryone, "agents", "another spelling of agents"},
    {"", "approvers", kBlocks, "approver", kUser, "", "the people who may answer"},
    {"", "tools", kBlocks, "tool", kUser, "", "application tools declared by hand"},
    {"", "notify", kList, "notify", kUser, "", "where questions are announced"},

    {"rules", "allow", kRules, "", kEveryone, "", "what may happen unasked"},
    {"rules", "ask", kRules, "", kEveryone, "", "what a person settles"},
    {"rules", "deny", kRules, "", kEveryone, "", "what never happens"},

    {"rule", "rule", kText, "", kEveryone, "", "Tool or Tool(specifier)"},
    {"rule", "reason", kText, "", kEveryone, "", "shown to the agent and the approver"},
    {"rule", "match", kTexts, "", kEveryone, "", "examples that the rule must match"},
    {"rule", "not_match", kTexts, "", kEveryone, "", "examples that the rule must not match"},
    {"rule", "hours", kText, "", kEveryone, "", "when it holds: Mon-Fri 09:00-18:00 Europe/Berlin"},
    {"rule", "expires", kTime, "", kEveryone, "",
     "when it ends: 2027-01-31 or 2027-01-31T18:00:00Z"},
    {"rule", "approve", kBlockOrList, "approve", kEveryone, "",
     "how many people of which roles; of a list the first that is met counts"},
    {"rule", "answer", kAnswer, "", kUser, "", "who settles it"},
    {"rule", "onTimeout", kOnTimeout, "", kUser, "", "what happens when nobody answers"},

    {"approve", "any", kCount, "", kEveryone, "", "how many people must agree"},
    {"approve", "of", kTexts, "", kEveryone, "", "the roles whose people count"},
    {"approve", "deny", kCount, "", kEveryone, "", "how many people refuse it"},
    {"approve", "after", kDuration, "", kEveryone, "", "from when on its people are asked"},
    {"approve", "name", kText, "", kEveryone, "", "what people call this threshold"},
    {"approve", "within", kDuration, "", kEveryone, "", "how long the question stands"},
    {"approve", "expires", kDuration, "", kEveryone, "", "how long the answer may be used"},

    {"settings", "listen", kAddress, "", kUser, "", "where the daemon listens"},
    {"settings", "httpPort", kPort, "", kUser, "listen", "the port on 127.0.0.1"},
    {"settings", "publicUrl", kUrl, "", kUser, "", "accepted host behind a proxy or tunnel"},
    {"settings", "tls", kBlock, "tls", kUser, "", "certificate and key"},
    {"settings", "permissionTimeout", kDuration, "", kUser, "", "how long a question waits"},
    {"settings", "store", kStore, "", kUser, "", "sqlite or postgres://…"},
    {"settings", "redact", kPatterns, "", kUser, "", "regular expressions of what records hide"},
    {"settings", "retention", kDuration, "", kUser, "", "how long records are kept; 0: for ever"},
    {"settings", "anchor", kBlock, "anchor", kUser, "",
     "where heads of the record are put besides"},

    {"anchor", "journal", kFlag, "", kUser, "", "false: not into the system's journal"},
    {"anchor", "file", kText, "", kUser, "", "a file that they are appended to"},
    {"anchor", "notify", kText, "", kUser, "", "the name of a webhook under `notify`"},
    {"anchor", "every", kDuration, "", kUser, "", "how often, where there are new rows: 1m"},

    {"tls", "cert", kText, "", kUser, "", "the certificate's file"},
    {"tls", "key", kText, "", kUser, "", "the key's file"},

    {"notify", "name", kText, "", kUser, "", "the target's own name: letters, digits, _ and -"},
    {"notify", "type", kText, "", kUser, "", "desktop, push, ntfy, slack or webhook"},
    {"notify", "url", kText, "", kUser, "", "of ntfy, slack and webhook: where notices go"},
    {"notify", "urlFile", kText, "", kUser, "", "a file of mode 0600 that holds the url"},
    {"notify", "topic", kText, "", kUser, "", "of ntfy: the topic"},
    {"notify", "secret", kText, "", kUser, "",
     "ntfy: access token; slack: signing secret; webhook: the key of its signature"},
    {"notify", "secretFile", kText, "", kUser, "", "a file of mode 0600 that holds the secret"},
    {"notify", "caFile", kText, "", kUser, "", "certificates trusted beside the system's, PEM"},
    {"notify", "allowHttp", kFlag, "", kUser, "", "true: plain http to another machine is wanted"},
    {"notify", "contact", kText, "", kUser, "",
     "of push: mailto: or https:, whom the push service may write to"},
    {"notify", "hosts", kHosts, "", kUser, "", "of push: services beside the known ones"},
    {"notify", "rules", kTexts, "", kUser, "",
     "only what these ask rules ask, as written; or breaker, guarded, sensitive, default"},
    {"notify", "agents", kTexts, "", kUser, "", "only what these agents ask"},
    {"notify", "people", kTexts, "", kUser, "", "of push: only the devices of these people"},
    {"notify", "after", kDuration, "", kUser, "", "only where nobody has seen it for so long"},
    {"notify", "answer", kBlock, "notifyAnswer", kUser, "",
     "the notice may answer, once, as one approver, what the rules named here ask"},

    {"notifyAnswer", "as", kText, "", kUser, "", "the approver that an answer counts as"},
    {"notifyAnswer", "rules", kTexts, "", kUser, "", "the ask rules that it is for, as written"},
    {"notifyAnswer", "within", kDuration, "", kUser, "", "how long: 5m, at most 15m"},
    {"notifyAnswer", "slackUser", kText, "", kUser, "", "of slack: the member id that may press"},

    {"role", "extends", kText, "", kEveryone, "", "the role it starts from"},
    {"role", "allowedTools", kTexts, "", kEveryone, "", "the tools of the role"},
    {"role", "disallowedTools", kTexts, "", kEveryone, "", "tools denied to the role"},

    {"preset", "extends", kText, "", kEveryone, "", "the preset it starts from"},
    {"preset", "mode", kMode, "", kEveryone, "", "the mode"},
    {"preset", "allowedTools", kTexts, "", kEveryone, "", "the tools that may be used at all"},
    {"preset", "disallowedTools", kTexts, "", kEveryone, "", "tools that are denied"},
    {"preset", "rules", kBlock, "rules", kEveryone, "", "rules"},
    {"preset", "workspace", kBlock, "workspace", kEveryone, "", "blocked commands, paths, hosts"},

    {"agent", "provider", kText, "", kUser, "", "the agent program: claude, codex, gemini …"},
    {"agent", "command", kText, "", kUser, "", "how it is started"},
    {"agent", "claudePath", kText, "", kUser, "command", "another spelling of command"},
    {"agent", "path", kText, "", kUser, "", "the base directory"},
    {"agent", "roots", kTexts, "", kUser, "", "workspace roots besides path"},
    {"agent", "role", kText, "", kEveryone, "", "developer, reviewer, supervisor or one of roles"},
    {"agent", "preset", kText, "", kEveryone, "", "a built-in preset or one of presets"},
    {"agent", "mode", kMode, "", kEveryone, "", "how much it may do unasked"},
    {"agent", "answer", kAnswer, "", kUser, "", "who settles an ask"},
    {"agent", "grantPermission", kAnswer, "", kUser, "answer", "another spelling of answer"},
    {"agent", "permissionTimeout", kDuration, "", kUser, "", "how long a question waits"},
    {"agent", "allowedTools", kTexts, "", kEveryone, "", "the tools it may use at all; [] is none"},
    {"agent", "disallowedTools", kTexts, "", kEveryone, "", "tools that are denied to it"},
    {"agent", "rules", kBlock, "rules", kEveryone, "", "rules for this agent alone"},
    {"agent", "mcpServers", kAnything, "", kUser, "", "its MCP servers, in the usual shape"},
    {"agent", "workspace", kBlock, "workspace", kEveryone, "", "blocked commands, paths, hosts"},
    {"agent", "sandbox", kBlock, "sandbox", kUser, "", "isolation; no key is none, {} is required"},
    {"agent", "remote", kText, "", kUser, "", "the ssh command that reaches its machine"},
    {"agent", "enableReverseMcp", kFlag, "", kUser, "",
     "taken with remote; the tunnel is always made"},
    {"agent", "delegate", kTexts, "", kUser, "", "children that may exceed this agent"},

    {"workspace", "blockedBash", kPairs, "", kEveryone, "", "pairs [command, arguments] to deny"},
    {"workspace", "blockedPaths", kTexts, "", kEveryone, "", "paths denied with all below them"},
    {"workspace", "allowNetwork", kFlag, "", kEveryone, "", "false: no host may be reached"},
    {"workspace", "allowedHosts", kHosts, "", kEveryone, "", "the hosts that may be reached"},
    {"workspace", "hosts", kOutside, "", kEveryone, "", "what other hosts come to: deny or ask"},

    {"sandbox", "isolation", kIsolation, "", kUser, "", "required, preferred or none"},
    {"sandbox", "memory", kSize, "", kUser, "", "memory limit"},
    {"sandbox", "pids", kCount, "", kUser, "", "process limit"},
    {"sandbox", "cpu", kNumber, "", kUser, "", "processors"},
    {"sandbox", "unixSockets", kFlag, "", kUser, "", "whether Unix sockets may be reached"},

    {"approver", "person", kText, "", kUser, "", "the person a quorum counts"},
    {"approver", "roles", kTexts, "", kUser, "", "the approver's roles"},

    {"tool", "sideEffect", kFlag, "", kUser, "", "false: it changes nothing"},
    {"tool", "specifierTemplate", kText, "", kUser, "", "what rules compare: {path}"},
    {"tool", "effect", kEffect, "", kUser, "",
     "{shell: arg}, {read: arg}, {rename: [a, b]} … or none"},

    // The top of .agentic/config.yaml, in its own spelling and in ours.
    {"agentic", "allowedTools", kTexts, "", kEveryone, "", "the tools that may be used at all"},
    {"agentic", "allowed_tools", kTexts, "", kEveryone, "allowedTools", "the tools"},
    {"agentic", "disallowedTools", kTexts, "", kEveryone, "", "tools that are denied"},
    {"agentic", "disallowed_tools", kTexts, "", kEveryone, "disallowedTools", "denied tools"},
    {"agentic", "blockedBash", kPairs, "", kEveryone, "", "pairs [command, arguments] to deny"},
    {"agentic", "blocked_bash_patterns", kPairs, "", kEveryone, "blockedBash", "denied commands"},
    {"agentic", "blockedPaths", kTexts, "", kEveryone, "", "paths denied with all below them"},
    {"agentic", "blocked_paths", kTexts, "", kEveryone, "blockedPaths", "denied paths"},
    {"agentic", "allowNetwork", kFlag, "", kEveryone, "", "false: no host may be reached"},
    {"agentic", "allow_network", kFlag, "", kEveryone, "allowNetwork", "whether hosts are reached"},
    {"agentic", "allowedHosts", kHosts, "", kEveryone, "", "the hosts that may be reached"},
    {"agentic", "allowed_hosts", kHosts, "", kEveryone, "allowedHosts", "the hosts"},
    {"agentic", "hosts", kOutside, "", kEveryone, "", "what other hosts come to: deny or ask"},
};

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field* field_of(std::string_view block, std::string_view key) {
  for (const Field& field : kFields)
    if (field.block == block && field.key == key) return &field;
  return nullptr;
}

const Node* value_of(const Node& mapping, std::string_view block, std::string_view key) {
  if (const Node* found = mapping.find(key)) return found;
  for (const Field& field : kFields) {
    if (field.block != block || field.same_as != key) continue;
    if (const Node* found = mapping.find(field.key)) return found;
  }
  return nullptr;
}

}  // namespace tollgate::config
