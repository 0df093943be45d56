// What must be denied whatever the rules say, and what may be that.
// A command counts by its first word, behind a wrapper also by any later one; behind any other
// program that is not known a later one is in doubt.
// SAFETY: names are compared as written and as they really are.
#include "gate/gate_itself.h"

#include <algorithm>
#include <string>

#include "base/name_set.h"
#include "base/path.h"
#include "base/text.h"
#include "core/client_switches.h"
#include "core/gate_verbs.h"
#include "core/wrappers.h"
#include "gate/places.h"
#include "policy/option_grammar.h"

namespace tollgate {
namespace {

using Words = std::span<const Word>;

template <std::size_t kSize>
bool is_one_of(std::string_view text, const std::string_view (&list)[kSize]) {
  return std::ranges::find(list, text) != std::end(list);
}

constexpr NameSet kAgentPrograms({"claude", "codex", "gemini", "copilot", "opencode", "kiro",
                                  "kiro-cli", "q", "kimi", "cursor-agent", "grok", "agy"});
// The same as packages, for what fetches a package and runs it.
constexpr NameSet kAgentPackages({
    "@anthropic-ai/claude-code",
    "claude-code",
    "@openai/codex",
    "@google/gemini-cli",
    "@github/copilot",
    "@github/copilot-cli",
    "opencode-ai",
    "kimi-cli",
    "@moonshot-ai/kimi-cli",
    "kimi-code",
    "@vibe-kit/grok-cli",
    "@xai/grok-cli",
    "@qwen-code/qwen-code",
    "@sourcegraph/amp",
    "@augmentcode/auggie",
    "amazon-q",
});
struct Runner {
  std::string_view program;
  std::string_view verbs;  // one of these makes it run a package; "" for always
};
constexpr Runner kRunners[] = {{"npx", ""},          {"pnpx", ""},      {"bunx", ""},
                               {"uvx", ""},          {"npm", "exec x"}, {"pnpm", "dlx exec"},
                               {"yarn", "dlx exec"}, {"bun", "x"},      {"pipx", "run"},
                               {"uv", "run tool"},   {"deno", "run"}};
constexpr NameSet kRunnerNames = [] {
  std::string_view names[std::size(kRunners)];
  std::ranges::transform(kRunners, names, &Runner::program);
  return NameSet(names);
}();
// What stops a process by its number or its name, and what stops a service.
constexpr NameSet kSignallers({"kill", "pkill", "killall", "skill"});
constexpr NameSet kServiceManagers({"systemctl", "service", "launchctl"});
constexpr NameSet kGateItself({"tollgate"});
// Programs whose words are only text to them, so that an agent's name among them says nothing.
constexpr NameSet kTakeText({"grep", "egrep", "fgrep", "which", "type", "whereis", "jq", "diff",
                             "cmp", "uniq", "stat", "file", "du", "df"});
constexpr NameSet kActingVerbs({"approve", "deny", "approver", "trust", "grants", "freeze", "serve",
                                "install", "db", "pair", "run", "uninstall"});
// What switches a client's own permissions or hooks off. No other program knows these.
constexpr NameSet kSkippingFlags({"--dangerously-skip-permissions",
                                  "--allow-dangerously-skip-permissions",
                                  "--dangerously-bypass-approvals-and-sandbox",
                                  "--dangerously-bypass-hook-trust", "--allow-all-tools",
                                  "--trust-all-tools", "--dangerously-allow-all"});
// Flags, and flags with a value, that other programs may know as well.
struct DoubtfulFlag {
  std::string_view flag, value;
};
constexpr DoubtfulFlag kDoubtfulFlags[] = {
    {"--yolo", ""},
    {"--full-auto", ""},
    {"--permission-mode", "bypassPermissions"},
    {"--approval-mode", "yolo"},
    {"--ask-for-approval", "never"},
    {"--sandbox", "danger-full-access"},
};

[[gnu::cold]] Reason refused(std::string rule, std::string text, Span span) {
  return {.kind = ReasonKind::kGuarded,
          .verdict = Verdict::kDeny,
          .rule = std::move(rule),
          .source = "built-in",
          .text = std::move(text),
          .span = span};
}

Reason asked(Reason reason) {
  reason.verdict = Verdict::kAsk;
  return reason;
}

bool only_asks_about_itself(Words argv) {
  return argv.size() == 2 && (argv[1].text == "--version" || argv[1].text == "--help");
}

Reason starts_agent(std::string_view agent, Span span) {
  return refused("start-agent",
                 "an agent does not start `" + std::string(agent) +
                     "` by itself: use `tollgate run`, which gives it a session of its own",
                 span);
}

// `@scope/name@version` and `name@version` without the version.
std::string_view package_name(std::string_view word) {
  if (word.starts_with("--") && word.find('=') != word.npos) word.remove_prefix(word.find('=') + 1);
  const std::size_t at = word.find_first_of("@=", 1);
  return word.substr(0, at);
}

std::optional<Reason> runs_package(Words argv) {
  const std::string_view program = base_name(argv[0].text);
  if (!kRunnerNames.has(program)) return std::nullopt;
  const auto* row = std::ranges::find(kRunners, program, &Runner::program);
  const bool runs =
      row->verbs.empty() || std::ranges::any_of(argv.subspan(1), [&](const Word& word) {
        return in_list(row->verbs, word.text);
      });
  if (!runs) return std::nullopt;
  for (const Word& word : argv.subspan(1)) {
    std::string_view name = package_name(word.text);
    if (name.starts_with("npm:")) name.remove_prefix(4);
    if (kAgentPackages.has(name) || kAgentPrograms.has(name)) return starts_agent(name, word.span);
  }
  return std::nullopt;
}

// pkill takes a pattern and finds it anywhere in a name, so a piece of the name is enough.
bool could_mean_the_gate(std::string_view word) {
  if (word.starts_with('-')) return false;
  std::string letters;
  for (const char c : word)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) letters += lower(c);
  return word.find_first_of("*.?[|+") != word.npos || letters.empty() ||
         std::string_view("tollgate").find(letters) != std::string_view::npos ||
         letters.find("tollgate") != letters.npos;
}

bool is_negative_number(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && word.find_first_not_of("0123456789", 1) == word.npos;
}

// The first word of `kill` with a dash may be a signal; -1 behind it is every process there is.
std::optional<Reason> kills(Words argv) {
  bool signal = false;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view word = argv[i].text;
    if (signal && is_negative_number(word)) {
      const Reason reason =
          refused("gate-process",
                  "this signals a whole group of processes, and the gate may be one", argv[i].span);
      return word == "-1" ? reason : asked(reason);
    }
    if (word == "-s" || word == "-n" || word == "-q") ++i;  // its value is the signal
    signal = true;
  }
  return std::nullopt;
}

