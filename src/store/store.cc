// Waiting for a batch, for those who may wait.
// The store's thread only sets a flag under a lock, so that it is never held up by who waits.
// REQUIRES: not on a thread of the store's own, which would wait for itself.
#include "store/store.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace tollgate::store {

Result<void> submit_and_wait(Store& store, std::vector<Change> batch, Durability durability) {
  std::mutex lock;
  std::condition_variable heard;
  std::optional<Result<void>> result;
  store.submit(std::move(batch), durability, [&](Result<void> told) {
    // Told under the lock: whoever waits owns all three, and may be gone right after it.
    const std::lock_guard guard(lock);
    result = std::move(told);
    heard.notify_one();
  });
  std::unique_lock guard(lock);
  heard.wait(guard, [&] { return result.has_value(); });
  return std::move(*result);
}

}  // namespace tollgate::store
