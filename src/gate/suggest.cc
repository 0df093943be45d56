// Rules that would settle an ask: the exact call first, then one or two sensible broadenings.
// SAFETY: each is tried on the call before it is offered, and only commands of a short list are
// broadened: none opens an interpreter, a wrapper or a program that does whatever it is told.
#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "gate/judge.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

// Where a star behind the words says no more than the words themselves: they run what the workspace
// names itself, or only make files and commits in it. Allow-listed: any other command gets the
// exact call alone. `script`: the next word names a script, and any script will do as well.
// Left out on purpose: whatever runs code or a command from its words (make VAR=…, go test -exec,
// cargo --config, mvn, gradle, yarn run), reaches a host of its choosing, or deletes.
struct Broadening {
  std::string_view words;
  bool script = false;
};

constexpr Broadening kBroadenings[] = {
    {.words = "npm run", .script = true},
    {.words = "npm run-script", .script = true},
    {.words = "pnpm run", .script = true},
    {.words = "npm test"},
    {.words = "pnpm test"},
    {.words = "yarn test"},
    {.words = "cargo check"},
    {.words = "cargo test"},
    {.words = "cargo build"},
    {.words = "cargo clippy"},
    {.words = "git add"},
    {.words = "git commit"},
    {.words = "mkdir"},
    {.words = "touch"},
};

std::string first_words(const Effect& run, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : " ") + escape_shell_word(run.argv[i].text);
  return text;
}

void suggest_broader(const std::string& tool, const Effect& run, std::vector<std::string>& out) {
  for (const Broadening& broadening : kBroadenings) {
    const auto count = static_cast<std::size_t>(std::ranges::count(broadening.words, ' ')) + 1;
    if (run.argv.size() < count || first_words(run, count) != broadening.words) continue;
    if (broadening.script && run.argv.size() > count && !run.argv[count].text.starts_with('-'))
      out.push_back(tool + "(" + first_words(run, count + 1) + " *)");
    out.push_back(tool + "(" + first_words(run, count) + " *)");
  }
}

void suggest_command(const std::string& tool, const Effect& run, std::vector<std::string>& out) {
  const bool sayable = std::ranges::all_of(run.argv, [](const Word& word) {
    return word.known && !word.text.empty() && !has_hidden_characters(word.text);
  });
  if (run.argv.empty() || !sayable) return;
  out.push_back(tool + "(" + first_words(run, run.argv.size()) + ")");
  suggest_broader(tool, run, out);
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
      // What a program sends there is more than a fetch.
      if (!effect.host.empty() && effect.by == EffectBy::kTool && effect.owner == kNoOwner)
        out.push_back("WebFetch(domain:" + effect.host + ")");
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

// A wrapper that does nothing by itself: a rule for what stands behind it is enough.
bool is_wrapper(const Effects& effects, std::size_t index) {
  const Effect& run = effects[index];
  return run.kind == EffectKind::kRun && run.listed &&
         std::ranges::any_of(effects, [&](const Effect& inner) {
           return inner.owner == index && inner.kind == EffectKind::kRun;
         });
}

enum class Of { kWrappers, kAllElse };

std::vector<std::string> candidates(const ToolCall& call, const Effects& effects,
                                    const Situation& situation, Of of) {
  // LIMIT: one rule for so many different things there cannot be.
  constexpr std::size_t kMost = 64;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < effects.size() && out.size() < kMost; ++i)
    if (is_wrapper(effects, i) == (of == Of::kWrappers))
      suggest_effect(call, effects[i], situation, out);
  return out;
}

// What no rule for something else in the call could cover.
bool needs_its_own(const Effects& effects, std::size_t index) {
  const Effect& effect = effects[index];
  if (is_wrapper(effects, index)) return false;
  return effect.owner == kNoOwner || effect.by == EffectBy::kRedirection ||
         (effect.kind == EffectKind::kRun && is_wrapper(effects, effect.owner));
}

}  // namespace

std::vector<std::string> narrowest_rules(const ToolCall& call, const Effects& effects,
                                         const Situation& situation) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    std::vector<std::string> rules;
    if (needs_its_own(effects, i)) suggest_effect(call, effects[i], situation, rules);
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
  for (const Of of : {Of::kAllElse, Of::kWrappers}) {
    for (std::string& text : candidates(call, effects, situation, of)) {
      if (std::ranges::find(good, text) != good.end()) continue;
      Result<Rule> rule = parse_rule(Verdict::kAllow, text, {}, context);
      if (!rule) continue;
      Overlay overlay = under;
      overlay.extra.push_back(std::move(*rule));
      if (judge(policy, call, effects, situation, plain, &overlay).decision.verdict ==
          Verdict::kAllow)
        good.push_back(std::move(text));
    }
    if (!good.empty()) break;
  }
  return good;
}

}  // namespace tollgate
