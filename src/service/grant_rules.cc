// Three gates for a grant: what the rule names, where it holds, and whether it settles its own
// call.
#include "service/grant_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/path.h"
#include "core/wrappers.h"
#include "gate/judge.h"
#include "policy/glob.h"
#include "policy/match.h"
#include "policy/path_pattern.h"
#include "service/grant_programs.h"

namespace tollgate {
namespace {

std::unexpected<Error> refused(std::string message, std::string hint) {
  return Fail({.code = "grant-refused",
               .message = std::move(message),
               .hint = std::move(hint),
               .where = {}});
}

constexpr std::string_view kOnceOrFile =
    "allow this one call, or write the rule into the policy by hand";

// ---- what the rule names ----

// `python3.11` is python.
std::string_view without_version(std::string_view program) {
  const std::size_t end = program.find_last_not_of("0123456789.-");
  return end == program.npos ? program : program.substr(0, end + 1);
}

struct ShellWords {
  std::vector<std::string_view> all;  // escapes kept
  std::string program;                // its name, "" where a star stands in it
};

// REQUIRES: a rule for commands.
ShellWords shell_words(const Rule& rule) {
  ShellWords words{.all = all_words(rule.specifier), .program = {}};
  if (!words.all.empty() && !has_star(words.all[0]))
    words.program = base_name(unescaped(words.all[0]));
  return words;
}

std::string why_no_verb(const ShellWords& words) {
  for (const RunningVerbs& row : kRunningVerbs) {
    if (row.program != words.program || words.all.size() < 2) continue;
    const std::string_view verb = words.all[1];
    const std::string padded = " " + std::string(row.verbs) + " ";
    if (has_star(verb) || padded.find(" " + std::string(verb) + " ") != padded.npos)
      return "`" + words.program + " " + std::string(verb) + "` runs whatever it is told";
  }
  return "";
}

std::string why_no_command(const Rule& rule) {
  const ShellWords words = shell_words(rule);
  if (words.program.empty()) return "a star stands for the program";
  const std::string_view plain = without_version(words.program);
  for (const std::string_view name : {std::string_view(words.program), plain}) {
    if (kInterpreters.has(name)) return "`" + words.program + "` runs whatever text it is given";
    if (is_wrapper(name) || kMoreWrappers.has(name))
      return "`" + words.program + "` runs whatever command it is given";
  }
  if (std::string why = why_no_verb(words); !why.empty()) return why;
  if (words.all.size() > 1 && has_star(words.all[1]) && kNoStarBehind.has(words.program))
    return "`" + words.program + "` with a star behind it does far more than it says";
  return "";
}

bool does_shell(const ToolPart& part, std::span<const ToolDeclaration> tools) {
  constexpr std::uint16_t kShells = kind_bit(ToolKind::kShell) | kind_bit(ToolKind::kShellInput);
  if ((kinds_named_by(part) & kShells) != 0) return true;
  const auto runs = [&](const ToolDeclaration& tool) {
    return tool.does == Does::kShell && covers(part, tool.name);
  };
  return std::ranges::any_of(tools, runs) || std::ranges::any_of(built_in_declarations(), runs);
}

// Why no grant may say this, in words; "" when one may.
std::string why_never(const Rule& rule, std::span<const ToolDeclaration> tools) {
  switch (rule.tool.kind) {
    case ToolPartKind::kAll:
      return "it is for every tool there is";
    case ToolPartKind::kKinds:
      if (rule.specifier_kind == SpecifierKind::kNone) return "it is for a whole family of tools";
      break;
    case ToolPartKind::kGlob:
      return "a star stands for the tool";
    default:
      break;
  }
  if (rule.specifier_kind == SpecifierKind::kShell) return why_no_command(rule);
  if (does_shell(rule.tool, tools)) return "it allows every command";
  if (kinds_named_by(rule.tool) & kind_bit(ToolKind::kPerson)) return "it is a person's to answer";
  return "";
}

Result<Rule> named_rule(std::string_view text, std::span<const ToolDeclaration> tools) {
  Result<Rule> rule = parse_rule(Verdict::kAllow, text, {}, {.tools = tools});
  if (!rule)
    return refused("`" + std::string(text) + "` is no allow rule: " + rule.error().message,
                   rule.error().hint);
  if (const std::string why = why_never(*rule, tools); !why.empty())
    return refused("`" + std::string(text) + "` cannot be granted: " + why,
                   std::string(kOnceOrFile));
  rule->source = ConfigSource::kGrant;
  return rule;
}

// ---- where it holds ----

bool is_relative(std::string_view path) {
  return !path.empty() && path[0] != '/' && path[0] != '~' && path.find("://") == path.npos;
}

// Whether a word of the rule is one that the call uses as the name of a file, relative to where it
// stands.
bool names_relative_file(const std::vector<std::string_view>& words, const Effects& effects) {
  for (const Effect& effect : effects) {
    if (!is_path_kind(effect.kind) || effect.owner >= effects.size() || is_repository(effect))
      continue;
    for (const Word& word : effects[effect.owner].argv)
      if (word.span == effect.span && is_relative(word.text) &&
          std::ranges::find(words, escape_shell_word(word.text)) != words.end())
        return true;
  }
  return false;
}

bool is_bound_command(const Rule& rule, const Effects& effects) {
  const ShellWords words = shell_words(rule);
  if (kBuildRunners.has(words.program)) return true;
  const auto has_relative_slash = [](std::string_view word) {
    const std::string_view value =
        word.starts_with('-') ? word.substr(std::min(word.find('=') + 1, word.size())) : word;
    return is_relative(value) && !value.starts_with('-') &&
           (value.find('/') != value.npos || value == "." || value == "..");
  };
  return std::ranges::any_of(words.all, has_relative_slash) ||
         names_relative_file(words.all, effects);
}

// Whether the rule means something else in another workspace.
bool is_bound(const Rule& rule, const Effects& effects) {
  if (rule.specifier_kind == SpecifierKind::kShell) return is_bound_command(rule, effects);
  if (rule.specifier_kind == SpecifierKind::kPath) {
    const Anchor anchor = path_pattern(rule.specifier).anchor;
    return anchor == Anchor::kRoots || anchor == Anchor::kBase;
  }
  constexpr std::uint16_t kFiles =
      kind_bit(ToolKind::kRead) | kind_bit(ToolKind::kList) | kind_bit(ToolKind::kEdit);
  return (kinds_named_by(rule.tool) & kFiles) != 0;
}

// The root that the call lies in: by its directory for a command, by the session's for a path.
std::optional<std::string> root_of(const Rule& rule, const Situation& situation) {
  const Place& place =
      rule.specifier_kind == SpecifierKind::kShell ? situation.cwd : situation.base;
  for (const Place& root : situation.roots)
    if (!root.real.empty() && (place.real == root.real || is_inside(place.real, root.real)))
      return root.real;
  return std::nullopt;
}

// ---- whether it settles its own call ----

// The world as it was when the call was asked about.
class RecordedWorld : public World {
 public:
  explicit RecordedWorld(const AuditRecord& record) : record_(record) {}

