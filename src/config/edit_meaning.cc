// Reads a file as the loader would, alone, and takes the places out.
// Names that another layer may define are no error here; they must be open before and after alike.
// SAFETY: two readings are the same only when whole values are equal.
#include "config/edit_meaning.h"

#include <algorithm>

#include "config/fields.h"
#include "config/resolve.h"
#include "config/statement.h"

namespace tollgate::config {
namespace {

void drop_places(PolicySet& set) {
  for (Rule& rule : set.rules) rule.where = {};
  for (ToolDeclaration& tool : set.tools) tool.where = {};
  for (AgentPolicy& agent : set.agents) {
    agent.mode.where.clear();
    agent.answer.where.clear();
    agent.timeout_ms.where.clear();
    agent.network.where.clear();
    agent.ceiling.where.clear();
    for (CeilingList& list : agent.ceiling.lists) list.where.clear();
  }
}

Result<void> no_errors(std::vector<Diagnostic>& diagnostics) {
  std::erase_if(diagnostics, [](const Diagnostic& d) { return d.severity != Severity::kError; });
  if (diagnostics.empty()) return {};
  sort_by_place(diagnostics);
  return Fail(std::move(diagnostics.front().error));
}

bool is_the_rule(const Rule& rule, const RuleChange& change) {
  return rule.verdict == change.list && rule.agent == change.agent &&
         format_rule(rule) == change.rule && (!change.reason || rule.reason == *change.reason);
}

// The sets without their rules; modes as the caller left them.
bool same_besides_rules(PolicySet a, PolicySet b) {
  a.rules.clear();
  b.rules.clear();
  return a == b;
}

}  // namespace

Result<Reading> reading_of(std::string text, const std::string& file,
                           std::span<const ToolDeclaration> other_tools) {
  Reading reading;
  std::vector<Diagnostic> out;
  reading.document = read_yaml(std::move(text), file, out);
  check_fields(reading.document, FileKind::kUser, out);
  if (Result<void> fine = no_errors(out); !fine) return Fail(std::move(fine).error());
  ResolveInput input;
  input.tools.assign(other_tools.begin(), other_tools.end());
  for (ToolDeclaration& tool : read_tools(reading.document)) input.tools.push_back(std::move(tool));
  reading.tools = input.tools;
  const ReadContext context{.source = ConfigSource::kUser,
                            .kind = FileKind::kUser,
                            .directory = "/",
                            .home = "/",
                            .tools = reading.tools};
  input.statements.push_back(read_statement(reading.document, context, out));
  if (Result<void> fine = no_errors(out); !fine) return Fail(std::move(fine).error());
  read_settings(reading.document, context, reading.settings);
  input.timeout_ms = reading.settings.permission_timeout_ms;
  reading.set = resolve(std::move(input), out);
  drop_places(reading.set);
  for (const Diagnostic& each : out)
    if (each.severity == Severity::kError)
      reading.problems.push_back(each.error.code + ": " + each.error.message);
  return reading;
}

bool differs_by_rule(const Reading& less, const Reading& more, const RuleChange& change) {
  if (less.settings != more.settings || less.problems != more.problems ||
      !same_besides_rules(less.set, more.set) || more.set.rules.size() > kMaxRules)
    return false;
  std::size_t next = 0, added = 0;
  for (const Rule& rule : more.set.rules) {
    if (next < less.set.rules.size() && rule == less.set.rules[next]) {
      ++next;
      continue;
    }
    if (!is_the_rule(rule, change)) return false;
    ++added;
  }
  return next == less.set.rules.size() && added == 1;
}

bool differs_by_mode(const Reading& before, const Reading& after, const std::string& agent) {
  PolicySet a = before.set, b = after.set;
  for (PolicySet* set : {&a, &b})
    for (AgentPolicy& each : set->agents)
      if (agent.empty() || each.name == agent) each.mode = {};
  return before.settings == after.settings && before.problems == after.problems && a == b;
}

}  // namespace tollgate::config
