// A project's configuration file as loading reads it, without waiting for a call to find it.
// check and trust share it, so that neither says ok where loading denies everything.
// What is wrong with other files is not told here: it is theirs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/fields.h"
#include "policy/policy_set.h"

namespace tollgate::cli {

struct ProjectFile {
  PolicySet set;
  std::vector<Diagnostic> diagnostics;  // sorted by place
};

// By its place: .agentic/config.yaml has keys of its own.
config::FileKind project_kind(std::string_view path);

// Reads `text` as the project file at `path`, as if it were trusted. `above` are the files whose
// roles, presets and tools it may name; one that is not there is passed over.
ProjectFile read_project_file(const std::string& text, const std::string& path,
                              const std::string& home, std::span<const std::string> above);

}  // namespace tollgate::cli
