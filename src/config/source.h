// A file that the policy was made from, and what it was at that time.
// An absent file is a source as well: it may come to be.
// Directories that only mark a border (.git) count by their being there alone, those that hold a
// policy by who may write to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "os/files.h"

namespace tollgate::config {

enum class SourceKind : std::uint8_t {
  kPolicy,  // says what is allowed; a snapshot must have the same owner
  kData,    // the system's zone files
  kBorder,  // a directory whose being there is all that counts
  kHolder,  // the directory of a user's or managed file, there or not: others may not write to it
};

struct SourceStamp {
  std::string path;
  os::Stamp stamp;
  SourceKind kind = SourceKind::kPolicy;

  bool operator==(const SourceStamp&) const = default;
};

// Whether nobody but root and this user can have written what has this stamp.
bool is_ours_alone(const os::Stamp& stamp);
// Why a policy file, or the directory it lies in, is not to be used; nothing where it is fine.
std::optional<Error> unsafe_policy(const std::string& path, const os::Stamp& stamp);

// True when the file is still what it was.
bool is_fresh(const SourceStamp& source);

}  // namespace tollgate::config
