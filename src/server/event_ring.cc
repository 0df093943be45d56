#include "server/event_ring.h"

#include <utility>

#include "json/json.h"
#include "os/clock.h"
#include "os/random.h"

namespace tollgate::server {
namespace {

std::string new_run() {
  constexpr char kDigits[] = "0123456789abcdef";
  // Not a secret: it only has to be another one each time.
  const std::string bytes = os::random_bytes(8).value_or(std::to_string(os::now_milliseconds()));
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

}  // namespace

EventRing::EventRing() : run_(new_run()) {}

std::string EventRing::numbered(json::Value event) const {
  event.set("seq", json::Value::integer(static_cast<std::int64_t>(last_)));
  event.set("run", json::Value::string(run_));
  return json::write(event);
}

std::string EventRing::add(json::Value event) {
  ++last_;
  std::string words = numbered(std::move(event));
  bytes_ += words.size();
  kept_.push_back(words);
  while (kept_.size() > kMostEvents || (bytes_ > kMostBytes && kept_.size() > 1)) {
    bytes_ -= kept_.front().size();
    kept_.pop_front();
  }
  return words;
}

std::optional<std::vector<std::string>> EventRing::since(std::uint64_t number) const {
  if (number > last_ || last_ - number > kept_.size()) return std::nullopt;
  const auto missed = static_cast<std::ptrdiff_t>(last_ - number);
  return std::vector<std::string>(kept_.end() - missed, kept_.end());
}

}  // namespace tollgate::server
