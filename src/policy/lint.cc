// Linear in the number of rules: each is looked up once, by its own text and the shorter texts
// that would cover it.
#include "policy/lint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

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
    {"bash", kRunsText},
    {"sh", kRunsText},
    {"zsh", kRunsText},
    {"dash", kRunsText},
    {"fish", kRunsText},
    {"ksh", kRunsText},
    {"eval", kRunsText},
    {"python", kRunsText},
    {"python3", kRunsText},
    {"node", kRunsText},
    {"perl", kRunsText},
    {"ruby", kRunsText},
    {"php", kRunsText},
    {"lua", kRunsText},
    {"deno", kRunsText},
    {"bun", kRunsText},
    {"awk", kRunsText},
    {"osascript", kRunsText},
    {"pwsh", kRunsText},
    {"powershell", kRunsText},
    {"source", kRunsText},
    {"env", kRunsCommand},
    {"sudo", "runs whatever command it is given as another user"},
    {"doas", "runs whatever command it is given as another user"},
    {"su", "runs whatever command it is given as another user"},
    {"xargs", kRunsCommand},
    {"nohup", kRunsCommand},
    {"time", kRunsCommand},
    {"timeout", kRunsCommand},
    {"nice", kRunsCommand},
    {"setsid", kRunsCommand},
    {"watch", kRunsCommand},
    {"exec", kRunsCommand},
    {"command", kRunsCommand},
    {"parallel", kRunsCommand},
    {"find", "deletes and runs commands with -delete and -exec"},
    {"ssh", "runs whatever command it is given on another host"},
    {"docker", "can mount and change any path of the host"},
    {"podman", "can mount and change any path of the user"},
    {"kubectl", "changes whole clusters"},
    {"npx", "fetches and runs any package"},
    {"uvx", "fetches and runs any package"},
    {"curl", "sends any file to any host"},
    {"wget", "writes what any host sends"},
    {"rm", "deletes anything in the roots"},
    {"dd", "writes any device or file"},
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
    if (program.starts_with(broad.program) &&
        (program.size() == broad.program.size() || program.substr(broad.program.size()) == "*"))
      return &broad;
  return nullptr;
}

void check_broad(const Rule& rule, std::vector<Diagnostic>& out) {
  if (rule.verdict != Verdict::kAllow) return;
  const auto shown = [&] { return "`" + rule.text + "`"; };
  if (rule.tool.kind == ToolPartKind::kAll) {
    out.push_back(warning(rule, "broad-rule", shown() + " allows every tool there is",
                          "name the tools, or set `mode: autonomous`, which keeps ask rules"));
    return;
  }
  if (rule.specifier_kind == SpecifierKind::kNone) {
    const bool shell = rule.tool.name == "Bash" || rule.tool.name == "execute_bash";
    if (shell)
      out.push_back(warning(rule, "broad-rule", shown() + " allows every command",
                            "name the programs: Bash(npm run *), Bash(git commit *)"));
    return;
  }
  if (rule.specifier_kind != SpecifierKind::kShell) return;
  if (has_star(std::string_view(rule.specifier).substr(0, rule.specifier.find(' ')))) {
    const Broad* broad = broad_program(rule.specifier);
    out.push_back(warning(
        rule, "broad-rule",
        shown() + (broad ? " matches " + std::string(broad->program) + ", which " +
                               std::string(broad->why)
                         : " leaves the program open, so it allows only what is read-only anyway"),
        "spell the program, and put the star behind a blank"));
    return;
  }
  if (const Broad* broad = broad_program(rule.specifier))
    out.push_back(warning(rule, "broad-rule",
                          shown() + " is dangerously broad: " + std::string(broad->program) + " " +
                              std::string(broad->why),
                          "spell the subcommand or script that is wanted"));
}

void check_tool(const Rule& rule, std::vector<Diagnostic>& out) {
  if (rule.tool.kind != ToolPartKind::kName || kind_of(rule.tool.name) != ToolKind::kOther) return;
  if (tool_row("", rule.tool.name) != nullptr) return;
  out.push_back(
      warning(rule, "unlisted-tool", "`" + rule.tool.name + "` is in no client's table of tools",
              "it is matched by exactly this name; `tollgate tools` lists the known ones"));
}

constexpr std::string_view kTopLevel[] = {"bin", "boot", "dev",  "etc",  "home", "lib",
                                          "mnt", "opt",  "proc", "root", "run",  "sbin",
                                          "srv", "sys",  "tmp",  "usr",  "var",  "Users"};

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
// A rule is filed under a hash of what makes it itself; equal hashes are told apart by comparing.
class Shadows {
 public:
  explicit Shadows(const std::vector<Rule>& rules)
      : rules_(rules), slots_(std::bit_ceil(rules.size() * 2 + 2)) {
    hashes_.reserve(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const std::size_t tool = mixed(0, rules[i].tool.name);
      hashes_.push_back({tool, mixed(tool, rules[i].specifier)});
      if (conditional(rules[i])) continue;
      const Question own = same(i, rules[i].verdict);
      Slot& slot = slots_[slot_of(own)];
      if (slot.rule == kEmpty) slot = {static_cast<std::uint32_t>(i), tag_of(own)};
      filter_[bit_of(own) / 64] |= std::uint64_t{1} << bit_of(own) % 64;
    }
  }

