// What holds for an agent, rule by rule with its place; roles and presets to choose from; whether a
// rule could be written.
// Reading files and looking over rules is done on the pool.
#include <algorithm>

#include "base/text.h"
#include "config/catalogue.h"
#include "config/edit_meaning.h"
#include "os/files.h"
#include "policy/lint.h"
#include "policy/policy_view.h"
#include "server/policy_file.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: a rule that is being typed is held against so many others of the file, not more.
constexpr std::size_t kMostCompared = 5'000;

Value agent_value(const AgentPolicy& agent) {
  Value roots = Value::array();
  for (const std::string& root : agent.roots) roots.push(text_value(root));
  return Value::object({{"name", text_value(agent.name)},
                        {"provider", text_value(agent.provider)},
                        {"path", text_value(agent.path)},
                        {"roots", std::move(roots)},
                        {"role", text_value(agent.role)},
                        {"preset", text_value(agent.preset)},
                        {"mode", text_value(name(agent.mode.value))},
                        {"modeFrom", text_value(agent.mode.where)},
                        {"answer", text_value(name(agent.answer.value))},
                        {"permissionTimeoutMs", Value::integer(agent.timeout_ms.value)},
                        {"tools", text_value(agent.ceiling.from)}});
}

Value rule_value(const PolicyView& view, std::uint32_t index, const std::string& agent,
                 const std::string& own_file) {
  const flat::RuleRecord& rule = view.record(index);
  const flat::ExtraRecord* extra = view.extra(index);
  const std::string place = view.place(index);
  const std::string_view from = name(static_cast<ConfigSource>(rule.source));
  const std::string_view text = view.text(rule.text);
  return Value::object(
      {{"list", text_value(name(view.verdict(index)))},
       {"rule", text_value(text)},
       {"text", text_value(text)},
       {"reason", text_value(extra == nullptr ? std::string_view() : view.text(extra->reason))},
       {"source", text_value(place)},
       {"from", text_value(from)},
       {"layer", text_value(from)},
       {"agent", text_value(rule.agent == 0 ? "" : agent)},
       {"editable", Value::boolean(place.starts_with(own_file + ":"))}});
}

Value policy_value(const Policy& policy, const AgentPolicy& entry, const std::string& own_file) {
  const auto own = static_cast<std::uint16_t>(&entry - policy.agents().data() + 1);
  const PolicyView view(policy);
  Value lists[] = {Value::array(), Value::array(), Value::array()};
  for (std::uint32_t i = 0; i < view.size(); ++i) {
    const flat::RuleRecord& rule = view.record(i);
    if (rule.agent != 0 && rule.agent != own) continue;
    lists[static_cast<std::size_t>(view.verdict(i))].push(
        rule_value(view, i, entry.name, own_file));
  }
  return Value::object({{"agent", agent_value(entry)},
                        {"file", text_value(own_file)},
                        {"rules", Value::object({{"allow", std::move(lists[0])},
                                                 {"ask", std::move(lists[1])},
                                                 {"deny", std::move(lists[2])}})}});
}

Value words_value(const config::Words& words) {
  Value out = Value::array();
  for (const config::Said<std::string>& word : words) out.push(text_value(word.value));
  return out;
}

Value entry_value(const config::CatalogueEntry& entry) {
  const config::Bundle& bundle = entry.bundle;
  Value rules = Value::array();
  for (const Rule& rule : bundle.rules)
    rules.push(
        Value::object({{"list", text_value(name(rule.verdict))}, {"rule", text_value(rule.text)}}));
  Value blocked = Value::array();
  if (bundle.workspace.blocked_bash)
    for (const config::BashPair& pair : *bundle.workspace.blocked_bash)
      blocked.push(text_value(pair.command + " " + pair.arguments));
  const auto& network = bundle.workspace.allow_network;
  return Value::object(
      {{"name", text_value(bundle.name)},
       {"builtIn", Value::boolean(entry.built_in)},
       {"extends", text_value(entry.extends)},
       {"allowedTools", bundle.allowed_tools ? words_value(bundle.allowed_tools->value) : Value()},
       {"disallowedTools", words_value(bundle.disallowed_tools)},
       {"mode", bundle.mode ? text_value(name(bundle.mode->value)) : Value()},
       {"rules", std::move(rules)},
       {"blockedCommands", std::move(blocked)},
       {"network", Value::boolean(!network || network->value)}});
}

Value found_value(const Error& error) {
  return Value::object({{"code", text_value(error.code)},
                        {"message", text_value(error.message)},
                        {"hint", text_value(error.hint)},
                        {"column", Value::integer(error.where.column)}});
}

