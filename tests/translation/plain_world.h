// A world without links, in which every file is what its name says; for the tests of this folder.
#pragma once

#include <string>
#include <utility>

#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"
#include "translation/models.h"

namespace tollgate::native {

inline Situation plain_world(const ToolCall& call, const Effects& effects) {
  Situation s;
  s.now = 1'500'000;
  s.base = {std::string(kRoot), std::string(kRoot)};
  s.cwd = {call.cwd, call.cwd};
  s.roots = {s.base};
  s.home = {std::string(kHome), std::string(kHome)};
  s.temporary = {{"/tmp", "/tmp"}};
  s.approver_reachable = true;
  for (const Effect& effect : effects) {
    PathLook look;
    look.real = effect.path;
    look.state = is_path_kind(effect.kind) ? PathState::kFile : PathState{};
    if (is_repository(effect)) look.repository = Repository::kOwn;
    look.walked = effect.recursive;
    s.paths.push_back(std::move(look));
  }
  return s;
}

}  // namespace tollgate::native
