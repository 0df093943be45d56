// What each bound word comes to. Read top to bottom: one program, its words, one kind at a time.
// SAFETY: a program without a row, or with a word that no row understands, is unlisted and guessed.
#include "effects/programs/program.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/arguments.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"
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

bool is_stream(const Word& word) {
  return word.known &&
         (word.text == "-" || word.text == "/dev/stdin" || word.text == "/dev/stdout" ||
          word.text == "/dev/stderr" || word.text == "/dev/null" || word.text == "/dev/tty" ||
          word.text == kSubstitutedFile);
}

// Last component of a path, without slashes at its end.
std::string_view last_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return base_name(path);
}

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
        if (does == ProgramDoes::kChanges) path(EffectKind::kWrite, bound[i].word, false);
        move_to(bound[i].word);
      }
    for (std::size_t i = 0; i < bound.size(); ++i) i = act(i);
    guess_behind_code();
    if (does == ProgramDoes::kHome) add_home(program_, argv_[0], here(), out_);
    if (arguments_.links) listed_ = false;
    if (arguments_.anywhere)
      path(EffectKind::kWrite, {.text = {}, .span = argv_[0].span, .known = false}, true);
    if (listed_ && follows_repository()) add_repository();
    return {.listed = listed_,
            .safe = does == ProgramDoes::kSafe,
            .told = arguments_.understood,
            .prints_fetched = is_fetcher(program_)};
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

  // Version control programs whose repository can name programs for them to run.
  bool follows_repository() const {
    if (program_ == "git")
      return arguments_.row->name != "git" && arguments_.row->name != "git version";
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
  Word counted(const Bound& one) const {
    Word word = one.word;
    if (one.at == argv_.size() && word.text.starts_with("~/"))
      word.text.replace(0, 1, around_.home);
    return word;
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
    const Word word = counted(one);
    switch (one.kind) {
      case Kind::kText:
        text(word);
        return i;
      case Kind::kNumber:
      case Kind::kSet:
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
        if (!is_stream(word)) path(EffectKind::kRead, word, arguments_.recursive);
        return i;
      case Kind::kTree:
        if (!is_stream(word)) path(EffectKind::kRead, word, true);
        return i;
      case Kind::kRev:
      case Kind::kRevTree:
        add_revision(word, {.path = one.behind, .tree = one.kind == Kind::kRevTree}, here(), out_);
        return i;
      case Kind::kAt:
        add_text_or_file(word, here(), out_);
        return i;
      case Kind::kList:
        path(EffectKind::kRead, word, arguments_.recursive);
        return i;
      case Kind::kWrite:
        if (!is_stream(word)) path(EffectKind::kWrite, word, false);
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
        if (!fills_target(one)) path(EffectKind::kWrite, word, true);
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
        add_url_word(word, here(), out_);
        return i;
      case Kind::kOrigin:
        transport(word);
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
        if (!read_find(argv_, one.at, here(), inner_, out_)) listed_ = false;
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
  }

  void code(const Bound& one) {
    const Word& word = one.word;
    if (word.known && is_harmless_code(program_, word.text)) return;
    if (leads_elsewhere(word)) add_any_host(word, here(), out_);
    if (const auto text = word.known ? shell_text_in(program_, word.text) : std::nullopt)
      inner_.shell({.text = *text, .span = word.span}, here(), Lent::kNo);
    unread(kUnreadCode, "`" + std::string(program_) + "` runs code that is not read", word,
           flag_of(one));
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
      if (is_stream(text)) continue;
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
    // make takes variables among its targets.
    if ((program_ == "make" || program_ == "gmake") && word.text.find('=') != word.text.npos)
      inner_.assignment(word, here());
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

  bool is_transfer() const {
    return std::ranges::any_of(arguments_.bound, [](const Bound& one) {
      return one.kind == Kind::kCopy || one.kind == Kind::kMove || one.kind == Kind::kLink;
    });
  }
  // The directory that -t names is the target of a copy, not a place to fill by itself.
  bool fills_target(const Bound& one) const { return !one.option.empty() && is_transfer(); }

  std::size_t transfer(std::size_t i) {
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
      return arguments_.bound.size();
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
      // Through a link its target is changed under another name.
      if (links) path(EffectKind::kWrite, source, tree);
    }
    if (kind == Kind::kRcopy && is_remote_path(target->text)) {
      add_remote_host(*target, here(), out_);
      return arguments_.bound.size();
    }
    const EffectKind arrives = links   ? EffectKind::kLink
                               : moves ? EffectKind::kRename
                                       : EffectKind::kWrite;
    arrive(arrives, words, *target, into, tree || kind == Kind::kRcopy);
    return arguments_.bound.size();
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
    if (program_ == "xargs" || program_ == "parallel") from_input(words);
    inner_.command(words, here(), lent);
    if (lent == Lent::kYes) listed_ = false;
    return arguments_.bound.size();
  }

  // xargs: words from the input stand at the end, or where -I says.
  void from_input(std::vector<Word>& words) const {
    std::string_view marker;
    for (const Bound& one : arguments_.bound)
      if (one.option == "I" || one.option == "i" || one.option == "replace" || one.option == "J")
        marker = one.word.text;
    const bool parallel = program_ == "parallel";
    if (parallel) marker = "{";
    bool replaced = false;
    for (Word& word : words) {
      const std::size_t at = marker.empty() ? word.text.npos : word.text.find(marker);
      if (at == word.text.npos) continue;
      word.text.resize(at);
      word.known = false;
      word.rest = Rest::kAnything;
      replaced = true;
    }
    // `printf … | xargs` and `echo a b | xargs`: the words are there to be read.
    if (const auto given = words_of_input(); given && !parallel) {
      if (!replaced) {
        words.insert(words.end(), given->begin(), given->end());
        return;
      }
    }
    if (!replaced || parallel)
      words.push_back({.text = {},
                       .span = argv_[0].span,
                       .known = false,
                       .rest = Rest::kAnything,
                       .several = true});
  }

  // What other shells read otherwise: in `sh` two parentheses are two subshells.
  static bool is_only_bash(std::string_view text) {
    constexpr std::string_view kSigns[] = {"((", "[[",  "$'", "$\"", "<(",       ">(",
                                           "&>", "<<<", "|&", "$[",  "function", "=("};
    return std::ranges::any_of(kSigns,
                               [&](std::string_view sign) { return text.find(sign) != text.npos; });
  }

  // The words on the standard input of xargs, when all of it is known and nothing in it is quoted.
  std::optional<std::vector<Word>> words_of_input() const {
    if (around_.input == nullptr || around_.input->kind != Input::Kind::kText) return std::nullopt;
    for (const Bound& one : arguments_.bound)
      if (!one.option.empty()) return std::nullopt;  // -0, -d, -L and their like
    const std::string_view text = around_.input->text;
    if (text.find_first_of("'\"\\") != text.npos || text.size() > 4096) return std::nullopt;
    std::vector<Word> words;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(" \t\n", at)) != text.npos) {
      const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
      words.push_back({.text = std::string(text.substr(at, end - at)), .span = argv_[0].span});
      at = end;
    }
    return words;
  }

  void shell(const Word& text, Lent lent) {
    // The words behind the text are $0, $1 and so on.
    std::vector<Word> parameters;
    if (is_shell(program_))
      for (const Bound& one : arguments_.bound)
        if (one.kind == Kind::kText && one.option.empty()) parameters.push_back(one.word);
    inner_.shell(text, here(), lent, parameters);
    if (is_shell(program_) && program_ != "bash" && program_ != "rbash" && is_only_bash(text.text))
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
    unread(kUnreadScript, "`" + std::string(program_) + "` runs a script that is not read", word);
  }

  void input(const Word& word) {
    const Input none;
    const Input& in = around_.input == nullptr ? none : *around_.input;
    if (in.kind == Input::Kind::kFetched)
      return unread(kUnreadFetched,
                    "`" + std::string(program_) + "` runs what comes from the network", word);
    unread(kUnreadInput, "`" + std::string(program_) + "` runs what comes in by its standard input",
           word);
    if (in.kind == Input::Kind::kText && is_shell(program_)) {
      Word text{.text = in.text, .span = argv_[0].span};
      inner_.shell(text, here(), Lent::kNo);
    }
  }

  std::string_view program_;
  std::span<const Word> argv_;
  const ProgramArguments& arguments_;
  const Surroundings& around_;
  InnerReader& inner_;
  Effects& out_;
  std::vector<std::string> directories_;  // once an option named one
  bool listed_ = false;
};

}  // namespace

std::string_view program_name(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  if (slash == std::string_view::npos) return word;
  if (std::ranges::find(kSystemDirectories, word.substr(0, slash)) == kSystemDirectories.end())
    return {};
  return base_name(word);
}

bool is_fetcher(std::string_view program) {
  constexpr std::array<std::string_view, 12> kFetchers = {"curl", "wget",  "fetch", "aria2c",
                                                          "http", "https", "lynx",  "nc",
                                                          "ncat", "xh",    "wget2", "w3m"};
  return std::ranges::find(kFetchers, base_name(program)) != kFetchers.end();
}

ProgramReading read_program(std::span<const Word> argv, const Surroundings& around,
                            InnerReader& inner, Effects& out) {
  const std::string_view name = program_name(argv[0].text);
  const auto arguments =
      name.empty() || argv[0].several ? std::nullopt : read_arguments(name, argv);
  if (!arguments) {
    add_guesses(argv, around, out);
    return {.prints_fetched = is_fetcher(argv[0].text)};
  }
  const ProgramReading reading = Acts(name, argv, *arguments, around, inner, out).run();
  if (!arguments->understood) add_guesses(argv, around, out);
  return reading;
}

}  // namespace tollgate
