// Fills a Situation from a plan and a way to look at one path; the worlds differ only there.
// The look takes the path as the kernel would walk it, not the cleaned one.
// LIMIT: all walks of one call share one bound, so that a call cannot buy more looks than another.
#include "service/look.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "effects/shell/pattern.h"
#include "service/repository.h"

namespace tollgate {
namespace {
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
  Looker(Eye& eye, const LookPlan& plan, Programs& programs)
      : eye_(eye), plan_(plan), programs_(programs) {}

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
    return programs_.find(name);
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

 private:
  Eye& eye_;
  const LookPlan& plan_;
  std::size_t budget_ = kMaxWalkEntries;
  std::size_t looked_ = 0;
  Programs& programs_;
};

// The name of the program that a run starts.
std::string_view program_of(const Effects& effects, std::size_t run) {
  if (run >= effects.size() || effects[run].argv.empty()) return {};
  return base_name(effects[run].argv[0].text);
}

Place place(Eye& eye, const std::string& written) {
  if (written.empty()) return {};
  return {written, eye.at(written).real};
}

std::vector<Place> places(Eye& eye, const std::vector<std::string>& written) {
  std::vector<Place> out;
  for (const std::string& path : written) {
    Place found = place(eye, path);
    if (!found.written.empty() && std::ranges::find(out, found) == out.end())
      out.push_back(std::move(found));
  }
  return out;
}

std::vector<Place> writable_path_directories(Eye& eye, const std::string& search_path) {
  std::vector<std::string> directories;
  for (const std::string_view part : split(search_path, ':')) {
    const std::string directory(part);
    if (directory.starts_with('/') && eye.can_write(directory)) directories.push_back(directory);
  }
  return places(eye, directories);
}

}  // namespace

PathLook program_on_path(Eye& eye, const std::string& search_path, const std::string& name) {
  for (const std::string_view directory : split(search_path, ':')) {
    if (!directory.starts_with('/')) continue;
    PathLook found = eye.at(std::string(directory) + "/" + name);
    if (found.state == PathState::kFile) return found;
  }
  return {};
}

PathLook FreshPrograms::find(const std::string& name) {
  const auto [known, is_new] = known_.try_emplace(name);
  if (is_new) known->second = program_on_path(eye_, search_path_, name);
  return known->second;
}

StandingLook standing_look(Eye& eye, const LookPlan& plan) {
  StandingLook standing;
  standing.base = place(eye, plan.base);
  standing.roots = places(eye, plan.roots);
  standing.home = place(eye, plan.home);
  std::vector<std::string> temporary = plan.temporary;
  temporary.insert(temporary.begin(), "/tmp");
  standing.temporary = places(eye, temporary);
  standing.gate = places(eye, plan.gate);
  standing.path_dirs = writable_path_directories(eye, plan.search_path);
  return standing;
}

Situation look_with(Eye& eye, const ToolCall& call, const Effects& effects, const LookPlan& plan,
                    StandingLook standing, Programs& programs) {
  Looker looker(eye, plan, programs);
  Situation situation;
  situation.base = plan.base.empty() ? place(eye, call.cwd) : std::move(standing.base);
  situation.roots = std::move(standing.roots);
  if (situation.roots.empty() && !situation.base.written.empty())
    situation.roots.push_back(situation.base);
  situation.cwd = call.cwd == situation.base.written ? situation.base : place(eye, call.cwd);
  situation.home = std::move(standing.home);
  situation.temporary = std::move(standing.temporary);
  situation.gate = std::move(standing.gate);
  situation.path_dirs = std::move(standing.path_dirs);
  situation.approver_reachable = plan.approver_reachable;
  situation.paths.reserve(effects.size());
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

}  // namespace tollgate