// Whether a command of the text looks for the gate's process: by its name, or in the list of all.
bool finds_gate(const Scene& scene) {
  constexpr std::string_view kFinders[] = {"pgrep", "pidof", "lsof"};
  constexpr std::string_view kFilters[] = {"grep", "egrep", "fgrep", "awk",
                                           "gawk", "mawk",  "rg",    "sed"};
  constexpr std::string_view kLists[] = {"ps", "top", "pstree"};
  const auto runs = [&](std::span<const std::string_view> names, bool of_gate) {
    return std::ranges::any_of(scene.effects, [&](const Effect& effect) {
      return effect.kind == EffectKind::kRun && !effect.argv.empty() &&
             std::ranges::find(names, base_name(effect.argv[0].text)) != names.end() &&
             (!of_gate || std::ranges::any_of(effect.argv, [](const Word& word) {
               return lower(word.text).find("tollgate") != word.text.npos;
             }));
    });
  };
  return runs(kFinders, true) || (runs(kFilters, true) && runs(kLists, false));
}

std::optional<Reason> stops_gate(const Scene& scene, Words argv) {
  const std::string_view program = base_name(argv[0].text);
  if (program == "kill") {
    // The number that it signals may be the one that was found.
    if (!std::ranges::all_of(argv, &Word::known) && finds_gate(scene))
      return refused("gate-process", "an agent never stops the gate", argv[0].span);
    return kills(argv);
  }
  if (kSignallers.has(program)) {
    for (const Word& word : argv.subspan(1))
      if (could_mean_the_gate(word.text))
        return refused("gate-process", "an agent never stops the gate", word.span);
    for (const Word& word : argv.subspan(1))
      if (word.text.starts_with("-u") || word.text.starts_with("-U") ||
          word.text.starts_with("--user") || word.text.starts_with("--euid") ||
          word.text.starts_with("--uid"))
        return asked(refused("gate-process",
                             "this signals every process of a user, and the gate may be one",
                             word.span));
    return std::nullopt;
  }
  if (!kServiceManagers.has(program)) return std::nullopt;
  constexpr std::string_view kStops[] = {"stop",    "disable", "mask",   "kill",
                                         "restart", "unload",  "remove", "bootout"};
  const bool stops = std::ranges::any_of(
      argv.subspan(1), [&](const Word& word) { return is_one_of(word.text, kStops); });
  if (!stops) return std::nullopt;
  for (const Word& word : argv.subspan(1)) {
    if (lower(word.text).find("tollgate") != word.text.npos)
      return refused("gate-process", "an agent never stops the gate", word.span);
    if (word.text.find_first_of("*?[") != word.text.npos)
      return asked(refused("gate-process", "this may stop the gate as well", word.span));
  }
  return std::nullopt;
}

