#include "bash/prediction.h"

#include <algorithm>
#include <span>

#include "core/tool_call.h"
#include "effects/effects.h"
#include "effects/shell/pattern.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate::bash {
namespace {

Policy made_of(std::initializer_list<const char*> allowed,
               std::initializer_list<const char*> denied) {
  PolicySet set = built_in_policy();
  const auto add = [&](Verdict list, std::string_view text) {
    set.rules.push_back(*parse_rule(list, text, {.file = "t.yaml", .line = 1, .column = 1}));
  };
  for (const char* text : allowed) add(Verdict::kAllow, text);
  for (const char* text : denied) add(Verdict::kDeny, text);
  return compile(set);
}

const Policy& rules() {
  static const Policy policy =
      made_of({"Bash(p1 *)", "Bash(p2 x *)", "Bash(p6 *)", "Bash(p7 *)", "Bash(p8 *)", "Edit(/**)"},
              {"Bash(p3 *)", "Bash(rm *)", "Bash(git push *)"});
  return policy;
}

const Policy& lenient_rules() {
  static const Policy policy =
      made_of({"Bash(p1 *)", "Bash(p2 *)", "Bash(p3 *)", "Bash(p4 *)", "Bash(p5 *)", "Bash(p6 *)",
               "Bash(p7 *)", "Bash(p8 *)", "Bash(rm *)", "Bash(git *)", "Bash(ls *)", "Bash(cat *)",
               "Bash(echo *)", "Edit(/**)", "Read(//**)"},
              {});
  return policy;
}

// Every process substitution has a number of its own, and the prediction the same for all.
std::string with_one_descriptor(std::string text) {
  constexpr std::string_view kPlace = "/dev/fd/";
  for (std::size_t at = text.find(kPlace); at != text.npos; at = text.find(kPlace, at)) {
    at += kPlace.size();
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    text.replace(at, end - at, "63");
  }
  return text;
}

// The words of a prediction from `at` on against those of the run.
bool words_match(std::span<const Word> words, std::span<const std::string> run) {
  if (words.empty()) return run.empty();
  const Word& word = words[0];
  const auto fits = [&](const std::string& text) {
    if (word.known) return with_one_descriptor(text) == with_one_descriptor(word.text);
    if (word.rest == Rest::kPattern) {
      // `/**` also stands for no directory at all.
      std::string shorter = word.text;
      if (const std::size_t at = shorter.find("/**"); at != shorter.npos) shorter.erase(at, 3);
      return shell_pattern_matches(word.text, text) || text == letters_of(word.text) ||
             shell_pattern_matches(shorter, text);
    }
    return text.starts_with(word.text);
  };
  if (!word.several)
    return !run.empty() && fits(run[0]) && words_match(words.subspan(1), run.subspan(1));
  for (std::size_t count = 0;; ++count) {
    if (words_match(words.subspan(1), run.subspan(count))) return true;
    // Of several words only the first begins as it is said.
    if (count == run.size() || ((count == 0 || word.rest == Rest::kPattern) && !fits(run[count])))
      return false;
  }
}

}  // namespace

Judged judged(const std::string& script, const std::string& directory) {
  ToolCall call;
  call.tool = call.native_tool = "Bash";
  call.cwd = directory;
  call.input = json::Value::object({{"command", json::Value::string(script)}});
  const std::string home(StubWorld::kHome);
  Judged result{.effects = effects_of(call, {}, home)};
  FixedWorld world;
  for (const std::string& place :
       {directory, directory + "/d1", directory + "/d2", directory + "/.git", home})
    world.files[place] = {.state = PathState::kDirectory};
  const Situation situation = world.look(call, result.effects, {.base = directory, .home = home});
  result.verdict = decide(rules(), call, result.effects, situation, {}).verdict;
  result.lenient = decide(lenient_rules(), call, result.effects, situation, {}).verdict;
  return result;
}

Foreseen foreseen(const Run& run, const Effects& effects) {
  Foreseen best = Foreseen::kNot;
  for (const Effect& effect : effects) {
    if (effect.kind != EffectKind::kRun || !words_match(effect.argv, run)) continue;
    if (std::ranges::all_of(effect.argv, &Word::known)) return Foreseen::kExactly;
    best = Foreseen::kRoughly;
  }
  return best;
}

Standing standing(const Run& run) {
  const std::string& program = run[0];
  if (program == "rm" || program == "p3") return Standing::kDenied;
  if (program == "git") {
    if (run.size() > 1 && run[1] == "push") return Standing::kDenied;
    // It only tells what it would remove.
    if (run.size() > 2 && run[1] == "rm" && run[2] == "-n") return Standing::kAllowed;
    return run.size() > 1 && run[1] == "status" ? Standing::kAllowed : Standing::kOpen;
  }
  if (program == "p2")
    return run.size() > 1 && run[1] == "x" ? Standing::kAllowed : Standing::kOpen;
  if (program == "p4" || program == "p5") return Standing::kOpen;
  return Standing::kAllowed;
}

bool has_unknown(const Effects& effects) {
  return std::ranges::any_of(
      effects, [](const Effect& effect) { return effect.kind == EffectKind::kUnknown; });
}

std::string shown(const Run& run) {
  std::string out;
  for (const std::string& word : run) {
    if (!out.empty()) out += ' ';
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"$*?[]{}~\\") == std::string::npos;
    out += plain ? word : "'" + word + "'";
  }
  return out;
}

std::string shown(const Runs& runs) {
  std::string out;
  for (const Run& run : runs) out += (out.empty() ? "" : "; ") + shown(run);
  return out;
}

}  // namespace tollgate::bash
