#include "config/live_policy.h"

#include <utility>

#include "config/snapshot.h"

namespace tollgate::config {
LivePolicy live_policy(const LoadOptions& options) {
  LivePolicy live;
  if (std::optional<Policy> fresh = fresh_policy(options)) {
    live.policy = std::move(*fresh);
    live.from_snapshot = true;
    return live;
  }
  const std::string key = load_key(options);
  const std::string file = may_use_snapshot(options) ? snapshot_file(options, key) : "";
  Loaded loaded = load(options);
  live.policy = compile(loaded.set);
  live.diagnostics = std::move(loaded.diagnostics);
  // Not being able to keep it is no error: the next start reads the files again.
  if (!file.empty() && !live.policy.broken()) {
    const Result<void> kept = write_snapshot(file, live.policy, loaded.sources, load_key(options));
    static_cast<void>(kept);
  }
  return live;
}

}  // namespace tollgate::config