// The gate's own program under any name or path. `run` is the effect whose argv this is, when the
// command is all of it: then the look knows what its program word leads to.
bool is_gates_program(const Scene& scene, std::size_t run, Words argv) {
  const std::string_view word = argv[0].text;
  if (word.find('/') == word.npos) return false;
  const std::string path = absolute_path(word, scene.situation.cwd.written);
  if (std::ranges::any_of(scene.situation.gate, [&](const Place& place) {
        return path == place.written || path == place.real;
      }))
    return true;
  if (argv.data() != scene.effects[run].argv.data()) return false;
  for (std::size_t i = run + 1; i < scene.effects.size(); ++i)
    if (scene.effects[i].owner == run && scene.effects[i].guess == Guess::kProgram &&
        (!gate_place(scene.effects[i].path, scene.situation).empty() ||
         !gate_place(look_at(scene, i).real, scene.situation).empty()))
      return true;
  return false;
}

std::optional<Reason> gate_command(const Scene& scene, std::size_t run, Words argv) {
  if (!kGateItself.has(base_name(argv[0].text)) && !is_gates_program(scene, run, argv))
    return std::nullopt;
  const bool free =
      argv.size() > 1 && kFreeVerbs.has(argv[1].text) &&
      std::ranges::none_of(argv, [](const Word& word) { return word.text.starts_with("--yolo"); });
  if (free) return std::nullopt;
  return refused("gate-command",
                 "an agent never runs a tollgate command that loosens, answers or writes; "
                 "eval, explain and check are free",
                 scene.effects[run].span);
}

// Every program that one of the questions below is about.
constexpr NameSet kQuestionable =
    joined(kAgentPrograms, kRunnerNames, kSignallers, kServiceManagers, kGateItself);

// Whether one of them may be about the program word at all.
bool is_questionable(std::string_view word, std::string_view program) {
  return program.size() != word.size() || kQuestionable.has(program);
}

std::optional<Reason> command_against_gate(const Scene& scene, std::size_t run, Words argv) {
  const std::string_view program = base_name(argv[0].text);
  if (!is_questionable(argv[0].text, program)) return std::nullopt;
  if (kAgentPrograms.has(program) && !only_asks_about_itself(argv))
    return starts_agent(program, scene.effects[run].span);
  if (auto reason = runs_package(argv)) return reason;
  if (auto reason = gate_command(scene, run, argv)) return reason;
  return stops_gate(scene, argv);
}

Reason skips(const Word& word) {
  return refused("skip-permissions",
                 "`" + word.text +
                     "` switches a client's own permissions off, which is never "
                     "the agent's to do",
                 word.span);
}

Reason switches_client(const std::string& why, Span span) {
  return refused("skip-permissions", why + ", which is never the agent's to change", span);
}

Reason switches_client(std::string_view name, const Word& word) {
  return switches_client("`" + std::string(name) + "` " + std::string(kClientSwitchWhy), word.span);
}

// `NAME=value` as a word, or as the value of an option.
std::optional<Reason> given_variable(const Word& word) {
  std::string_view name = word.text;
  if (name.starts_with('-')) name.remove_prefix(std::min(name.find('=') + 1, name.size()));
  const std::size_t equals = name.find('=');
  if (equals == name.npos || !is_client_switch(name.substr(0, equals))) return std::nullopt;
  return switches_client(name.substr(0, equals), word);
}

// `-u NAME` of env, in any of its spellings.
std::optional<Reason> taken_variable(const Word& word, const Word& before) {
  std::string_view name = word.text;
  const bool whole = before.text == "-u" || before.text == "--unset";
  for (const std::string_view start : {"--unset=", "-u"})
    if (!whole && name.starts_with(start)) name.remove_prefix(start.size());
  if ((!whole && name.size() == word.text.size()) || !kPolicyVariables.has(name))
    return std::nullopt;
  return switches_client(name, word);
}

