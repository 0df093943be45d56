// What each bound word comes to. Read top to bottom: one program, its words, one kind at a time.
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
#include "effects/programs/arguments.h"
#include "effects/programs/other_shells.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"
#include "effects/shell/pattern.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

constexpr std::array<std::string_view, 6> kSystemDirectories = {
    "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin",
};

bool is_shell(std::string_view program) {
  constexpr std::string_view kShells[] = {"sh",   "bash", "dash", "zsh",   "ksh",
                                          "mksh", "ash",  "fish", "rbash", "bash5"};
  return std::ranges::find(kShells, program) != std::end(kShells);
}

// Programs for which `-` is standard output where a file to write is named.
bool prints_to_dash(std::string_view program) {
  constexpr std::string_view kNames[] = {"curl",       "wget",    "wget2",   "gpg",    "gpg2",
                                         "gpgv",       "gpgv2",   "openssl", "uniq",   "guniq",
                                         "xxd",        "tcpdump", "tshark",  "hg",     "chg",
                                         "pg_restore", "iconv",   "giconv",  "xmllint"};
  return std::ranges::find(kNames, program) != std::end(kNames);
}

bool is_stream(const Word& word) {
  return word.known && (word.text.starts_with('-') || word.text.starts_with("/dev/")) &&
         (word.text == "-" || word.text == "/dev/stdin" || word.text == "/dev/stdout" ||
          word.text == "/dev/stderr" || word.text == "/dev/null" || word.text == "/dev/tty" ||
          word.text == kSubstitutedFile);
}

// Last component of a path, without slashes at its end.
std::string_view last_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return base_name(path);
}

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

namespace {

class Acts {
 public:
  Acts(std::string_view program, std::span<const Word> argv, const ProgramArguments& arguments,
       const Surroundings& around, InnerReader& inner, Effects& out)
      : program_(program),
        argv_(argv),
        arguments_(arguments),
        around_(around),
        inner_(inner),
        out_(out) {}

  ProgramReading run() {
    const ProgramDoes does = arguments_.row->does;
    listed_ = arguments_.understood && !arguments_.more && does != ProgramDoes::kChanges &&
              !(arguments_.recursive && arguments_.follows);
    const std::vector<Bound>& bound = arguments_.bound;
    for (std::size_t i = 0; i < bound.size(); ++i)
      if (bound[i].kind == Kind::kDir) {
        // Where a program works that changes things, something changes.
        if (does == ProgramDoes::kChanges || !arguments_.understood)
          path(EffectKind::kWrite, bound[i].word, false);
        // Elsewhere another service may be the home.
        if (does == ProgramDoes::kHome && may_lead_out(bound[i].word)) listed_ = false;
        move_to(bound[i].word);
      }
    for (std::size_t i = 0; i < bound.size(); ++i) i = act(i);
    guess_behind_code();
    act_on_input();
    if (program_ == "tmux") formats();
    if (searches_revisions()) path(EffectKind::kRead, {.text = ".", .span = argv_[0].span}, true);
    if (does == ProgramDoes::kChanges) save_by_address();
    if (does == ProgramDoes::kHome) add_home(program_, argv_[0], here(), out_);
    if (arguments_.links) listed_ = false;
    if (arguments_.anywhere)
      path(EffectKind::kWrite, {.text = {}, .span = argv_[0].span, .known = false}, true);
    if (listed_ && follows_repository()) add_repository();
    return {.listed = listed_,
            .safe = does == ProgramDoes::kSafe,
            .told = arguments_.understood,
            .prints_fetched = is_fetcher(program_),
            .names = std::move(names_)};
  }

 private:
  Surroundings here() const {
    Surroundings now = around_;
    if (!directories_.empty()) now.directories = directories_;
    return now;
  }

  void move_to(const Word& word) {
    std::vector<std::string> next;
    const Surroundings now = here();
    for (const std::string& directory : now.directories) {
      auto located = word.known ? locate(word.text, {directory, {}, Tilde::kLiteral})
                                : std::expected<Located, std::string>(std::unexpected(""));
      // Behind a link `..` is another directory than the text says.
      const bool climbs = located && located->spelled.find("..") != std::string::npos;
      next.push_back(climbs ? located->spelled : located ? located->path : "");
    }
    directories_ = std::move(next);
  }

  static bool may_lead_out(const Word& word) {
    const std::string& text = word.text;
    return !word.known || text.starts_with('/') || text.find("..") != text.npos;
  }

  // Version control programs whose repository can name programs for them to run, and python with a
  // module that the directory may have as well.
  bool follows_repository() const {
    if (program_ == "git")
      return arguments_.row->name != "git" && arguments_.row->name != "git version";
    if (program_.starts_with("py"))
      return std::ranges::any_of(arguments_.bound,
                                 [](const Bound& one) { return one.option == "m"; });
    return program_ == "git-lfs" || program_ == "hg" || program_ == "chg" || program_ == "jj";
  }

  void add_repository() {
    const Surroundings now = here();
    const std::size_t first = out_.size();
    const std::string nowhere;
    std::span<const std::string> directories = now.directories;
    if (directories.empty()) directories = {&nowhere, 1};
    for (std::string_view directory : directories) {
      if (directory.starts_with(kTopOf)) directory.remove_prefix(kTopOf.size());
      Effect effect{.kind = EffectKind::kRead,
                    .by = EffectBy::kOperand,
                    .owner = around_.owner,
                    .span = argv_[0].span,
                    .target = std::string(kRepository)};
      if (auto located = locate(directory, {})) {
        effect.path = std::move(located->path);
        effect.spelled = std::move(located->spelled);
      } else {
        effect.why = "the directory it runs in";
      }
      if (std::find(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(), effect) ==
          out_.end())
        out_.push_back(std::move(effect));
    }
  }

  void path(EffectKind kind, const Word& word, bool recursive) {
    add_path({kind, EffectBy::kOperand, recursive}, word, here(), out_);
  }

  // The word as it counts: of one that only a row names, the home directory is spelt out.
  const Word& counted(const Bound& one, Word& spelt) const {
    if (one.at != argv_.size() || !one.word.text.starts_with("~/")) return one.word;
    spelt = one.word;
    spelt.text.replace(0, 1, around_.home);
    return spelt;
  }

  void unread(std::string_view what, std::string why, const Word& word,
              std::string_view flag = {}) {
    Effect effect = unknown(std::move(why), word.span.empty() ? argv_[0].span : word.span);
    effect.by = EffectBy::kOperand;
    effect.owner = around_.owner;
    effect.target = what;
    effect.text = flag;
    out_.push_back(std::move(effect));
    listed_ = false;
  }

