// Paths that were looked at, and whether what was seen still holds.
// Whatever a look asks about is watched from before it: each component by the directory that it
// stands in. The kernel queues an event inside the call that changes a name, so revision() sees
// every change that was over before it.
// SAFETY: what cannot be watched is not kept, and a doubt (too many events, a mount, an end of what
// is watched) ends everything that was kept. For any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tollgate::os {

// LIMIT: directories that are watched at once; the system gives a user some thousands.
inline constexpr std::size_t kMaxWatchedDirectories = 1'024;
// LIMIT: names in them that matter.
inline constexpr std::size_t kMaxWatchedNames = 16'384;

class PathWatch {
 public:
  PathWatch();
  ~PathWatch();
  PathWatch(const PathWatch&) = delete;
  PathWatch& operator=(const PathWatch&) = delete;

  // What was kept at another revision counts no more.
  std::uint64_t revision();
  // The same without waiting for anything; 0 where it cannot be told at once.
  std::uint64_t revision_at_once();

  // Runs `look`, perhaps several times, and gives the revision that it may be kept at; 0: it may
  // not be kept, and it holds for this moment only. REQUIRES: it looks at paths with real_path()
  // and link_stamp_of() of what that gave, and with nothing else.
  std::uint64_t keep(const std::function<void()>& look);

 private:
  struct Instance;
  bool watch(Instance& instance, const std::vector<std::string>& paths);
  std::uint64_t drained();  // REQUIRES: mutex_
  void drop();              // REQUIRES: mutex_

  std::mutex mutex_;
  std::shared_ptr<Instance> instance_;  // GUARDED_BY(mutex_); null: nothing can be watched
  std::uint64_t revision_ = 1;          // GUARDED_BY(mutex_)
};

}  // namespace tollgate::os
