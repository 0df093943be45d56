// Rules that would settle an ask: the exact call first, then one sensible broadening.
// SAFETY: each is tried on the call before it is offered, and none opens an interpreter, a
// wrapper or a whole program that runs whatever it is given.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gate/judge.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

// Programs that take a subcommand whose name says what happens.
constexpr std::array<std::string_view, 12> kTwoWords = {"npm",    "pnpm", "yarn", "cargo",
                                                        "go",     "git",  "make", "dotnet",
                                                        "gradle", "mvn",  "just", "bazel"};

// Programs for which a star behind the name says nothing about what will run.
constexpr std::array<std::string_view, 30> kNeverBroad = {
    "bash", "sh",    "zsh",  "dash", "fish",   "ksh",    "eval",    "python", "python3", "node",
    "perl", "ruby",  "php",  "lua",  "deno",   "bun",    "awk",     "env",    "sudo",    "doas",
    "su",   "xargs", "find", "ssh",  "docker", "podman", "kubectl", "curl",   "wget",    "rm"};

std::string exact_command(const Effect& run) {
  std::string text;
  for (const Word& word : run.argv) {
    if (!text.empty()) text += ' ';
    text += escape_shell_word(word.text);
  }
  return text;
}

void suggest_command(const std::string& tool, const Effect& run, std::vector<std::string>& out) {
  if (run.argv.empty() || !std::ranges::all_of(run.argv, &Word::known)) return;
  if (std::ranges::any_of(run.argv, [](const Word& word) { return word.text.empty(); })) return;
  out.push_back(tool + "(" + exact_command(run) + ")");
  const std::string& program = run.argv[0].text;
  if (run.argv.size() < 2 || program.find('/') != program.npos ||
      std::ranges::find(kNeverBroad, program) != kNeverBroad.end())
    return;
  if (std::ranges::find(kTwoWords, program) == kTwoWords.end()) return;
  const std::string& verb = run.argv[1].text;
  if (verb.starts_with('-')) return;
  const bool script = (verb == "run" || verb == "exec") && run.argv.size() > 2;
  std::string prefix = escape_shell_word(program) + ' ' + escape_shell_word(verb);
  if (script) prefix += ' ' + escape_shell_word(run.argv[2].text);
  if (!script && (verb == "run" || verb == "exec")) return;
  out.push_back(tool + "(" + prefix + " *)");
}

// `//abs` for one file; the directory below a root as the broadening.
void suggest_path(const Effect& effect, const Situation& situation, std::vector<std::string>& out) {
  const std::string tool = effect.kind == EffectKind::kRead ? "Read" : "Edit";
  if (effect.kind != EffectKind::kRead && effect.kind != EffectKind::kWrite &&
      effect.kind != EffectKind::kCreate)
    return;
  out.push_back(tool + "(/" + escape_pattern(effect.path) + ")");
  for (const Place& root : situation.roots) {
    if (!effect.path.starts_with(root.written + "/")) continue;
    const std::string rest = effect.path.substr(root.written.size() + 1);
    const std::size_t slash = rest.rfind('/');
    if (slash != rest.npos)
      out.push_back(tool + "(/" + escape_pattern(rest.substr(0, slash)) + "/**)");
    return;
  }
}

// The exact arguments, where all of them are plain.
void suggest_arguments(const ToolCall& call, std::vector<std::string>& out) {
  std::vector<ArgumentPattern> arguments;
  for (const auto& [name, value] : call.input.members()) {
    const bool plain_name = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '-';
    });
    if (!plain_name || name.empty()) return;
    switch (value.kind()) {
      case json::Kind::kString:
        arguments.push_back({name, escape_pattern(value.as_string())});
        break;
      case json::Kind::kNumber:
        arguments.push_back({name, value.number_text()});
        break;
      case json::Kind::kBool:
        arguments.push_back({name, value.as_bool() ? "true" : "false"});
        break;
      default:
        return;
    }
  }
  if (!arguments.empty()) out.push_back(call.tool + "(" + format_arguments(arguments) + ")");
}

// Rules for one effect, narrowest first.
void suggest_effect(const ToolCall& call, const Effect& effect, const Situation& situation,
                    std::vector<std::string>& out) {
  if (effect.guess != Guess::kNone || is_repository(effect)) return;
  switch (effect.kind) {
    case EffectKind::kRun:
      suggest_command(call.tool, effect, out);
      break;
    case EffectKind::kMcp:
    case EffectKind::kApp:
      suggest_arguments(call, out);
      out.push_back(call.tool);
      break;
    case EffectKind::kReach:
      if (!effect.host.empty()) out.push_back("WebFetch(domain:" + effect.host + ")");
      break;
    case EffectKind::kSearch:
      out.push_back(call.tool);
      break;
    case EffectKind::kAgent:
      if (!effect.target.empty()) out.push_back("Agent(" + escape_pattern(effect.target) + ")");
      break;
    default:
      if (is_path_kind(effect.kind)) suggest_path(effect, situation, out);
  }
}

std::vector<std::string> candidates(const ToolCall& call, const Effects& effects,
                                    const Situation& situation) {
  std::vector<std::string> out;
  for (const Effect& effect : effects) suggest_effect(call, effect, situation, out);
  return out;
}

}  // namespace

std::vector<std::string> narrowest_rules(const ToolCall& call, const Effects& effects,
                                         const Situation& situation) {
  std::vector<std::string> out;
  for (const Effect& effect : effects) {
    std::vector<std::string> rules;
    if (effect.owner == kNoOwner) suggest_effect(call, effect, situation, rules);
    if (!rules.empty() && std::ranges::find(out, rules[0]) == out.end())
      out.push_back(std::move(rules[0]));
  }
  return out;
}

std::vector<std::string> suggest(const Policy& policy, const ToolCall& call, const Effects& effects,
                                 const Situation& situation, const DecideOptions& options,
                                 const Overlay& under) {
  std::vector<std::string> good;
  const RuleContext context{.tools = policy.tools()};
  DecideOptions plain = options;
  plain.detail = Detail::kVerdict;
  for (std::string& text : candidates(call, effects, situation)) {
    if (std::ranges::find(good, text) != good.end()) continue;
    Result<Rule> rule = parse_rule(Verdict::kAllow, text, {}, context);
    if (!rule) continue;
    Overlay overlay = under;
    overlay.extra.push_back(std::move(*rule));
    if (judge(policy, call, effects, situation, plain, &overlay).decision.verdict ==
        Verdict::kAllow)
      good.push_back(std::move(text));
  }
  return good;
}

}  // namespace tollgate