  // Acts on one bound word, or on it and all behind it; gives the index of the last one.
  std::size_t act(std::size_t i) {
    const Bound& one = arguments_.bound[i];
    Word spelt;
    const Word& word = counted(one, spelt);
    switch (one.kind) {
      case Kind::kText:
        text(word);
        return i;
      case Kind::kSet:
        if (is_editor_command(program_, word.text)) code(one);
        return i;
      case Kind::kNumber:
      case Kind::kDir:
      case Kind::kSub:
        return i;
      case Kind::kTest:
        return arguments_.bound.size();
      case Kind::kDate:
        if (!word.known || !word.text.starts_with('+')) listed_ = false;
        return i;
      case Kind::kRead:
        // awk takes such a name for a connection.
        if (word.text.starts_with("/inet") && program_.ends_with("awk"))
          add_any_host(word, here(), out_);
        if (takes_globs(one)) {
          for (const Word& each : curl_names(word)) path(EffectKind::kRead, each, false);
          return i;
        }
        if (!is_stream(word)) path(EffectKind::kRead, word, arguments_.recursive);
        if (one.option.empty() && awk_edits()) path(EffectKind::kWrite, word, false);
        if (arguments_.removes && one.option.empty() && !is_stream(word))
          path(EffectKind::kDelete, word, arguments_.recursive);
        return i;
      case Kind::kTree:
        if (!is_stream(word)) path(EffectKind::kRead, word, true);
        if (arguments_.removes && !is_stream(word)) path(EffectKind::kDelete, word, true);
        return i;
      case Kind::kNames:
        names_in(word);
        // A line may be an option of tar.
        if (program_.ends_with("tar") && takes_options_from_files())
          unread(kUnreadCode, "`" + std::string(program_) + "` takes options from a file", word,
                 flag_of(one));
        return i;
      case Kind::kRev:
      case Kind::kRevTree:
        revision(one);
        return i;
      case Kind::kAt:
        // curl takes such a variable from the environment.
        if (one.option == "variable" && word.text.starts_with('%')) note_secret(one);
        add_text_or_file(word, takes_named_file(one), here(), out_);
        return i;
      case Kind::kFlags:
        if (word.known ? is_program_flag(word.text) : word.text.empty()) code(one);
        return i;
      case Kind::kGoal:
        goal(one);
        return i;
      case Kind::kProject:
        project(word);
        return i;
      case Kind::kList:
        path(EffectKind::kRead, word, arguments_.recursive);
        return i;
      case Kind::kWrite:
        if (!is_stream(word) || is_file_called_dash(word)) path(EffectKind::kWrite, word, false);
        return i;
      case Kind::kEdit:
        if (is_editor_command(program_, word.text)) {
          code(one);
          return i;
        }
        if (is_stream(word)) return i;
        path(EffectKind::kRead, word, arguments_.recursive);
        path(EffectKind::kWrite, word, arguments_.recursive);
        return i;
      case Kind::kCreate:
        path(EffectKind::kCreate, word, false);
        return i;
      case Kind::kDelete:
        path(EffectKind::kDelete, word, arguments_.recursive);
        return i;
      case Kind::kRemove:
        path(EffectKind::kDelete, word, true);
        return i;
      case Kind::kMode:
        path(EffectKind::kMode, word, arguments_.recursive);
        return i;
      case Kind::kFill:
        if (!fills_target(one) && !is_stream(word))
          path(EffectKind::kWrite, destination(word), true);
        return i;
      case Kind::kMount:
        add_mount(word, here(), out_);
        return i;
      case Kind::kSource:
        add_source(word, here(), out_);
        return i;
      case Kind::kFilter:
        add_filter(word, here(), out_);
        return i;
      case Kind::kCopy:
      case Kind::kMove:
      case Kind::kLink:
      case Kind::kRcopy:
        return transfer(i);
      case Kind::kHost:
        add_host_word(word, here(), out_);
        return i;
      case Kind::kUrl:
        if (program_ == "curl")
          for (const Word& each : curl_names(word)) add_url_word(each, here(), out_);
        else
          add_url_word(word, here(), out_);
        return i;
      case Kind::kOrigin:
        transport(word);
        // A repository of the disk is not the workspace's own, and its settings count.
        if (program_ == "git" && word.text != "." && is_path_word(word)) listed_ = false;
        add_origin(word, program_, here(), out_);
        return i;
      case Kind::kRepo:
        add_forge_repository(word, program_, here(), out_);
        return i;
      case Kind::kAnyHost:
        add_any_host(word, here(), out_);
        return i;
      case Kind::kHome:
        add_home(program_, word, here(), out_);
        return i;
      case Kind::kPackage:
        add_package(word, program_, here(), out_);
        return i;
      case Kind::kRemote:
        transport(word);
        if (is_remote_path(word.text))
          add_remote_host(word, here(), out_);
        else
          path(EffectKind::kRead, word, true);
        return i;
      case Kind::kAssign:
        inner_.assignment(word, here());
        return i;
      case Kind::kCommand:
      case Kind::kLent:
        return command(i, one.kind == Kind::kLent ? Lent::kYes : Lent::kNo);
      case Kind::kShell:
      case Kind::kLentShell:
        shell(word, one.kind == Kind::kLentShell ? Lent::kYes : Lent::kNo);
        return i;
      case Kind::kShellRest:
      case Kind::kLentShellRest:
        return shell_rest(one);
      case Kind::kCode:
        code(one);
        return i;
      case Kind::kConfig:
        if (follows_settings()) add_any_host(word, here(), out_);
        path(EffectKind::kRead, word, false);
        code(one);
        return i;
      case Kind::kScript:
        // Behind an option it is no script that a rule for the program is about.
        if (one.option.empty())
          script(word);
        else
          option_script(one);
        return i;
      case Kind::kInput:
        input(argv_[0]);
        return i;
      case Kind::kSed:
        sed(word);
        return i;
      case Kind::kAwk:
        if (!word.known || !is_harmless_awk(word.text))
          unread(kUnreadShell, "`" + std::string(program_) + "` runs a script that is not read",
                 word);
        return i;
      case Kind::kJq:
        if (!word.known || !is_harmless_jq(word.text)) listed_ = false;
        return i;
      case Kind::kYq:
        yq(one);
        return i;
      case Kind::kFind:
        if (!read_find(argv_, one.at, here(), inner_, out_, names_)) listed_ = false;
        return arguments_.bound.size();
      case Kind::kDd:
        if (!read_dd(argv_.subspan(one.at), here(), out_)) listed_ = false;
        return arguments_.bound.size();
      case Kind::kBad:
        break;
    }
    listed_ = false;
    return i;
  }

