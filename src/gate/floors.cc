// Built-in grounds that no rule and no mode removes: breakers, guarded paths, sensitive places,
// and everything that would touch the gate itself.
// They are read from effects, never from text, so that quoting a disaster is not committing one.
#include <algorithm>
#include <string>

#include "base/path.h"
#include "base/text.h"
#include "gate/judge.h"
#include "gate/places.h"
#include "policy/glob.h"

namespace tollgate {
namespace {

std::string_view program_of(const Effect& effect) {
  return effect.argv.empty() ? std::string_view() : base_name(effect.argv[0].text);
}

// The first name that a question finds for the path as written or as it really is.
template <class Question>
std::string_view either(const Scene& scene, std::size_t index, const Question& question) {
  const std::string& written = scene.effects[index].path;
  const std::string_view found = question(written, scene.situation);
  const std::string& real = look_at(scene, index).real;
  return found.empty() && real != written ? question(real, scene.situation) : found;
}

Reason floor(ReasonKind kind, std::string rule, std::string text, Span span) {
  return {.kind = kind,
          .verdict = Verdict::kAsk,
          .rule = std::move(rule),
          .source = "built-in",
          .text = std::move(text),
          .span = span};
}

// Collects grounds together with the effect at hand.
class Floors {
 public:
  void at(std::size_t effect) { effect_ = static_cast<std::uint32_t>(effect); }
  void add(Reason reason) { found_.push_back({std::move(reason), effect_}); }
  std::vector<Floor> take() { return std::move(found_); }

