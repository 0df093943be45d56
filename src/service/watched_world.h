// The machine's world for a process that judges many calls: what stands for all calls of a plan is
// kept while a watch says that nothing of it has changed.
// For any thread. A look sees every change that was over when it began, as RealWorld's does.
// SAFETY: what the call itself names is looked at anew; what cannot be watched is not kept.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "os/path_watch.h"
#include "service/world.h"

namespace tollgate {

class WatchedWorld : public World {
 public:
  class AtOnce;

  WatchedWorld();
  ~WatchedWorld() override;

  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override;

  // Takes back a look that nobody needs any more: its places serve the next one of the same plan,
  // which then copies none.
  void give_back(Situation situation);

  // How many plans are kept now; for tests.
  std::size_t kept();

 private:
  struct Memory;
  std::shared_ptr<Memory> memory_of(const LookPlan& plan);
  std::shared_ptr<Memory> memory_at_once(const LookPlan& plan);

  os::PathWatch watch_;
  std::mutex mutex_;
  std::uint64_t revision_ = 0;  // GUARDED_BY(mutex_)
  std::size_t count_ = 0;       // GUARDED_BY(mutex_)
  std::unordered_map<std::string, std::vector<std::shared_ptr<Memory>>>
      memories_;  // GUARDED_BY(mutex_); by base
};

// What is known without waiting for a disk, for a thread that has others to serve.
// SAFETY: whatever is judged by it counts only where knew_all() is true afterwards.
class WatchedWorld::AtOnce : public World {
 public:
  explicit AtOnce(WatchedWorld& world) : world_(world) {}

  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override;
  bool knew_all() const { return knew_all_; }

 private:
  WatchedWorld& world_;
  bool knew_all_ = true;
};

}  // namespace tollgate
