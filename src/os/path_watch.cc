// inotify tells of names, and the list of mounts tells when another file system covers one.
// Directories are watched from the top down and each name counts before the directory below it is
// watched: whatever is put in its place afterwards is an event.
#include "os/path_watch.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "os/descriptor.h"
#include "os/fault.h"
#include "os/moment.h"

namespace tollgate::os {
namespace {

constexpr std::uint32_t kChanges =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t kHow = IN_ONLYDIR | IN_DONT_FOLLOW;
// How often a look is repeated until all that it asks about was watched before.
constexpr int kRounds = 4;

// File systems whose every change is made on this machine, through this kernel.
// SAFETY: a file system that is not here can change without an event, so nothing of it is kept.
// What is not there has no file system of its own.
bool tells_changes(const std::string& path) {
  constexpr long kXfs = 0x58465342, kBtrfs = 0x9123683e, kF2fs = 0xf2f52010, kZfs = 0x2fc12fc1,
                 kBcachefs = 0xca451a4e;
  struct statfs status{};
  if (detail::fails("statfs") || ::statfs(path.c_str(), &status) != 0) return errno == ENOENT;
  switch (static_cast<long>(status.f_type)) {
    case EXT4_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case RAMFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
    case SQUASHFS_MAGIC:
    case kXfs:
    case kBtrfs:
    case kF2fs:
    case kZfs:
    case kBcachefs:
      return true;
    default:
      return false;
  }
}

bool is_ascii(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

// The watches of one time: they end together.
struct PathWatch::Instance {
  Descriptor events;  // inotify
  Descriptor mounts;  // the list of mounts, which is ready when it has changed
  Descriptor both;    // epoll over the two: one call asks for them

  // The names in one directory that matter, in lower case.
  struct Names {
    std::unordered_set<std::string> known;
    bool all = false;  // one of them is not ASCII
  };

  // GUARDED_BY(PathWatch::mutex_)
  std::unordered_map<int, Names> names;              // by watch
  std::unordered_map<std::string, int> directories;  // the watch of each
  std::unordered_set<std::string> paths;             // all that is watched
  std::size_t name_count = 0;                        // of all directories

  static std::shared_ptr<Instance> make();
  bool add(int source) const {
    epoll_event event{};
    event.events = source == mounts.number() ? EPOLLPRI | EPOLLERR : EPOLLIN;
    event.data.fd = source;
    return !detail::fails("epoll_ctl") &&
           ::epoll_ctl(both.number(), EPOLL_CTL_ADD, source, &event) == 0;
  }
  // Whether something that matters has happened; takes all events that wait.
  bool has_changed();
  // Whether nothing at all has happened.
  bool is_quiet() const;
  bool matters(const inotify_event& event) const;
};

std::shared_ptr<PathWatch::Instance> PathWatch::Instance::make() {
  if (detail::fails("inotify_init1")) return nullptr;
  auto made = std::make_shared<Instance>();
  made->events = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  made->mounts =
      Descriptor(detail::fails("open") ? -1 : ::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  made->both = Descriptor(detail::fails("epoll_create1") ? -1 : ::epoll_create1(EPOLL_CLOEXEC));
  if (!made->events.valid() || !made->mounts.valid() || !made->both.valid()) return nullptr;
  if (!made->add(made->events.number()) || !made->add(made->mounts.number())) return nullptr;
  return made;
}

bool PathWatch::Instance::matters(const inotify_event& event) const {
  if ((event.mask & (IN_Q_OVERFLOW | IN_UNMOUNT | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) != 0)
    return true;
  if (event.len == 0) return true;  // the directory itself
  const auto found = names.find(event.wd);
  if (found == names.end()) return false;
  // SAFETY: a directory may take names in other letters for the same one, and the event has the
  // letters of whoever made the change. What such a directory makes of other alphabets is not
  // known.
  const std::string_view name = event.name;
  return found->second.all || !is_ascii(name) || found->second.known.contains(lower(name));
}

bool PathWatch::Instance::is_quiet() const {
  epoll_event ready{};
  return !detail::fails("epoll_wait") && ::epoll_wait(both.number(), &ready, 1, 0) == 0;
}

bool PathWatch::Instance::has_changed() {
  std::array<epoll_event, 2> ready{};
  const int count =
      detail::fails("epoll_wait") ? -1 : ::epoll_wait(both.number(), ready.data(), ready.size(), 0);
  if (count == 0) return false;
  if (count < 0) return true;
  for (int i = 0; i < count; ++i)
    if (ready[static_cast<std::size_t>(i)].data.fd == mounts.number()) return true;
  alignas(inotify_event) std::array<char, 16'384> buffer;
  for (;;) {
    const ssize_t got =
        detail::fails("read") ? -1 : ::read(events.number(), buffer.data(), buffer.size());
    if (got < 0) return errno != EAGAIN;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const auto* whole = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      if (matters(*whole)) return true;
      at += sizeof event + event.len;
    }
  }
}

PathWatch::PathWatch() : instance_(Instance::make()) {}
PathWatch::~PathWatch() = default;

void PathWatch::drop() {
  instance_ = Instance::make();
  ++revision_;
}

std::uint64_t PathWatch::drained() {
  if (instance_ != nullptr && instance_->has_changed()) drop();
  return revision_;
}

std::uint64_t PathWatch::revision() {
  std::shared_ptr<Instance> before;  // ends after the lock: it takes the kernel a while
  const std::scoped_lock lock(mutex_);
  before = instance_;
  return drained();
}

std::uint64_t PathWatch::revision_at_once() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock && instance_ != nullptr && instance_->is_quiet() ? revision_ : 0;
}

// Nothing of this may be done under the lock: a file system can take its time to answer.
bool PathWatch::watch(Instance& instance, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (path == "/") continue;
    const std::string directory = parent_of(path);
    int number = -1;
    {
      const std::scoped_lock lock(mutex_);
      if (instance.paths.contains(path)) continue;
      if (instance.name_count >= kMaxWatchedNames) return false;
      const auto known = instance.directories.find(directory);
      if (known != instance.directories.end()) number = known->second;
      if (number < 0 && instance.directories.size() >= kMaxWatchedDirectories) return false;
    }
    if (!tells_changes(path)) return false;
    if (number < 0) {
      if (!tells_changes(directory) || detail::fails("inotify_add_watch")) return false;
      number = ::inotify_add_watch(instance.events.number(), directory.c_str(), kChanges | kHow);
      if (number < 0) return false;
    }
    const std::scoped_lock lock(mutex_);
    instance.directories[directory] = number;
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    Instance::Names& names = instance.names[number];
    names.known.insert(lower(name));
    names.all = names.all || !is_ascii(name);
    instance.paths.insert(path);
    ++instance.name_count;
  }
  return true;
}

std::uint64_t PathWatch::keep(const std::function<void()>& look) {
  std::shared_ptr<Instance> instance;
  std::uint64_t began = 0;
  {
    const std::scoped_lock lock(mutex_);
    began = drained();
    instance = instance_;
  }
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::string> seen;
    {
      const Moment moment;
      look();
      seen = detail::looked_at();
    }
    if (instance == nullptr) return 0;
    std::ranges::sort(seen);  // what lies above comes first
    {
      const std::scoped_lock lock(mutex_);
      const bool all = std::ranges::all_of(seen, [&](const std::string& path) {
        return path == "/" || instance->paths.contains(path);
      });
      if (all && round > 0) return drained() == began ? began : 0;
    }
    if (!watch(*instance, seen)) return 0;
  }
  return 0;
}

}  // namespace tollgate::os