  // A rule of a stricter list that speaks of every call this one speaks of.
  const Rule* overruled_by(std::size_t index) const {
    const Verdict own = rules_[index].verdict;
    for (const Verdict verdict : {Verdict::kAsk, Verdict::kDeny}) {
      if (verdict <= own) continue;
      if (const Rule* found = find(same(index, verdict), index)) return found;
      if (const Rule* found = find(shortened(index, verdict, ""), index)) return found;
    }
    return nullptr;
  }

  const Rule* shadow_of(std::size_t index) const {
    const Rule& rule = rules_[index];
    if (const Rule* found = find(same(index, rule.verdict), index)) return found;
    if (rule.specifier_kind == SpecifierKind::kNone) return nullptr;
    if (const Rule* bare = find(shortened(index, rule.verdict, ""), index)) return bare;
    if (rule.specifier_kind != SpecifierKind::kShell) return nullptr;
    // `git push *` is covered by `git *`: drop word after word.
    std::string_view text = rule.specifier;
    if (text.ends_with(" *")) text.remove_suffix(2);
    std::string shorter;
    for (std::size_t blank = text.size(); blank != text.npos && blank > 0;) {
      shorter.assign(text.substr(0, blank)).append(" *");
      if (shorter != rule.specifier)
        if (const Rule* found = find(shortened(index, rule.verdict, shorter), index)) return found;
      blank = text.rfind(' ', blank - 1);
    }
    return nullptr;
  }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

  // Part of the hash stands beside the rule's number: most searches end without a look at a rule.
  struct Slot {
    std::uint32_t rule = kEmpty;
    std::uint32_t tag = 0;
  };

  // The rule with another list or specifier; lives for one look-up.
  struct Question {
    const Rule& rule;
    Verdict verdict;
    std::string_view specifier;
    std::size_t hash;  // of tool and specifier
  };

  Question same(std::size_t index, Verdict verdict) const {
    return {rules_[index], verdict, rules_[index].specifier, hashes_[index].own};
  }
  Question shortened(std::size_t index, Verdict verdict, std::string_view specifier) const {
    return {rules_[index], verdict, specifier, mixed(hashes_[index].tool, specifier)};
  }

  // Eight bytes at a time; a weak spot costs a longer search and never a wrong answer.
  static std::size_t mixed(std::size_t hash, std::string_view text) {
    constexpr std::size_t kMultiplier = 0x9e3779b97f4a7c15;
    hash ^= text.size();
    for (; text.size() >= 8; text.remove_prefix(8)) {
      std::uint64_t chunk = 0;
      std::memcpy(&chunk, text.data(), 8);
      hash = (hash ^ chunk) * kMultiplier;
      hash ^= hash >> 32;
    }
    std::uint64_t tail = 0;
    if (!text.empty()) std::memcpy(&tail, text.data(), text.size());
    hash = (hash ^ tail) * kMultiplier;
    return hash ^ hash >> 29;
  }

  static bool conditional(const Rule& rule) { return rule.hours || rule.expires != 0; }

  static bool answers(const Rule& rule, const Question& question) {
    return rule.verdict == question.verdict && rule.tool.kind == question.rule.tool.kind &&
           rule.specifier == question.specifier && rule.tool.name == question.rule.tool.name &&
           rule.agent == question.rule.agent;
  }

  static std::size_t hash_of(const Question& question) {
    return question.hash + static_cast<std::size_t>(question.verdict) * 0x9e3779b97f4a7c15;
  }
  static std::uint32_t tag_of(const Question& question) {
    return static_cast<std::uint32_t>(hash_of(question) >> 32);
  }

  // The slot of the rule that answers, or the empty one where it would stand.
  std::size_t slot_of(const Question& question) const {
    const std::uint32_t tag = tag_of(question);
    std::size_t slot = hash_of(question);
    for (const std::size_t mask = slots_.size() - 1;; ++slot) {
      const Slot& found = slots_[slot & mask];
      if (found.rule == kEmpty || (found.tag == tag && answers(rules_[found.rule], question)))
        return slot & mask;
    }
  }

  static std::size_t bit_of(const Question& question) {
    return (hash_of(question) >> 20) % kFilterBits;
  }

  const Rule* find(const Question& question, std::size_t self) const {
    // Most answers are no; a few kilobytes that stay near say so without a search.
    if ((filter_[bit_of(question) / 64] >> bit_of(question) % 64 & 1) == 0) return nullptr;
    const std::uint32_t found = slots_[slot_of(question)].rule;
    return found == kEmpty || found == self ? nullptr : &rules_[found];
  }

  struct Hashes {
    std::size_t tool;
    std::size_t own;  // of tool and specifier
  };

  const std::vector<Rule>& rules_;
  std::vector<Hashes> hashes_;
  static constexpr std::size_t kFilterBits = 1u << 17;
  std::vector<std::uint64_t> filter_ = std::vector<std::uint64_t>(kFilterBits / 64);
  std::vector<Slot> slots_;  // more than rules, so a search ends at an empty one
};

}  // namespace

std::vector<Diagnostic> lint(const PolicySet& set, std::int64_t now) {
  std::vector<Diagnostic> out;
  const Shadows shadows(set.rules);
  for (std::size_t i = 0; i < set.rules.size(); ++i) {
    const Rule& rule = set.rules[i];
    if (rule.source == ConfigSource::kDefault || rule.where.line == 0) continue;
    check_broad(rule, out);
    check_tool(rule, out);
    check_anchor(rule, out);
    if (rule.expires != 0 && rule.expires <= now)
      out.push_back(warning(rule, "expired-rule",
                            "`" + rule.text + "` has expired and is as if it were not there",
                            "remove it, or give it a later `expires`"));
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
