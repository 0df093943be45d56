// The algebra of ceilings and host lists.
// Every pair of entries is met; what has no common tool falls away.
// INVARIANT: meeting never yields a tool that one side lacks.
#include "config/ceiling.h"

#include <algorithm>
#include <iterator>

#include "core/tool_table.h"

namespace tollgate::config {

ToolList tool_list(const Said<Words>& words, ConfigSource source, std::string from,
                   std::string_view agent, std::span<const ToolDeclaration> tools,
                   std::vector<Diagnostic>& out) {
  ToolList list;
  list.ceiling.chosen = true;
  list.ceiling.source = source;
  list.ceiling.where = words.where.file == "built-in" ? "" : place_name(words.where);
  list.ceiling.from = std::move(from);
  for (const Said<std::string>& word : words.value) {
    if (word.value.find('(') == std::string::npos) {
      Result<ToolPart> part =
          parse_tool_part(Verdict::kAllow, word.value, word.where, {.tools = tools});
      if (part)
        list.ceiling.entries.push_back({std::move(*part), word.value});
      else
        out.push_back({Severity::kError, std::move(part).error()});
      continue;
    }
    Result<Rule> rule = parse_rule(Verdict::kAllow, word.value, word.where, {.tools = tools});
    if (!rule) {
      out.push_back({Severity::kError, std::move(rule).error()});
      continue;
    }
    rule->source = source;
    rule->agent = agent;
    list.ceiling.entries.push_back({rule->tool, word.value});
    list.rules.push_back(std::move(*rule));
  }
  return list;
}

std::optional<ToolPart> meet(const ToolPart& a, const ToolPart& b) {
  if (a == b || b.kind == ToolPartKind::kAll) return a;
  if (a.kind == ToolPartKind::kAll) return b;
  if (a.kind == ToolPartKind::kKinds && b.kind == ToolPartKind::kKinds) {
    ToolPart both = a;
    both.kinds = a.kinds & b.kinds;
    if (both.kinds == 0) return std::nullopt;
    return both;
  }
  if (a.kind == ToolPartKind::kName && covers(b, a.name)) return a;
  if (b.kind == ToolPartKind::kName && covers(a, b.name)) return b;
  return std::nullopt;
}

namespace {

// What a ceiling was made of, so that a refusal can name the list that lacks the tool.
std::vector<CeilingList> lists_of(const Ceiling& ceiling) {
  if (!ceiling.lists.empty()) return ceiling.lists;
  return {{ceiling.entries, ceiling.source, ceiling.where, ceiling.from}};
}

}  // namespace

Ceiling meet(const Ceiling& trusted, const Ceiling& other) {
  Ceiling result = other;
  result.entries.clear();
  result.lists = lists_of(trusted);
  std::ranges::move(lists_of(other), std::back_inserter(result.lists));
  for (const CeilingEntry& mine : trusted.entries)
    for (const CeilingEntry& theirs : other.entries) {
      const std::optional<ToolPart> both = meet(mine.tool, theirs.tool);
      if (!both) continue;
      CeilingEntry entry{*both, *both == mine.tool ? mine.text : theirs.text};
      bool known = false;
      for (const CeilingEntry& each : result.entries) known = known || each == entry;
      if (!known) result.entries.push_back(std::move(entry));
    }
  return result;
}

namespace {

// True when every host that `narrow` stands for is one that `wide` stands for.
bool holds(std::string_view wide, std::string_view narrow) {
  if (wide == narrow) return true;
  if (!wide.starts_with("*.")) return false;
  if (narrow.starts_with("*.")) narrow.remove_prefix(1);
  return narrow.size() >= wide.size() - 1 && narrow.ends_with(wide.substr(1));
}

}  // namespace

std::vector<std::string> meet_hosts(const std::vector<std::string>& a,
                                    const std::vector<std::string>& b) {
  std::vector<std::string> result;
  const auto add = [&](const std::string& host) {
    for (const std::string& each : result)
      if (each == host) return;
    result.push_back(host);
  };
  for (const std::string& x : a)
    for (const std::string& y : b) {
      if (holds(x, y))
        add(y);
      else if (holds(y, x))
        add(x);
    }
  return result;
}

}  // namespace tollgate::config