// What is odd about the rule beside those of the user's file.
Value warnings_of(const Rule& rule, const std::string& path) {
  PolicySet set;
  if (Result<std::string> text = os::read_file(path, config::kMaxFileBytes))
    if (Result<config::Reading> file = config::reading_of(std::move(*text), path, {});
        file && file->set.rules.size() <= kMostCompared)
      set = std::move(file->set);
  set.rules.push_back(rule);
  Value out = Value::array();
  for (const Diagnostic& each : lint(set))
    if (each.error.where.file == rule.where.file) out.push(found_value(each.error));
  return out;
}

// {"ok", "errors", "warnings"} of one rule in one list.
Value check_value(Verdict list, const std::string& rule, const Policy& policy,
                  const std::string& path) {
  const Position where{.file = "rule", .line = 1, .column = 1, .width = 1, .text = rule};
  Value errors = Value::array(), warnings = Value::array();
  const Result<Rule> parsed = parse_rule(list, rule, where, {.tools = policy.tools()});
  if (!parsed)
    errors.push(found_value(parsed.error()));
  else if (has_hidden_characters(rule))
    errors.push(found_value({.code = "yaml-hidden-character",
                             .message = "the rule holds a character that hides or reorders text",
                             .hint = "remove control, zero-width and bidirectional characters",
                             .where = where}));
  else
    warnings = warnings_of(*parsed, path);
  return Value::object({{"ok", Value::boolean(errors.items().empty())},
                        {"errors", std::move(errors)},
                        {"warnings", std::move(warnings)}});
}

}  // namespace

void list_agents(Daemon& daemon, Visit visit) {
  Value list = Value::array();
  for (const AgentPolicy& agent : daemon.parts.policies.agents()) list.push(agent_value(agent));
  visit.reply(200, Value::object({{"agents", std::move(list)}}));
}

void show_policy(Daemon& daemon, Visit visit) {
  const std::string agent = visit.request().query_value("agent").value_or("");
  const std::string cwd = visit.request().query_value("cwd").value_or("/");
  if (!cwd.starts_with('/')) return visit.fail(malformed_request("`cwd` must be absolute"));
  const auto result = std::make_shared<Result<Value>>(Value());
  daemon.parts.loop.work(
      [&daemon, result, cwd, agent] {
        const Ground ground = daemon.parts.policies.at(cwd, agent);
        const Policy& policy = *ground.policy;
        const AgentPolicy* entry = policy.broken() ? nullptr : policy.agent(agent);
        if (policy.broken())
          *result = Fail(*policy.broken());
        else if (entry == nullptr)
          *result = Fail({.code = "unknown-agent",
                          .message = "unknown agent `" + agent + "`",
                          .hint = "GET /api/agents lists them",
                          .where = {}});
        else
          *result = policy_value(policy, *entry, policy_file(daemon.parts.policies));
      },
      [visit, result] {
        if (!*result) return visit.fail(422, result->error());
        visit.reply(200, **result);
      });
}

void list_roles(Daemon& daemon, Visit visit) {
  using Entries = Result<std::vector<config::CatalogueEntry>>;
  const auto entries = std::make_shared<Entries>(std::vector<config::CatalogueEntry>());
  daemon.parts.loop.work(
      [&daemon, entries] {
        const std::string path = policy_file(daemon.parts.policies);
        Result<std::string> text = os::read_file(path, config::kMaxFileBytes);
        if (!text && text.error().code != "file-missing")
          *entries = Fail(text.error());
        else
          *entries = config::catalogue(text ? std::move(*text) : std::string(), path);
      },
      [visit, entries] {
        if (!*entries) return visit.fail(422, entries->error());
        Value roles = Value::array(), presets = Value::array();
        for (const config::CatalogueEntry& entry : **entries)
          (entry.named == config::Named::kRole ? roles : presets).push(entry_value(entry));
        visit.reply(200,
                    Value::object({{"roles", std::move(roles)}, {"presets", std::move(presets)}}));
      });
}

void check_rule(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string list = body->text("list"), rule = body->text("rule"),
                    agent = body->text("agent"), cwd = body->text("cwd");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  const std::optional<Verdict> verdict = verdict_named(list);
  if (!verdict) return visit.fail(malformed_request("`list` must be allow, ask or deny"));
  const auto result = std::make_shared<Value>();
  daemon.parts.loop.work(
      [&daemon, result, verdict, rule, agent, cwd] {
        const Ground ground = daemon.parts.policies.at(cwd.starts_with('/') ? cwd : "/", agent);
        *result = check_value(*verdict, rule, *ground.policy, policy_file(daemon.parts.policies));
      },
      [visit, result] { visit.reply(200, *result); });
}

}  // namespace tollgate::server
