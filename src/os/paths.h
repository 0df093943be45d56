// Where a path really leads, and what lies below a directory.
// Resolution goes component by component as the kernel would, so that links cannot mislead it.
// What cannot be resolved is kUnknown, and callers must treat that as "could be anything".
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::os {

enum class Found {
  kUnknown,  // could not be resolved, or leads through another process's view of the files
  kMissing,  // does not exist; `path` is the deepest existing parent and the missing tail
  kFile,
  kDirectory,
  kOther,  // device, socket, fifo
};

struct RealPath {
  Found found = Found::kUnknown;
  bool block_device = false;
  std::string path;  // absolute, without links; "" when unknown

  bool operator==(const RealPath&) const = default;
};

// LIMIT: as many links as the kernel follows.
inline constexpr int kMaxLinks = 40;

// REQUIRES: an absolute path; any other is kUnknown.
RealPath real_path(std::string_view path);

// Where a directory leads, and over how many links.
struct Resolved {
  RealPath real;
  int links = 0;
};
struct KnownDirectory {
  std::string path;  // as written
  Resolved resolved;
};
// LIMIT: a few, since each path is compared with all of them.
using KnownDirectories = std::vector<KnownDirectory>;

// REQUIRES: an absolute path.
KnownDirectory directory_at(std::string path);
// From now on, in this moment, looks below these begin where they lead. REQUIRES: that is so now.
// Without a moment nothing happens.
void know(std::shared_ptr<const KnownDirectories> directories);

struct Walk {
  std::vector<std::string> paths;  // below the directory, links named but not followed
  bool cut = false;                // the bound was hit, or something could not be read
};

// The names in a directory; nothing when it cannot be read or has more than `limit` of them.
std::optional<std::vector<std::string>> names_in(const std::string& directory, std::size_t limit);

// Everything below `directory`, breadth first, at most `limit` entries.
Walk walk_below(const std::string& directory, std::size_t limit);

// `path` made absolute with `base` and cleaned of `.`, `..` and doubled slashes, without a look
// at any file.
std::string absolute(std::string_view path, std::string_view base);

}  // namespace tollgate::os
