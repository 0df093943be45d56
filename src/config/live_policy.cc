// One snapshot for each set of options, in a bounded number of files.
// Two sets that fall on one file take turns: the key inside tells them apart.
#include "config/live_policy.h"

#include <cstdint>
#include <utility>

#include "config/snapshot.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

// LIMIT: directories come and go, and a snapshot for each must not fill the disk.
constexpr std::uint64_t kSnapshotFiles = 64;

// FNV-1a: only spreads keys over files; nothing relies on it being hard to meet.
std::uint64_t spread(std::string_view key) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash ^ (hash >> 32);
}

}  // namespace

std::string snapshot_file(const LoadOptions& options) {
  std::string data_dir = options.data_dir;
  if (data_dir.empty()) {
    const os::Environment environment =
        options.environment != nullptr ? *options.environment : os::Environment();
    const Result<std::string> home = os::home_directory(environment);
    if (!home) return "";
    data_dir = default_data_dir(environment, *home);
  }
  const std::uint64_t number = spread(load_key(options)) % kSnapshotFiles;
  return data_dir + "/snapshots/policy-" + std::to_string(number);
}

LivePolicy live_policy(const LoadOptions& options) {
  LivePolicy live;
  const std::string file = may_use_snapshot(options) ? snapshot_file(options) : "";
  const std::string key = load_key(options);
  if (!file.empty()) {
    if (Result<Policy> policy = open_snapshot(file, key)) {
      live.policy = std::move(*policy);
      live.from_snapshot = true;
      return live;
    }
  }
  Loaded loaded = load(options);
  live.policy = compile(loaded.set);
  live.diagnostics = std::move(loaded.diagnostics);
  // Not being able to keep it is no error: the next start reads the files again.
  if (!file.empty() && !live.policy.broken()) {
    const Result<void> kept = write_snapshot(file, live.policy, loaded.sources, key);
    static_cast<void>(kept);
  }
  return live;
}

}  // namespace tollgate::config
