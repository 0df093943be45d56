#include "server/transport/rates.h"

#include <algorithm>
#include <cmath>

namespace tollgate::server {
namespace {

constexpr std::size_t kMostBuckets = 4096;

double filled(double tokens, std::int64_t milliseconds, double per_second, double burst) {
  return std::min(burst, tokens + static_cast<double>(milliseconds) / 1000 * per_second);
}

}  // namespace

std::int64_t Rates::take(const std::string& name, std::int64_t now) {
  auto found = buckets_.find(name);
  if (found == buckets_.end()) {
    if (buckets_.size() >= kMostBuckets) make_room(now);
    found = buckets_.emplace(name, Bucket{.tokens = burst_, .when = now}).first;
  }
  Bucket& bucket = found->second;
  bucket.tokens =
      filled(bucket.tokens, std::max<std::int64_t>(now - bucket.when, 0), per_second_, burst_);
  bucket.when = now;
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1;
    return 0;
  }
  const double seconds = per_second_ > 0 ? (1 - bucket.tokens) / per_second_ : 3600;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(seconds)), 1, 3600);
}

// Whoever comes with so many names that none is full loses one of them, and gains nothing by it.
void Rates::make_room(std::int64_t now) {
  std::erase_if(buckets_, [&](const auto& entry) {
    return filled(entry.second.tokens, now - entry.second.when, per_second_, burst_) >= burst_;
  });
  if (buckets_.size() >= kMostBuckets) buckets_.erase(buckets_.begin());
}

}  // namespace tollgate::server
