// The compiled policy on disk, so that a hook need not read YAML.
// A snapshot is used only while every source is what it was, for exactly the same key, and only
// if nobody but this user can have written it; otherwise the loader reads the files again.
// SAFETY: the bytes are judged as hostile: every length is checked before it is used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/source.h"
#include "policy/policy.h"

namespace tollgate::config {

// Makes the directory (0700) when it is missing. Errors: stale-snapshot when a source has changed
// meanwhile, bad-snapshot when the snapshot could never count, file-unwritable.
Result<void> write_snapshot(const std::string& path, const Policy& policy,
                            const std::vector<SourceStamp>& sources, std::string_view key);

// Errors: file-missing, stale-snapshot, bad-snapshot.
Result<Policy> open_snapshot(const std::string& path, std::string_view key,
                             PolicyCheck check = PolicyCheck::kWhole);

}  // namespace tollgate::config
