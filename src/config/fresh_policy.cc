// One snapshot for each set of options, in a bounded number of files.
// Two sets that fall on one file take turns: the key inside tells them apart.
// Nothing here reads YAML, so that a hook stays small.
#include "config/fresh_policy.h"

#include <cstdint>
#include <utility>

#include "base/text.h"
#include "config/snapshot.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

// LIMIT: directories come and go, and a snapshot for each must not fill the disk.
constexpr std::uint64_t kSnapshotFiles = 64;

}  // namespace

std::string snapshot_file(const LoadOptions& options, std::string_view key) {
  std::string data_dir = options.data_dir;
  if (data_dir.empty()) {
    const os::Environment environment =
        options.environment != nullptr ? *options.environment : os::Environment();
    const Result<std::string> home = os::home_directory(environment);
    if (!home) return "";
    data_dir = default_data_dir(environment, *home);
  }
  const std::uint64_t hash = hash_of(key);
  const std::uint64_t number = (hash ^ (hash >> 32)) % kSnapshotFiles;
  return data_dir + "/snapshots/policy-" + std::to_string(number);
}

std::optional<Policy> fresh_policy(const LoadOptions& options, PolicyCheck check) {
  if (!may_use_snapshot(options)) return std::nullopt;
  const std::string key = load_key(options);
  const std::string file = snapshot_file(options, key);
  if (file.empty()) return std::nullopt;
  Result<Policy> policy = open_snapshot(file, key, check);
  if (!policy) return std::nullopt;
  return std::move(*policy);
}

}  // namespace tollgate::config
