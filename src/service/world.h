// The single glance at reality: where the call's paths really lead, the roots, the time.
// RealWorld looks through os/; FixedWorld is its twin for tests, eval cases and replays.
// SAFETY: what cannot be resolved stays unknown, and what is unknown never loosens a verdict.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"

namespace tollgate {

// What a session fixes once for all its calls. Paths are absolute, as they were written.
struct LookPlan {
  bool walk = false;               // some deny or ask rule for paths floats: look below trees
  std::string base;                // the session's base directory; "": the call's cwd
  std::vector<std::string> roots;  // the workspace roots; empty: the base alone
  std::string home;
  std::string other_home;  // "": none; rules and places that begin `~` mean this one as well
  std::vector<std::string> temporary;  // besides /tmp
  std::vector<std::string> gate;       // Tollgate's own files and directories
  std::string search_path;             // PATH as recorded when the session began
  bool approver_reachable = true;

  bool operator==(const LookPlan&) const = default;
};

class World {
 public:
  virtual ~World() = default;
  virtual Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) = 0;
};

// The machine this process runs on.
class RealWorld : public World {
 public:
  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override;
};

// A world of given files: everything absent is missing, and nothing links unless it says so.
class FixedWorld : public World {
 public:
  std::int64_t now = 0;
  std::map<std::string, PathLook> files;     // by real path; `below` is what a walk finds
  std::map<std::string, std::string> links;  // what each symbolic link says, by its own path
  std::map<std::string, std::string> texts;  // what files hold, by real path; others are empty

  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override;
};

// True for places that are another process's view or a descriptor: /proc/*/cwd, /dev/fd …
bool is_shifting_place(const std::string& cleaned);

}  // namespace tollgate
