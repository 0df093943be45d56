// How the look sees one path; world.cc has the machine's eye and its fixed twin.
// Whoever looks at several things about a path takes an Eye, and so works in both worlds.
// SAFETY: what cannot be seen is unknown or counts as there, whichever is stricter.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/situation.h"

namespace tollgate {

class Eye {
 public:
  virtual ~Eye() = default;
  // The path as the kernel would walk it.
  virtual PathLook at(const std::string& path) = 0;
  // `budget` is how many entries the walk may still take.
  virtual void walk(PathLook& look, std::size_t budget) = 0;
  virtual bool can_write(const std::string& directory) = 0;
  // The names in a directory; nothing when they cannot be read, or are more than `limit`.
  virtual std::optional<std::vector<std::string>> names(const std::string& directory,
                                                        std::size_t limit) = 0;
  // SAFETY: what cannot be looked at counts as there.
  virtual bool has(const std::string& path) = 0;
  // The bytes of a regular file; nothing when they cannot be read, or are more than `limit`.
  virtual std::optional<std::string> text(const std::string& path, std::size_t limit) = 0;
};

}  // namespace tollgate
