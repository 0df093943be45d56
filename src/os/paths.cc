// Resolving paths and walking directories.
// The resolver keeps the text of what is pending: a link's target is put in front of it.
// SAFETY: `..` is applied to the resolved parent, never to the text; after a missing part it is
// unknown, because what will be made there is not known.
#include "os/paths.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "base/path.h"
#include "os/fault.h"
#include "os/moment.h"

namespace tollgate::os {
namespace {

// The components that are still to be walked, as one text. A slash at its end asks for a directory,
// exactly as `/.` does.
class Pending {
 public:
  explicit Pending(std::string text) : text_(std::move(text)) {}

  // The next component; empty at the end. It lives until the next change.
  std::string_view next() {
    while (at_ < text_.size() && text_[at_] == '/') ++at_;
    if (at_ == text_.size()) return std::exchange(asks_directory_, false) ? "." : "";
    const std::size_t end = std::min(text_.find('/', at_), text_.size());
    const std::string_view part = std::string_view(text_).substr(at_, end - at_);
    at_ = end;
    asks_directory_ = text_.back() == '/';
    return part;
  }

  // The target of a link, in front of what is left.
  void put_before(std::string target) {
    const bool asks = asks_directory_;
    target.append(text_, at_);  // begins with a slash, or is empty
    text_ = std::move(target);
    at_ = 0;
    asks_directory_ = asks;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
  bool asks_directory_ = false;  // something was given, and the slash at the end still counts
};

// /proc/PID/cwd and its like lead to where another process stands, which changes at any time.
bool is_magic(const std::string& resolved, std::string_view part) {
  static constexpr std::string_view kMagic[] = {"cwd",     "root", "fd",        "exe",
                                                "environ", "mem",  "map_files", "fdinfo"};
  if (!resolved.starts_with("/proc/")) return false;
  for (std::string_view magic : kMagic)
    if (part == magic) return true;
  return false;
}

std::optional<std::string> link_target(const std::string& path) {
  char buffer[PATH_MAX];
  const ssize_t size =
      detail::fails("readlink") ? -1 : ::readlink(path.c_str(), buffer, sizeof buffer);
  if (size <= 0 || size == sizeof buffer) return std::nullopt;
  return std::string(buffer, static_cast<std::size_t>(size));
}

void drop_last(std::string& resolved) { resolved.resize(resolved.rfind('/')); }

// `part` is missing, or lies below what is no directory; the rest follows it.
RealPath with_missing_tail(std::string resolved, std::string_view part, Pending& rest) {
  for (; !part.empty(); part = rest.next()) {
    if (part == ".") continue;
    if (part == "..") return {};
    resolved += '/';
    resolved += part;
  }
  return {.found = Found::kMissing, .block_device = false, .path = std::move(resolved)};
}

RealPath described(std::string resolved, const struct stat& status) {
  RealPath result;
  result.found = S_ISREG(status.st_mode)   ? Found::kFile
                 : S_ISDIR(status.st_mode) ? Found::kDirectory
                                           : Found::kOther;
  result.block_device = S_ISBLK(status.st_mode);
  result.path = resolved.empty() ? "/" : std::move(resolved);
  return result;
}

// Puts the link's target in front of what is still pending. False when it cannot be followed.
bool follow(const std::string& link, std::string& resolved, Pending& pending, int& links) {
  if (++links > kMaxLinks) return false;
  std::optional<std::string> target = link_target(link);
  if (!target) return false;
  if (target->front() == '/') resolved.clear();
  pending.put_before(std::move(*target));
  return true;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Nothing where it cannot be told.
std::optional<bool> is_directory(const std::string& path, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN && !detail::fails("d_type")) return entry.d_type == DT_DIR;
  struct stat status{};
  if (detail::fails("lstat") || ::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return S_ISDIR(status.st_mode);
}

// Goes on from `resolved`, which is a directory; it has no slash at the end and is "" for the root.
RealPath walk(std::string resolved, std::string_view path, int& links) {
  Pending pending{std::string(path)};
  struct stat status{};
  status.st_mode = S_IFDIR;
  for (std::string_view part = pending.next(); !part.empty(); part = pending.next()) {
    if (!S_ISDIR(status.st_mode))  // a part below something that is no directory
      return with_missing_tail(std::move(resolved), part, pending);
    if (part == ".") continue;
    if (part == "..") {
      if (!resolved.empty()) drop_last(resolved);
      continue;
    }
    if (is_magic(resolved, part)) return {};
    const std::size_t parent = resolved.size();
    resolved += '/';
    resolved += part;
    if (detail::fails("lstat") || detail::lstat(resolved, status) != 0) {
      if (errno != ENOENT) return {};
      return with_missing_tail(std::move(resolved), pending.next(), pending);
    }
    if (!S_ISLNK(status.st_mode)) continue;
    status.st_mode = S_IFDIR;  // where the link stands; its target is looked at next
    const std::string link = resolved;
    resolved.resize(parent);
    if (!follow(link, resolved, pending, links)) return {};
  }
  if (detail::fails("lstat") || detail::lstat(resolved.empty() ? "/" : resolved, status) != 0)
    return {};
  return described(std::move(resolved), status);
}

// Begins at the nearest directory above that is known in this moment. REQUIRES: a moment.
RealPath walk_down(std::string_view path, int& links) {
  for (std::size_t slash = path.rfind('/'); slash != path.npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const Resolved* known = detail::resolved(path.substr(0, slash));
    if (known == nullptr) continue;
    if (known->real.found != Found::kDirectory) break;
    links = known->links;
    return walk(known->real.path == "/" ? "" : known->real.path, path.substr(slash), links);
  }
  return walk("", path, links);
}

// What a walk over the whole path would find, from what it found of all but the last part.
RealPath below(const Resolved& parent, std::string_view leaf) {
  const RealPath& known = parent.real;
  if (known.found == Found::kUnknown) return {};
  std::string resolved = known.path == "/" ? "" : known.path;
  if (known.found != Found::kDirectory) {
    Pending nothing("");
    return with_missing_tail(std::move(resolved), leaf, nothing);
  }
  // Most often it is a name and no link, and then the walk is this one step.
  std::string next;
  next.reserve(resolved.size() + 1 + leaf.size());
  next.append(resolved).append(1, '/').append(leaf);
  struct stat status{};
  if (!is_magic(resolved, leaf) && !detail::fails("lstat") && detail::lstat(next, status) == 0 &&
      !S_ISLNK(status.st_mode))
    return described(std::move(next), status);
  int links = parent.links;
  return walk(std::move(resolved), leaf, links);
}

}  // namespace

RealPath real_path(std::string_view path) {
  if (!path.starts_with('/') || path.find('\0') != std::string_view::npos ||
      path.size() >= PATH_MAX)
    return {};
  int links = 0;
  const std::size_t slash = path.rfind('/');
  const std::string_view leaf = path.substr(slash + 1);
  if (!detail::in_moment() || leaf.empty() || leaf == "." || leaf == "..")
    return walk("", path, links);
  if (slash == 0) {  // what lies below it will be asked for as well
    if (const Resolved* known = detail::resolved(path)) return known->real;
    RealPath found = walk("", path, links);
    return detail::remember(path, {std::move(found), links}).real;
  }
  const std::string_view parent = path.substr(0, slash);
  if (const Resolved* known = detail::resolved(parent)) return below(*known, leaf);
  RealPath found = walk_down(parent, links);
  return below(detail::remember(parent, {std::move(found), links}), leaf);
}

KnownDirectory directory_at(std::string path) {
  KnownDirectory directory{.path = std::move(path), .resolved = {}};
  if (directory.path.starts_with('/') && directory.path.size() < PATH_MAX)
    directory.resolved.real = walk("", directory.path, directory.resolved.links);
  return directory;
}

void know(std::shared_ptr<const KnownDirectories> directories) {
  if (detail::in_moment()) detail::remember(std::move(directories));
}

std::optional<std::vector<std::string>> names_in(const std::string& directory, std::size_t limit) {
  std::unique_ptr<DIR, CloseDirectory> open(
      detail::fails("opendir") ? nullptr : ::opendir(directory.c_str()));
  if (!open) return std::nullopt;
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = detail::fails("readdir") ? nullptr : ::readdir(open.get());
    if (entry == nullptr) {
      if (errno != 0) return std::nullopt;
      return names;
    }
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    if (names.size() == limit) return std::nullopt;
    names.emplace_back(entry->d_name);
  }
}

Walk walk_below(const std::string& directory, std::size_t limit) {
  Walk walk;
  std::deque<std::string> pending{directory};
  while (!pending.empty()) {
    const std::string current = std::move(pending.front());
    pending.pop_front();
    std::unique_ptr<DIR, CloseDirectory> open(
        detail::fails("opendir") ? nullptr : ::opendir(current.c_str()));
    if (!open) {
      walk.cut = true;
      continue;
    }
    for (;;) {
      errno = 0;
      const dirent* entry = detail::fails("readdir") ? nullptr : ::readdir(open.get());
      if (entry == nullptr) {
        walk.cut = walk.cut || errno != 0;
        break;
      }
      if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
      if (walk.paths.size() == limit) {
        walk.cut = true;
        return walk;
      }
      const std::string path = (current == "/" ? "" : current) + "/" + entry->d_name;
      const std::optional<bool> deeper = is_directory(path, *entry);
      // SAFETY: what may be a directory and was not gone through was not seen.
      walk.cut = walk.cut || !deeper;
      if (deeper.value_or(false)) pending.push_back(path);
      walk.paths.push_back(path);
    }
  }
  return walk;
}

std::string absolute(std::string_view path, std::string_view base) {
  return absolute_path(path, base);
}

}  // namespace tollgate::os