 private:
  std::uint32_t effect_ = 0;
  std::vector<Floor> found_;
};

bool is_device_path(std::string_view path) {
  if (!path.starts_with("/dev/")) return false;
  constexpr std::string_view kStarts[] = {"/dev/sd",   "/dev/hd",     "/dev/vd",   "/dev/xvd",
                                          "/dev/nvme", "/dev/mmcblk", "/dev/disk", "/dev/mapper/",
                                          "/dev/dm-",  "/dev/md",     "/dev/loop", "/dev/nbd"};
  return std::ranges::any_of(kStarts,
                             [&](std::string_view start) { return path.starts_with(start); });
}

void path_breakers(const Scene& scene, std::size_t index, Floors& floors) {
  const Effect& effect = scene.effects[index];
  const PathLook& look = look_at(scene, index);
  const bool whole_tree = effect.recursive || effect.by == EffectBy::kTool;
  if ((effect.kind == EffectKind::kDelete && whole_tree) ||
      (effect.kind == EffectKind::kRename && look.state == PathState::kDirectory) ||
      (effect.kind == EffectKind::kMode && effect.recursive)) {
    if (const auto root = either(scene, index, vital_root); !root.empty())
      floors.add(floor(ReasonKind::kBreaker,
                       effect.kind == EffectKind::kMode ? "chmod-root" : "delete-root",
                       (effect.kind == EffectKind::kMode ? "this changes the rights of `"
                                                         : "this takes away `") +
                           effect.path + "`, " + std::string(root),
                       effect.span));
  }
  if (is_change_kind(effect.kind) &&
      (look.block_device || is_device_path(effect.path) || is_device_path(look.real)))
    floors.add(floor(ReasonKind::kBreaker, "block-device",
                     "this writes the block device `" + effect.path + "`", effect.span));
  if (!effect.text.empty())
    if (const auto secret = secret_in(effect.text); !secret.empty())
      floors.add(floor(ReasonKind::kBreaker, "secret-in-file",
                       "the new text of `" + effect.path + "` holds " + std::string(secret),
                       effect.span));
}

// Programs that run the rest of their words as a command.
constexpr std::string_view kWrappers[] = {
    "sudo",    "doas",   "su",       "pkexec",  "env",       "nohup",   "nice",        "ionice",
    "setsid",  "stdbuf", "time",     "timeout", "command",   "builtin", "exec",        "xargs",
    "flock",   "watch",  "parallel", "chroot",  "unshare",   "nsenter", "systemd-run", "ssh",
    "busybox", "strace", "ltrace",   "script",  "caffeinate"};

bool is_wrapper(std::string_view program) {
  return std::ranges::find(kWrappers, program) != std::end(kWrappers);
}

bool asks_for_the_tree(std::span<const Word> argv) {
  return std::ranges::any_of(argv.subspan(1), [](const Word& word) {
    const std::string_view text = word.text;
    if (text.starts_with("--"))
      return text.size() > 2 && std::string_view("--recursive").starts_with(text);
    return text.starts_with('-') && text.find_first_of("rR") != text.npos;
  });
}

// One command, given as words: what destroys devices or roots whatever its row says.
void command_breakers(const Scene& scene, std::span<const Word> argv, Floors& floors) {
  const std::string_view program = base_name(argv[0].text);
  if (program.starts_with("mkfs") || program == "wipefs" || program == "mke2fs") {
    floors.add(floor(ReasonKind::kBreaker, "make-file-system",
                     "`" + std::string(program) + "` destroys what is on a device", argv[0].span));
    return;
  }
  const bool removes = program == "rm";
  const bool rights = program == "chmod" || program == "chown" || program == "chgrp";
  const bool writes = program == "dd" || program == "shred" || program == "tee";
  if (!writes && !((removes || rights) && asks_for_the_tree(argv))) return;
  for (const Word& operand : argv.subspan(1)) {
    std::string_view text = operand.text;
    if (text.starts_with('-')) continue;
    if (text.starts_with("of=")) text.remove_prefix(3);
    const std::string path = absolute_path(text, scene.situation.cwd.written);
    if (writes ? !is_device_path(path) : vital_root(path, scene.situation).empty()) continue;
    floors.add(floor(ReasonKind::kBreaker,
                     writes    ? "block-device"
                     : removes ? "delete-root"
                               : "chmod-root",
                     writes ? "this writes the block device `" + std::string(text) + "`"
                            : "this reaches `" + std::string(text) + "` and all below it",
                     operand.span));
    return;
  }
}

// A program without a row may run the rest of its words, and may touch each of them as a path.
void unlisted_floors(const Scene& scene, const Effect& effect, Floors& floors) {
  const std::span<const Word> argv = effect.argv;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (!argv[i].text.starts_with('-')) command_breakers(scene, argv.subspan(i), floors);
    const std::string path = operand_path(argv[i].text, scene.situation);
    if (path.empty()) continue;
    if (const auto name = sensitive_place(path, scene.situation); !name.empty())
      floors.add(floor(ReasonKind::kSensitive, std::string(name),
                       "`" + path + "` is a sensitive place (" + std::string(name) +
                           "): giving it to a program needs a person's yes",
                       argv[i].span));
    else if (const auto guarded = guarded_place(path, scene.situation); !guarded.empty())
      floors.add(floor(ReasonKind::kGuarded, std::string(guarded),
                       "`" + path + "` is guarded (" + std::string(guarded) +
                           "), and what this program does with it is not known",
                       argv[i].span));
  }
}

void program_floors(const Scene& scene, const Effect& effect, Floors& floors) {
  if (effect.argv.empty() || effect.listed) return;
  command_breakers(scene, effect.argv, floors);
  unlisted_floors(scene, effect, floors);
}

void path_floors(const Scene& scene, std::size_t index, Floors& floors) {
  const Effect& effect = scene.effects[index];
  path_breakers(scene, index, floors);
  if (is_change_kind(effect.kind)) {
    std::string_view name = either(scene, index, guarded_place);
    // A repository that goes with the tree around it is gone for good.
    for (const std::string& found : look_at(scene, index).below)
      if (name.empty() && effect.kind == EffectKind::kDelete &&
          (found.ends_with("/.git") || found.find("/.git/") != found.npos))
        name = "a repository below it";
    if (!name.empty())
      floors.add(floor(ReasonKind::kGuarded, std::string(name),
                       "`" + effect.path + "` is guarded (" + std::string(name) +
                           "): changing it needs a person's yes",
                       effect.span));
    return;
  }
  if (const auto name = either(scene, index, sensitive_place); !name.empty())
    floors.add(floor(ReasonKind::kSensitive, std::string(name),
                     "`" + effect.path + "` is a sensitive place (" + std::string(name) +
                         "): reading it needs a person's yes",
                     effect.span));
}

Reason refused(std::string rule, std::string text, Span span) {
  Reason reason = floor(ReasonKind::kGuarded, std::move(rule), std::move(text), span);
  reason.verdict = Verdict::kDeny;
  return reason;
}

constexpr std::string_view kAgentPrograms[] = {"claude",   "codex",        "gemini",   "copilot",
                                               "opencode", "kiro",         "kiro-cli", "q",
                                               "kimi",     "cursor-agent", "grok",     "agy"};
// The verbs that only tell; every other one changes or answers something.
constexpr std::string_view kFreeVerbs[] = {"eval",  "explain", "check", "lint",   "test",
                                           "tools", "schema",  "help",  "--help", "--version"};
// What switches a client's own permissions or hooks off.
constexpr std::string_view kSkippingFlags[] = {"--dangerously-skip-permissions",
                                               "--allow-dangerously-skip-permissions",
                                               "--dangerously-bypass-approvals-and-sandbox",
                                               "--dangerously-bypass-hook-trust",
                                               "--allow-all-tools",
                                               "--trust-all-tools",
                                               "--dangerously-allow-all"};

bool only_asks_about_itself(std::span<const Word> argv) {
  return argv.size() == 2 && (argv[1].text == "--version" || argv[1].text == "--help");
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

// The gate's own program under any name or path.
bool is_gates_program(const Scene& scene, std::string_view word) {
  if (word.find('/') == word.npos) return false;
  const std::string path = absolute_path(word, scene.situation.cwd.written);
  return std::ranges::any_of(scene.situation.gate, [&](const Place& place) {
    return path == place.written || path == place.real;
  });
}

std::optional<Reason> command_against_gate(const Scene& scene, const Effect& effect,
                                           std::span<const Word> argv) {
  const std::string_view first = argv[0].text;
  const std::string_view program = base_name(first);
  if (std::ranges::find(kAgentPrograms, program) != std::end(kAgentPrograms) &&
      !only_asks_about_itself(argv))
    return refused("start-agent",
                   "an agent does not start `" + std::string(program) +
                       "` by itself: use `tollgate run`, which gives it a session of its own",
                   effect.span);
  if (program == "tollgate" || is_gates_program(scene, first)) {
    const bool free = argv.size() > 1 &&
                      std::ranges::find(kFreeVerbs, argv[1].text) != std::end(kFreeVerbs) &&
                      std::ranges::none_of(
                          argv, [](const Word& word) { return word.text.starts_with("--yolo"); });
    if (!free)
      return refused("gate-command",
                     "an agent never runs a tollgate command that loosens, answers or writes; "
                     "eval, explain and check are free",
                     effect.span);
  }
  for (const Word& word : argv.subspan(1))
    if (std::ranges::find(kSkippingFlags, word.text) != std::end(kSkippingFlags))
      return refused("skip-permissions",
                     "`" + word.text +
                         "` switches a client's own permissions off, which is never "
                         "the agent's to do",
                     word.span);
  if (program == "pkill" || program == "killall")
    for (const Word& word : argv.subspan(1))
      if (could_mean_the_gate(word.text))
        return refused("gate-process", "an agent never stops the gate", word.span);
  return std::nullopt;
}

// Through any number of wrappers: the words behind one are a command too.
std::optional<Reason> run_against_gate(const Scene& scene, const Effect& effect) {
  const std::span<const Word> argv = effect.argv;
  if (argv.empty()) return std::nullopt;
  if (auto reason = command_against_gate(scene, effect, argv)) return reason;
  if (!is_wrapper(program_of(effect))) return std::nullopt;
  for (std::size_t i = 1; i < argv.size(); ++i)
    if (auto reason = command_against_gate(scene, effect, argv.subspan(i))) return reason;
  return std::nullopt;
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
    return !seen || std::ranges::find(look.below, place.real) != look.below.end();
  });
}

}  // namespace

