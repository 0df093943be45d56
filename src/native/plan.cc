// Reading the policy once for all clients.
#include "native/plan.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "policy/glob.h"
#include "policy/roles.h"

namespace tollgate::native {
namespace {

constexpr std::uint16_t kShells = kind_bit(ToolKind::kShell) | kind_bit(ToolKind::kShellInput);
constexpr std::uint16_t kReads = kind_bit(ToolKind::kRead) | kind_bit(ToolKind::kList);

std::uint16_t family(ToolKind kind) {
  if (kind == ToolKind::kShell || kind == ToolKind::kShellInput) return kShells;
  if (kind == ToolKind::kRead || kind == ToolKind::kList) return kReads;
  return kind_bit(kind);
}

// The kinds of built-in tool that a tool part speaks of.
std::uint16_t kinds_of(const ToolPart& part) {
  if (part.kind == ToolPartKind::kAll) return 0xffff;
  if (part.kind == ToolPartKind::kKinds) return part.kinds;
  if (part.kind != ToolPartKind::kName) return 0;
  const ToolKind kind = kind_of(part.name);
  const bool own = kind == ToolKind::kMcp || kind == ToolKind::kApp || kind == ToolKind::kOther ||
                   kind == ToolKind::kHelper || kind == ToolKind::kPerson;
  return own ? std::uint16_t{0} : kind_bit(kind);
}

// Programs whose further words are names of targets or tests, and nothing that they run or touch
// by themselves. "" as a subcommand: the program takes such words at once.
struct PlainRow {
  std::string_view program;
  std::string_view subcommand;
};
constexpr PlainRow kPlainPrograms[] = {
    {"npm", "run"},     {"npm", "test"},    {"pnpm", "run"}, {"pnpm", "test"},  {"yarn", "run"},
    {"yarn", "test"},   {"make", ""},       {"ninja", ""},   {"cargo", "test"}, {"cargo", "build"},
    {"cargo", "check"}, {"cargo", "bench"}, {"go", "test"},  {"go", "build"},   {"go", "vet"},
    {"just", ""},       {"rake", ""},       {"ctest", ""},
};

bool is_plain_program(const std::vector<std::string>& words) {
  for (const PlainRow& row : kPlainPrograms)
    if (words[0] == row.program &&
        (row.subcommand.empty() || (words.size() > 1 && words[1] == row.subcommand)))
      return true;
  return false;
}

bool is_plain_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || c == '=' || c == '@' || c == '/' || c == '+' ||
         c == ',';
}

bool is_plain_word(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, is_plain_character);
}

// Words that a plain tail could be, chosen for what programs could make of them.
constexpr std::string_view kTailProbes[] = {"x", "x y", "id_rsa", "credentials", "sh", "a:b"};

}  // namespace

std::string PlainCommand::text() const { return join(words, " "); }
std::string CommandPattern::text() const { return join(words, " "); }

Plan::Plan(const Client& client, const Request& request) : request_(request) {
  collect_rules();
  judge_tools(client.provider);
  judge_servers();
  find_plain();
}

void Plan::collect_rules() {
  for (const Rule& rule : request_.set.rules) {
    if (!rule.agent.empty() && rule.agent != agent().name) continue;
    if (!agent().default_paths && rule.agent.empty() && rule.source == ConfigSource::kDefault &&
        rule.specifier_kind == SpecifierKind::kPath)
      continue;  // the agent's own block names the paths
    rules_.push_back(&rule);
  }
}

bool Plan::touches(const Rule& rule, std::string_view canonical, ToolKind kind) const {
  return covers(rule.tool, canonical, kind) || (kinds_of(rule.tool) & family(kind)) != 0;
}

bool Plan::is_whole(const Rule& rule) const {
  return rule.specifier_kind == SpecifierKind::kNone && !is_timed(rule);
}

