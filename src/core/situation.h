// The one glance at reality that a decision rests on: real paths, roots, the time.
// Made by service/ (world.look), kept in the audit, so that a decision can be judged again.
// A default-made situation knows nothing, and what is not known never loosens a verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tollgate {

enum class PathState : std::uint8_t {
  kUnknown,  // could not be resolved, or runs through /proc/*/cwd and its like
  kMissing,  // does not exist; `real` ends in the missing tail
  kFile,
  kDirectory,
  kOther,  // device, socket, fifo
};

// Whose settings a version control program would follow in a directory; kOwn alone is harmless.
enum class Repository : std::uint8_t {
  kNone,           // nobody looked, or nothing could be told
  kOwn,            // the workspace's own, or none at all, and no setting names a program to run
  kOther,          // another one, or a directory outside the workspace
  kMissing,        // the directory is not there
  kNamesPrograms,  // the workspace's own, and its settings name a program or cannot be read
};

// What was found for the effect with the same index.
struct PathLook {
  PathState state = PathState::kUnknown;
  bool block_device = false;
  bool bare_repository = false;    // it is, lies in, or would complete what is shaped like one
  std::string real;                // absolute, every link resolved; "" when unknown
  bool walked = false;             // the look went below (only when a rule asked for it)
  bool walk_cut = false;           // … and hit its bound before the end
  std::vector<std::string> below;  // real paths found there
  std::uint32_t dashes = 0;        // of what a pattern matches: names that begin with a dash
  Repository repository = Repository::kNone;  // only for an effect with the target kRepository
  std::string why;                            // what stands against kOwn, in words for people

  bool operator==(const PathLook&) const = default;
};

// A directory as written and as it really is.
struct Place {
  std::string written;
  std::string real;

  bool operator==(const Place&) const = default;
};

struct Situation {
  std::int64_t now = 0;      // seconds since 1970, UTC
  Place base;                // the session's base directory
  std::vector<Place> roots;  // the workspace roots, base included when it is one
  Place cwd;                 // of the call
  Place home;
  std::vector<Place> temporary;  // /tmp, $TMPDIR
  std::vector<Place> gate;       // Tollgate's own files: policy, store, snapshot, sockets, programs
  std::vector<Place> path_dirs;  // the directories of PATH that the user can write
  std::vector<PathLook> paths;   // one for every effect; empty looks for what is no path
  bool approver_reachable = true;  // false: nobody can answer an ask

  bool operator==(const Situation&) const = default;
};

// LIMIT: how many entries a look below a directory takes before it says that it was cut.
inline constexpr std::size_t kMaxWalkEntries = 20'000;

}  // namespace tollgate