constexpr std::size_t kShortestSkippingFlag =
    std::ranges::min(kSkippingFlags.names(), {}, &std::string_view::size).size();

const Word* skipping_flag(Words argv) {
  for (const Word& word : argv.subspan(1))
    if (word.text.size() >= kShortestSkippingFlag && word.text.starts_with("--") &&
        kSkippingFlags.has(std::string_view(word.text).substr(0, word.text.find('='))))
      return &word;
  return nullptr;
}

std::optional<Reason> doubtful_flag(Words argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view word = argv[i].text;
    if (!word.starts_with("--")) continue;
    const std::size_t equals = word.find('=');
    const auto* row =
        std::ranges::find(kDoubtfulFlags, word.substr(0, equals), &DoubtfulFlag::flag);
    if (row == std::end(kDoubtfulFlags)) continue;
    const std::string_view value = equals != word.npos   ? word.substr(equals + 1)
                                   : i + 1 < argv.size() ? std::string_view(argv[i + 1].text)
                                                         : std::string_view();
    if (row->value.empty() || row->value == value) return skips(argv[i]);
  }
  return std::nullopt;
}

// How many words of a wrapper are not judged as a run of their own: those behind them are the words
// of the command that it starts, where every word of it was told apart.
std::size_t own_words(const Scene& scene, std::size_t run) {
  const Effect& wrapper = scene.effects[run];
  std::size_t own = wrapper.argv.size();
  if (!wrapper.told) return own;
  for (std::size_t i = run + 1; i < scene.effects.size(); ++i) {
    const Effect& inner = scene.effects[i];
    if (inner.kind != EffectKind::kRun || inner.argv.empty()) continue;
    if (inner.owner < run || inner.owner == kNoOwner) break;  // the next command of the text
    if (inner.owner != run) continue;
    if (!inner.argv[0].known || inner.argv.size() >= wrapper.argv.size()) continue;
    const std::size_t before = wrapper.argv.size() - inner.argv.size();
    if (std::ranges::equal(Words(wrapper.argv).subspan(before), inner.argv))
      own = std::min(own, before);
  }
  return own;
}

// Through any number of wrappers: the words behind one are a command too.
std::optional<Reason> run_against_gate(const Scene& scene, std::size_t run) {
  const Words argv = scene.effects[run].argv;
  if (argv.empty()) return std::nullopt;
  const std::string_view program = base_name(argv[0].text);
  if (is_questionable(argv[0].text, program))
    if (auto reason = command_against_gate(scene, run, argv)) return reason;
  if (const Word* flag = skipping_flag(argv)) return skips(*flag);
  if (!is_wrapper(program)) return std::nullopt;
  if (auto reason = doubtful_flag(argv)) return reason;
  std::optional<Reason> strictest;
  const std::size_t own = own_words(scene, run);
  for (std::size_t i = 1; i < std::min(own, kMaxGuessedWords); ++i) {
    auto reason = given_variable(argv[i]);
    if (!reason) reason = taken_variable(argv[i], argv[i - 1]);
    if (!reason) reason = command_against_gate(scene, run, argv.subspan(i));
    if (reason && (!strictest || reason->verdict > strictest->verdict)) strictest = reason;
    if (strictest && strictest->verdict == Verdict::kDeny) break;
  }
  return strictest;
}

// True when a change of a whole tree reaches one of the gate's files in it. Where the look went
// through the tree, a file that is not there cannot be reached.
bool takes_gate_along(const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  if (!effect.recursive) return false;
  const PathLook& look = look_at(scene, index);
  const bool seen = look.walked && !look.walk_cut;
  return std::ranges::any_of(scene.situation.gate, [&](const Place& place) {
    if (!is_inside(place.written, effect.path) && !is_inside(place.real, look.real)) return false;
    return !seen || std::ranges::any_of(look.below, [&](const std::string& found) {
      return is_inside(found, place.real);
    });
  });
}

bool touches_gate(const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  const std::string& real = look_at(scene, index).real;
  if (!gate_place(effect.path, scene.situation).empty() ||
      (real != effect.path && !gate_place(real, scene.situation).empty()))
    return true;
  if (!effect.recursive) return false;
  // Everything large has some file of the gate in it: that `du ~` names one is not meant.
  if (effect.guess != Guess::kNone && (!vital_root(effect.path, scene.situation).empty() ||
                                       !vital_root(real, scene.situation).empty()))
    return false;
  return takes_gate_along(scene, index);
}

