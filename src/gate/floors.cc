// Built-in grounds that no rule and no mode removes: breakers, guarded paths, sensitive places,
// and everything that would touch the gate itself.
// They are read from effects, never from text, so that quoting a disaster is not committing one.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "gate/judge.h"
#include "gate/places.h"

namespace tollgate {
namespace {

std::string_view program_of(const Effect& effect) {
  if (effect.argv.empty()) return {};
  const std::string_view word = effect.argv[0].text;
  return word.substr(word.rfind('/') + 1);
}

const PathLook& look_at(const Scene& scene, std::size_t index) {
  static const PathLook kNothing;
  return index < scene.situation.paths.size() ? scene.situation.paths[index] : kNothing;
}

// The first name that a question finds for the path as written or as it really is.
template <class Question>
std::string_view either(const Scene& scene, std::size_t index, const Question& question) {
  const std::string_view found = question(scene.effects[index].path, scene.situation);
  if (!found.empty()) return found;
  return question(look_at(scene, index).real, scene.situation);
}

Reason floor(ReasonKind kind, std::string rule, std::string text, Span span) {
  return {.kind = kind,
          .verdict = Verdict::kAsk,
          .rule = std::move(rule),
          .source = "built-in",
          .text = std::move(text),
          .span = span};
}

bool is_device_path(std::string_view path) {
  constexpr std::string_view kStarts[] = {"/dev/sd",  "/dev/hd",     "/dev/vd",   "/dev/xvd",
                                          "/dev/nvme", "/dev/mmcblk", "/dev/disk", "/dev/mapper/",
                                          "/dev/dm-",  "/dev/md",     "/dev/loop", "/dev/nbd"};
  return std::ranges::any_of(kStarts, [&](std::string_view start) { return path.starts_with(start); });
}

void path_breakers(const Scene& scene, std::size_t index, std::vector<Reason>& reasons) {
  const Effect& effect = scene.effects[index];
  const PathLook& look = look_at(scene, index);
  const bool whole_tree = effect.recursive || effect.by == EffectBy::kTool;
  if ((effect.kind == EffectKind::kDelete && whole_tree) ||
      (effect.kind == EffectKind::kRename && look.state == PathState::kDirectory) ||
      (effect.kind == EffectKind::kMode && effect.recursive)) {
    if (const auto root = either(scene, index, vital_root); !root.empty())
      reasons.push_back(floor(
          ReasonKind::kBreaker, effect.kind == EffectKind::kMode ? "chmod-root" : "delete-root",
          (effect.kind == EffectKind::kMode ? "this changes the rights of `" : "this takes away `") +
              effect.path + "`, " + std::string(root),
          effect.span));
  }
  if (is_change_kind(effect.kind) &&
      (look.block_device || is_device_path(effect.path) || is_device_path(look.real)))
    reasons.push_back(floor(ReasonKind::kBreaker, "block-device",
                            "this writes the block device `" + effect.path + "`", effect.span));
  if (!effect.text.empty())
    if (const auto secret = secret_in(effect.text); !secret.empty())
      reasons.push_back(floor(ReasonKind::kBreaker, "secret-in-file",
                              "the new text of `" + effect.path + "` holds " + std::string(secret),
                              effect.span));
}

void program_breakers(const Effect& effect, std::vector<Reason>& reasons) {
  const std::string_view program = program_of(effect);
  if (program.starts_with("mkfs") || program == "wipefs" || program == "mke2fs") {
    reasons.push_back(floor(ReasonKind::kBreaker, "make-file-system",
                            "`" + std::string(program) + "` destroys what is on a device",
                            effect.span));
    return;
  }
  if (program != "dd" && program != "shred" && program != "tee") return;
  for (const Word& word : effect.argv) {
    std::string_view path = word.text;
    if (path.starts_with("of=")) path.remove_prefix(3);
    if (!is_device_path(path)) continue;
    reasons.push_back(floor(ReasonKind::kBreaker, "block-device",
                            "this writes the block device `" + std::string(path) + "`", word.span));
    return;
  }
}

void path_floors(const Scene& scene, std::size_t index, std::vector<Reason>& reasons) {
  const Effect& effect = scene.effects[index];
  path_breakers(scene, index, reasons);
  if (is_change_kind(effect.kind)) {
    if (const auto name = either(scene, index, guarded_place); !name.empty())
      reasons.push_back(floor(ReasonKind::kGuarded, std::string(name),
                              "`" + effect.path + "` is guarded (" + std::string(name) +
                                  "): changing it needs a person's yes",
                              effect.span));
    return;
  }
  if (const auto name = either(scene, index, sensitive_place); !name.empty())
    reasons.push_back(floor(ReasonKind::kSensitive, std::string(name),
                            "`" + effect.path + "` is a sensitive place (" + std::string(name) +
                                "): reading it needs a person's yes",
                            effect.span));
}

Reason refused(std::string rule, std::string text, Span span) {
  Reason reason = floor(ReasonKind::kGuarded, std::move(rule), std::move(text), span);
  reason.verdict = Verdict::kDeny;
  return reason;
}

constexpr std::string_view kAgentPrograms[] = {"claude",   "codex", "gemini", "copilot",
                                               "opencode", "kiro",  "kiro-cli", "q",
                                               "kimi",     "cursor-agent", "grok", "agy"};
constexpr std::string_view kLooseningVerbs[] = {
    "approve", "deny",    "approver",  "trust", "grants", "freeze", "install",
    "uninstall", "serve", "pair", "sessions"};

bool only_asks_about_itself(const Effect& effect) {
  return effect.argv.size() == 2 &&
         (effect.argv[1].text == "--version" || effect.argv[1].text == "--help");
}

std::optional<Reason> run_against_gate(const Effect& effect) {
  const std::string_view program = program_of(effect);
  if (std::ranges::find(kAgentPrograms, program) != std::end(kAgentPrograms) &&
      !only_asks_about_itself(effect))
    return refused("start-agent",
                   "an agent does not start `" + std::string(program) +
                       "` by itself: use `tollgate run`, which gives it a session of its own",
                   effect.span);
  if (program == "tollgate") {
    const bool yolo = std::ranges::any_of(
        effect.argv, [](const Word& word) { return word.text.starts_with("--yolo"); });
    for (const Word& word : effect.argv)
      if (yolo || std::ranges::find(kLooseningVerbs, word.text) != std::end(kLooseningVerbs))
        return refused("gate-command",
                       "an agent never runs a tollgate command that loosens or answers; eval, "
                       "explain and check are free",
                       effect.span);
  }
  if (program == "pkill" || program == "killall")
    for (const Word& word : effect.argv)
      if (word.text.find("tollgate") != word.text.npos)
        return refused("gate-process", "an agent never stops the gate", word.span);
  return std::nullopt;
}

}  // namespace

std::optional<Reason> against_gate(const Scene& scene) {
  for (std::size_t i = 0; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    if (effect.kind == EffectKind::kRun) {
      if (auto reason = run_against_gate(effect)) return reason;
    } else if (is_change_kind(effect.kind)) {
      const bool below = effect.recursive && std::ranges::any_of(scene.situation.gate, [&](const Place& place) {
        return is_inside(place.written, effect.path) || is_inside(place.real, look_at(scene, i).real);
      });
      if (below || !either(scene, i, gate_place).empty())
        return refused("gate-files",
                       "`" + effect.path + "` belongs to the gate: an agent never changes its "
                       "policy, store, snapshot or programs",
                       effect.span);
    }
  }
  return std::nullopt;
}

void add_floors(const Scene& scene, std::vector<Reason>& reasons) {
  for (std::size_t i = 0; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    if (is_path_kind(effect.kind)) path_floors(scene, i, reasons);
    else if (effect.kind == EffectKind::kRun) program_breakers(effect, reasons);
    else if (effect.kind == EffectKind::kPerson)
      reasons.push_back(floor(ReasonKind::kGuarded, "person",
                              "`" + scene.call.tool + "` is a question that only a person answers",
                              effect.span));
  }
}

}  // namespace tollgate