bool Plan::is_inside(std::string_view canonical, ToolKind kind) const {
  for (const CeilingEntry& entry : agent().ceiling.entries)
    if (covers(entry.tool, canonical, kind)) return true;
  if (kind == ToolKind::kMcp &&
      std::ranges::find(agent().servers, mcp_name(canonical).server) != agent().servers.end())
    return true;
  // Where nobody chose a list, what no list can know is asked about.
  const bool unlisted =
      kind == ToolKind::kMcp || kind == ToolKind::kApp || kind == ToolKind::kOther;
  return unlisted && !agent().ceiling.chosen;
}

bool Plan::is_allowed_bare(std::string_view canonical, ToolKind kind) const {
  if (agent().mode.value == Mode::kPlan || agent().mode_limit == Mode::kPlan) return false;
  return std::ranges::any_of(rules_, [&](const Rule* rule) {
    return rule->verdict == Verdict::kAllow && is_whole(*rule) &&
           rule->tool.kind != ToolPartKind::kAll && covers(rule->tool, canonical, kind);
  });
}

ToolLine Plan::judge(std::string native, std::string canonical) const {
  ToolLine line{.native = std::move(native),
                .canonical = std::move(canonical),
                .kind = ToolKind::kOther,
                .standing = Standing::kJudged,
                .why = {}};
  line.kind = kind_of(line.canonical);
  const auto say = [&](Standing standing, std::string why) {
    line.standing = standing;
    line.why = std::move(why);
    return line;
  };
  if (request_.set.broken) return say(Standing::kDenied, "the configuration is broken");
  if (!is_inside(line.canonical, line.kind))
    return say(Standing::kDenied, "outside " + agent().ceiling.from);
  bool tight = false;
  for (const Rule* rule : rules_) {
    if (rule->verdict == Verdict::kAllow || !touches(*rule, line.canonical, line.kind)) continue;
    if (rule->verdict == Verdict::kDeny && is_whole(*rule))
      return say(Standing::kDenied, "denied by " + rule->text);
    tight = true;
  }
  const bool web = line.kind == ToolKind::kFetch || line.kind == ToolKind::kSearch;
  if (web && !agent().network.allowed) return say(Standing::kDenied, "allowNetwork is false");
  if (tight) return say(Standing::kJudged, "rules speak of it");
  if (line.kind == ToolKind::kHelper) return say(Standing::kOpen, "has no effects");
  const bool own = line.kind == ToolKind::kMcp && mcp_name(line.canonical).server == kOwnServer;
  const bool declared = std::ranges::any_of(
      request_.set.tools, [&](const ToolDeclaration& tool) { return tool.name == line.canonical; });
  if ((line.kind == ToolKind::kMcp || line.kind == ToolKind::kAgent) && !own && !declared &&
      is_allowed_bare(line.canonical, line.kind))
    return say(Standing::kOpen, "allowed whatever its input is");
  return say(Standing::kJudged, "its input decides");
}

void Plan::judge_tools(std::string_view provider) {
  for (const ToolRow& row : tool_rows())
    if (row.provider == provider)
      tools_.push_back(judge(std::string(row.native), std::string(row.canonical)));
}

