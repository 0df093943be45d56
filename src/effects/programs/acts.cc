// One program, its words, one kind at a time. Read top to bottom.
#include "effects/programs/acts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// Programs for which `-` is standard output where a file to write is named.
bool prints_to_dash(std::string_view program) {
  constexpr std::string_view kNames[] = {"curl",       "wget",    "wget2",   "gpg",    "gpg2",
                                         "gpgv",       "gpgv2",   "openssl", "uniq",   "guniq",
                                         "xxd",        "tcpdump", "tshark",  "hg",     "chg",
                                         "pg_restore", "iconv",   "giconv",  "xmllint"};
  return std::ranges::find(kNames, program) != std::end(kNames);
}

}  // namespace

bool is_shell(std::string_view program) {
  constexpr std::string_view kShells[] = {"sh",   "bash", "dash", "zsh",   "ksh",
                                          "mksh", "ash",  "fish", "rbash", "bash5"};
  return std::ranges::find(kShells, program) != std::end(kShells);
}

bool is_stream(const Word& word) {
  return word.known && (word.text.starts_with('-') || word.text.starts_with("/dev/")) &&
         (word.text == "-" || word.text == "/dev/stdin" || word.text == "/dev/stdout" ||
          word.text == "/dev/stderr" || word.text == "/dev/null" || word.text == "/dev/tty" ||
          word.text == kSubstitutedFile);
}

std::string_view last_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return base_name(path);
}

ProgramReading Acts::run() {
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
  if (listed_ && follows_repository()) {
    if (remotes_.empty()) add_repository({});
    for (const std::string& remote : remotes_) add_repository(remote);
  }
  return {.listed = listed_,
          .safe = does == ProgramDoes::kSafe,
          .told = arguments_.understood,
          .prints_fetched = is_fetcher(program_),
          .names = std::move(names_)};
}

Surroundings Acts::here() const {
  Surroundings now = around_;
  if (!directories_.empty()) now.directories = directories_;
  return now;
}

// Where what it runs works.
Surroundings Acts::inside() const {
  static const std::string kNotKnown[] = {""};
  Surroundings now = here();
  if (arguments_.away || runs_elsewhere()) now.directories = kNotKnown;
  return now;
}

// Programs that run their words in another directory than their own, whatever the options: at the
// top of a work tree, in each module of it, in a package, or in a shell that is open elsewhere.
bool Acts::runs_elsewhere() const {
  // A program that is named from here is taken to be called at the top.
  static constexpr NameSet kTops({"git bisect run", "git rebase", "git filter-branch"});
  if (kTops.has(arguments_.row->name)) return !has_word("./") && !has_word("../");
  static constexpr NameSet kRows({"git submodule", "git submodule--helper", "npm explore",
                                  "tmux send*", "zellij action|ac", "xdotool type", "ydotool type",
                                  "dotool|wtype", "pkexec", "systemd-run", "run0",
                                  "machinectl shell", "yarn|yarnpkg workspaces foreach"});
  const bool open =
      program_ == "screen" &&
      std::ranges::find(arguments_.bound, Kind::kShellRest, &Bound::kind) != arguments_.bound.end();
  return open || kRows.has(arguments_.row->name);
}