std::optional<Reason> path_against_gate(const Scene& scene, std::size_t index) {
  const Effect& effect = scene.effects[index];
  const bool guessed = effect.guess != Guess::kNone;
  if (guessed ? !is_touch(scene, index) : !is_change_kind(effect.kind)) return std::nullopt;
  if (!touches_gate(scene, index)) return std::nullopt;
  return refused("gate-files",
                 "`" + effect.path +
                     (guessed ? "` belongs to the gate, and what this program does with it is not "
                                "known: only read it with a program like `cat`"
                              : "` belongs to the gate: an agent never changes its "
                                "policy, store, snapshot or programs"),
                 effect.span);
}

constexpr NameSet kNotable = joined(kQuestionable, kWrappers);

bool is_plain_word(const Word& word) {
  return word.known && word.rest == Rest::kNothing && !word.secret &&
         (word.text.size() < kShortestSkippingFlag || !word.text.starts_with("--"));
}

bool is_plain_run(const Effect& run) {
  if (!run.told || run.argv.empty()) return false;
  const std::string_view program = run.argv[0].text;
  return !kNotable.has(program) && (run.listed || !may_break(program)) &&
         program.find('/') == program.npos && std::ranges::all_of(run.argv, is_plain_word);
}

}  // namespace

PlainRuns::PlainRuns(const Scene& scene) {
  kinds_ = 0;
  std::size_t at = 0;
  for (const Effect& effect : scene.effects) {
    kinds_ |= kind_bit(effect.kind);
    if (at < kMost && effect.kind == EffectKind::kRun && is_plain_run(effect))
      marks_ |= std::uint64_t{1} << at;
    ++at;
  }
}

std::vector<std::string_view> gate_words() {
  static constexpr NameSet kWords = joined(
      kAgentPrograms, kAgentPackages, kRunnerNames, kSignallers, kServiceManagers, kGateItself,
      kWrappers, kBreakingPrograms, kTakeText, kFreeVerbs, kActingVerbs, kSkippingFlags);
  std::vector<std::string_view> words(kWords.names().begin(), kWords.names().end());
  for (const DoubtfulFlag& one : kDoubtfulFlags) {
    words.push_back(one.flag);
    words.push_back(one.value);
  }
  return words;
}

AgainstGate against_gate(const Scene& scene, const PlainRuns& plain) {
  AgainstGate found;
  const std::size_t count = scene.effects.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Effect& effect = scene.effects[i];
    const bool run = effect.kind == EffectKind::kRun;
    if (effect.kind == EffectKind::kUnknown && effect.target == kClientSwitch) {
      found.denied = switches_client(effect.why, effect.span);
      break;
    }
    // What is only read, or no path at all, is never against it.
    if (run ? plain.has(i) : !is_change_kind(effect.kind) && effect.guess == Guess::kNone) continue;
    auto reason = run ? run_against_gate(scene, i) : path_against_gate(scene, i);
    if (!reason) continue;
    found.doubt = GateDoubt::kSome;
    if (reason->verdict != Verdict::kDeny) continue;
    found.denied = std::move(reason);
    break;
  }
  return found;
}

std::optional<Reason> perhaps_against_gate(const Scene& scene, std::size_t run, GateDoubt doubt) {
  const Words argv = scene.effects[run].argv;
  if (argv.empty()) return std::nullopt;
  if (doubt == GateDoubt::kSome)
    if (auto reason = run_against_gate(scene, run)) return asked(*reason);
  if (scene.effects[run].told || kTakeText.has(base_name(argv[0].text))) return std::nullopt;
  if (auto reason = doubtful_flag(argv)) return asked(*reason);
  for (std::size_t i = 1; i < std::min(argv.size(), kMaxGuessedWords); ++i) {
    if (auto reason = given_variable(argv[i])) return asked(*reason);
    if (argv[i].text.size() < 2 || argv[i].text.starts_with('-')) continue;
    const std::string_view name = base_name(argv[i].text);
    if (!is_questionable(argv[i].text, name)) continue;
    if (kGateItself.has(name) && (i + 1 == argv.size() || !kActingVerbs.has(argv[i + 1].text)))
      continue;  // the name of a target or a directory
    if (auto reason = command_against_gate(scene, run, argv.subspan(i))) return asked(*reason);
  }
  return std::nullopt;
}

}  // namespace tollgate
