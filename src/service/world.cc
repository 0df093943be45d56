// Fills a Situation from a plan and a way to look at one path; the two worlds differ only there.
// The look takes the path as the kernel would walk it, not the cleaned one.
// LIMIT: all walks of one call share one bound, so that a call cannot buy more looks than another.
#include "service/world.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "effects/shell/pattern.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "service/eye.h"
#include "service/repository.h"

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
    const Result<os::Stamp> stamp = os::stamp_of(directory);
    if (!stamp || !stamp->exists) return false;
    constexpr std::uint32_t kOthersWrite = 022;
    return stamp->uid == os::effective_uid() || (stamp->mode & kOthersWrite) != 0;
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

// Whether a change lies in a directory that git would take for a bare repository, whose
// configuration can name programs to run. What the call itself makes counts as there already, so
// that no order of making the parts goes by unseen.
class BareRepositories {
 public:
  BareRepositories(Eye& eye, const Effects& effects, const std::vector<PathLook>& looks)
      : eye_(eye) {
    for (std::size_t i = 0; i < effects.size(); ++i)
      if (is_change_kind(effects[i].kind) && effects[i].kind != EffectKind::kDelete)
        made_.insert(looks[i].real);
  }

  bool hold(std::string path) {
    // LIMIT: as much as the kernel takes at once; what is longer was made in steps, to be missed.
    constexpr std::size_t kMaxPathBytes = 4'096;
    if (path.size() > kMaxPathBytes) return true;
    for (; path.size() > 1; path.resize(path.rfind('/')))
      if (is_one(path)) return true;
    return false;
  }

 private:
  bool is_one(const std::string& directory) {
    const auto [known, is_new] = known_.try_emplace(directory, false);
    if (is_new)
      known->second =
          is_shaped_like_git(directory, [&](const std::string& path) { return has(path); });
    return known->second;
  }

  bool has(const std::string& path) {
    const auto made = made_.lower_bound(path);
    if (made != made_.end() && *made == path) return true;
    const auto below = made_.lower_bound(path + "/");
    return (below != made_.end() && below->starts_with(path + "/")) || eye_.has(path);
  }

  Eye& eye_;
  std::set<std::string> made_;         // real paths that the call writes, makes, links or moves
  std::map<std::string, bool> known_;  // directories looked at before
};

class Looker {
 public:
  Looker(Eye& eye, const LookPlan& plan) : eye_(eye), plan_(plan) {}

  PathLook look(const Effect& effect) {
    // LIMIT: what lies beyond the bound on effects is not looked at, and so stays unknown.
    if (effect.kind == EffectKind::kRun && effect.listed) return program(effect);
    if (!is_path_kind(effect.kind) || effect.path.empty() || ++looked_ > kMaxEffects) return {};
    if (is_shifting_place(effect.path)) return {};
    if (effect.pattern) return matches(effect);
    PathLook found = eye_.at(effect.spelled.empty() ? effect.path : effect.spelled);
    if (is_shifting_place(found.real)) return {};
    // What a recursive delete takes along is always looked at.
    const bool wanted = plan_.walk || effect.kind == EffectKind::kDelete;
    if (!wanted || !effect.recursive || found.state != PathState::kDirectory) return found;
    found.walked = true;
    eye_.walk(found, budget_);
    budget_ -= std::min(budget_, found.below.size());
    return found;
  }

  // What a known program's name leads to on the search path.
  PathLook program(const Effect& run) {
    const std::string& name = run.argv.empty() ? plan_.search_path : run.argv[0].text;
    if (plan_.search_path.empty() || name.empty() || name.find('/') != name.npos) return {};
    const auto [known, is_new] = programs_.try_emplace(name);
    if (!is_new) return known->second;
    for (const std::string_view directory : split(plan_.search_path, ':')) {
      if (!directory.starts_with('/')) continue;
      PathLook found = eye_.at(std::string(directory) + "/" + name);
      if (found.state != PathState::kFile) continue;
      known->second = std::move(found);
      break;
    }
    return known->second;
  }

  // The files that a pattern matches, as they really are. `real` is where the pattern begins.
  PathLook matches(const Effect& effect) {
    const std::string& pattern = effect.spelled.empty() ? effect.path : effect.spelled;
    std::vector<std::string> found{""};
    PathLook look;
    bool began = false;
    for (const std::string_view part : split(pattern, '/')) {
      if (part.empty()) continue;
      const bool wild = part.find_first_of("*?[") != part.npos;
      if (wild && !std::exchange(began, true)) {
        const PathLook start = eye_.at(found[0].empty() ? "/" : found[0]);
        look.state = start.state;
        look.real = start.real;
      }
      if (part == "**") {
        look.walked = true;
        if (look.state == PathState::kDirectory) eye_.walk(look, budget_);
        budget_ -= std::min(budget_, look.below.size());
        const auto behind = static_cast<std::size_t>(part.data() - pattern.data()) + part.size();
        keep_matches(look, std::string_view(pattern).substr(behind));
        return look;
      }
      std::vector<std::string> next;
      for (const std::string& directory : found) {
        if (!wild) {
          next.push_back(directory + "/" + letters_of(part));
          continue;
        }
        const auto names = eye_.names(directory.empty() ? "/" : directory, budget_);
        if (!names) {
          look.walk_cut = eye_.at(directory).state != PathState::kMissing;
          continue;
        }
        budget_ -= std::min(budget_, names->size());
        for (const std::string& name : *names)
          if ((!name.starts_with('.') || part.starts_with('.')) &&
              shell_pattern_matches(part, name)) {
            next.push_back(directory + "/" + name);
            if (name.starts_with('-')) ++look.dashes;
          }
      }
      found = std::move(next);
    }
    look.walked = true;
    for (const std::string& path : found) {
      const PathLook one = eye_.at(path);
      if (one.state == PathState::kMissing) continue;
      look.walk_cut = look.walk_cut || one.state == PathState::kUnknown || one.real.empty();
      look.block_device = look.block_device || one.block_device;
      look.below.push_back(one.real);
    }
    return look;
  }

