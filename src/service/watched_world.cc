// One memory for each plan, all of one revision of the watch: when that moves on, all are dropped.
#include "service/watched_world.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "os/clock.h"
#include "os/moment.h"
#include "service/look.h"

namespace tollgate {
namespace {

// LIMIT: sessions stand in many directories; so many plans are kept at once.
constexpr std::size_t kMostPlans = 1'024;
// LIMIT: an agent may name any program.
constexpr std::size_t kMostPrograms = 512;
// LIMIT: looks that are under way at once, as a rule.
constexpr std::size_t kMostSpare = 64;
// LIMIT: each costs a little with every look.
constexpr std::size_t kMostDirectories = 4;
// What could not be watched is tried again after this, in milliseconds.
constexpr std::int64_t kTryAgain = 5'000;

}  // namespace

// What is known of a plan. All but `programs` is fixed when others can see it.
struct WatchedWorld::Memory {
  LookPlan plan;
  StandingLook standing;
  std::shared_ptr<const os::KnownDirectories> directories;  // that calls name things in
  std::uint64_t revision = 0;                               // 0: it could not be watched
  std::int64_t try_again = 0;

  std::mutex mutex;
  std::unordered_map<std::string, PathLook> programs;  // GUARDED_BY(mutex)
  std::vector<StandingLook> spare;                     // GUARDED_BY(mutex); equal to `standing`
};

namespace {

os::KnownDirectories directories_of(const LookPlan& plan) {
  os::KnownDirectories found;
  const auto add = [&](const std::string& path) {
    const bool known = std::ranges::find(found, path, &os::KnownDirectory::path) != found.end();
    if (path.size() > 1 && !known && found.size() < kMostDirectories)
      found.push_back(os::directory_at(path));
  };
  add(plan.base);
  for (const std::string& root : plan.roots) add(root);
  add(plan.home);
  return found;
}

// A copy of what stands, made before if possible.
template <class Memory>
StandingLook standing_of(Memory& memory) {
  {
    const std::scoped_lock lock(memory.mutex);
    if (!memory.spare.empty()) {
      StandingLook standing = std::move(memory.spare.back());
      memory.spare.pop_back();
      return standing;
    }
  }
  return memory.standing;
}

// The places of a look, if they are those that stand, untouched.
std::optional<StandingLook> places_of(Situation look, const StandingLook& standing) {
  // Without roots the base is one.
  if (standing.roots.empty() && look.roots.size() == 1 && look.roots[0] == look.base)
    look.roots.clear();
  StandingLook places{.base = std::move(look.base),
                      .roots = std::move(look.roots),
                      .home = std::move(look.home),
                      .temporary = std::move(look.temporary),
                      .gate = std::move(look.gate),
                      .path_dirs = std::move(look.path_dirs)};
  if (places != standing) return std::nullopt;
  return places;
}

// The programs of a plan that is kept.
template <class Memory>
class KeptPrograms : public Programs {
 public:
  KeptPrograms(os::PathWatch& watch, Eye& eye, Memory& memory)
      : watch_(watch), eye_(eye), memory_(memory) {}

  PathLook find(const std::string& name) override {
    {
      const std::scoped_lock lock(memory_.mutex);
      const auto known = memory_.programs.find(name);
      if (known != memory_.programs.end()) return known->second;
    }
    PathLook found;
    const std::uint64_t revision =
        watch_.keep([&] { found = program_on_path(eye_, memory_.plan.search_path, name); });
    if (revision != memory_.revision) return found;
    const std::scoped_lock lock(memory_.mutex);
    if (memory_.programs.size() < kMostPrograms) memory_.programs.emplace(name, found);
    return found;
  }

 private:
  os::PathWatch& watch_;
  Eye& eye_;
  Memory& memory_;
};

// Sees nothing, and says whether it was asked to.
class ClosedEye : public Eye {
 public:
  PathLook at(const std::string&) override { return seen(PathLook{}); }
  void walk(PathLook&, std::size_t) override { asked = true; }
  bool can_write(const std::string&) override { return seen(true); }
  std::optional<std::vector<std::string>> names(const std::string&, std::size_t) override {
    asked = true;
    return std::nullopt;
  }
  bool has(const std::string&) override { return seen(true); }
  std::optional<std::string> text(const std::string&, std::size_t) override {
    asked = true;
    return std::nullopt;
  }

  bool asked = false;

 private:
  template <class T>
  T seen(T nothing) {
    asked = true;
    return nothing;
  }
};

// Those that were found before.
template <class Memory>
class FoundPrograms : public Programs {
 public:
  FoundPrograms(ClosedEye& eye, Memory& memory) : eye_(eye), memory_(memory) {}

  PathLook find(const std::string& name) override {
    const std::scoped_lock lock(memory_.mutex);
    const auto known = memory_.programs.find(name);
    if (known != memory_.programs.end()) return known->second;
    return eye_.at(name);
  }