void Acts::move_to(const Word& word) {
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

bool Acts::may_lead_out(const Word& word) {
  const std::string& text = word.text;
  return !word.known || text.starts_with('/') || text.find("..") != text.npos;
}

// Version control programs whose repository can name programs for them to run, and python with a
// module that the directory may have as well.
bool Acts::follows_repository() const {
  if (program_ == "git")
    return arguments_.row->name != "git" && arguments_.row->name != "git version";
  if (program_.starts_with("py"))
    return std::ranges::any_of(arguments_.bound,
                               [](const Bound& one) { return one.option == "m"; });
  return program_ == "git-lfs" || program_ == "hg" || program_ == "chg" || program_ == "jj";
}

// A repository of the disk is not the workspace's own, and its settings count. So it is with a name
// that no setting of the workspace's own has.
void Acts::other_repository(const Word& word) {
  if (!follows_repository() || word.text == ".") return;
  const bool path =
      is_path_word(word) || (word.text.find('/') != word.text.npos && !is_remote_path(word.text));
  if (path)
    listed_ = false;
  else if (word.known && !is_remote_path(word.text))
    remotes_.push_back(word.text);
}

void Acts::add_repository(std::string_view remote) {
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
                  .target = std::string(kRepository),
                  .text = std::string(remote)};
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

void Acts::path(EffectKind kind, const Word& word, bool recursive) {
  add_path({kind, EffectBy::kOperand, recursive}, word, here(), out_);
}

// Words of Mercurial that may be `listfile:FILE`, a pattern or a set of files, and names that cloc
// puts into a shell command.
static bool is_more_than_path(std::string_view program, const Bound& one) {
  const std::string& text = one.word.text;
  if (program == "hg" || program == "chg") {
    const bool path = one.kind == Kind::kRead || one.kind == Kind::kList || one.option == "I" ||
                      one.option == "X" || one.option == "include" || one.option == "exclude";
    return path && (!one.word.known || text.find(':') != text.npos);
  }
  if (program != "cloc" || one.kind != Kind::kTree) return false;
  return !one.word.known || text.find_first_of("'\"`$;|&<>()\\\n ") != text.npos;
}

// Whether git matches the files of the index with the word.
static bool is_pathspec(const ProgramRow& row, const Bound& one) {
  static constexpr NameSet kRows({"git add|stage", "git commit", "git rm", "git clean",
                                  "git checkout", "git restore", "git stash push"});
  const bool path = one.kind == Kind::kRead || one.kind == Kind::kDelete || one.kind == Kind::kFill;
  // Of what the shell finds for a commit, git's own reading is left out.
  const bool found = !one.word.known && one.kind == Kind::kRead;
  return path && !found && one.option.empty() && kRows.has(row.name);
}

// The word as it counts: of one that only a row names, the home directory is spelt out.
const Word& Acts::counted(const Bound& one, Word& spelt) const {
  if (is_pathspec(*arguments_.row, one)) {
    // Where files are only left out, all others are meant.
    spelt = path_of_pathspec(one.word).value_or(Word{.text = ".", .span = one.word.span});
    return spelt;
  }
  if (one.at != argv_.size() || !one.word.text.starts_with("~/")) return one.word;
  spelt = one.word;
  spelt.text.replace(0, 1, around_.home);
  return spelt;
}

void Acts::unread(std::string_view what, std::string why, const Word& word, std::string_view flag) {
  Effect effect = unknown(std::move(why), word.span.empty() ? argv_[0].span : word.span);
  effect.by = EffectBy::kOperand;
  effect.owner = around_.owner;
  effect.target = what;
  effect.text = flag;
  out_.push_back(std::move(effect));
  listed_ = false;
}

// Acts on one bound word, or on it and all behind it; gives the index of the last one.
std::size_t Acts::act(std::size_t i) {
  const Bound& one = arguments_.bound[i];
  Word spelt;
  const Word& word = counted(one, spelt);
  if (is_more_than_path(program_, one)) listed_ = false;
  switch (one.kind) {
    case Kind::kText:
      text(one);
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
      if (is_list_of_addresses(one)) addresses_in(word);
      // A password may stand behind the name.
      if (is_certificate(one) && word.text.find(':') != word.text.npos) {
        Word file = word;
        file.text.resize(word.text.find(':'));
        path(EffectKind::kRead, file, false);
      }
      if (!is_stream(word)) path(EffectKind::kRead, word, arguments_.recursive);
      if (one.option.empty() && awk_edits()) path(EffectKind::kWrite, word, false);
      if (arguments_.removes && one.option.empty() && !is_stream(word))
        path(EffectKind::kDelete, word, arguments_.recursive);
      return i;
    case Kind::kTree:
      if (arguments_.row->name == "git grep") {
        revision(one);
        return i;
      }
      // bsdtar takes in what another archive holds.
      if (program_.ends_with("tar") && word.text.starts_with('@')) {
        spelt = word;
        spelt.text.erase(0, 1);
        path(EffectKind::kRead, spelt, false);
      }
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
      if (one.option == "F" || one.option == "form")
        form(word);
      else
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
      if (names_by_globs(one)) {
        spelt = word;
        spelt.text.resize(word.text.find('#'));
        spelt.known = false;
        spelt.rest = Rest::kAnything;
        path(EffectKind::kWrite, spelt, false);
        return i;
      }
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
      if (!fills_target(one) && !is_stream(word)) path(EffectKind::kWrite, destination(word), true);
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
      // To some makes of nc that is a proxy, to others a file.
      if (one.option == "x" && is_fetcher(program_)) path(EffectKind::kWrite, word, false);
      add_host_word(word, here(), out_);
      return i;
    case Kind::kUrl:
      if (program_ == "curl")
        curl_address(word);
      else
        add_url_word(word, here(), out_);
      return i;
    case Kind::kOrigin:
      transport(word);
      other_repository(word);
      add_origin(word, program_, here(), out_);
      return i;
    case Kind::kRepo:
      add_forge_repository(word, program_, here(), out_);
      return i;
    case Kind::kImage:
      add_image(word, here(), out_);
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

bool Acts::binds(std::string_view option) const {
  return std::ranges::find(arguments_.bound, option, &Bound::option) != arguments_.bound.end();
}

// git grep in a revision looks at all its files where no path is named.
bool Acts::searches_revisions() const {
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

// `-` where the program writes a file of that name.
bool Acts::is_file_called_dash(const Word& word) const {
  return word.text == "-" && arguments_.row->does != ProgramDoes::kChanges &&
         !prints_to_dash(program_);
}

void Acts::revision(const Bound& one) {
  Word word = one.word;
  if (is_stream(word)) return;
  // -L begins with the lines.
  if (one.option == "L" && word.known) word.text.erase(0, word.text.rfind(':') + 1);
  const bool path = one.behind || one.option == "L" || one.kind == Kind::kTree;
  // Where files are only left out, all others are searched.
  if (arguments_.row->name == "git grep" && word.known && one.option.empty() &&
      !path_of_pathspec(word))
    word.text = ".";
  add_revision(word, {.path = path, .tree = one.kind != Kind::kRev}, here(), out_);
}

// The option as the call writes it.
std::string Acts::flag_of(const Bound& one) const {
  const std::size_t before = one.at > 0 ? one.at - 1 : 0;
  for (const std::size_t at : {one.at, before})
    if (at < argv_.size() && argv_[at].text.starts_with('-')) {
      const std::string& text = argv_[at].text;
      return text.substr(0, text.find('='));
    }
  return std::string(one.option);
}

}  // namespace tollgate
