// The state that a server of MCP gives its client to bring back, closed with a key.
// It says which round of which call it belongs to; a state counts once, for that call only.
// One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "json/value.h"

namespace tollgate::conformance {

class RequestStates {
 public:
  explicit RequestStates(std::string key) : key_(std::move(key)) {}

  // `about` is what the call is, without what changes from round to round.
  std::string give(int round, const json::Value& about);
  // The round, or nothing: the state was changed, is for another call, or was used before.
  std::optional<int> take(std::string_view state, const json::Value& about);

 private:
  std::string seal(std::string_view text) const;

  std::string key_;
  std::uint64_t next_ = 1;
  std::set<std::uint64_t> open_;
};

}  // namespace tollgate::conformance
