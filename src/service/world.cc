// How the machine and its fixed twin see one path; what is looked at is in look.cc.
// The eye takes the path as the kernel would walk it, not the cleaned one.
#include "service/world.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "service/look.h"

namespace tollgate {
namespace {

PathState state_of(os::Found found) {
  switch (found) {
    case os::Found::kMissing:
      return PathState::kMissing;
    case os::Found::kFile:
      return PathState::kFile;
    case os::Found::kDirectory:
      return PathState::kDirectory;
    case os::Found::kOther:
      return PathState::kOther;
    case os::Found::kUnknown:
      break;
  }
  return PathState::kUnknown;
}

bool is_writable(const Result<os::Stamp>& stamp) {
  if (!stamp || !stamp->exists) return false;
  constexpr std::uint32_t kOthersWrite = 022;
  return stamp->uid == os::effective_uid() || (stamp->mode & kOthersWrite) != 0;
}

class RealEye : public Eye {
 public:
  PathLook at(const std::string& path) override {
    const os::RealPath real = os::real_path(path);
    PathLook look;
    look.state = state_of(real.found);
    look.block_device = real.block_device;
    look.real = real.path;
    return look;
  }

  void walk(PathLook& look, std::size_t budget) override {
    os::Walk walk = os::walk_below(look.real, budget);
    look.below = std::move(walk.paths);
    look.walk_cut = walk.cut;
  }

  bool can_write(const std::string& directory) override {
    return is_writable(os::stamp_of(directory));
  }

  std::optional<std::vector<std::string>> names(const std::string& directory,
                                                std::size_t limit) override {
    return os::names_in(directory, limit);
  }

  bool has(const std::string& path) override {
    const Result<os::Stamp> stamp = os::link_stamp_of(path);
    return !stamp || stamp->exists;
  }

  std::optional<std::string> text(const std::string& path, std::size_t limit) override {
    Result<std::string> bytes = os::read_file(path, limit);
    if (!bytes) return std::nullopt;
    return std::move(*bytes);
  }
};

// Sees the same, and looks at every name that it rests on by itself, so that it can be watched.
class NamingEye : public RealEye {
 public:
  bool can_write(const std::string& directory) override {
    const os::RealPath real = os::real_path(directory);
    if (real.found == os::Found::kUnknown) return RealEye::can_write(directory);
    return real.found != os::Found::kMissing && is_writable(os::link_stamp_of(real.path));
  }
};

class FixedEye : public Eye {
 public:
  explicit FixedEye(const FixedWorld& world)
      : files_(world.files), links_(world.links), texts_(world.texts) {}

  PathLook at(const std::string& path) override {
    const std::optional<std::string> resolved = real(path);
    if (!resolved) return {};
    const std::string& cleaned = *resolved;
    const auto found = files_.find(cleaned);
    if (found == files_.end())
      return {.state = texts_.contains(cleaned) ? PathState::kFile : PathState::kMissing,
              .real = cleaned};
    PathLook look = found->second;
    below_ = std::exchange(look.below, {});
    if (look.real.empty() && look.state != PathState::kUnknown) look.real = cleaned;
    return look;
  }

  void walk(PathLook& look, std::size_t budget) override {
    look.below = below_;
    look.walk_cut = look.walk_cut || below_.size() > budget;
    if (below_.size() > budget) look.below.resize(budget);
  }

  bool can_write(const std::string&) override { return true; }

  std::optional<std::vector<std::string>> names(const std::string& directory,
                                                std::size_t) override {
    std::set<std::string> found;
    const std::string start = directory == "/" ? "/" : directory + "/";
    const auto add = [&](const auto& paths) {
      for (auto at = paths.lower_bound(start); at != paths.end() && at->first.starts_with(start);
           ++at) {
        const std::string rest = at->first.substr(start.size());
        found.insert(rest.substr(0, rest.find('/')));
      }
    };
    add(files_);
    add(links_);
    add(texts_);
    return std::vector<std::string>(found.begin(), found.end());
  }

  bool has(const std::string& path) override {
    return links_.contains(path) || at(path).state != PathState::kMissing;
  }

  std::optional<std::string> text(const std::string& path, std::size_t limit) override {
    const PathLook look = at(path);
    if (look.state != PathState::kFile) return std::nullopt;
    const auto found = texts_.find(look.real);
    if (found == texts_.end()) return "";
    if (found->second.size() > limit) return std::nullopt;
    return found->second;
  }

 private:
  // Component by component, as the kernel would; nothing when links go round in circles.
  std::optional<std::string> real(const std::string& path) const {
    if (links_.empty()) return os::absolute(path, "/");
    std::vector<std::string> waiting = components_backwards(path);
    std::string at;
    int followed = 0;
    while (!waiting.empty()) {
      const std::string part = std::move(waiting.back());
      waiting.pop_back();
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        at.resize(at.empty() ? 0 : at.rfind('/'));
        continue;
      }
      const auto link = links_.find(at + "/" + part);
      if (link == links_.end()) {
        at += "/" + part;
        continue;
      }
      if (++followed > os::kMaxLinks) return std::nullopt;
      if (link->second.starts_with('/')) at.clear();
      std::ranges::move(components_backwards(link->second), std::back_inserter(waiting));
    }
    return at.empty() ? "/" : at;
  }

  static std::vector<std::string> components_backwards(std::string_view path) {
    std::vector<std::string> parts;
    for (const std::string_view part : split(path, '/')) parts.emplace_back(part);
    std::ranges::reverse(parts);
    return parts;
  }

  const std::map<std::string, PathLook>& files_;
  const std::map<std::string, std::string>& links_;
  const std::map<std::string, std::string>& texts_;
  std::vector<std::string> below_;  // of the path looked at last
};

}  // namespace

std::unique_ptr<Eye> naming_eye() { return std::make_unique<NamingEye>(); }

Situation RealWorld::look(const ToolCall& call, const Effects& effects, const LookPlan& plan) {
  RealEye eye;
  FreshPrograms programs(eye, plan.search_path);
  Situation situation = look_with(eye, call, effects, plan, standing_look(eye, plan), programs);
  situation.now = os::now_seconds();
  return situation;
}

Situation FixedWorld::look(const ToolCall& call, const Effects& effects, const LookPlan& plan) {
  FixedEye eye(*this);
  FreshPrograms programs(eye, plan.search_path);
  Situation situation = look_with(eye, call, effects, plan, standing_look(eye, plan), programs);
  situation.now = now;
  return situation;
}

bool is_shifting_place(const std::string& cleaned) {
  constexpr std::string_view kOfProcess[] = {"cwd",     "root", "fd",       "fdinfo",
                                             "environ", "mem",  "map_files"};
  constexpr std::string_view kDevices[] = {"/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"};
  for (const std::string_view device : kDevices)
    if (cleaned == device || (cleaned.starts_with(device) && cleaned[device.size()] == '/'))
      return true;
  if (!cleaned.starts_with("/proc/")) return false;
  // /proc/PID/x and /proc/PID/task/TID/x
  for (const std::string_view part : split(std::string_view(cleaned).substr(6), '/'))
    if (std::ranges::find(kOfProcess, part) != std::end(kOfProcess)) return true;
  return false;
}

}  // namespace tollgate