// Names of MCP tools and servers that anybody wrote down for this agent.
void Plan::judge_servers() {
  std::vector<std::string> tools, servers = agent().servers;
  const auto note = [](std::vector<std::string>& list, const std::string& text) {
    if (std::ranges::find(list, text) == list.end()) list.push_back(text);
  };
  const auto read = [&](const ToolPart& part) {
    if (part.kind == ToolPartKind::kServer) note(servers, part.name);
    if (part.kind != ToolPartKind::kName || kind_of(part.name) != ToolKind::kMcp) return;
    note(tools, part.name);
    note(servers, std::string(mcp_name(part.name).server));
  };
  for (const Rule* rule : rules_) read(rule->tool);
  for (const CeilingEntry& entry : agent().ceiling.entries) read(entry.tool);
  std::erase(servers, std::string(kOwnServer));
  for (const std::string& tool : tools) {
    if (mcp_name(tool).server == kOwnServer) continue;
    mcp_tools_.push_back(judge(tool, tool));
  }
  // A server as a whole stands as a tool of it that nobody named would.
  for (const std::string& server : servers) {
    ToolLine line = judge(server, "mcp__" + server + "__\x01");
    line.canonical = "mcp__" + server;
    // Of a server that is open as a whole every tool is, also those that rules speak of, and those
    // that a pattern in the middle of names may mean.
    const bool tight = std::ranges::any_of(rules_, [&](const Rule* rule) {
      if (rule->verdict == Verdict::kAllow) return false;
      return rule->tool.kind == ToolPartKind::kGlob || mcp_name(rule->tool.name).server == server;
    });
    if (tight && line.standing == Standing::kOpen) line.standing = Standing::kJudged;
    servers_.push_back(std::move(line));
  }
}

Standing Plan::standing(std::string_view canonical) const {
  return judge(std::string(canonical), std::string(canonical)).standing;
}

Standing Plan::standing_of_kind(ToolKind kind) const {
  Standing loosest = Standing::kDenied;
  for (const ToolLine& line : tools_)
    if (line.kind == kind) loosest = std::max(loosest, line.standing);
  return loosest;
}

bool Plan::everything_inside() const {
  return std::ranges::any_of(agent().ceiling.entries, [](const CeilingEntry& entry) {
    return entry.tool.kind == ToolPartKind::kAll;
  });
}

bool Plan::has_path_rules() const {
  return std::ranges::any_of(rules_, [](const Rule* rule) {
    return rule->verdict != Verdict::kAllow && rule->specifier_kind == SpecifierKind::kPath &&
           rule->source != ConfigSource::kDefault;
  });
}

bool Plan::reads_are_quiet() const {
  const bool inside = standing("Read") == Standing::kJudged;
  const bool wide = request_.root.empty() || tollgate::is_inside(request_.home, request_.root);
  return inside && !wide && std::ranges::none_of(rules_, [&](const Rule* rule) {
           if (rule->verdict == Verdict::kAllow || rule->source == ConfigSource::kDefault)
             return false;
           if (!touches(*rule, "Read", ToolKind::kRead) && !touches(*rule, "Grep", ToolKind::kList))
             return false;
           return !path_of(*rule);
         });
}

std::optional<CommandPattern> Plan::command_of(const Rule& rule) const {
  if (rule.specifier_kind != SpecifierKind::kShell) return std::nullopt;
  CommandPattern pattern;
  std::string_view text = rule.specifier;
  if (ends_open(text)) {
    pattern.open = true;
    text.remove_suffix(2);
  }
  for (const std::string_view word : split(text, ' ')) {
    if (!is_plain_word(word)) return std::nullopt;
    pattern.words.emplace_back(word);
  }
  if (pattern.words.empty()) return std::nullopt;
  return pattern;
}

std::optional<HeldPath> Plan::path_of(const Rule& rule) const {
  if (rule.specifier_kind != SpecifierKind::kPath || is_timed(rule)) return std::nullopt;
  const PathPattern read = path_pattern(rule.specifier);
  for (const char c : read.pattern)
    if (!is_plain_character(c) && c != '*') return std::nullopt;
  if (read.pattern.empty() || read.pattern == "**") return std::nullopt;
  HeldPath held{
      .pattern = std::string(read.pattern), .anchor = read.anchor, .floating = read.floating};
  held.reads = (kinds_of(rule.tool) & kReads) != 0;
  held.writes = (kinds_of(rule.tool) & kind_bit(ToolKind::kEdit)) != 0;
  if (!held.reads && !held.writes) return std::nullopt;
  return held;
}