  // A bracket with more in it than letters.
  static bool has_odd_set(std::string_view pattern) {
    for (std::size_t at = pattern.find('['); at != pattern.npos; at = pattern.find('[', at + 1)) {
      const std::string_view set = pattern.substr(at, pattern.find(']', at) - at);
      if (set.find_first_of("!^-:.=\\") != set.npos) return true;
    }
    return false;
  }

  // Of what lies below, what `rest` matches, and what lies below that.
  // SAFETY: a star goes over slashes and letters count in any case, as some programs take them;
  // what this cannot match stays.
  void keep_matches(PathLook& look, std::string_view rest) {
    if (!rest.starts_with('/') || rest.find("**") != rest.npos ||
        rest.find_first_of("({") != rest.npos || has_odd_set(rest))
      return;
    const std::string own = "*" + lower(rest), below = own + "/*";
    const std::size_t start = look.real == "/" ? 0 : look.real.size();
    std::vector<std::string> kept;
    for (const std::string& path : look.below) {
      const std::string name = lower(std::string_view(path).substr(start));
      const bool plain = std::ranges::all_of(name, [](char c) { return c > 0; });
      const bool matched = !plain || shell_pattern_matches(own, name);
      if (!matched && !shell_pattern_matches(below, name)) continue;
      kept.push_back(path);
      if (!matched) continue;
      // A link is as what it leads to; all may lie behind one to a directory.
      const PathLook found = eye_.at(path);
      if (found.real == path) continue;
      if (found.state != PathState::kFile && found.state != PathState::kMissing) return;
      kept.push_back(found.real);
    }
    look.below = std::move(kept);
  }

  Place place(const std::string& written) {
    if (written.empty()) return {};
    return {written, eye_.at(written).real};
  }

  std::vector<Place> places(const std::vector<std::string>& written) {
    std::vector<Place> out;
    for (const std::string& path : written) {
      Place found = place(path);
      if (!found.written.empty() && std::ranges::find(out, found) == out.end())
        out.push_back(std::move(found));
    }
    return out;
  }

  std::vector<Place> writable_path_directories() {
    std::vector<std::string> directories;
    for (const std::string_view part : split(plan_.search_path, ':')) {
      const std::string directory(part);
      if (directory.starts_with('/') && eye_.can_write(directory)) directories.push_back(directory);
    }
    return places(directories);
  }

 private:
  Eye& eye_;
  const LookPlan& plan_;
  std::size_t budget_ = kMaxWalkEntries;
  std::size_t looked_ = 0;
  std::map<std::string, PathLook> programs_;  // by name, as the search path has them
};

// The name of the program that a run starts.
std::string_view program_of(const Effects& effects, std::size_t run) {
  if (run >= effects.size() || effects[run].argv.empty()) return {};
  return base_name(effects[run].argv[0].text);
}

Situation look_with(Eye& eye, const ToolCall& call, const Effects& effects, const LookPlan& plan) {
  Looker looker(eye, plan);
  Situation situation;
  situation.base = looker.place(plan.base.empty() ? call.cwd : plan.base);
  situation.roots = looker.places(plan.roots);
  if (situation.roots.empty() && !situation.base.written.empty())
    situation.roots.push_back(situation.base);
  situation.cwd = looker.place(call.cwd);
  situation.home = looker.place(plan.home);
  std::vector<std::string> temporary = plan.temporary;
  temporary.insert(temporary.begin(), "/tmp");
  situation.temporary = looker.places(temporary);
  situation.gate = looker.places(plan.gate);
  situation.path_dirs = looker.writable_path_directories();
  situation.approver_reachable = plan.approver_reachable;
  for (const Effect& effect : effects) situation.paths.push_back(looker.look(effect));
  BareRepositories bare(eye, effects, situation.paths);
  Repositories repositories(eye, situation.roots);
  const bool changes = std::ranges::any_of(
      effects, [](const Effect& effect) { return is_change_kind(effect.kind); });
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (is_change_kind(effects[i].kind) || effects[i].guess == Guess::kPath)
      situation.paths[i].bare_repository = bare.hold(situation.paths[i].real);
    if (!is_repository(effects[i])) continue;
    const std::string_view program = program_of(effects, effects[i].owner);
    // A module that python would load may be made by the call itself.
    if (changes && program.starts_with("py"))
      situation.paths[i].why = "the call itself changes files";
    else
      repositories.look(program, effects[i].text, situation.paths[i]);
  }
  return situation;
}

}  // namespace

Situation RealWorld::look(const ToolCall& call, const Effects& effects, const LookPlan& plan) {
  RealEye eye;
  Situation situation = look_with(eye, call, effects, plan);
  situation.now = os::now_seconds();
  return situation;
}

Situation FixedWorld::look(const ToolCall& call, const Effects& effects, const LookPlan& plan) {
  FixedEye eye(*this);
  Situation situation = look_with(eye, call, effects, plan);
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