  // What code that is not read is given may be paths.
  void guess_behind_code() {
    const auto& bound = arguments_.bound;
    const auto code = std::ranges::find_if(bound, [](const Bound& one) {
      return one.kind == Kind::kCode || one.kind == Kind::kScript || one.kind == Kind::kInput;
    });
    if (code == bound.end()) return;
    std::vector<Word> words{{.text = {}, .span = argv_[0].span}};
    for (const Bound& one : bound)
      if (one.kind == Kind::kText && one.option.empty()) words.push_back(one.word);
    if (words.size() > 1) add_guesses(words, here(), out_);
    if (edits_in_place())
      for (const Word& word : std::span(words).subspan(1)) path(EffectKind::kWrite, word, false);
  }

  // perl and ruby with -i, and awk with its library of that name, write what they read.
  bool edits_in_place() const {
    if (!program_.starts_with("perl") && !program_.starts_with("ruby")) return false;
    return std::ranges::any_of(argv_.subspan(1), [](const Word& word) {
      const std::string_view text = word.text;
      return text.starts_with('-') && !text.starts_with("--") &&
             text.substr(0, text.find_first_of("eE")).find('i') != text.npos;
    });
  }
  bool awk_edits() {
    if (!program_.ends_with("awk")) return false;
    if (!edits_)
      edits_ = std::ranges::any_of(arguments_.bound, [](const Bound& one) {
        return one.kind == Kind::kScript && one.word.text.find("inplace") != std::string::npos;
      });
    return *edits_;
  }

  bool has_word(std::string_view start) const {
    return std::ranges::any_of(argv_,
                               [&](const Word& word) { return word.text.starts_with(start); });
  }
  bool takes_options_from_files() {
    if (!options_in_files_) options_in_files_ = !has_word("--verbatim");
    return *options_in_files_;
  }
  bool binds(std::string_view option) const {
    return std::ranges::find(arguments_.bound, option, &Bound::option) != arguments_.bound.end();
  }

  // Programs that call a file as the address ends, where no other name is given.
  bool calls_by_address() const {
    if (program_ == "git") return arguments_.row->name == "git clone";
    if (program_ == "gh") return arguments_.row->name == "gh repo clone";
    if (program_ == "wget" || program_ == "wget2")
      return !binds("O") && !binds("output-document") && !has_word("--spider");
    return program_ == "aria2c" ||
           (program_ == "curl" && std::ranges::any_of(argv_, [](const Word& word) {
              const bool letters = word.text.starts_with('-') && !word.text.starts_with("--");
              return word.text.starts_with("--remote-") ||
                     (letters && word.text.find('O') != std::string::npos);
            }));
  }

  void save_by_address() {
    const auto& bound = arguments_.bound;
    if (!calls_by_address() || std::ranges::find(bound, Kind::kFill, &Bound::kind) != bound.end())
      return;
    // The host may choose the name.
    if (has_word("--content-disposition") || has_word("--trust-server-names") ||
        has_word("--remote-header") || has_word("-OJ") || has_word("-J"))
      path(EffectKind::kWrite, {.text = {}, .span = argv_[0].span, .known = false}, false);
    if (has_word("-r") || has_word("--recursive") || has_word("-m") || has_word("--mirror"))
      path(EffectKind::kWrite, {.text = ".", .span = argv_[0].span}, true);
    for (const Bound& one : bound) {
      if (one.kind != Kind::kUrl && one.kind != Kind::kOrigin && one.kind != Kind::kRepo) continue;
      if (!one.option.empty() && one.option != "url") continue;
      Word name = one.word;
      name.text.resize(std::min(name.text.find_first_of("?#"), name.text.size()));
      const std::size_t scheme = name.text.find("://");
      const std::size_t host = scheme == name.text.npos ? 0 : scheme + 3;
      const bool bare = one.kind == Kind::kUrl && name.text.find('/', host) == name.text.npos;
      name.text = bare ? "index.html" : std::string(last_name(name.text));
      if (name.text.ends_with(".git") && name.text != ".git")
        name.text.resize(name.text.size() - 4);
      if (const std::size_t colon = name.text.rfind(':'); colon != name.text.npos)
        name.text.erase(0, colon + 1);
      if (!name.text.empty()) path(EffectKind::kWrite, name, one.kind != Kind::kUrl);
    }
  }

  // Shells whose text is not taken apart. It counts as bash for deny and ask.
  bool is_other_shell() const {
    return program_.starts_with("pwsh") || program_.starts_with("powershell") ||
           program_ == "cmd" || program_ == "cmd.exe";
  }

  // Its words make up one text, which is read where the first of them stands.
  void other_shell(const Bound& one) {
    const auto first = std::ranges::find(arguments_.bound, Kind::kCode, &Bound::kind);
    if (first == arguments_.bound.end() || first->at != one.at) return;
    std::string text;
    for (const Bound& each : arguments_.bound) {
      const bool flag = program_.starts_with("cmd") && each.word.text.starts_with('/');
      if (each.kind == Kind::kCode && each.word.known && !flag) text += each.word.text + ' ';
    }
    inner_.shell({.text = text, .span = one.word.span}, here(), Lent::kNo);
    unread(kUnreadShell, "text for `" + std::string(program_) + "` is not read", one.word);
  }

  void code(const Bound& one) {
    const Word& word = one.word;
    if (is_other_shell()) return other_shell(one);
    if (word.known && is_harmless_code(program_, word.text)) return;
    if (leads_elsewhere(word)) add_any_host(word, here(), out_);
    if (program_ == "socat") return socat(word);
    if (program_ == "git") git_setting(one);
    if (word.known) escapes_in(word.text, word.span);
    unread(kUnreadCode, "`" + std::string(program_) + "` runs code that is not read", word,
           flag_of(one));
  }

