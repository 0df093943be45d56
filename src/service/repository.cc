// Up from the directory as the program itself goes, then into the settings that it would read.
// LIMIT: a path is no longer than the kernel takes, so the way up has an end.
// Submodules are entered by git itself: their settings lie in guarded places, and git made them.
#include "service/repository.h"

#include <algorithm>
#include <optional>

#include "base/path.h"
#include "base/text.h"
#include "service/git_settings.h"
#include "service/section_settings.h"

namespace tollgate {
namespace {

constexpr std::size_t kMaxPathBytes = 4'096;

std::string quoted(std::string_view path) { return "`" + std::string(path) + "`"; }

// A stranger's text, as one line of a message can hold it.
std::string value_of(std::string_view text) {
  const bool plain = is_valid_utf8(text);
  std::string out = shortened(text);
  for (char& c : out)
    if (const auto byte = static_cast<unsigned char>(c);
        byte < ' ' || byte == 0x7f || (byte > 0x7f && !plain))
      c = '?';
  return quoted(out);
}

// REQUIRES: an absolute path.
std::string parent_of(const std::string& path) { return std::string(directory_name(path)); }

std::string inside(const std::string& directory, std::string_view name) {
  return (directory == "/" ? "" : directory) + "/" + std::string(name);
}

// As the kernel would walk it from `directory`.
std::string from(const std::string& directory, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : inside(directory, path);
}

bool is_below(std::string_view path, std::string_view directory) {
  if (directory == "/") return true;
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string_view without_line_end(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

void Repositories::look(std::string_view program, std::string_view remote, PathLook& look) {
  const std::array key{std::string(program), std::string(remote), look.real};
  auto known = known_.find(key);
  if (known == known_.end()) {
    const bool many = known_.size() >= kMaxRepositoryLooks;
    known =
        known_
            .emplace(key, many ? Answer{Repository::kNone, "the call names too many directories"}
                               : answer(program, remote, look))
            .first;
  }
  look.repository = known->second.repository;
  look.why = known->second.why;
}

Repositories::Answer Repositories::answer(std::string_view program, std::string_view remote,
                                          const PathLook& look) {
  if (look.state == PathState::kUnknown || look.real.empty() || look.real.size() > kMaxPathBytes)
    return {Repository::kNone, "where it would run cannot be told"};
  if (look.state == PathState::kMissing)
    return {Repository::kMissing, quoted(look.real) + " is not there"};
  if (look.state != PathState::kDirectory)
    return {Repository::kMissing, quoted(look.real) + " is no directory"};
  const std::string root = root_of(look.real);
  if (root.empty()) return {Repository::kOther, quoted(look.real) + " lies outside the workspace"};
  if (program == "hg" || program == "chg") return mercurial(root, look.real, remote);
  if (program == "jj") return jujutsu(root, look.real);
  if (program.starts_with("py")) return python(look.real);
  return git(root, look.real, remote);
}

// The innermost root that holds the directory.
std::string Repositories::root_of(const std::string& directory) const {
  std::string found;
  for (const Place& root : roots_)
    if (!root.real.empty() && is_below(directory, root.real) && root.real.size() > found.size())
      found = root.real;
  return found;
}

Repositories::Nearest Repositories::nearest(std::string directory, std::string_view marker) {
  const auto has = [&](const std::string& path) { return eye_.has(path); };
  for (;; directory = parent_of(directory)) {
    if (eye_.has(inside(directory, marker))) return {directory, false};
    if (marker == ".git" && is_shaped_like_git(directory == "/" ? "" : directory, has))
      return {directory, true};
    if (directory == "/") return {};
  }
}

// ---- python ----

// With -m the directory comes before python's own modules, so none of it may have such a name.
Repositories::Answer Repositories::python(const std::string& directory) {
  constexpr std::string_view kModules =
      " abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit"
      " audioop base64 bdb binascii bisect builtins bz2 calendar cgi cgitb chunk cmath cmd"
      " code codecs codeop collections colorsys compileall compression concurrent configparser"
      " contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses"
      " datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum"
      " errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc"
      " genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http"
      " idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword"
      " lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap"
      " modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path"
      " numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes"
      " pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd"
      " py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib"
      " resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal"
      " site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants"
      " sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys"
      " sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading"
      " time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle"
      " turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref"
      " webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib"
      " zoneinfo ";
  constexpr std::size_t kMostNames = 4'096;
  const auto names = eye_.names(directory, kMostNames);
  if (!names) return {Repository::kNone, "the names in " + quoted(directory) + " cannot be read"};
  for (const std::string& name : *names) {
    const std::string stem = " " + name.substr(0, name.find('.')) + " ";
    if (name.starts_with('_') || kModules.find(stem) != kModules.npos)
      return {Repository::kNamesPrograms, value_of(name) + " here may come before its own module"};
  }
  return {Repository::kOwn, ""};
}

// ---- git ----

Repositories::Answer Repositories::git(const std::string& root, const std::string& directory,
                                       std::string_view remote) {
  const Nearest own = nearest(root, ".git");
  Nearest here = nearest(directory, ".git");
  const bool elsewhere = here.top != own.top;
  while (!here.top.empty()) {
    if (here.bare)
      return {Repository::kOther, quoted(here.top) + " is shaped like a bare repository"};
    const GitDirectory found = git_directory(here.top);
    if (!found.why.empty()) return {Repository::kOther, found.why};
    if (elsewhere) {
      // Of the repositories inside, only the workspace's own further work trees are its own.
      const bool kin = found.linked && !own.top.empty() && !own.bare &&
                       git_directory(own.top).common == found.common;
      if (!kin) return {Repository::kOther, quoted(here.top) + " has a repository of its own"};
    }
    Answer settings = git_settings(found);
    if (settings.repository != Repository::kOwn) return settings;
    if (!has_remote(found, remote))
      if (Answer other = named(here.top, remote); other.repository != Repository::kOwn)
        return other;
    if (found.whole) return settings;
    // What is no whole repository is passed by on the way up.
    here = here.top == "/" ? Nearest{} : nearest(parent_of(here.top), ".git");
  }
  return named(directory, remote);
}

// Whether the settings say where the remote of that name is.
bool Repositories::has_remote(const GitDirectory& git, std::string_view remote) {
  if (remote.empty() || !git.whole) return false;
  const std::optional<std::string> text = eye_.text(git.common + "/config", kMaxSettingsBytes);
  const auto settings = text ? read_git_settings(*text) : std::nullopt;
  return settings && std::ranges::any_of(*settings, [&](const GitSetting& one) {
           return one.section == "remote" && one.subsection == remote && one.key == "url" &&
                  !one.value.value_or("").empty();
         });
}

// A name that no setting has is a path, also without the end that such directories have.
Repositories::Answer Repositories::named(const std::string& directory, std::string_view remote) {
  if (remote.empty()) return {Repository::kOwn, ""};
  const std::string path = inside(directory, remote);
  for (const std::string_view end : {"", ".git"})
    if (eye_.has(path + std::string(end)))
      return {Repository::kOther, quoted(path + std::string(end)) + " is what the name stands for"};
  return {Repository::kOwn, ""};
}

Repositories::GitDirectory Repositories::git_directory(const std::string& top) {
  const std::string path = inside(top, ".git");
  const PathLook found = eye_.at(path);
  GitDirectory git{.top = top, .directory = path, .common = path};
  if (found.state != PathState::kDirectory && found.state != PathState::kFile)
    git.why = quoted(path) + " cannot be looked at";
  else if (found.real != path)
    git.why = quoted(path) + " is a link to " + quoted(found.real);
  else if (found.state == PathState::kFile)
    return pointed(top, path);
  else if (eye_.has(path + "/commondir"))
    git.why = quoted(path) + " belongs to another repository by its `commondir`";
  git.whole = eye_.has(path + "/HEAD") && eye_.has(path + "/objects") && eye_.has(path + "/refs");
  return git;
}

// A `.git` that is a file with `gitdir: PATH`. Both ends must lead to each other: a work tree's by
// two files, a module's by `core.worktree`.
Repositories::GitDirectory Repositories::pointed(const std::string& top, const std::string& file) {
  constexpr std::string_view kStart = "gitdir: ";
  GitDirectory git{.top = top, .directory = {}, .common = {}};
  const std::string text = eye_.text(file, kMaxPathBytes * 2).value_or("");
  const std::string_view line = without_line_end(text);
  if (!line.starts_with(kStart) || line.size() == kStart.size() ||
      line.find_first_of(std::string_view("\0\n", 2)) != line.npos) {
    git.why = quoted(file) + " cannot be read";
    return git;
  }
  const PathLook target = eye_.at(from(top, line.substr(kStart.size())));
  git.directory = target.real;
  git.why = quoted(file) + " leads to " + quoted(target.real) + ", which does not lead back";
  if (target.state != PathState::kDirectory || !eye_.has(target.real + "/HEAD")) return git;
  const std::string parent = parent_of(target.real);
  if (base_name(parent) == "worktrees") {
    git.linked = true;
    git.common = parent_of(parent);
    const bool back = leads_to(target.real + "/commondir", git.common) &&
                      leads_to(target.real + "/gitdir", file) && eye_.has(git.common + "/HEAD") &&
                      eye_.has(git.common + "/objects") && eye_.has(git.common + "/refs");
    if (!back) return git;
  } else {
    git.module = true;
    git.common = target.real;
    if (target.real.find("/modules/") == target.real.npos || eye_.has(target.real + "/commondir"))
      return git;
  }
  git.whole = true;
  git.why.clear();
  return git;
}

// Whether the path that a file holds is the wanted one, which is real.
bool Repositories::leads_to(const std::string& file, const std::string& wanted) {
  const std::optional<std::string> text = eye_.text(file, kMaxPathBytes * 2);
  if (!text) return false;
  const std::string_view path = without_line_end(*text);
  return !path.empty() && path.find('\0') == path.npos &&
         eye_.at(from(parent_of(file), path)).real == wanted;
}

Repositories::Answer Repositories::git_settings(const GitDirectory& git) {
  bool tied = false;
  for (const std::string& file : {git.common + "/config", git.directory + "/config.worktree"})
    if (Answer found = git_setting_file(git, file, tied); found.repository != Repository::kOwn)
      return found;
  if (git.module && !tied)
    return {Repository::kOther,
            quoted(git.directory) + " does not lead back to " + quoted(git.top)};
  return {Repository::kOwn, ""};
}

Repositories::Answer Repositories::git_setting_file(const GitDirectory& git,
                                                    const std::string& file, bool& tied) {
  const auto against = [&](std::string text) {
    return Answer{Repository::kNamesPrograms, quoted(file) + std::move(text)};
  };
  if (!eye_.has(file)) return {Repository::kOwn, ""};
  const std::optional<std::string> text = eye_.text(file, kMaxSettingsBytes);
  const auto settings = text ? read_git_settings(*text) : std::nullopt;
  if (!settings) return against(" cannot be read as git's configuration");
  const bool shared = git.linked && file == git.common + "/config";
  for (const GitSetting& one : *settings) {
    const std::string value = one.value.value_or("true");
    // Of several work trees none goes by what the shared file says of the first one.
    if (!shared && one.name() == "core.worktree") {
      tied = eye_.at(from(git.directory, value)).real == git.top;
      if (!tied) return against(" sets core.worktree to " + value_of(value));
    }
    if (!shared && one.name() == "core.bare" && is_true(one)) return against(" sets core.bare");
    switch (names_program(one, git.common + "/hooks")) {
      case SettingNames::kProgram:
        return against(" names the program " + value_of(value) + " in " + value_of(one.name()));
      case SettingNames::kElsewhere:
        return against(" sets " + value_of(one.name()) + " to " + value_of(value));
      case SettingNames::kNothing:
        break;
    }
  }
  return {Repository::kOwn, ""};
}

// ---- the others ----

template <class Suspect>
Repositories::Answer Repositories::plain_settings(const std::string& file, const Suspect& suspect) {
  if (!eye_.has(file)) return {Repository::kOwn, ""};
  const std::optional<std::string> text = eye_.text(file, kMaxSettingsBytes);
  if (!text) return {Repository::kNamesPrograms, quoted(file) + " cannot be read"};
  const std::string line = suspect(*text);
  if (line.empty()) return {Repository::kOwn, ""};
  return {Repository::kNamesPrograms, quoted(file) + " may name a program in " + value_of(line)};
}

Repositories::Answer Repositories::mercurial(const std::string& root, const std::string& directory,
                                             std::string_view remote) {
  if (Answer other = named(directory, remote); other.repository != Repository::kOwn) return other;
  const Nearest own = nearest(root, ".hg"), here = nearest(directory, ".hg");
  if (here.top.empty()) return {Repository::kOwn, ""};
  const std::string store = inside(here.top, ".hg");
  if (here.top != own.top)
    return {Repository::kOther, quoted(here.top) + " has a repository of its own"};
  if (eye_.at(store).real != store || eye_.has(store + "/sharedpath"))
    return {Repository::kOther, quoted(store) + " leads to another repository"};
  for (const std::string_view name : {"hgrc", "hgrc-not-shared"})
    if (Answer found = plain_settings(inside(store, name), suspect_line_of_hgrc);
        found.repository != Repository::kOwn)
      return found;
  return {Repository::kOwn, ""};
}

Repositories::Answer Repositories::jujutsu(const std::string& root, const std::string& directory) {
  const Nearest own = nearest(root, ".jj"), here = nearest(directory, ".jj");
  if (here.top.empty()) return {Repository::kOwn, ""};
  const std::string store = inside(here.top, ".jj");
  if (here.top != own.top)
    return {Repository::kOther, quoted(here.top) + " has a repository of its own"};
  const PathLook repository = eye_.at(store + "/repo");
  if (repository.real != store + "/repo" || repository.state == PathState::kFile)
    return {Repository::kOther, quoted(store) + " leads to another repository"};
  for (const std::string_view name : {"repo/config.toml", "workspace-config.toml"})
    if (Answer found = plain_settings(inside(store, name), suspect_line_of_jj);
        found.repository != Repository::kOwn)
      return found;
  return {Repository::kOwn, ""};
}

}  // namespace tollgate
