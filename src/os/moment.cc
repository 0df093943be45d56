#include "os/moment.h"

#include <cerrno>
#include <functional>
#include <unordered_map>
#include <utility>

namespace tollgate::os {
namespace {

// What callers want to know of a file, in less room than the kernel takes.
struct Seen {
  int error = 0;
  mode_t mode = 0;
  uid_t uid = 0;
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  struct timespec modified{}, changed{};
};

constexpr std::size_t kUsualLooks = 128;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

}  // namespace

struct Moment::Memory {
  std::unordered_map<std::string, Seen> links;  // by path, the last component not followed
  std::unordered_map<std::string, Resolved, TextHash, std::equal_to<>> directories;
  std::shared_ptr<const KnownDirectories> known;  // from before the moment; null for none
};

namespace {

thread_local Moment::Memory* memory = nullptr;

int tell(const Seen& seen, struct stat& status) {
  if (seen.error != 0) {
    errno = seen.error;
    return -1;
  }
  status = {};
  status.st_mode = seen.mode;
  status.st_uid = seen.uid;
  status.st_dev = seen.device;
  status.st_ino = seen.inode;
  status.st_size = seen.size;
  status.st_mtim = seen.modified;
  status.st_ctim = seen.changed;
  return 0;
}

const Seen& look(const std::string& path) {
  const auto [known, is_new] = memory->links.try_emplace(path);
  Seen& seen = known->second;
  if (!is_new) return seen;
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) {
    seen.error = errno;
    return seen;
  }
  seen = {.error = 0,
          .mode = status.st_mode,
          .uid = status.st_uid,
          .device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .modified = status.st_mtim,
          .changed = status.st_ctim};
  return seen;
}

}  // namespace

Moment::Moment() : outer_(memory) {
  memory = new Memory;
  memory->links.reserve(kUsualLooks);
}

Moment::~Moment() {
  delete memory;
  memory = outer_;
}

void begin_new_moment() {
  if (memory == nullptr) return;
  memory->links.clear();
  memory->directories.clear();
  memory->known = nullptr;
}

namespace detail {

int lstat(const std::string& path, struct stat& status) {
  return memory == nullptr ? ::lstat(path.c_str(), &status) : tell(look(path), status);
}

int stat(const std::string& path, struct stat& status) {
  if (memory == nullptr) return ::stat(path.c_str(), &status);
  const Seen& seen = look(path);
  // Only where the last component is a link do the two differ.
  if (seen.error == 0 && S_ISLNK(seen.mode)) return ::stat(path.c_str(), &status);
  return tell(seen, status);
}

bool in_moment() { return memory != nullptr; }

const Resolved* resolved(std::string_view directory) {
  if (memory->known != nullptr)
    for (const KnownDirectory& known : *memory->known)
      if (known.path == directory) return &known.resolved;
  const auto found = memory->directories.find(directory);
  return found == memory->directories.end() ? nullptr : &found->second;
}

const Resolved& remember(std::string_view directory, Resolved found) {
  return memory->directories.insert_or_assign(std::string(directory), std::move(found))
      .first->second;
}

void remember(std::shared_ptr<const KnownDirectories> directories) {
  memory->known = std::move(directories);
}

std::vector<std::string> looked_at() {
  std::vector<std::string> paths;
  paths.reserve(memory->links.size());
  for (const auto& [path, seen] : memory->links) paths.push_back(path);
  return paths;
}

}  // namespace detail

}  // namespace tollgate::os