  // Commands of a client's own, and those that it hands to the shell.
  void escapes_in(std::string_view text, Span span) {
    // LIMIT: so many texts in one.
    constexpr std::size_t kMostTexts = 16;
    std::vector<std::string> texts = shell_texts_in(program_, text);
    if (texts.size() > kMostTexts) {
      unread(kUnreadShell, "`" + std::string(program_) + "` is given too many commands", argv_[0]);
      texts.resize(kMostTexts);
    }
    for (std::string& each : texts)
      inner_.shell({.text = std::move(each), .span = span}, here(), Lent::kNo);
    if (!is_transfer_client()) return;
    for (std::string& file : sent_by(text))
      path(EffectKind::kRead, {.text = std::move(file), .span = span}, true);
  }
  bool is_transfer_client() const {
    return program_ == "sftp" || program_ == "ftp" || program_ == "lftp" || program_ == "tftp";
  }

  // `alias.NAME=WORDS`: where NAME is the subcommand, git puts the words in its place.
  void git_setting(const Bound& one) {
    constexpr std::string_view kAlias = "alias.";
    const std::string_view text = one.word.text;
    if (lower(text.substr(0, kAlias.size())) != kAlias) return;
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string name = lower(text.substr(kAlias.size(), equals - kAlias.size()));
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    const std::size_t at = subcommand_behind(one.at);
    if (at >= argv_.size() || lower(argv_[at].text) != name) return;
    if (!one.word.known || one.option == "config-env")
      return unread(kUnreadShell, "`" + name + "` stands for another command", one.word);
    if (value.starts_with('!')) return;  // that is shell text
    // An alias never leads to itself, so it is left out.
    std::vector<Word> words;
    for (std::size_t i = 0; i < at; ++i)
      if (i != one.at && !(i + 1 == one.at && argv_[i].text == "-c")) words.push_back(argv_[i]);
    for (std::string& each : quoted_words(value))
      words.push_back({.text = std::move(each), .span = one.word.span});
    words.insert(words.end(), argv_.begin() + static_cast<std::ptrdiff_t>(at) + 1, argv_.end());
    inner_.command(words, around_, Lent::kNo);
  }

  // The subcommand of git, behind an option at `from`.
  std::size_t subcommand_behind(std::size_t from) const {
    constexpr std::string_view kValues[] = {
        "-C",          "-c",           "--git-dir",      "--work-tree",
        "--namespace", "--config-env", "--super-prefix", "--attr-source"};
    std::size_t at = from + 1;
    for (; at < argv_.size() && argv_[at].text.starts_with('-'); ++at)
      if (std::ranges::find(kValues, argv_[at].text) != std::end(kValues)) ++at;
    return at;
  }

