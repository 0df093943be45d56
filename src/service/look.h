// The look at the world for one call, in its two parts: what stands for all calls of a plan, and
// what the call itself names.
// world.cc looks at both anew; watched_world.cc keeps the first while nothing of it changes.
// SAFETY: what the call names is looked at anew for every call.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "service/eye.h"
#include "service/world.h"

namespace tollgate {

// The members of the same names of a Situation.
struct StandingLook {
  Place base;  // of the plan; empty where that has none
  std::vector<Place> roots;
  Place home;
  std::vector<Place> temporary;
  std::vector<Place> gate;
  std::vector<Place> path_dirs;

  bool operator==(const StandingLook&) const = default;
};

StandingLook standing_look(Eye& eye, const LookPlan& plan);

// What the names of programs lead to on a plan's search path.
class Programs {
 public:
  virtual ~Programs() = default;
  virtual PathLook find(const std::string& name) = 0;
};

// Looks for each name once; lives for one call.
class FreshPrograms : public Programs {
 public:
  FreshPrograms(Eye& eye, const std::string& search_path) : eye_(eye), search_path_(search_path) {}
  PathLook find(const std::string& name) override;

 private:
  Eye& eye_;
  const std::string& search_path_;
  std::map<std::string, PathLook> known_;
};

PathLook program_on_path(Eye& eye, const std::string& search_path, const std::string& name);

// All but the time. REQUIRES: `standing` is of this plan.
Situation look_with(Eye& eye, const ToolCall& call, const Effects& effects, const LookPlan& plan,
                    StandingLook standing, Programs& programs);

// The eye of the machine that this process runs on, as os::PathWatch::keep() wants it.
std::unique_ptr<Eye> naming_eye();

}  // namespace tollgate
