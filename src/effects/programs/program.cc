// The way from a program's words to its row, and what is done where there is none.
// SAFETY: a program without a row, or with a word that no row understands, is unlisted and guessed.
#include "effects/programs/program.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "base/text.h"
#include "core/tool_call.h"
#include "effects/paths.h"
#include "effects/programs/acts.h"
#include "effects/programs/arguments.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

constexpr std::array<std::string_view, 6> kSystemDirectories = {
    "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin",
};

// Programs that build what they write from source.
bool is_builder(std::string_view program) {
  constexpr std::string_view kNames[] = {
      "gcc",   "g++",   "cc",       "c++",   "clang", "clang++", "go",       "rustc",
      "cargo", "ld",    "gfortran", "zig",   "tcc",   "ghc",     "ocamlopt", "swiftc",
      "make",  "ninja", "cmake",    "meson", "nim",   "dmd",     "javac",    "tsc"};
  return std::ranges::find(kNames, base_name(program)) != std::end(kNames);
}
bool is_copier(std::string_view program) {
  constexpr std::string_view kNames[] = {"cp",  "gcp",   "mv",      "gmv",      "ln",
                                         "gln", "rsync", "install", "ginstall", "scp"};
  return std::ranges::find(kNames, base_name(program)) != std::end(kNames);
}

}  // namespace

bool is_made(std::string_view word, const Surroundings& around, const Effects& out) {
  // LIMIT: a text with more effects is asked about for its length.
  if (out.size() > kMaxEffects) return true;
  for (const std::string& directory : around.directories) {
    const auto located = locate(word, {directory, {}, Tilde::kLiteral});
    if (!located) continue;
    const std::string& path = located->path;
    const bool made = std::ranges::any_of(out, [&](const Effect& effect) {
      const bool makes = effect.kind == EffectKind::kWrite || effect.kind == EffectKind::kLink ||
                         effect.kind == EffectKind::kRename;
      if (!makes || effect.guess != Guess::kNone) return false;
      const std::string_view by = effect.owner < out.size() && !out[effect.owner].argv.empty()
                                      ? std::string_view(out[effect.owner].argv[0].text)
                                      : std::string_view();
      if (effect.by == EffectBy::kOperand && is_builder(by)) return false;
      if (effect.path == path || (effect.path.empty() && is_copier(by))) return true;
      return effect.recursive && is_copier(by) && path.size() > effect.path.size() &&
             path.starts_with(effect.path) && path[effect.path.size()] == '/';
    });
    if (made) return true;
  }
  return false;
}

std::string_view program_name(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  if (slash == std::string_view::npos) return word;
  if (std::ranges::find(kSystemDirectories, word.substr(0, slash)) == kSystemDirectories.end())
    return {};
  return base_name(word);
}

bool is_unpacker(std::string_view program) {
  constexpr std::array<std::string_view, 14> kUnpackers = {
      "tar", "gtar", "bsdtar", "gnutar", "unzip", "7z",   "7za",
      "7zz", "7zr",  "unrar",  "rar",    "cpio",  "unar", "cabextract"};
  return std::ranges::find(kUnpackers, base_name(program)) != kUnpackers.end();
}

bool is_fetcher(std::string_view program) {
  static constexpr NameSet kFetchers({"curl", "wget", "fetch", "aria2c", "http", "https", "lynx",
                                      "nc", "ncat", "xh", "wget2", "w3m"});
  return kFetchers.has(base_name(program));
}

