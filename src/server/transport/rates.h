// How many requests each peer may still send, and how many connections it has.
// One bucket a peer's name: it fills with time and is emptied by requests.
// LIMIT: a bound on buckets; a full one says nothing and is the first to go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace tollgate::server {

class Rates {
 public:
  Rates(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // 0: the request may pass. Otherwise: in how many seconds one may. `now` in milliseconds.
  std::int64_t take(const std::string& name, std::int64_t now);
  std::size_t size() const { return buckets_.size(); }

 private:
  struct Bucket {
    double tokens = 0;
    std::int64_t when = 0;
  };
  void make_room(std::int64_t now);

  double per_second_;
  double burst_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace tollgate::server
