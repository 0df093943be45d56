// Linear in the number of rules: each is looked up once, by its own text and the shorter texts
// that would cover it.
#include "policy/lint.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "policy/glob.h"
#include "policy/match.h"
#include "policy/path_pattern.h"

namespace tollgate {
namespace {

Diagnostic warning(const Rule& rule, std::string code, std::string message, std::string hint) {
  return {Severity::kWarning,
          {.code = std::move(code),
           .message = std::move(message),
           .hint = std::move(hint),
           .where = rule.where}};
}

struct Broad {
  std::string_view program;
  std::string_view why;
};

constexpr std::string_view kRunsText = "runs whatever text it is given";
constexpr std::string_view kRunsCommand = "runs whatever command it is given";
constexpr Broad kBroad[] = {
    {"bash", kRunsText},      {"sh", kRunsText},        {"zsh", kRunsText},
    {"dash", kRunsText},      {"fish", kRunsText},      {"ksh", kRunsText},
    {"eval", kRunsText},      {"python", kRunsText},    {"python3", kRunsText},
    {"node", kRunsText},      {"perl", kRunsText},      {"ruby", kRunsText},
    {"php", kRunsText},       {"lua", kRunsText},       {"deno", kRunsText},
    {"bun", kRunsText},       {"awk", kRunsText},       {"osascript", kRunsText},
    {"pwsh", kRunsText},      {"powershell", kRunsText},{"source", kRunsText},
    {"env", kRunsCommand},    {"sudo", "runs whatever command it is given as another user"},
    {"doas", "runs whatever command it is given as another user"},
    {"su", "runs whatever command it is given as another user"},
    {"xargs", kRunsCommand},  {"nohup", kRunsCommand},  {"time", kRunsCommand},
    {"timeout", kRunsCommand},{"nice", kRunsCommand},   {"setsid", kRunsCommand},
    {"watch", kRunsCommand},  {"exec", kRunsCommand},   {"command", kRunsCommand},
    {"parallel", kRunsCommand}, {"find", "deletes and runs commands with -delete and -exec"},
    {"ssh", "runs whatever command it is given on another host"},
    {"docker", "can mount and change any path of the host"},
    {"podman", "can mount and change any path of the user"},
    {"kubectl", "changes whole clusters"},
    {"npx", "fetches and runs any package"},  {"uvx", "fetches and runs any package"},
    {"curl", "sends any file to any host"},   {"wget", "writes what any host sends"},
    {"rm", "deletes anything in the roots"},  {"dd", "writes any device or file"},
    {"chmod", "changes rights of anything in the roots"},
};

const Broad* broad_program(std::string_view specifier) {
  const std::size_t blank = specifier.find(' ');
  const std::string_view program = specifier.substr(0, blank);
  const bool anything = blank == specifier.npos || specifier.substr(blank) == " *" ||
                        specifier.substr(blank) == " -c *" || specifier.substr(blank) == " -e *";
  // Without arguments an interpreter reads standard input, which is text all the same.
  if (!anything) return nullptr;
  for (const Broad& broad : kBroad)
    if (broad.program == program || std::string(broad.program) + "*" == program) return &broad;
  return nullptr;
}

void check_broad(const Rule& rule, std::vector<Diagnostic>& out) {
  if (rule.verdict != Verdict::kAllow) return;
  const std::string shown = "`" + rule.text + "`";
  if (rule.tool.kind == ToolPartKind::kAll) {
    out.push_back(warning(rule, "broad-rule", shown + " allows every tool there is",
                          "name the tools, or set `mode: autonomous`, which keeps ask rules"));
    return;
  }
  if (rule.specifier_kind == SpecifierKind::kNone) {
    const bool shell = rule.tool.name == "Bash" || rule.tool.name == "execute_bash";
    if (shell)
      out.push_back(warning(rule, "broad-rule", shown + " allows every command",
                            "name the programs: Bash(npm run *), Bash(git commit *)"));
    return;
  }
  if (rule.specifier_kind != SpecifierKind::kShell) return;
  if (has_star(rule.specifier.substr(0, rule.specifier.find(' ')))) {
    const Broad* broad = broad_program(rule.specifier);
    out.push_back(warning(
        rule, "broad-rule",
        shown + (broad ? " matches " + std::string(broad->program) + ", which " +
                             std::string(broad->why)
                       : " leaves the program open, so it allows only what is read-only anyway"),
        "spell the program, and put the star behind a blank"));
    return;
  }
  if (const Broad* broad = broad_program(rule.specifier))
    out.push_back(warning(rule, "broad-rule",
                          shown + " is dangerously broad: " + std::string(broad->program) + " " +
                              std::string(broad->why),
                          "spell the subcommand or script that is wanted"));
}

void check_tool(const Rule& rule, std::vector<Diagnostic>& out) {
  if (rule.tool.kind != ToolPartKind::kName || kind_of(rule.tool.name) != ToolKind::kOther) return;
  if (tool_row("", rule.tool.name) != nullptr) return;
  out.push_back(warning(rule, "unlisted-tool",
                        "`" + rule.tool.name + "` is in no client's table of tools",
                        "it is matched by exactly this name; `tollgate tools` lists the known ones"));
}

constexpr std::string_view kTopLevel[] = {"bin",  "boot", "dev", "etc",  "home", "lib", "mnt", "opt",
                                          "proc", "root", "run", "sbin", "srv",  "sys", "tmp", "usr",
                                          "var",  "Users"};

void check_anchor(const Rule& rule, std::vector<Diagnostic>& out) {
  if (rule.specifier_kind != SpecifierKind::kPath) return;
  const PathPattern path = path_pattern(rule.specifier);
  if (path.anchor != Anchor::kRoots) return;
  const std::string_view first = path.pattern.substr(0, path.pattern.find('/'));
  if (std::ranges::find(kTopLevel, first) == std::end(kTopLevel)) return;
  out.push_back(warning(rule, "root-anchor",
                        "`" + rule.specifier + "` means `" + std::string(path.pattern) +
                            "` below each workspace root",
                        "for the file system's root write `/" + rule.specifier + "`"));
}

// Finds rules that add nothing, by looking up the texts that would cover them.
class Shadows {
 public:
  explicit Shadows(const std::vector<Rule>& rules) : rules_(rules) {
    by_text_.reserve(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (conditional(rules[i])) continue;
      by_text_.try_emplace(identity(rules[i], rules[i].specifier), i);
    }
  }