 private:
  ClosedEye& eye_;
  Memory& memory_;
};

// Spares the work where the disk will be asked in any case.
bool names_a_path(const Effect& effect) {
  return is_path_kind(effect.kind) && !effect.path.empty();
}

}  // namespace

WatchedWorld::WatchedWorld() = default;
WatchedWorld::~WatchedWorld() = default;

std::size_t WatchedWorld::kept() {
  const std::uint64_t revision = watch_.revision();
  const std::scoped_lock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [base, all] : memories_)
    for (const auto& memory : all) count += memory->revision == revision ? 1 : 0;
  return count;
}

// Null: nothing is known, and nothing can be kept now.
std::shared_ptr<WatchedWorld::Memory> WatchedWorld::memory_of(const LookPlan& plan) {
  const std::uint64_t revision = watch_.revision();
  {
    const std::scoped_lock lock(mutex_);
    if (revision_ != revision || count_ >= kMostPlans) {
      memories_.clear();
      count_ = 0;
      revision_ = revision;
    }
    if (const auto found = memories_.find(plan.base); found != memories_.end())
      for (const std::shared_ptr<Memory>& memory : found->second) {
        if (memory->plan != plan) continue;
        if (memory->revision == revision) return memory;
        if (os::now_monotonic() < memory->try_again) return nullptr;
      }
  }
  const std::unique_ptr<Eye> eye = naming_eye();
  const auto made = std::make_shared<Memory>();
  made->plan = plan;
  made->revision = watch_.keep([&] {
    made->standing = standing_look(*eye, plan);
    made->directories = std::make_shared<const os::KnownDirectories>(directories_of(plan));
  });
  made->try_again = os::now_monotonic() + kTryAgain;
  const std::scoped_lock lock(mutex_);
  // SAFETY: one that was looked at at another revision than the rest is for this call alone.
  if (made->revision != 0 && made->revision != revision_) return made;
  std::vector<std::shared_ptr<Memory>>& all = memories_[plan.base];
  count_ -= std::erase_if(all, [&](const auto& each) { return each->plan == plan; });
  all.push_back(made);
  ++count_;
  return made;
}

// Null: it is not known, or no longer.
std::shared_ptr<WatchedWorld::Memory> WatchedWorld::memory_at_once(const LookPlan& plan) {
  const std::uint64_t revision = watch_.revision_at_once();
  const std::scoped_lock lock(mutex_);
  if (revision == 0 || revision_ != revision) return nullptr;
  const auto found = memories_.find(plan.base);
  if (found == memories_.end()) return nullptr;
  for (const std::shared_ptr<Memory>& memory : found->second)
    if (memory->revision == revision && memory->plan == plan) return memory;
  return nullptr;
}

Situation WatchedWorld::AtOnce::look(const ToolCall& call, const Effects& effects,
                                     const LookPlan& plan) {
  std::shared_ptr<Memory> memory;
  if (knew_all_ && std::ranges::none_of(effects, names_a_path))
    memory = world_.memory_at_once(plan);
  Situation situation;
  if (memory == nullptr) {
    knew_all_ = false;
    situation.paths.resize(effects.size());
    return situation;
  }
  ClosedEye eye;
  FoundPrograms programs(eye, *memory);
  situation = look_with(eye, call, effects, plan, standing_of(*memory), programs);
  situation.now = os::now_seconds();
  if (eye.asked) knew_all_ = false;
  return situation;
}

Situation WatchedWorld::look(const ToolCall& call, const Effects& effects, const LookPlan& plan) {
  const std::unique_ptr<Eye> eye = naming_eye();
  const std::shared_ptr<Memory> memory = memory_of(plan);
  Situation situation;
  if (memory == nullptr || memory->revision == 0) {
    FreshPrograms programs(*eye, plan.search_path);
    situation =
        look_with(*eye, call, effects, plan,
                  memory == nullptr ? standing_look(*eye, plan) : memory->standing, programs);
  } else {
    os::know(memory->directories);
    KeptPrograms programs(watch_, *eye, *memory);
    situation = look_with(*eye, call, effects, plan, standing_of(*memory), programs);
  }
  situation.now = os::now_seconds();
  return situation;
}

void WatchedWorld::give_back(Situation situation) {
  std::shared_ptr<Memory> memory;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = memories_.find(situation.base.written);
    // Where several plans have the same base, most looks are of the last one.
    if (found != memories_.end() && !found->second.empty()) memory = found->second.back();
  }
  if (memory == nullptr || memory->revision == 0) return;
  std::optional<StandingLook> places = places_of(std::move(situation), memory->standing);
  if (!places) return;
  const std::scoped_lock lock(memory->mutex);
  if (memory->spare.size() < kMostSpare) memory->spare.push_back(std::move(*places));
}

}  // namespace tollgate
