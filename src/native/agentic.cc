// The export. Everything the block has a default for is said, so that no default creeps in.
// SAFETY: what cannot be said is said more strictly, so that nothing is allowed by the variables
// that the policy does not allow; `left_out` says where they differ.
#include "native/agentic.h"

#include <algorithm>
#include <optional>

#include "base/shell_words.h"
#include "base/text.h"
#include "core/names.h"
#include "json/json.h"
#include "native/quote.h"
#include "policy/roles.h"

namespace tollgate::native {
namespace {

// The part as a word that is read back as the same part; several words where one does not do.
std::vector<std::string> words_of(const ToolPart& part) {
  switch (part.kind) {
    case ToolPartKind::kAll:
      return {"*"};
    case ToolPartKind::kServer:
      return {"@" + part.name};
    case ToolPartKind::kNamespace:
      return {part.name + "*"};
    case ToolPartKind::kName:
    case ToolPartKind::kGlob:
      return {part.name};
    case ToolPartKind::kKinds:
      break;
  }
  std::uint16_t left = part.kinds;
  std::vector<std::string> words;
  for (const std::string_view word : vocabulary()) {
    const std::uint16_t kinds = vocabulary_kinds(word).value_or(0);
    if (kinds == part.kinds) return {std::string(word)};
    if ((kinds & ~part.kinds) != 0 || (kinds & left) == 0) continue;
    left &= static_cast<std::uint16_t>(~kinds);
    words.emplace_back(word);
  }
  for (const std::string_view tool : canonical_tools())
    if ((left & kind_bit(kind_of(tool))) != 0) words.emplace_back(tool);
  return words;
}

// Whether a list with commas between holds the entry in one piece.
bool fits_in_list(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth < 0 || (c == ',' && depth == 0)) return false;
  }
  return depth == 0 && !trim(text).empty() && text == trim(text);
}

class Exporter {
 public:
  Exporter(const PolicySet& set, const AgentPolicy& agent) : set_(set), agent_(agent) {}

  Agentic run();

 private:
  void ceiling();
  void rule(const Rule& rule);
  void deny(const Rule& rule);
  void disallow(const Rule& rule);
  void paths();
  void network();
  void others();
  void leave_out(std::string what) { out_.left_out.push_back(std::move(what)); }
  void add(std::vector<std::string>& list, std::string text);
  void say(std::string_view variable, const std::vector<std::string>& list);
  bool counts(const Rule& rule) const;
  bool is_in_ceiling(const ToolPart& part) const;

  const PolicySet& set_;
  const AgentPolicy& agent_;
  Agentic out_;
  std::vector<std::string> allowed_, disallowed_, blocked_;
  std::vector<const Rule*> path_denies_;
  json::Value pairs_ = json::Value::array();
  bool has_default_paths_ = false;
  const bool is_plan_ = tighter(agent_.mode.value, agent_.mode_limit) == Mode::kPlan;
};

