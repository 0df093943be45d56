// Layering, agent by agent.
// Each agent starts from nothing and hears managed, user, environment and trusted projects in turn.
// SAFETY: an untrusted project adds deny and ask rules and `allowNetwork: false`, nothing else.
#include "config/resolve.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/edit_distance.h"
#include "config/blocks.h"
#include "config/ceiling.h"
#include "config/names.h"

namespace tollgate::config {
namespace {

constexpr std::string_view kDefaultTools[] = {"@builtin", "Bash", "Read", "Write",
                                              "Edit",     "Glob", "Grep", "LS"};

// What one layer says of one agent, with its role and preset filled in.
struct LayerView {
  Statement* statement = nullptr;
  Bundle* own = nullptr;  // nothing where the file does not name the agent
  std::optional<Bundle> preset;
  std::optional<Bundle> role;
  std::optional<Said<Words>> tools;  // the list that was chosen directly
  std::string tools_from;
  std::string role_name, preset_name;

  bool counts() const { return !statement->is_project() || statement->trusted; }
};

class Resolver {
 public:
  Resolver(ResolveInput input, std::vector<Diagnostic>& out)
      : input_(std::move(input)), out_(out), names_(input_.statements, out) {}

  PolicySet resolve();

 private:
  std::set<std::string> agent_names() const;
  void index_agents();
  void check_wanted(const std::set<std::string>& names);
  void agent(const std::string& name);
  LayerView view(std::size_t layer, const std::string& name);
  void rules_of(const LayerView& layer, const std::string& name);
  void denied_tools(const Words& words, ConfigSource source, const std::string& name);
  Ceiling ceiling(const std::vector<LayerView>& layers, const std::string& name, bool block);
  std::optional<Ceiling> layer_ceiling(const LayerView& layer, const std::string& name);
  ToolList list(const Said<Words>& words, ConfigSource source, std::string from,
                const std::string& name);
  void describe(const std::vector<LayerView>& layers, AgentPolicy& agent);
  void modes(const std::vector<LayerView>& layers, AgentPolicy& agent);
  Network network(const std::vector<LayerView>& layers, bool block);
  WorkspaceText block_of(const LayerView& layer, bool with_top) const;
  bool names_hosts(const std::vector<LayerView>& layers) const;
  void warn_untrusted(const Statement& statement, const std::set<std::string>& names);
  bool is_overridden(const std::string& name) const { return input_.overrides.agent == name; }