  // A rule of a stricter list that speaks of every call this one speaks of.
  const Rule* overruled_by(std::size_t index) const {
    Rule stricter = rules_[index];
    for (const Verdict verdict : {Verdict::kAsk, Verdict::kDeny}) {
      if (verdict <= rules_[index].verdict) continue;
      stricter.verdict = verdict;
      if (const Rule* found = find(identity(stricter, stricter.specifier), index)) return found;
      if (const Rule* bare = find(identity(stricter, ""), index)) return bare;
    }
    return nullptr;
  }

  const Rule* shadow_of(std::size_t index) const {
    const Rule& rule = rules_[index];
    if (const Rule* found = find(identity(rule, rule.specifier), index)) return found;
    if (rule.specifier_kind == SpecifierKind::kNone) return nullptr;
    if (const Rule* bare = find(identity(rule, ""), index)) return bare;
    if (rule.specifier_kind != SpecifierKind::kShell) return nullptr;
    // `git push *` is covered by `git *`: drop word after word.
    std::string_view text = rule.specifier;
    if (text.ends_with(" *")) text.remove_suffix(2);
    for (std::size_t blank = text.size(); blank != text.npos && blank > 0;) {
      const std::string shorter = std::string(text.substr(0, blank)) + " *";
      if (shorter != rule.specifier)
        if (const Rule* found = find(identity(rule, shorter), index)) return found;
      blank = text.rfind(' ', blank - 1);
    }
    return nullptr;
  }

 private:
  static bool conditional(const Rule& rule) { return rule.hours || rule.expires != 0; }

  static std::string identity(const Rule& rule, std::string_view specifier) {
    std::string text{static_cast<char>('0' + static_cast<int>(rule.verdict)),
                     static_cast<char>('0' + static_cast<int>(rule.tool.kind))};
    text += rule.tool.name;
    text += '\0';
    text += rule.agent;
    text += '\0';
    text += specifier;
    return text;
  }

  const Rule* find(const std::string& text, std::size_t self) const {
    const auto found = by_text_.find(text);
    return found == by_text_.end() || found->second == self ? nullptr : &rules_[found->second];
  }

  const std::vector<Rule>& rules_;
  std::unordered_map<std::string, std::size_t> by_text_;
};

}  // namespace

std::vector<Diagnostic> lint(const PolicySet& set) {
  std::vector<Diagnostic> out;
  const Shadows shadows(set.rules);
  for (std::size_t i = 0; i < set.rules.size(); ++i) {
    const Rule& rule = set.rules[i];
    if (rule.source == ConfigSource::kDefault || rule.where.line == 0) continue;
    check_broad(rule, out);
    check_tool(rule, out);
    check_anchor(rule, out);
    if (const Rule* other = shadows.overruled_by(i))
      out.push_back(warning(rule, "overruled-rule",
                            "`" + rule.text + "` never decides: `" + other->text + "` (" +
                                place_name(other->where) + ") is stricter",
                            "remove one of the two"));
    else if (const Rule* same = shadows.shadow_of(i))
      out.push_back(warning(rule, "shadowed-rule",
                            "`" + rule.text + "` says nothing that `" + same->text + "` (" +
                                place_name(same->where) + ") does not say",
                            "remove one of the two"));
  }
  return out;
}

}  // namespace tollgate