  // Words with blanks between, of which quotes may hold some together.
  static std::vector<std::string> quoted_words(std::string_view text) {
    std::vector<std::string> words;
    bool open = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
        open = false;
        continue;
      }
      if (!std::exchange(open, true)) words.emplace_back();
      if (c == quote)
        quote = 0;
      else if (quote == 0 && (c == '\'' || c == '"'))
        quote = c;
      else if (c == '\\' && quote != '\'' && i + 1 < text.size())
        words.back() += text[++i];
      else
        words.back() += c;
    }
    return words;
  }

  void socat(const Word& word) {
    const SocatAddress address = read_socat(word.text);
    const Word text{
        .text = address.text, .span = word.span, .known = word.known, .rest = word.rest};
    switch (address.kind) {
      case SocatAddress::Kind::kFile:
        path(EffectKind::kRead, text, false);
        path(EffectKind::kWrite, text, false);
        break;
      case SocatAddress::Kind::kShell:
        inner_.shell(text, here(), Lent::kNo);
        break;
      case SocatAddress::Kind::kHost:
        add_host_word(text, here(), out_);
        break;
      case SocatAddress::Kind::kOther:
        break;
    }
    unread(kUnreadCode, "`socat` opens what this address says", word);
  }

  // git grep in a revision looks at all its files where no path is named.
  bool searches_revisions() const {
    if (arguments_.row->name != "git grep") return false;
    bool any = false;
    for (const Bound& one : arguments_.bound) {
      if (one.kind != Kind::kRevTree || !one.option.empty()) continue;
      const std::string_view text = one.word.text;
      const bool revision =
          text == "HEAD" || text == "@" || text == "main" || text == "master" ||
          text.find_first_of("~^{") != text.npos || text.ends_with(':') ||
          (text.size() >= 7 && text.find_first_not_of("0123456789abcdef") == text.npos);
      if (!revision || one.behind) return false;
      any = true;
    }
    return any;
  }

  // tmux runs what stands in `#(…)` of a format.
  void formats() {
    for (const Word& word : argv_) {
      if (word.text.find("#(") == word.text.npos) continue;
      escapes_in(word.text, word.span);
      if (!word.known) unread(kUnreadShell, "part of the format is not known", word);
      listed_ = false;
    }
  }

  // What programs do with their standard input where no word says so.
  void act_on_input() {
    const Input none;
    const Input& in = around_.input == nullptr ? none : *around_.input;
    const bool known = in.kind == Input::Kind::kText;
    if (program_ == "zip" && has_word("--names-stdin")) return names_in(standard_input());
    if (program_ == "zip" && std::ranges::any_of(argv_.subspan(1), [](const Word& word) {
          return word.text.starts_with('-') && word.text.find('@') != word.text.npos;
        }))
      return names_in(standard_input());
    if ((program_ == "ssh" || program_ == "slogin") && !runs_remotely()) return remote_shell(in);
    if (program_ == "git" && reads_objects()) return objects_in(in);
    if (program_ == "git" && has_word("--stdin-p")) return names_in(standard_input());
    if (in.kind == Input::Kind::kNone || !takes_commands()) return;
    if (known) return escapes_in(in.text, argv_[0].span);
    if (is_given_code()) return;
    // SAFETY: commands that nobody can read may send any file or run any program.
    unread(kUnreadInput, "`" + std::string(program_) + "` takes commands from its standard input",
           argv_[0]);
    if (is_transfer_client()) names_in(standard_input());
  }
  // Without a command ssh starts a shell there, which reads standard input.
  bool runs_remotely() const {
    return arguments_.row->does != ProgramDoes::kChanges ||
           std::ranges::find(arguments_.bound, Kind::kLentShellRest, &Bound::kind) !=
               arguments_.bound.end();
  }
  void remote_shell(const Input& in) {
    if (in.kind == Input::Kind::kNone) return;
    input(argv_[0]);
    if (in.kind == Input::Kind::kText)
      inner_.shell({.text = in.text, .span = argv_[0].span}, here(), Lent::kYes);
  }

  // Clients that read commands of their own from standard input.
  bool takes_commands() const {
    static constexpr NameSet kNames({"ed",     "red",     "ex",   "psql", "mysql",    "mariadb",
                                     "gdb",    "lldb",    "sftp", "ftp",  "sqlite3",  "lftp",
                                     "duckdb", "vim",     "vi",   "view", "nvim",     "rvim",
                                     "rview",  "vimdiff", "gvim", "mvim", "vim.tiny", "vim.basic"});
    return kNames.has(program_);
  }
  // Clients of databases leave standard input alone where a word has the commands.
  bool is_given_code() const {
    return (program_.ends_with("sql") || program_ == "mariadb" || program_ == "sqlite3" ||
            program_ == "duckdb") &&
           std::ranges::any_of(arguments_.bound, [](const Bound& one) {
             return one.kind == Kind::kCode || one.kind == Kind::kScript;
           });
  }
  Word standard_input() const { return {.text = "-", .span = argv_[0].span}; }

  // git cat-file: each line names an object, perhaps behind a command.
  bool reads_objects() const {
    return arguments_.row->name == "git cat-file" && has_word("--batch") &&
           !std::ranges::all_of(argv_, [](const Word& word) {
             return !word.text.starts_with("--batch") || word.text.starts_with("--batch-check") ||
                    word.text.starts_with("--batch-all");
           });
  }
  void objects_in(const Input& in) {
    if (in.kind != Input::Kind::kText)
      return path(EffectKind::kRead, {.text = {}, .span = argv_[0].span, .known = false}, true);
    for (const std::string& each : quoted_words(in.text))
      add_revision({.text = each, .span = argv_[0].span}, {}, here(), out_);
  }

  // A file with names in it. What it holds is known only of standard input.
  void names_in(const Word& word) {
    const bool input = is_stream(word) && word.text != kSubstitutedFile;
    const Input none;
    const Input& in = around_.input == nullptr ? none : *around_.input;
    if (!is_stream(word) && is_remote_path(word.text))
      add_remote_host(word, here(), out_);
    else if (!is_stream(word))
      path(EffectKind::kRead, word, false);
    if (input && in.kind == Input::Kind::kNames) {
      for (const Word& each : in.names) path(EffectKind::kRead, each, true);
      return;
    }
    if (input && in.kind == Input::Kind::kText) {
      for (std::string_view rest = in.text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (end > 0)
          path(EffectKind::kRead, {.text = std::string(rest.substr(0, end)), .span = word.span},
               true);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
      return;
    }
    path(EffectKind::kRead, {.text = {}, .span = word.span, .known = false}, true);
    listed_ = false;
  }

  // `-` where the program writes a file of that name.
  bool is_file_called_dash(const Word& word) const {
    return word.text == "-" && arguments_.row->does != ProgramDoes::kChanges &&
           !prints_to_dash(program_);
  }

  // curl reads braces and brackets in addresses and in the names of files to send.
  bool takes_globs(const Bound& one) const {
    return program_ == "curl" && (one.option == "T" || one.option.starts_with("upload-f")) &&
           one.word.text.find_first_of("{[") != std::string::npos;
  }
  static std::vector<Word> curl_names(const Word& word) {
    // LIMIT: names that one word stands for.
    constexpr std::size_t kMostNames = 64;
    std::vector<Word> names{word};
    for (std::size_t i = 0; i < names.size() && names.size() < kMostNames; ++i) {
      const std::string text = names[i].text;
      const std::size_t open = text.find('{'), close = text.find('}', open);
      if (open == text.npos || close == text.npos) continue;
      std::string_view list = std::string_view(text).substr(open + 1, close - open - 1);
      for (bool first = true;; first = false) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string made =
            text.substr(0, open) + std::string(list.substr(0, comma)) + text.substr(close + 1);
        if (first)
          names[i].text = made;
        else
          names.push_back(names[i]), names.back().text = made;
        if (comma == list.size()) break;
        list.remove_prefix(comma + 1);
      }
      --i;  // there may be more braces
    }
    const bool address = !word.text.starts_with("file:") && word.text.find("://") != word.text.npos;
    for (Word& name : names) {
      const std::size_t sign = name.text.find_first_of("{[", address ? name.text.find('/', 8) : 0);
      if (!name.known || sign == name.text.npos) continue;
      name.known = false;
      name.rest = name.text[sign] == '[' && !address ? Rest::kPattern : Rest::kAnything;
      if (name.rest == Rest::kAnything) name.text.resize(sign);
    }
    return names;
  }

  void revision(const Bound& one) {
    Word word = one.word;
    if (is_stream(word)) return;
    // -L begins with the lines.
    if (one.option == "L" && word.known) word.text.erase(0, word.text.rfind(':') + 1);
    const bool path = one.behind || one.option == "L";
    add_revision(word, {.path = path, .tree = one.kind == Kind::kRevTree}, here(), out_);
  }

  void note_secret(const Bound& one) {
    if (around_.owner < out_.size() && one.at < out_[around_.owner].argv.size())
      out_[around_.owner].argv[one.at].secret = true;
  }

  // curl's --data-urlencode and the fields of httpie write it NAME@FILE.
  static bool takes_named_file(const Bound& one) {
    return one.option.empty() || one.option == "data-urlencode" || one.option == "variable";
  }

  // The file is read, and something in its directory changes.
  void project(const Word& word) {
    path(EffectKind::kRead, word, false);
    Word place = word;
    const std::string_view name = last_name(word.text);
    const std::size_t slash = word.text.rfind('/');
    if (word.known && name != "." && name != ".." && name.find('.') != name.npos)
      place.text = slash == word.text.npos ? "." : word.text.substr(0, slash + 1);
    path(EffectKind::kWrite, place, false);
  }

  // make takes variables among its targets, and expands them.
  void goal(const Bound& one) {
    Word word = one.word;
    const std::size_t equals = word.text.find('=');
    if (equals == word.text.npos) return;
    if (is_expanded_by_make(word.text)) return code(one);
    if (word.known && is_usual_setting(word.text)) return;
    // `NAME:=VALUE` and its like set the same name.
    while (!word.text.starts_with('=') &&
           std::string_view(":+?").find(word.text[word.text.find('=') - 1]) !=
               std::string_view::npos)
      word.text.erase(word.text.find('=') - 1, 1);
    inner_.assignment(word, here());
  }

  // An expression, or a file where the expression is left out.
  void yq(const Bound& one) {
    const Word& word = one.word;
    if (!word.known || !is_harmless_yq(word.text)) listed_ = false;
    const bool alone = std::ranges::none_of(arguments_.bound, [&](const Bound& other) {
      return other.option.empty() && other.at != one.at;
    });
    const bool field =
        word.text.starts_with('.') && !word.text.starts_with("./") && !word.text.starts_with("../");
    if ((alone && word.text != ".") || !field) path(EffectKind::kRead, word, false);
  }

  static bool is_path_word(const Word& word) {
    return word.text.starts_with('.') || word.text.starts_with('/') ||
           word.text.starts_with("file:");
  }

  // git runs what stands behind `ext::`.
  void transport(const Word& word) {
    constexpr std::string_view kCommand = "ext::";
    if (program_ != "git" || (!word.text.starts_with(kCommand) && !word.text.starts_with("fd::")))
      return;
    if (word.known && word.text.starts_with(kCommand))
      inner_.shell({.text = word.text.substr(kCommand.size()), .span = word.span}, here(),
                   Lent::kNo);
    unread(kUnreadShell, "`git` runs the command that this address names", word);
  }

  // SAFETY: what a script writes and runs is told as far as it goes, and the script stays unread.
  void sed(const Word& word) {
    const auto acts = word.known ? read_sed(word.text) : std::nullopt;
    bool reads_only = acts.has_value();
    for (const SedAct& act : acts.value_or(std::vector<SedAct>{})) {
      const Word text{.text = act.text, .span = word.span};
      if (is_stream(text) && text.text != "-") continue;
      reads_only = reads_only && act.kind == SedAct::Kind::kReads;
      if (act.kind == SedAct::Kind::kRuns)
        inner_.shell(text, here(), Lent::kNo);
      else
        path(act.kind == SedAct::Kind::kReads ? EffectKind::kRead : EffectKind::kWrite, text,
             false);
    }
    if (!reads_only)
      unread(kUnreadShell, "`" + std::string(program_) + "` runs a script that is not read", word);
  }

  // Clients of services take the text from a file or a host where it is written like that.
  void text(const Word& word) {
    if (arguments_.row->does != ProgramDoes::kHome) return;
    const std::string_view text = word.text;
    const bool at =
        text.starts_with('@') && text.size() > 1 && (program_ == "az" || program_ == "gh");
    for (const std::string_view scheme : {"file://", "fileb://", "@"}) {
      if (!text.starts_with(scheme) || (scheme == "@" && !at)) continue;
      Word file = word;
      file.text = text.substr(scheme.size());
      return path(EffectKind::kRead, file, false);
    }
    // The service's own hosts name queues and the like.
    const bool own = text.find(".amazonaws.com/") != text.npos && program_ == "aws";
    if (!own && (text.starts_with("http://") || text.starts_with("https://")))
      add_url_word(word, here(), out_);
  }

  // The option as the call writes it.
  std::string flag_of(const Bound& one) const {
    const std::size_t before = one.at > 0 ? one.at - 1 : 0;
    for (const std::size_t at : {one.at, before})
      if (at < argv_.size() && argv_[at].text.starts_with('-')) {
        const std::string& text = argv_[at].text;
        return text.substr(0, text.find('='));
      }
    return std::string(one.option);
  }

  // Configuration that a word carries, where it says which host is meant.
  bool leads_elsewhere(const Word& word) const {
    if (program_ != "git" && !is_fetcher(program_)) return false;
    const std::string low = lower(word.text);
    return !word.known || low.find("url") != low.npos || low.find("proxy") != low.npos ||
           low.find("ssh") != low.npos;
  }

  // Programs whose settings say which host a name stands for.
  bool follows_settings() const {
    constexpr std::string_view kOthers[] = {"ssh",         "slogin",  "scp", "sftp", "sshfs",
                                            "ssh-copy-id", "kubectl", "oc",  "helm"};
    return is_fetcher(program_) || std::ranges::find(kOthers, program_) != std::end(kOthers);
  }

  bool is_transfer() {
    if (!transfers_)
      transfers_ = std::ranges::any_of(arguments_.bound, [](const Bound& one) {
        return one.kind == Kind::kCopy || one.kind == Kind::kMove || one.kind == Kind::kLink;
      });
    return *transfers_;
  }
  // `type=local,dest=DIRECTORY`, as programs for containers write it.
  static Word destination(Word word) {
    constexpr std::string_view kKey = ",dest=";
    const std::size_t at = word.text.find(kKey);
    if (!word.text.starts_with("type=") || at == word.text.npos) return word;
    word.text.erase(0, at + kKey.size());
    word.text.resize(std::min(word.text.find(','), word.text.size()));
    return word;
  }

  // The directory that -t names is the target of a copy, not a place to fill by itself.
  bool fills_target(const Bound& one) { return !one.option.empty() && is_transfer(); }

  // Options may stand behind the operands.
  std::size_t transfer(std::size_t i) {
    copies(i);
    for (++i; i < arguments_.bound.size(); ++i)
      if (!arguments_.bound[i].option.empty()) act(i);
    return arguments_.bound.size();
  }

  void copies(std::size_t i) {
    const Kind kind = arguments_.bound[i].kind;
    std::vector<Word> words;
    std::optional<Word> target;
    for (const Bound& one : arguments_.bound) {
      if (one.kind == kind && one.option.empty()) words.push_back(one.word);
      if (one.kind == Kind::kFill && !one.option.empty()) target = one.word;
    }
    const bool into = target.has_value();
    if (!into && words.size() > 1) {
      target = words.back();
      words.pop_back();
    } else if (!into && kind == Kind::kLink && words.size() == 1) {
      target = Word{.text = ".", .span = words[0].span};
    }
    if (!target) {
      listed_ = false;
      for (const Word& word : words) path(EffectKind::kRead, word, arguments_.recursive);
      return;
    }
    const bool moves = kind == Kind::kMove;
    const bool links = arguments_.links || kind == Kind::kLink;
    // A whole directory may be moved, and then it is a tree that arrives.
    const bool tree = arguments_.recursive || moves;
    for (const Word& source : words) {
      if (kind == Kind::kRcopy && is_remote_path(source.text)) {
        add_remote_host(source, here(), out_);
        continue;
      }
      path(EffectKind::kRead, source, tree);
      if (moves) path(EffectKind::kRename, source, tree);
      if (arguments_.removes) path(EffectKind::kDelete, source, tree);
      // Through a link its target is changed under another name.
      if (links) path(EffectKind::kWrite, source, tree);
    }
    if (kind == Kind::kRcopy && is_remote_path(target->text)) {
      add_remote_host(*target, here(), out_);
      return;
    }
    if (program_ == "rsync" && std::ranges::any_of(argv_, [](const Word& word) {
          return word.text == "--del" || word.text.starts_with("--delete");
        }))
      path(EffectKind::kDelete, *target, true);
    const EffectKind arrives = links   ? EffectKind::kLink
                               : moves ? EffectKind::kRename
                                       : EffectKind::kWrite;
    arrive(arrives, words, *target, into, tree || kind == Kind::kRcopy);
  }

  // At the target, inside it, or either where that cannot be known.
  void arrive(EffectKind kind, std::span<const Word> sources, const Word& target, bool into,
              bool tree) {
    const std::string_view name = last_name(target.text);
    const bool directory =
        into || sources.size() > 1 || target.text.ends_with('/') || name == "." || name == "..";
    bool all_inside = directory;
    for (const Word& source : sources) {
      if (arguments_.exact) break;
      // What lies in the source goes to the target itself.
      if (program_ == "rsync" && source.text.ends_with('/')) {
        all_inside = false;
        continue;
      }
      const std::string_view called = last_name(source.text);
      const bool plain = source.known && target.known && !target.text.empty() && !called.empty() &&
                         called != "." && called != ".." && called != "/";
      if (!plain) {
        all_inside = false;
        continue;
      }
      Word inside = target;
      inside.text += (target.text.ends_with('/') ? "" : "/") + std::string(called);
      path(kind, inside, tree);
    }
    if (arguments_.exact || !all_inside)
      path(kind, target, tree || (directory && std::ranges::any_of(sources, [](const Word& word) {
                                    return !word.known;
                                  })));
  }

  std::size_t command(std::size_t i, Lent lent) {
    const Bound& first = arguments_.bound[i];
    std::vector<Word> words(argv_.begin() + static_cast<std::ptrdiff_t>(first.at), argv_.end());
    if (!first.option.empty() && words[0].text != first.word.text) words[0] = first.word;
    if (program_ == "xargs" || program_ == "gxargs" || program_ == "parallel")
      for (const std::vector<Word>& each : from_input(words)) inner_.command(each, here(), lent);
    else if (program_ == "fd" || program_ == "fdfind")
      for (const std::vector<Word>& each : from_walk(words)) inner_.command(each, here(), lent);
    else
      inner_.command(words, here(), lent);
    if (lent == Lent::kYes) listed_ = false;
    return arguments_.bound.size();
  }

  // fd: what it finds stands at the end, or where braces are; a command for each start.
  std::vector<std::vector<Word>> from_walk(std::vector<Word> command) const {
    const auto end = std::ranges::find(command, ";", &Word::text);
    command.erase(end, command.end());
    std::string name =
        has_word("-H") || has_word("--hid") || has_word("-u") || has_word("--unr") ? "?*" : "[!.]*";
    std::vector<Word> starts;
    std::size_t endings = 0;
    for (const Bound& one : arguments_.bound) {
      if (one.kind == Kind::kTree) starts.push_back(one.word);
      if (one.option != "e" && one.option != "extension") continue;
      name = one.word.known ? "*." + one.word.text : "?*";
      if (++endings > 1) name = "?*";
    }
    if (starts.empty()) starts.push_back({.text = ".", .span = argv_[0].span});
    std::vector<std::vector<Word>> commands;
    for (const Word& start : starts) {
      Word found{
          .text = {}, .span = start.span, .known = false, .rest = Rest::kAnything, .several = true};
      if (start.known) {
        found.text = pattern_of(start.text) + (start.text.ends_with('/') ? "**/" : "/**/") + name;
        found.rest = Rest::kPattern;
        found.operand = !start.text.starts_with('-');
      }
      std::vector<Word> words = command;
      bool placed = false;
      for (Word& word : words) {
        const std::size_t at = word.text.find('{');
        if (at == word.text.npos || word.text.find('}', at) == word.text.npos) continue;
        placed = true;
        if (word.text == "{}")
          word = found;
        else
          word = {.text = word.text.substr(0, at),
                  .span = word.span,
                  .known = false,
                  .rest = Rest::kAnything};
      }
      if (!placed) words.push_back(std::move(found));
      commands.push_back(std::move(words));
    }
    return commands;
  }

  // xargs: words from the input stand at the end, or where -I says; a command for each round.
  std::vector<std::vector<Word>> from_input(const std::vector<Word>& command) const {
    std::string_view marker;
    for (const Bound& one : arguments_.bound)
      if (one.option == "I" || one.option == "i" || one.option == "replace" || one.option == "J")
        marker = one.word.text;
    const bool parallel = program_ == "parallel";
    if (parallel) marker = "{";
    if (marker.empty() && (has_flag('i') || has_flag("--replace"))) marker = "{}";
    const auto rounds = parallel ? std::nullopt : words_of_input(!marker.empty());
    const Word anything{.text = {},
                        .span = argv_[0].span,
                        .known = false,
                        .rest = Rest::kAnything,
                        .several = true};
    const std::vector<std::vector<Word>> any{{anything}};
    std::vector<std::vector<Word>> commands;
    for (const std::vector<Word>& given : rounds.value_or(any)) {
      std::vector<Word> words = command;
      const bool replaced = put_in(words, marker, rounds && !given.empty() ? &given[0] : nullptr);
      if (!replaced || parallel) words.insert(words.end(), given.begin(), given.end());
      commands.push_back(std::move(words));
    }
    return commands;
  }

  // Puts one word of the input where the marker stands; without one the rest is not known.
  static bool put_in(std::vector<Word>& words, std::string_view marker, const Word* given) {
    bool replaced = false;
    for (Word& word : words) {
      const std::size_t at = marker.empty() ? word.text.npos : word.text.find(marker);
      if (at == word.text.npos) continue;
      replaced = true;
      if (given != nullptr && !given->known && word.text == marker) {
        const Span span = word.span;
        word = *given;
        word.span = span;
        word.several = false;
      } else if (given != nullptr && given->known && word.known) {
        std::string text;
        for (std::string_view rest = word.text; !rest.empty();) {
          const bool here = rest.starts_with(marker);
          text += here ? std::string_view(given->text) : rest.substr(0, 1);
          rest.remove_prefix(here ? marker.size() : 1);
        }
        word.text = std::move(text);
      } else {
        word.text.resize(at);
        word.known = false;
        word.rest = Rest::kAnything;
      }
    }
    return replaced;
  }

  // The words on the standard input of xargs by rounds, when all of it is known and nothing in it
  // is quoted. LIMIT: so many bytes and rounds.
  std::optional<std::vector<std::vector<Word>>> words_of_input(bool lines) const {
    if (around_.input == nullptr) return std::nullopt;
    const Input& input = *around_.input;
    std::size_t at_once = std::string::npos;
    for (const Bound& one : arguments_.bound) {
      if (one.option.empty() || one.option == "P" || one.option == "max-procs" || one.option == "I")
        continue;
      if (one.option != "n" && one.option != "max-args") return std::nullopt;
      if (one.word.text.size() != 1 || one.word.text < "1" || one.word.text > "9")
        return std::nullopt;
      at_once = static_cast<std::size_t>(one.word.text[0] - '0');
    }
    if (has_flag('l') || has_flag("--max-lines")) return std::nullopt;
    const bool nulls = has_flag('0') || has_flag("--null");
    if (input.kind == Input::Kind::kNames && nulls)
      return lines ? one_by_one(input.names) : std::vector<std::vector<Word>>{input.names};
    if (input.kind != Input::Kind::kText || nulls) return std::nullopt;
    const std::string_view text = input.text;
    constexpr std::size_t kMostBytes = 4096, kMostRounds = 64;
    if (text.find_first_of("'\"\\") != text.npos || text.size() > kMostBytes) return std::nullopt;
    if (lines) at_once = 1;
    const std::string_view ends = lines ? "\n" : " \t\n";
    std::vector<std::vector<Word>> rounds;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(" \t\n", at)) != text.npos) {
      const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
      if (rounds.empty() || rounds.back().size() == at_once) rounds.emplace_back();
      rounds.back().push_back(
          {.text = std::string(text.substr(at, end - at)), .span = argv_[0].span});
      at = end;
    }
    if (rounds.empty() && !lines) rounds.emplace_back();
    if (rounds.empty() || rounds.size() > kMostRounds) return std::nullopt;
    return rounds;
  }

  // An option of xargs without a value, among the words before the command.
  bool has_flag(char letter) const {
    constexpr std::string_view kValues = "adEeIiJLlnPRSs";
    return std::ranges::any_of(own_words(), [&](const Word& word) {
      const std::string_view text = word.text;
      if (!text.starts_with('-') || text.starts_with("--")) return false;
      const std::size_t found = text.find(letter, 1), value = text.find_first_of(kValues, 1);
      return found != text.npos && found <= value;
    });
  }
  bool has_flag(std::string_view name) const {
    return std::ranges::any_of(own_words(), [&](const Word& word) {
      return word.text.size() > 3 && name.starts_with(word.text);
    });
  }
  std::span<const Word> own_words() const {
    const auto command = std::ranges::find(arguments_.bound, Kind::kCommand, &Bound::kind);
    return argv_.subspan(1, (command == arguments_.bound.end() ? argv_.size() : command->at) - 1);
  }

  static std::vector<std::vector<Word>> one_by_one(const std::vector<Word>& names) {
    std::vector<std::vector<Word>> rounds;
    for (const Word& name : names) rounds.push_back({name});
    return rounds;
  }

  void shell(const Word& text, Lent lent) {
    // The words behind the text are $0, $1 and so on.
    std::vector<Word> parameters;
    if (is_shell(program_))
      for (const Bound& one : arguments_.bound)
        if (one.kind == Kind::kText && one.option.empty()) parameters.push_back(one.word);
    inner_.shell(text, here(), lent, parameters);
    if (is_shell(program_) && program_ != "bash" && program_ != "rbash" &&
        only_bash_reads(text.text))
      unread(kUnreadCode, "`" + std::string(program_) + "` may read this otherwise than bash",
             text);
    if (lent == Lent::kYes) listed_ = false;
  }

  std::size_t shell_rest(const Bound& first) {
    Word text = first.word;
    for (const Word& word : argv_.subspan(std::min(first.at + 1, argv_.size()))) {
      if (!text.known) break;
      text.text += ' ' + word.text;
      text.known = word.known;
      text.rest = word.rest;
    }
    shell(text, first.kind == Kind::kLentShellRest ? Lent::kYes : Lent::kNo);
    return arguments_.bound.size();
  }

  void option_script(const Bound& one) {
    if (is_fetcher(program_)) add_any_host(one.word, here(), out_);  // its options in a file
    path(EffectKind::kRead, one.word, false);
    unread(kUnreadCode, "`" + std::string(program_) + "` runs what an option names", one.word,
           flag_of(one));
  }

  void script(const Word& word) {
    if (is_stream(word)) return input(word);
    if (is_fetcher(program_)) add_any_host(word, here(), out_);  // its options in a file
    path(EffectKind::kRead, word, false);
    const bool made = is_shell(program_) && is_made(word.text, here(), out_);
    unread(kUnreadScript, "`" + std::string(program_) + "` runs a script that is not read", word);
    if (made) unread(kUnreadShell, "`" + word.text + "` is made by the same text", word);
  }

  void input(const Word& word) {
    const Input none;
    const Input& in = around_.input == nullptr ? none : *around_.input;
    if (in.kind == Input::Kind::kFetched)
      return unread(kUnreadFetched,
                    "`" + std::string(program_) + "` runs what comes from the network", word);
    unread(kUnreadInput, "`" + std::string(program_) + "` runs what comes in by its standard input",
           word);
    const bool later = program_ == "at" || program_ == "batch";
    const bool lines = program_ == "parallel" || program_ == "sem" || program_ == "env_parallel";
    if (in.kind == Input::Kind::kText && (later || lines || is_shell(program_))) {
      Word text{.text = in.text, .span = argv_[0].span};
      inner_.shell(text, here(), later ? Lent::kYes : Lent::kNo);
    }
  }

  std::string_view program_;
  std::span<const Word> argv_;
  const ProgramArguments& arguments_;
  const Surroundings& around_;
  InnerReader& inner_;
  Effects& out_;
  std::vector<std::string> directories_;  // once an option named one
  std::vector<Word> names_;               // that it prints
  bool listed_ = false;
  // Found out once, because a command may have very many words.
  std::optional<bool> transfers_, edits_, options_in_files_;
};

}  // namespace

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
  auto arguments = name.empty() || argv[0].several ? std::nullopt : read_arguments(name, words);
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
  // Other makes of env split the text by other rules.
  if (spelt && name.ends_with("env")) reading.listed = false;
  return reading;
}

}  // namespace tollgate