void Exporter::add(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

void Exporter::say(std::string_view variable, const std::vector<std::string>& list) {
  if (!list.empty()) out_.variables.emplace_back(variable, join(list, ","));
}

bool Exporter::counts(const Rule& rule) const {
  return rule.agent.empty() || rule.agent == agent_.name;
}

bool Exporter::is_in_ceiling(const ToolPart& part) const {
  return std::ranges::any_of(agent_.ceiling.entries, [&](const CeilingEntry& entry) {
    if (entry.tool == part || entry.tool.kind == ToolPartKind::kAll) return true;
    return part.kind == ToolPartKind::kName && covers(entry.tool, part.name);
  });
}

void Exporter::ceiling() {
  for (const CeilingEntry& entry : agent_.ceiling.entries)
    for (std::string& word : words_of(entry.tool)) add(allowed_, std::move(word));
  for (const std::string& server : agent_.servers) add(allowed_, "@" + server);
  if (allowed_.empty()) disallowed_.emplace_back("*");  // an empty list would be no list
  // Without a mode to say it in, what could change anything is taken away.
  if (is_plan_)
    for (const char* word : {"execute_bash", "fs_write", "subagent"}) add(disallowed_, word);
  if (!agent_.ceiling.chosen)
    leave_out("tools in no list are asked about; the variables deny them");
}

void Exporter::deny(const Rule& rule) {
  const bool shell = rule.specifier_kind == SpecifierKind::kShell &&
                     (rule.tool.name == "Bash" || rule.tool.name == "execute_bash");
  if (shell) {
    const std::size_t blank = rule.specifier.find(' ');
    const std::string rest = blank == std::string::npos ? "" : rule.specifier.substr(blank + 1);
    pairs_.push(json::Value::array(
        {json::Value::string(rule.specifier.substr(0, blank)), json::Value::string(rest)}));
    return;
  }
  if (rule.specifier_kind == SpecifierKind::kPath) {
    path_denies_.push_back(&rule);
    return;
  }
  disallow(rule);
}

// As it stands, or else its tool as a whole.
void Exporter::disallow(const Rule& rule) {
  std::string text = format_rule(rule);
  if (fits_in_list(text)) return add(disallowed_, std::move(text));
  leave_out("the pattern of " + rule.text + "; the variables deny the whole tool");
  for (std::string& word : words_of(rule.tool)) add(disallowed_, std::move(word));
}

// A path that reading and changing are both denied for is a blocked path; any other is a rule.
void Exporter::paths() {
  for (const Rule* rule : path_denies_) {
    const bool read = rule->tool.name == "Read", edit = rule->tool.name == "Edit";
    const bool both = std::ranges::any_of(path_denies_, [&](const Rule* other) {
      return other->specifier == rule->specifier &&
             ((read && other->tool.name == "Edit") || (edit && other->tool.name == "Read"));
    });
    const bool anchored = rule->specifier.starts_with("//") || !rule->specifier.starts_with('/');
    if (both && anchored && !has_default_paths_ && fits_in_list(rule->specifier))
      add(blocked_, rule->specifier);
    else
      disallow(*rule);
  }
  if (!has_default_paths_ && blocked_.empty())
    leave_out("the default blocked paths are lifted; the variables keep them");
}

void Exporter::rule(const Rule& rule) {
  if (!counts(rule)) return;
  if (rule.source == ConfigSource::kDefault && rule.specifier_kind == SpecifierKind::kPath &&
      rule.agent.empty()) {
    has_default_paths_ = has_default_paths_ || agent_.default_paths;
    return;
  }
  const bool timed = rule.hours || rule.expires != 0;
  // A deny that holds at times only is said for all times.
  if (rule.verdict == Verdict::kDeny) {
    if (timed) leave_out("the hours of deny " + rule.text + "; it holds at all times");
    return deny(rule);
  }
  if (rule.verdict == Verdict::kAsk) {
    leave_out("ask " + rule.text + "; the variables deny it");
    return deny(rule);
  }
  const std::string text = format_rule(rule);
  const bool said = !timed && !is_plan_ && rule.specifier_kind != SpecifierKind::kNone &&
                    rule.specifier_kind != SpecifierKind::kTemplate && is_in_ceiling(rule.tool) &&
                    fits_in_list(text);
  if (said) return add(allowed_, text);
  leave_out("allow " + rule.text + "; the variables ask");
}

void Exporter::network() {
  out_.variables.emplace_back("AGENTIC_ALLOW_NETWORK", agent_.network.allowed ? "true" : "false");
  if (agent_.network.limited && !agent_.network.hosts.empty()) {
    say("AGENTIC_ALLOWED_HOSTS", agent_.network.hosts);
    if (agent_.network.outside_asks)
      leave_out("hosts outside allowedHosts are asked about; the variables deny them");
  } else if (agent_.network.limited) {
    out_.variables.back().second = "false";
  } else if (agent_.network.allowed) {
    // Unset would be a list of hosts that may be reached unasked.
    say("AGENTIC_ALLOWED_HOSTS", {"none.invalid"});
    leave_out("hosts are asked about; the variables deny them all");
  }
}

void Exporter::others() {
  if (agent_.mode.value != Mode::kDefault)
    leave_out("mode " + std::string(name(agent_.mode.value)));
  if (agent_.answer.value != Answerer::kAsk)
    leave_out("answer " + std::string(name(agent_.answer.value)));
  if (!set_.tools.empty()) leave_out("declared tools");
}

Agentic Exporter::run() {
  ceiling();
  for (const Rule& each : set_.rules) rule(each);
  paths();
  say("AGENTIC_ALLOWED_TOOLS", allowed_);
  say("AGENTIC_DISALLOWED_TOOLS", disallowed_);
  out_.variables.emplace_back("AGENTIC_BLOCKED_BASH", json::write(pairs_));
  say("AGENTIC_BLOCKED_PATHS", blocked_);
  network();
  others();
  return std::move(out_);
}

}  // namespace

Agentic agentic_export(const PolicySet& set, const AgentPolicy& agent) {
  return Exporter(set, agent).run();
}

std::string agentic_text(const Agentic& exported) {
  std::string text;
  for (const auto& [variable, value] : exported.variables)
    text += "export " + variable + "=" + shell_word(value) + "\n";
  return text;
}

json::Value agentic_json(const Agentic& exported) {
  json::Value variables = json::Value::object();
  for (const auto& [variable, value] : exported.variables)
    variables.set(variable, json::Value::string(value));
  return json::Value::object(
      {{"environment", std::move(variables)}, {"leftOut", texts(exported.left_out)}});
}

}  // namespace tollgate::native
