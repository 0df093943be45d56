// The search: managed, user, then upward from the working directory.
// The way up ends at the repository's root, at home, or at the file system's root.
// Every file on the way is read, the nearest first, because rules add up.
// SAFETY: the way goes up from where the directory really is, and from where it is said to be.
#include "config/layers.h"

#include <set>

#include "os/paths.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

class Finder {
 public:
  explicit Finder(const Search& search) : search_(search) {}

  Files find();

 private:
  void add(ConfigFile file);
  void look(const std::string& path, FileKind kind);
  void upward(std::string directory, const std::string& home);
  bool is_known(const os::Stamp& stamp) const;

  const Search& search_;
  Files files_;
  std::vector<os::Stamp> taken_;
  std::set<std::string> seen_;  // real paths of the directories that were looked at
};

std::string real(const std::string& path) {
  const os::RealPath found = os::real_path(path);
  return found.path.empty() ? path : found.path;
}

void Finder::add(ConfigFile file) {
  const Result<os::Stamp> stamp = os::stamp_of(file.path);
  if (stamp && !stamp->exists && !file.named) {
    files_.sources.push_back({file.path, {}, SourceKind::kPolicy});
    return;
  }
  if (stamp && stamp->exists) taken_.push_back(*stamp);
  files_.present.push_back(std::move(file));
}

// A file named by --config that also lies in the project is read once, as the user's.
bool Finder::is_known(const os::Stamp& stamp) const {
  for (const os::Stamp& taken : taken_)
    if (taken.device == stamp.device && taken.inode == stamp.inode) return true;
  return false;
}

void Finder::look(const std::string& path, FileKind kind) {
  const ConfigFile file{
      path, kind == FileKind::kAgentic ? ConfigSource::kFile : ConfigSource::kProject, kind, false};
  const Result<os::Stamp> stamp = os::stamp_of(path);
  if (stamp && !stamp->exists) {
    files_.sources.push_back({path, {}, SourceKind::kPolicy});
    files_.absent.push_back(file);
    return;
  }
  if (stamp && is_known(*stamp)) return;
  files_.present.push_back(file);  // also when it cannot be looked at: reading will say why
}

void Finder::upward(std::string directory, const std::string& home) {
  for (;;) {
    const std::string base = directory == "/" ? "" : directory;
    if (seen_.insert(real(directory)).second) {
      look(base + "/tollgate.yaml", FileKind::kProject);
      look(base + "/.tollgate.yaml", FileKind::kProject);
      look(base + "/.agentic/config.yaml", FileKind::kAgentic);
    }
    const Result<os::Stamp> git = os::stamp_of(base + "/.git");
    const bool is_root = git && git->exists;
    files_.sources.push_back({base + "/.git", git ? *git : os::Stamp{}, SourceKind::kBorder});
    if (is_root || directory == home || directory == "/" || directory.empty()) return;
    directory.resize(directory.rfind('/'));
    if (directory.empty()) directory = "/";
  }
}

Files Finder::find() {
  if (!search_.managed_file.empty())
    add({search_.managed_file, ConfigSource::kManaged, FileKind::kUser, false});
  if (!search_.user_file.empty())
    add({search_.user_file, ConfigSource::kUser, FileKind::kUser, search_.named});
  if (!search_.project_files || !search_.cwd.starts_with('/')) return std::move(files_);
  upward(real(search_.cwd), search_.home.empty() ? "" : real(search_.home));
  if (real(search_.cwd) != search_.cwd) upward(search_.cwd, search_.home);
  return std::move(files_);
}

}  // namespace

Files find_files(const Search& search) { return Finder(search).find(); }

bool is_ours_alone(const os::Stamp& stamp) {
  constexpr std::uint32_t kSticky = 01000;
  const bool mine = stamp.uid == 0 || stamp.uid == os::effective_uid();
  const bool shared = stamp.is_directory() && (stamp.mode & kSticky) != 0;
  return mine && ((stamp.mode & 022) == 0 || shared);
}

std::optional<Error> unsafe_policy(const std::string& path, const os::Stamp& stamp) {
  if (is_ours_alone(stamp)) return std::nullopt;
  const bool mine = stamp.uid == 0 || stamp.uid == os::effective_uid();
  return Error{.code = "unsafe-policy-file",
               .message = mine ? "`" + path + "` can be written by group or others"
                               : "`" + path + "` belongs to another user",
               .hint = mine ? "run `chmod go-w " + path + "`" : "make it belong to you or to root",
               .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

bool is_fresh(const SourceStamp& source) {
  const Result<os::Stamp> now = os::stamp_of(source.path);
  if (!now) return false;
  if (source.kind == SourceKind::kHolder) return !now->exists || is_ours_alone(*now);
  if (source.kind == SourceKind::kBorder || !source.stamp.exists)
    return now->exists == source.stamp.exists;
  return now->exists && now->device == source.stamp.device && now->inode == source.stamp.inode &&
         now->size == source.stamp.size && now->mtime_ns == source.stamp.mtime_ns &&
         now->ctime_ns == source.stamp.ctime_ns;
}

}  // namespace tollgate::config