  Situation look(const ToolCall&, const Effects& effects, const LookPlan&) override {
    Situation out = record_.situation;
    // SAFETY: what was seen for another effect is not taken for this one.
    if (effects != record_.effects) out.paths.assign(effects.size(), {});
    return out;
  }

 private:
  const AuditRecord& record_;
};

Decision replayed(const Granted& grant, const AuditRecord& asked, const Level& level) {
  Level with = level;
  Grants grants = {grant};
  if (level.options.decide.grants != nullptr)
    grants.insert(grants.end(), level.options.decide.grants->begin(),
                  level.options.decide.grants->end());
  with.options.decide.grants = std::make_shared<const Grants>(std::move(grants));
  with.options.decide.detail = Detail::kVerdict;
  with.options.plan.other_home.clear();  // nobody looked there for the record
  RecordedWorld world(asked);
  return judge_at(with, with, world, asked.call).decision;
}

bool is_by(const Decision& decision, const Granted& grant) {
  return decision.verdict == Verdict::kAllow &&
         std::ranges::any_of(decision.reasons, [&](const Reason& reason) {
           return reason.kind == ReasonKind::kGrant && reason.rule == grant.rule.text;
         });
}

std::unexpected<Error> unsettled(const Granted& grant, const Decision& decision) {
  const bool open = decision.verdict == Verdict::kAllow || decision.reasons.empty() ||
                    std::ranges::any_of(decision.reasons, [](const Reason& reason) {
                      return reason.kind == ReasonKind::kDefault;
                    });
  if (open)
    return refused("`" + grant.rule.text + "` does not cover the call that it is given for",
                   "leave the rule out to grant exactly the call, or allow it once");
  return refused("no grant can settle this: " + decision.reasons[0].text,
                 "allow this one call; only the policy can say otherwise");
}

// The rule that says exactly the call; "" when no single rule does.
std::string exact_rule(const AuditRecord& asked, const Level& level) {
  if (level.policy == nullptr) return "";
  ToolCall call = asked.call;
  call.agent = level.agent;
  std::vector<std::string> rules =
      suggest(*level.policy, call, asked.effects, asked.situation, level.options.decide);
  return rules.empty() ? "" : std::move(rules.front());
}

}  // namespace

Result<Granted> grant_of(std::string_view text, const AuditRecord& asked, const Level& level) {
  const std::string exact = text.empty() ? exact_rule(asked, level) : "";
  if (text.empty() && exact.empty())
    return refused("no single rule that may be granted says this call",
                   "allow this one call, or name the rule that is meant");
  const Policy none;
  const Policy& policy = level.policy == nullptr ? none : *level.policy;
  Result<Rule> rule = named_rule(text.empty() ? exact : text, policy.tools());
  if (!rule) return Fail(std::move(rule).error());
  Granted grant{.rule = std::move(*rule), .id = {}, .root = {}};
  if (is_bound(grant.rule, asked.effects)) {
    std::optional<std::string> root = root_of(grant.rule, asked.situation);
    if (!root)
      return refused("`" + grant.rule.text + "` holds in one workspace, and the call is in none",
                     std::string(kOnceOrFile));
    grant.root = std::move(*root);
  }
  const Decision decision = replayed(grant, asked, level);
  if (!is_by(decision, grant)) return unsettled(grant, decision);
  return grant;
}

std::vector<std::string> grantable(const AuditRecord& asked, const Level& level) {
  std::vector<std::string> out;
  for (const std::string& rule : asked.decision.suggestions)
    if (grant_of(rule, asked, level)) out.push_back(rule);
  return out;
}

Result<Granted> kept_grant(std::string_view text, std::string id, std::string root,
                           std::span<const ToolDeclaration> tools) {
  Result<Rule> rule = named_rule(text, tools);
  if (!rule) return Fail(std::move(rule).error());
  return Granted{.rule = std::move(*rule), .id = std::move(id), .root = std::move(root)};
}

std::vector<std::size_t> preview(const Granted& grant, std::span<const AuditRecord> rows,
                                 std::span<const ToolDeclaration> tools) {
  PolicySet set = built_in_policy();
  set.tools.assign(tools.begin(), tools.end());
  const Policy policy = compile(set);
  DecideOptions options;
  options.grants = std::make_shared<const Grants>(1, grant);
  std::vector<std::size_t> covered;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ToolCall call = rows[i].call;
    call.agent.clear();
    call.client_mode.clear();
    if (is_by(decide(policy, call, rows[i].effects, rows[i].situation, options), grant))
      covered.push_back(i);
  }
  return covered;
}

}  // namespace tollgate