std::optional<Reason> against_gate(const Scene& scene) {
  for (std::size_t i = 0; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    if (effect.kind == EffectKind::kRun) {
      if (auto reason = run_against_gate(scene, effect)) return reason;
    } else if (is_change_kind(effect.kind)) {
      if (takes_gate_along(scene, i) || !either(scene, i, gate_place).empty())
        return refused("gate-files",
                       "`" + effect.path +
                           "` belongs to the gate: an agent never changes its "
                           "policy, store, snapshot or programs",
                       effect.span);
    }
  }
  return std::nullopt;
}

std::vector<Floor> built_in_floors(const Scene& scene) {
  Floors floors;
  for (std::size_t i = 0; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    floors.at(i);
    if (is_path_kind(effect.kind))
      path_floors(scene, i, floors);
    else if (effect.kind == EffectKind::kRun)
      program_floors(scene, effect, floors);
    else if (effect.kind == EffectKind::kUnknown)
      // SAFETY: a breaker or a guarded path could hide in what cannot be read, so no mode and no
      // rule settles it.
      floors.add(floor(ReasonKind::kLimit, "unreadable",
                       "it cannot be read with certainty: " + effect.why +
                           "; write it as plain commands, one a call",
                       effect.span));
    else if (effect.kind == EffectKind::kPerson)
      floors.add(floor(ReasonKind::kGuarded, "person",
                       "`" + scene.call.tool + "` is a question that only a person answers",
                       effect.span));
  }
  return floors.take();
}

bool names_exactly(const RuleView& rule) {
  return rule.specifier_kind == SpecifierKind::kPath && !has_wildcard(rule.specifier);
}

}  // namespace tollgate