namespace {

// `git-push` is `git push`, wherever it lies.
bool run_as_git(std::span<const Word> argv, const Surroundings& around, InnerReader& inner) {
  constexpr std::string_view kStart = "git-";
  const std::string_view name = base_name(argv[0].text);
  if (!argv[0].known || !name.starts_with(kStart) || name.size() == kStart.size()) return false;
  std::vector<Word> words{argv[0], argv[0]};
  words[0].text = "git";
  words[1].text = name.substr(kStart.size());
  words.insert(words.end(), argv.begin() + 1, argv.end());
  inner.command(words, around, Lent::kNo);
  return true;
}

// SAFETY: a program that the same text puts there may be any other.
void note_made_program(const Word& word, const Surroundings& around, Effects& out) {
  if (!word.known || word.text.find('/') == word.text.npos || !is_made(word.text, around, out))
    return;
  Effect effect = unknown("`" + word.text + "` is made by the same text", word.span);
  effect.by = EffectBy::kOperand;
  effect.owner = around.owner;
  out.push_back(std::move(effect));
}

// Shells of any kind, and what else runs the word behind `-c` as shell text.
constexpr NameSet kAllShells({"sh",   "bash", "rbash", "bash5", "dash",  "ash",  "yash",
                              "posh", "zsh",  "rzsh",  "ksh",   "ksh93", "rksh", "mksh",
                              "lksh", "oksh", "loksh", "pdksh", "csh",   "tcsh", "fish"});
constexpr NameSet kLaunchers({"su", "runuser", "script", "flock"});

bool takes_text(std::string_view program) {
  return kAllShells.has(program) || kLaunchers.has(program);
}

// An interpreter that lies where programs seldom do, and takes what was fetched.
void note_fetched_input(const Word& program, const Surroundings& around, Effects& out) {
  const std::string_view name = base_name(program.text);
  static constexpr NameSet kOthers({"perl", "ruby", "node", "nodejs", "php", "lua", "deno", "bun"});
  const bool runs = takes_text(name) || kOthers.has(name) || name.starts_with("python");
  if (!runs || around.input == nullptr || around.input->kind != Input::Kind::kFetched) return;
  Effect effect =
      unknown("`" + program.text + "` may run what comes from the network", program.span);
  effect.by = EffectBy::kOperand;
  effect.owner = around.owner;
  effect.target = kUnreadFetched;
  out.push_back(std::move(effect));
}

// `-oe errexit` and `-c - TEXT`: letters go on behind `o`, whose value is the next word, and a dash
// ends the options.
bool has_odd_options(std::span<const Word> argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view text = argv[i].text;
    if (text == "--" || !(text.starts_with('-') || text.starts_with('+'))) return false;
    if (text == "-") return true;
    if (text.starts_with("--")) {
      if (text.ends_with("file")) ++i;
      continue;
    }
    const std::size_t name = text.find_first_of("oO");
    if (name == text.npos) continue;
    if (name + 1 < text.size()) return true;
    ++i;
  }
  return false;
}

// SAFETY: of a shell whose options are not understood each word behind what may be `-c` may be text
// that it runs. It is read for what forbids it, and is an Unknown besides.
void read_words_as_text(std::span<const Word> argv, const Surroundings& around, InnerReader& inner,
                        Effects& out) {
  const auto flag = std::ranges::find_if(argv.subspan(1), [](const Word& word) {
    const bool option = word.text.starts_with('-') || word.text.starts_with('+');
    return !word.known || (option && word.text.find('c') != word.text.npos);
  });
  if (argv.end() - flag < 2) return;
  // LIMIT: words that are looked at.
  constexpr std::ptrdiff_t kMost = 16;
  for (auto word = flag + 1; word != argv.end() && word - flag <= kMost; ++word)
    inner.shell(*word, around, Lent::kNo, {});
  // One that lies elsewhere is a program that is not known.
  if (program_name(argv[0].text).empty() && argv.end() - flag <= kMost) return;
  Effect effect =
      unknown("the options of `" + argv[0].text + "` are not known, and so what it runs",
              flag->span.empty() ? argv[0].span : flag->span);
  effect.by = EffectBy::kOperand;
  effect.owner = around.owner;
  effect.target = kUnreadShell;
  out.push_back(std::move(effect));
}

}  // namespace

ProgramReading read_program(std::span<const Word> argv, const Surroundings& around,
                            InnerReader& inner, Effects& out) {
  const std::string_view name = program_name(argv[0].text);
  note_made_program(argv[0], around, out);
  const auto spelt = name.empty() || argv[0].several ? std::nullopt : respelled(name, argv);
  const std::span<const Word> words = spelt ? std::span<const Word>(*spelt) : argv;
  MadeWords made;
  auto arguments =
      name.empty() || argv[0].several ? std::nullopt : read_arguments(name, words, made);
  if (arguments && kAllShells.has(name) && has_odd_options(argv)) arguments->understood = false;
  if ((!arguments || !arguments->understood) && takes_text(base_name(argv[0].text)))
    read_words_as_text(argv, around, inner, out);
  if (!arguments) {
    note_fetched_input(argv[0], around, out);
    const bool git = run_as_git(argv, around, inner);
    add_guesses(argv, around, out);
    return {.told = git, .prints_fetched = is_fetcher(argv[0].text)};
  }
  ProgramReading reading = Acts(name, words, *arguments, around, inner, out).run();
  if (!arguments->understood) add_guesses(argv, around, out);
  // Other makes of env split some texts by other rules.
  if (spelt && name.ends_with("env") && !splits_alike(argv)) reading.listed = false;
  let_go(*arguments);
  return reading;
}

}  // namespace tollgate