  ResolveInput input_;
  std::vector<Diagnostic>& out_;
  Names names_;
  PolicySet set_;
  std::vector<std::map<std::string_view, Bundle*>> agents_;  // of each statement, by name
};

void Resolver::index_agents() {
  for (Statement& statement : input_.statements) {
    agents_.emplace_back();
    for (Bundle& bundle : statement.agents) agents_.back()[bundle.name] = &bundle;
  }
}

LayerView Resolver::view(std::size_t number, const std::string& name) {
  Statement& statement = input_.statements[number];
  LayerView layer;
  layer.statement = &statement;
  if (const auto own = agents_[number].find(name); !name.empty() && own != agents_[number].end())
    layer.own = own->second;
  const Bundle& top = statement.top;
  const bool own_choice =
      layer.own && (layer.own->allowed_tools || layer.own->role || layer.own->preset);
  const Bundle& chooser = own_choice ? *layer.own : top;
  if (!layer.counts()) return layer;
  if (chooser.allowed_tools) {
    layer.tools = chooser.allowed_tools;
    layer.tools_from = "allowedTools";
  }
  if (chooser.preset) {
    layer.preset = names_.find(Named::kPreset, *chooser.preset, asker_of(statement));
    layer.preset_name = chooser.preset->value;
  }
  if (chooser.role) {
    layer.role = names_.find(Named::kRole, *chooser.role, asker_of(statement));
    layer.role_name = chooser.role->value;
  }
  return layer;
}

ToolList Resolver::list(const Said<Words>& words, ConfigSource source, std::string from,
                        const std::string& name) {
  return tool_list(words, source, std::move(from), name, input_.tools, out_);
}

// The ceiling that one layer chooses; its entries with specifiers become allow rules.
std::optional<Ceiling> Resolver::layer_ceiling(const LayerView& layer, const std::string& name) {
  const ConfigSource source = layer.statement->source;
  std::vector<ToolList> lists;
  if (layer.tools) {
    lists.push_back(list(*layer.tools, source, layer.tools_from, name));
  } else {
    if (layer.preset && layer.preset->allowed_tools)
      lists.push_back(
          list(*layer.preset->allowed_tools, source, "preset " + layer.preset_name, name));
    if (layer.role && layer.role->allowed_tools)
      lists.push_back(list(*layer.role->allowed_tools, source, "role " + layer.role_name, name));
  }
  if (lists.empty()) return std::nullopt;
  Ceiling result = lists[0].ceiling;
  if (lists.size() == 2) {
    result = meet(lists[0].ceiling, lists[1].ceiling);
    result.from = lists[0].ceiling.from + " and " + lists[1].ceiling.from;
  }
  for (ToolList& each : lists)
    for (Rule& rule : each.rules) set_.rules.push_back(std::move(rule));
  return result;
}

Said<Words> words_of(std::span<const std::string_view> names) {
  const Position where{.file = "built-in", .line = 0, .column = 0, .width = 1, .text = {}};
  Said<Words> words{{}, where};
  for (std::string_view name : names) words.value.push_back({std::string(name), where});
  return words;
}

Ceiling Resolver::ceiling(const std::vector<LayerView>& layers, const std::string& name,
                          bool block) {
  std::optional<Ceiling> user;  // managed and user
  std::optional<Ceiling> managed;
  std::vector<Ceiling> others;  // trusted projects
  for (const LayerView& layer : layers) {
    if (!layer.counts()) continue;
    // Inside the block the environment beats the file; a tollgate.yaml is not the block.
    if (input_.environment.allowed_tools && layer.statement->kind == FileKind::kAgentic) continue;
    std::optional<Ceiling> chosen = layer_ceiling(layer, name);
    if (!chosen) continue;
    if (layer.statement->source == ConfigSource::kManaged)
      managed = std::move(chosen);
    else if (!layer.statement->is_project())
      user = std::move(chosen);
    else
      others.push_back(std::move(*chosen));
  }
  const Position command_line{
      .file = "command line", .line = 0, .column = 0, .width = 1, .text = {}};
  std::optional<ToolList> given;
  if (is_overridden(name) && input_.overrides.yolo)
    given = list({{{"*", command_line}}, command_line}, ConfigSource::kSession, "--yolo", name);
  else if (is_overridden(name) && input_.overrides.allowed_tools)
    given = list({*input_.overrides.allowed_tools, command_line}, ConfigSource::kSession,
                 "--allowed-tools", name);
  if (given) {
    user = given->ceiling;
    for (Rule& rule : given->rules) set_.rules.push_back(std::move(rule));
  }
  if (managed) user = user ? meet(*managed, *user) : *managed;
  if (input_.environment.allowed_tools) {
    ToolList env =
        list(*input_.environment.allowed_tools, ConfigSource::kEnv, "AGENTIC_ALLOWED_TOOLS", "");
    user = user ? meet(*user, env.ceiling) : env.ceiling;
    if (name.empty())
      for (Rule& rule : env.rules) set_.rules.push_back(std::move(rule));
  }
  Ceiling result;
  if (user) {
    result = std::move(*user);
  } else if (block) {
    Said<Words> tools = words_of(kDefaultTools);
    // Hosts that somebody named are there to be fetched from.
    if (names_hosts(layers)) tools.value.push_back({"web_fetch", tools.where});
    result = list(tools, ConfigSource::kDefault, "the workspace defaults", name).ceiling;
  } else {
    const auto developer = names_.find(Named::kRole, {"developer", {}}, Asker::kManaged)
                               ->allowed_tools.value_or(Said<Words>{});
    result = list(developer, ConfigSource::kDefault, "role developer", name).ceiling;
    result.chosen = !others.empty();
  }
  for (const Ceiling& other : others) result = meet(result, other);
  return result;
}

void Resolver::denied_tools(const Words& words, ConfigSource source, const std::string& name) {
  for (const Said<std::string>& word : words) {
    Result<Rule> rule = parse_rule(Verdict::kDeny, word.value, word.where, {.tools = input_.tools});
    if (!rule) {
      out_.push_back({Severity::kError, std::move(rule).error()});
      continue;
    }
    rule->source = source;
    rule->agent = name;
    set_.rules.push_back(std::move(*rule));
  }
}

// The rules that a layer has for this agent: its own, its preset's and its role's.
void Resolver::rules_of(const LayerView& layer, const std::string& name) {
  Bundle* own = name.empty() ? &layer.statement->top : layer.own;
  const ConfigSource source = layer.statement->source;
  const auto add = [&](Bundle bundle) {
    if (!layer.counts())
      std::erase_if(bundle.rules, [](const Rule& rule) { return rule.verdict == Verdict::kAllow; });
    for (Rule& rule : bundle.rules) {
      rule.agent = name;
      rule.source = source;
    }
    if (set_.rules.empty())
      set_.rules = std::move(bundle.rules);
    else
      std::move(bundle.rules.begin(), bundle.rules.end(), std::back_inserter(set_.rules));
    denied_tools(bundle.disallowed_tools, source, name);
  };
  if (own != nullptr) {
    Bundle mine;  // a file's own rules are moved: there can be many, and nobody else needs them
    mine.rules = std::move(own->rules);
    mine.disallowed_tools = own->disallowed_tools;
    add(std::move(mine));
  }
  const bool inherits = own != nullptr && (own->preset || own->role);
  if (inherits && layer.preset) add(*layer.preset);
  if (inherits && layer.role) add(*layer.role);
}

template <class T>
void set_from(Setting<T>& setting, const Said<T>& said, ConfigSource source) {
  setting = {said.value, source, place_name(said.where)};
}

void Resolver::modes(const std::vector<LayerView>& layers, AgentPolicy& agent) {
  bool mode_set = false, answer_set = false;
  for (const LayerView& layer : layers) {
    if (!layer.counts()) continue;
    const Bundle& top = layer.statement->top;
    const auto given = [](const std::optional<Said<Mode>>& said) {
      return said ? &*said : nullptr;
    };
    const Said<Mode>* mode = layer.own ? given(layer.own->mode) : nullptr;
    if (mode == nullptr && layer.preset) mode = given(layer.preset->mode);
    if (mode == nullptr) mode = given(top.mode);
    if (!layer.statement->is_project() && layer.statement->source != ConfigSource::kManaged &&
        is_overridden(agent.name) && input_.overrides.yolo)
      mode = nullptr;
    const bool limits =
        layer.statement->is_project() || layer.statement->source == ConfigSource::kManaged;
    if (mode && limits) agent.mode_limit = tighter(agent.mode_limit, mode->value);
    const bool bound = mode_set || layer.statement->is_project();
    if (mode && (!bound || mode->value < agent.mode.value))
      set_from(agent.mode, *mode, layer.statement->source);
    mode_set = mode_set || mode != nullptr;
    std::optional<Said<Answerer>> answer = layer.own ? layer.own->answer : std::nullopt;
    if (!answer) answer = top.answer;
    if (layer.statement->is_project()) answer = std::nullopt;
    if (answer && (!answer_set || answer->value < agent.answer.value))
      set_from(agent.answer, *answer, layer.statement->source);
    answer_set = answer_set || answer.has_value();
  }
}

void Resolver::describe(const std::vector<LayerView>& layers, AgentPolicy& agent) {
  bool timed = false, defined = false;
  agent.timeout_ms = {input_.timeout_ms, input_.timeout_source, ""};
  for (const LayerView& layer : layers) {
    if (!layer.counts()) continue;
    const bool project = layer.statement->is_project();
    // What a project chooses for somebody else's agent tightens the ceiling; it is not its role.
    if (!(project && defined)) {
      if (agent.role.empty()) agent.role = layer.role_name;
      if (agent.preset.empty()) agent.preset = layer.preset_name;
    }
    defined = defined || (!project && (agent.name.empty() || layer.own != nullptr));
    // A project does not say how an agent is started, where it stands or which servers it has.
    if (project || layer.own == nullptr) continue;
    if (agent.provider.empty()) agent.provider = layer.own->provider;
    if (agent.command.empty()) agent.command = layer.own->command;
    if (agent.path.empty()) agent.path = layer.own->path.value_or("");
    for (const std::string& root : layer.own->roots) agent.roots.push_back(root);
    for (const std::string& server : layer.own->servers) agent.servers.push_back(server);
    if (layer.own->timeout_ms && !timed)
      set_from(agent.timeout_ms, *layer.own->timeout_ms, layer.statement->source);
    timed = timed || layer.own->timeout_ms.has_value();
  }
}

// The block of one layer for one agent: own keys, else the preset's, else the top's.
WorkspaceText Resolver::block_of(const LayerView& layer, bool with_top) const {
  WorkspaceText block = with_top ? layer.statement->top.workspace : WorkspaceText{};
  if (layer.preset) block = over(layer.preset->workspace, block);
  if (layer.own) block = over(layer.own->workspace, block);
  return block;
}

Network Resolver::network(const std::vector<LayerView>& layers, bool block) {
  Network network;
  for (const LayerView& layer : layers)
    if (!layer.statement->is_project())
      tighten(network, block_of(layer, true), layer.statement->source);
  tighten(network, input_.environment.workspace, ConfigSource::kEnv);
  const WorkspaceText& environment = input_.environment.workspace;
  for (const LayerView& layer : layers) {
    if (!layer.statement->is_project()) continue;
    WorkspaceText said = block_of(layer, true);
    if (!layer.counts() || environment.allowed_hosts) said.allowed_hosts.reset();
    if (environment.allow_network) said.allow_network.reset();
    if (!network.limited) said.outside_asks.reset();  // asking is for others to choose
    tighten(network, said, layer.statement->source);
  }
  if (!block || network.limited) return network;
  WorkspaceText said = environment;
  for (const LayerView& layer : layers)
    if (!layer.statement->is_project()) said = over(said, block_of(layer, true));
  use_default_hosts(network, said);
  return network;
}

// Whether anybody whose word counts named the hosts that may be reached.
bool Resolver::names_hosts(const std::vector<LayerView>& layers) const {
  const auto named = [](const WorkspaceText& block) {
    return block.allowed_hosts && !block.allowed_hosts->value.empty();
  };
  return named(input_.environment.workspace) ||
         std::ranges::any_of(layers, [&](const LayerView& layer) {
           return layer.counts() && named(block_of(layer, true));
         });
}

void Resolver::agent(const std::string& name) {
  AgentPolicy agent;
  agent.name = name;
  std::vector<LayerView> layers;
  bool block = input_.environment.workspace.present;
  for (std::size_t i = 0; i < input_.statements.size(); ++i) {
    layers.push_back(view(i, name));
    block = block || (layers.back().counts() && block_of(layers.back(), true).present);
  }
  if (is_overridden(name) && input_.overrides.yolo)
    agent.mode = {Mode::kAutonomous, ConfigSource::kSession, "--yolo"};
  modes(layers, agent);
  describe(layers, agent);
  agent.ceiling = ceiling(layers, name, block);
  agent.network = network(layers, block);
  for (const LayerView& layer : layers) rules_of(layer, name);
  BlockRules emit{.agent = name,
                  .hosts = names_hosts(layers),
                  .tools = input_.tools,
                  .rules = set_.rules,
                  .out = out_};
  if (name.empty()) {
    std::vector<BlockLayer> blocks;
    for (const LayerView& layer : layers)
      blocks.push_back({block_of(layer, true), layer.statement->source,
                        layer.statement->is_project(), layer.counts()});
    emit_global_block(emit, blocks, input_.environment.workspace);
    denied_tools(input_.environment.disallowed_tools, ConfigSource::kEnv, "");
  } else {
    for (const LayerView& layer : layers) {
      if (layer.own == nullptr) continue;
      const WorkspaceText own = block_of(layer, false);
      emit_agent_block(emit, own, layer.statement->source);
      if (own.blocked_paths && !layer.statement->is_project()) agent.default_paths = false;
    }
  }
  set_.agents.push_back(std::move(agent));
}

// One warning a file, at the first thing that is not heard.
void Resolver::warn_untrusted(const Statement& statement, const std::set<std::string>& names) {
  if (!statement.is_project() || statement.trusted) return;
  std::vector<std::string> what;
  Position first;
  const auto note = [&](const std::string& word, const Position& where) {
    if (std::find(what.begin(), what.end(), word) == what.end()) what.push_back(word);
    if (first.line == 0) first = where;
  };
  const auto look = [&](const Bundle& bundle) {
    for (const Rule& rule : bundle.rules)
      if (rule.verdict == Verdict::kAllow) note("allow rules", rule.where);
    if (bundle.mode) note("mode", bundle.mode->where);
    if (bundle.role) note("role", bundle.role->where);
    if (bundle.preset) note("preset", bundle.preset->where);
    if (bundle.allowed_tools) note("allowedTools", bundle.allowed_tools->where);
    if (bundle.workspace.allowed_hosts) note("allowedHosts", bundle.workspace.allowed_hosts->where);
  };
  look(statement.top);
  for (const Bundle& agent : statement.agents) {
    if (!names.contains(agent.name)) note("agents", agent.where);
    look(agent);
  }
  for (const Bundle& role : statement.roles) note("roles", role.where);
  for (const Bundle& preset : statement.presets) note("presets", preset.where);
  if (what.empty()) return;
  std::string list;
  for (const std::string& word : what) list += (list.empty() ? "" : ", ") + word;
  out_.push_back({Severity::kWarning,
                  {.code = "untrusted-project",
                   .message = "this project file is not trusted: not heard are " + list,
                   .hint = "read it, then run `tollgate trust " + statement.file + "`",
                   .where = first}});
}

// Whom the files define; an untrusted project speaks of agents and makes none.
std::set<std::string> Resolver::agent_names() const {
  std::set<std::string> names;
  for (const Statement& statement : input_.statements)
    if (!statement.is_project() || statement.trusted)
      for (const Bundle& bundle : statement.agents) names.insert(bundle.name);
  return names;
}

void Resolver::check_wanted(const std::set<std::string>& names) {
  const std::string& wanted = input_.overrides.agent;
  if (!wanted.empty() && !names.contains(wanted)) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    out_.push_back({Severity::kError,
                    {.code = "unknown-agent",
                     .message = "unknown agent `" + wanted + "`",
                     .hint = known.empty() ? "no agents are configured; leave --agent out"
                                           : did_you_mean(wanted, "agents", known),
                     .where = {}}});
  }
}

PolicySet Resolver::resolve() {
  std::set<std::string> names = agent_names();
  for (const Statement& statement : input_.statements) warn_untrusted(statement, names);
  if (names.size() > kMaxAgents) {
    out_.push_back({Severity::kError,
                    {.code = "too-many-agents",
                     .message = "the configuration has " + std::to_string(names.size()) +
                                " agents, more than the limit of " + std::to_string(kMaxAgents),
                     .hint = "remove agents that nobody starts",
                     .where = {}}});
    names.clear();  // SAFETY: nothing is judged by them: the policy is broken
  } else {
    check_wanted(names);
  }
  index_agents();
  agent("");
  for (const std::string& name : names) agent(name);
  set_.tools = std::move(input_.tools);
  return std::move(set_);
}

}  // namespace

PolicySet resolve(ResolveInput input, std::vector<Diagnostic>& out) {
  return Resolver(std::move(input), out).resolve();
}

}  // namespace tollgate::config
