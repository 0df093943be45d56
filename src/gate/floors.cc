// Built-in grounds that no rule and no mode removes: breakers, guarded paths, sensitive places,
// and everything that would touch the gate itself.
// They are read from effects, never from text, so that quoting a disaster is not committing one.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/path.h"
#include "base/text.h"
#include "gate/gate_itself.h"
#include "gate/git_work.h"
#include "gate/judge.h"
#include "gate/places.h"
#include "policy/glob.h"

namespace tollgate {
namespace {

// The first name that a question finds for the path as written or as it really is.
template <class Question>
std::string_view either(const Scene& scene, std::size_t index, const Question& question) {
  const std::string& written = scene.effects[index].path;
  const std::string_view found = question(written, scene.situation);
  const std::string& real = look_at(scene, index).real;
  return found.empty() && real != written ? question(real, scene.situation) : found;
}

[[gnu::cold]] Reason floor(ReasonKind kind, std::string rule, std::string text, Span span) {
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
  void add(Reason reason) {
    // LIMIT: with so many effects the call asks anyway, so that one such reason says it all.
    if (reason.kind == ReasonKind::kLimit && effect_ >= kMaxEffects &&
        std::exchange(told_limit_, true))
      return;
    found_.push_back({std::move(reason), effect_});
  }
  std::vector<Floor> take() { return std::move(found_); }

 private:
  std::uint32_t effect_ = 0;
  bool told_limit_ = false;
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

bool asks_for_the_tree(std::span<const Word> argv) {
  return std::ranges::any_of(argv.subspan(1), [](const Word& word) {
    const std::string_view text = word.text;
    if (text.starts_with("--"))
      return text.size() > 2 && std::string_view("--recursive").starts_with(text);
    return text.starts_with('-') && text.find_first_of("rR") != text.npos;
  });
}

// Which effects each run owns, in order. Made when it is first asked for.
class Owned {
 public:
  explicit Owned(const Effects& effects) : effects_(effects) {}

  template <class Visit>
  bool any(std::size_t run, const Visit& visit) {
    if (next_.empty()) link();
    for (std::uint32_t i = first_[run]; i != kNoOwner; i = next_[i])
      if (visit(i)) return true;
    return false;
  }

 private:
  void link() {
    first_.assign(effects_.size(), kNoOwner);
    next_.assign(effects_.size(), kNoOwner);
    for (auto i = static_cast<std::uint32_t>(effects_.size()); i-- > 0;) {
      const std::uint32_t owner = effects_[i].owner;
      if (owner < i) next_[i] = std::exchange(first_[owner], i);
    }
  }

  const Effects& effects_;
  std::vector<std::uint32_t> first_, next_;
};

// The run at hand, and the guesses that its words gave.
struct Run {
  const Scene& scene;
  std::size_t index;
  Owned& owned;

  // The first guess for which the question has an answer, or no effect.
  template <class Question>
  const Effect* find(const Question& question) const {
    const Effect* found = nullptr;
    owned.any(index, [&](std::uint32_t i) {
      if (scene.effects[i].guess != Guess::kNone && is_touch(scene, i) && question(i))
        found = &scene.effects[i];
      return found != nullptr;
    });
    return found;
  }

  // Whether it writes a file or directory that is there.
  bool overwrites() const {
    return owned.any(index, [&](std::uint32_t i) {
      const Effect& effect = scene.effects[i];
      if (effect.kind != EffectKind::kWrite || effect.guess != Guess::kNone) return false;
      const PathState state = look_at(scene, i).state;
      return state != PathState::kMissing && state != PathState::kUnknown;
    });
  }
};

void tree_breaker(const Run& run, std::string_view program, Floors& floors) {
  const Effect* root =
      run.find([&](std::size_t i) { return !either(run.scene, i, vital_root).empty(); });
  if (root == nullptr) return;
  floors.add(floor(ReasonKind::kBreaker, program == "rm" ? "delete-root" : "chmod-root",
                   "this reaches `" + root->path + "` and all below it", root->span));
}

// One command, given as words: what destroys devices, roots or work whatever its row says.
// From the first word to the last, where they stand in one text.
Span span_of(std::span<const Word> argv) {
  const Span first = argv.front().span, last = argv.back().span;
  if (first.empty() || last.empty() || last.end() < first.end()) return first;
  return {first.begin, last.end() - first.begin};
}

void command_breakers(const Run& run, std::span<const Word> argv, Floors& floors) {
  const std::string_view program = base_name(argv[0].text);
  if (!may_break(program)) return;
  const Span whole = span_of(argv);
  const bool makes = program.starts_with("mkfs") || program == "wipefs" || program == "mke2fs";
  if (makes)
    floors.add(floor(ReasonKind::kBreaker, "make-file-system",
                     "`" + std::string(program) + "` destroys what is on a device", whole));
  const bool tree =
      program == "rm" || program == "chmod" || program == "chown" || program == "chgrp";
  if (tree && asks_for_the_tree(argv)) tree_breaker(run, program, floors);
  if (program == "crontab")
    floors.add(floor(ReasonKind::kGuarded, "cron",
                     "`crontab` changes what runs at set times: that needs a person's yes", whole));
  if (program != "git") return;
  std::string_view loss = git_discards(argv);
  if (loss.empty() && git_takes_files(argv) && run.overwrites())
    loss = "throws away changes that are in no commit";
  if (!loss.empty())
    floors.add(floor(ReasonKind::kBreaker, "git-discard",
                     "this " + std::string(loss) + ", and git cannot give it back", whole));
  if (git_configures(argv))
    floors.add(floor(ReasonKind::kGuarded, "git's configuration",
                     "git's configuration can name programs to run: changing it needs a person's "
                     "yes",
                     whole));
}

// A program without a row may run the rest of its words.
void program_floors(const Scene& scene, std::size_t index, GateDoubt doubt, Owned& owned,
                    Floors& floors) {
  const std::span<const Word> argv = scene.effects[index].argv;
  if (auto reason = perhaps_against_gate(scene, index, doubt)) floors.add(std::move(*reason));
  if (argv.empty() || scene.effects[index].listed) return;
  // SAFETY: a breaker could be meant, unless the program lies where the text says.
  const std::string_view name = argv[0].text;
  const bool placed = name.find('/') != name.npos && name[0] != '/' && name.find("..") == name.npos;
  if (!argv[0].known && !placed)
    floors.add(floor(ReasonKind::kLimit, "unreadable",
                     "which program this runs cannot be told; name the program itself",
                     scene.effects[index].span));
  const Run run{scene, index, owned};
  command_breakers(run, argv, floors);
  if (scene.effects[index].told) return;       // none of its words is a command that nobody saw
  if (argv.size() > kMaxGuessedWords) return;  // the Unknown beside it says as much
  for (std::size_t i = 1; i < argv.size(); ++i)
    if (!argv[i].text.starts_with('-')) command_breakers(run, argv.subspan(i), floors);
}

// What a program that is not known is given, and may read or change.
void guess_floors(const Scene& scene, std::size_t index, Floors& floors) {
  const Effect& effect = scene.effects[index];
  const PathLook& look = look_at(scene, index);
  if (!is_touch(scene, index)) return;
  if (look.block_device || is_device_path(effect.path) || is_device_path(look.real))
    floors.add(floor(ReasonKind::kBreaker, "block-device",
                     "this program may write the block device `" + effect.path + "`", effect.span));
  // The program could be `rm -rf`.
  const bool any_program = effect.owner < scene.effects.size() &&
                           !scene.effects[effect.owner].argv.empty() &&
                           !scene.effects[effect.owner].argv[0].known;
  if (any_program)
    if (const auto root = either(scene, index, vital_root); !root.empty())
      floors.add(floor(ReasonKind::kBreaker, "delete-root",
                       "which program this runs cannot be told, and it is given `" + effect.path +
                           "`, " + std::string(root),
                       effect.span));
  if (const auto name = either(scene, index, sensitive_place); !name.empty()) {
    floors.add(floor(ReasonKind::kSensitive, std::string(name),
                     "`" + effect.path + "` is a sensitive place (" + std::string(name) +
                         "): giving it to a program needs a person's yes",
                     effect.span));
    return;
  }
  std::string_view guarded = either(scene, index, guarded_place);
  if (guarded.empty() && look.bare_repository) guarded = "a bare repository";
  if (!guarded.empty())
    floors.add(floor(ReasonKind::kGuarded, std::string(guarded),
                     "`" + effect.path + "` is guarded (" + std::string(guarded) +
                         "), and what this program does with it is not known",
                     effect.span));
}

// Whether what was found below a directory has a repository in it, bare or not.
bool has_repository(const std::vector<std::string>& below) {
  std::set<std::string_view> all;
  for (const std::string& found : below) {
    if (found.ends_with("/.git") || found.find("/.git/") != found.npos) return true;
    if (!found.ends_with("/HEAD")) continue;
    if (all.empty()) all.insert(below.begin(), below.end());
    const std::string directory = found.substr(0, found.size() - 4);
    if (all.contains(directory + "objects") && all.contains(directory + "refs")) return true;
  }
  return false;
}

// The sensitive place that the letters of a pattern of names speak of, whether one is there or not:
// `*.pem`, `.env*`, `[iI]d_rsa`.
std::string_view told_by_letters(std::string_view pattern, const Situation& situation) {
  std::string letters = "/";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '\\') continue;
    const std::size_t end = pattern[i] == '[' ? pattern.find(']', i) : pattern.npos;
    if (end != pattern.npos && end > i + 1) {
      letters += pattern[i + 1];
      i = end;
    } else {
      letters += pattern[i];
    }
  }
  const auto name = sensitive_place(letters, situation);
  return name.empty() ? sensitive_place(letters.insert(1, "x"), situation) : name;
}

// A pattern of file names: what it matches now, and what its last part says.
void pattern_floors(const Scene& scene, std::size_t index, Floors& floors) {
  const Effect& effect = scene.effects[index];
  const PathLook& look = look_at(scene, index);
  const bool changes = is_change_kind(effect.kind);
  const auto add = [&](std::string_view name, ReasonKind kind, std::string_view path) {
    floors.add(floor(kind, std::string(name),
                     "`" + effect.path + "` takes in `" + std::string(path) + "` (" +
                         std::string(name) + "): that needs a person's yes",
                     effect.span));
  };
  const std::size_t slash = effect.path.rfind('/');
  const std::string_view parent = slash == 0 ? "/" : std::string_view(effect.path).substr(0, slash);
  const std::string_view last = std::string_view(effect.path).substr(slash + 1);
  const bool everything = last == "*" || last == ".*" || last == "**";
  const bool takes_tree =
      (effect.kind == EffectKind::kDelete || effect.kind == EffectKind::kMode) && effect.recursive;
  if (takes_tree && everything)
    if (const auto root = vital_root(parent, scene.situation); !root.empty())
      floors.add(floor(
          ReasonKind::kBreaker, effect.kind == EffectKind::kMode ? "chmod-root" : "delete-root",
          "this reaches everything in `" + std::string(parent) + "`, " + std::string(root),
          effect.span));
  if (look.walk_cut && changes)
    floors.add(floor(ReasonKind::kLimit, "unreadable",
                     "`" + effect.path + "` matches more than can be looked at", effect.span));
  if (!changes)
    if (const auto name = told_by_letters(last, scene.situation); !name.empty())
      return floors.add(floor(ReasonKind::kSensitive, std::string(name),
                              "`" + effect.path + "` is how a sensitive file is named (" +
                                  std::string(name) + "): reading it needs a person's yes",
                              effect.span));
  for (const std::string& path : look.below) {
    const std::string_view name =
        changes ? guarded_place(path, scene.situation) : sensitive_place(path, scene.situation);
    if (!name.empty())
      return add(name, changes ? ReasonKind::kGuarded : ReasonKind::kSensitive, path);
    if (takes_tree)
      if (const auto root = vital_root(path, scene.situation); !root.empty())
        return add("delete-root", ReasonKind::kBreaker, path);
  }
}

void path_floors(const Scene& scene, std::size_t index, Floors& floors) {
  const Effect& effect = scene.effects[index];
  if (effect.path.empty()) {
    // SAFETY: a breaker, a guarded path or the gate's own files could be meant.
    if (is_change_kind(effect.kind))
      floors.add(floor(ReasonKind::kLimit, "unreadable",
                       "what this changes cannot be told: " + effect.why + "; name the file itself",
                       effect.span));
    return;
  }
  if (effect.pattern) return pattern_floors(scene, index, floors);
  // SAFETY: where a path leads that cannot be resolved, /proc/self/root and its like, nobody knows.
  if (look_at(scene, index).state == PathState::kUnknown)
    floors.add(floor(ReasonKind::kLimit, "unreadable",
                     "where `" + effect.path + "` leads cannot be told; name the file itself",
                     effect.span));
  if (effect.guess != Guess::kNone) return guess_floors(scene, index, floors);
  path_breakers(scene, index, floors);
  if (is_change_kind(effect.kind)) {
    std::string_view name = either(scene, index, guarded_place);
    const PathLook& look = look_at(scene, index);
    if (name.empty() && look.bare_repository) name = "a bare repository";
    // A repository that goes with the tree around it is gone for good.
    if (name.empty() && effect.kind == EffectKind::kDelete && has_repository(look.below))
      name = "a repository below it";
    if (name.empty() && effect.kind == EffectKind::kDelete && look.walk_cut)
      name = "too large to look through: it may hold a repository";
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

// Whether what a run is given is a secret: a variable named like one, or a text shaped like one.
std::string_view secret_among(const Effect& run) {
  for (const Word& word : run.argv) {
    if (word.secret) return "a variable that is named like a secret";
    if (const auto secret = secret_in(word.text); !secret.empty()) return secret;
  }
  return {};
}

// A secret that goes to a host which the call names. What reads a sensitive place anywhere in the
// call may be what is sent.
void sending_floors(const Scene& scene, Floors& floors) {
  std::string_view read;
  for (std::size_t i = 0; i < scene.effects.size() && read.empty(); ++i)
    if (scene.effects[i].kind == EffectKind::kRead && scene.effects[i].guess == Guess::kNone &&
        !scene.effects[i].path.empty() && scene.effects[i].target.empty())
      read = either(scene, i, sensitive_place);
  // A run that reaches very many hosts is looked at once.
  std::uint32_t looked_at = kNoOwner;
  std::string_view secret;
  for (std::size_t i = 0; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    if (effect.kind != EffectKind::kReach || is_configured_home(effect) ||
        effect.owner >= scene.effects.size())
      continue;
    if (std::exchange(looked_at, effect.owner) != effect.owner)
      secret = secret_among(scene.effects[effect.owner]);
    if (secret.empty() && read.empty()) continue;
    floors.at(i);
    floors.add(
        floor(ReasonKind::kBreaker, "secret-to-host",
              "this may send " + std::string(secret.empty() ? read : secret) + " to " +
                  (effect.host.empty() ? "a host that cannot be told" : "`" + effect.host + "`"),
              effect.span));
    return;
  }
}

}  // namespace

// SAFETY: what is denied could stand in the rest, and deny rules apply to all that is written.
std::optional<Reason> not_followed(const Scene& scene) {
  for (const Effect& effect : scene.effects)
    if (effect.kind == EffectKind::kUnknown && effect.target == kNotFollowed)
      return Reason{.kind = ReasonKind::kLimit,
                    .verdict = Verdict::kDeny,
                    .rule = "beyond-limit",
                    .source = "built-in",
                    .text =
                        "there is more in this text than is followed, and what is denied could "
                        "stand in the rest; split it, or write it to a file and run that",
                    .span = effect.span};
  return std::nullopt;
}

std::vector<Floor> built_in_floors(const Scene& scene, GateDoubt doubt, const PlainRuns& plain) {
  Floors floors;
  Owned owned(scene.effects);
  const bool shell = scene.kind == ToolKind::kShell || scene.kind == ToolKind::kShellInput;
  if (shell && plain.may_have(EffectKind::kReach)) sending_floors(scene, floors);
  const std::size_t count = scene.effects.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Effect& effect = scene.effects[i];
    if (plain.has(i) || is_repository(effect)) continue;  // it is quiet or not, touches no place
    floors.at(i);
    if (is_path_kind(effect.kind))
      path_floors(scene, i, floors);
    else if (effect.kind == EffectKind::kRun)
      program_floors(scene, i, doubt, owned, floors);
    else if (effect.kind == EffectKind::kUnknown && effect.target == kUnreadFetched)
      floors.add(floor(ReasonKind::kBreaker, "fetched-code",
                       "this runs whatever comes from the network: fetch it into a file, read it, "
                       "then run it",
                       effect.span));
    else if (effect.kind == EffectKind::kUnknown && effect.target == kForkBomb)
      floors.add(floor(ReasonKind::kBreaker, "fork-bomb",
                       effect.why + ": this takes every process the machine has", effect.span));
    else if (effect.kind == EffectKind::kUnknown && effect.target != kUnreadScript &&
             effect.target != kUnreadCode)
      // SAFETY: a breaker or a guarded path could hide in what cannot be read, so no mode and no
      // rule settles it.
      floors.add(
          floor(ReasonKind::kLimit, effect.target == kBeyondLimit ? "beyond-limit" : "unreadable",
                "it cannot be read with certainty: " + effect.why +
                    (scene.call.tool == "PowerShell" ? "; a person must say yes to it"
                                                     : "; write it as plain commands, one a call"),
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