bool Plan::holds_by_tools(const Rule& rule) const {
  const auto refused = [&](const ToolLine& line) {
    return !touches(rule, line.canonical, line.kind) || line.standing == Standing::kDenied;
  };
  // Shell commands touch paths and reach hosts as well.
  const bool family_rule = rule.specifier_kind == SpecifierKind::kPath ||
                           rule.specifier_kind == SpecifierKind::kHost ||
                           rule.specifier_kind == SpecifierKind::kUrl;
  if (family_rule && standing("Bash") != Standing::kDenied) return false;
  if (rule.specifier_kind == SpecifierKind::kNone && (kinds_of(rule.tool) & ~kShells) != 0 &&
      standing("Bash") != Standing::kDenied)
    return false;
  if (rule.tool.kind == ToolPartKind::kAll || rule.tool.kind == ToolPartKind::kGlob) {
    return is_whole(rule) && rule.tool.kind == ToolPartKind::kAll;
  }
  return std::ranges::all_of(tools_, refused) && std::ranges::all_of(mcp_tools_, refused);
}

bool Plan::opens(const Rule& rule, const std::vector<ToolLine>& lines) const {
  return is_whole(rule) && std::ranges::any_of(lines, [&](const ToolLine& line) {
           return line.standing == Standing::kOpen && covers(rule.tool, line.canonical, line.kind);
         });
}

bool Plan::stands_apart(const ToolLine& server) const {
  return std::ranges::any_of(mcp_tools_, [&](const ToolLine& tool) {
    return tool.canonical.starts_with(server.canonical + "__") && tool.standing > server.standing;
  });
}

std::vector<HeldCommand> Plan::commands(Verdict verdict) const {
  std::vector<HeldCommand> held;
  for (const Rule* rule : rules_) {
    if (rule->verdict != verdict || is_timed(*rule)) continue;
    std::optional<CommandPattern> pattern = command_of(*rule);
    if (pattern && touches(*rule, "Bash", ToolKind::kShell))
      held.push_back({rule, std::move(*pattern)});
  }
  return held;
}

bool Plan::has_tight_shell(std::string_view program) const {
  return std::ranges::any_of(rules_, [&](const Rule* rule) {
    if (rule->verdict == Verdict::kAllow) return false;
    if (rule->specifier_kind == SpecifierKind::kNone)
      return touches(*rule, "Bash", ToolKind::kShell);
    if (rule->specifier_kind != SpecifierKind::kShell) return false;
    const std::string_view word =
        std::string_view(rule->specifier).substr(0, rule->specifier.find(' '));
    return has_star(word) || base_name(word) == program;
  });
}

std::optional<PlainCommand> Plan::plain_of(const Rule& rule) const {
  if (rule.verdict != Verdict::kAllow || is_timed(rule) || !request_.probe) return std::nullopt;
  const std::optional<CommandPattern> pattern = command_of(rule);
  if (!pattern || !touches(rule, "Bash", ToolKind::kShell)) return std::nullopt;
  PlainCommand plain{.words = pattern->words, .open = pattern->open, .rule = &rule};
  const auto allowed = [&](const std::string& text) {
    const Probe probe = request_.probe(text);
    return probe.verdict == Verdict::kAllow && !probe.touches_paths;
  };
  if (plain.words[0].find('/') != std::string::npos) return std::nullopt;
  if (has_tight_shell(plain.words[0]) || !allowed(plain.text())) return std::nullopt;
  if (!plain.open) return plain;
  bool tails = is_plain_program(plain.words);
  for (const std::string_view tail : kTailProbes)
    tails = tails && allowed(plain.text() + " " + std::string(tail));
  plain.open = tails;
  return plain;
}

void Plan::find_plain() {
  if (standing("Bash") != Standing::kJudged) return;
  for (const Rule* rule : rules_)
    if (std::optional<PlainCommand> plain = plain_of(*rule)) plain_.push_back(std::move(*plain));
}

}  // namespace tollgate::native
