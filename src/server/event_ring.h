// What people's screens were told lately, numbered, so that one that was cut off hears what it has
// missed: each event once, none twice.
// Numbers begin anew with each run of the daemon; the run's own name tells one from another.
// LIMIT: so many events and so many bytes are kept; who missed more is told all that is open.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace tollgate::server {

class EventRing {
 public:
  static constexpr std::size_t kMostEvents = 4'096;
  static constexpr std::size_t kMostBytes = 16u << 20;

  EventRing();

  const std::string& run() const& { return run_; }
  std::uint64_t last() const { return last_; }  // 0: none yet

  // Gives it the next number and keeps it; the words as they are sent.
  std::string add(json::Value event);
  // The words of the same event told otherwise: it has the number of the last one.
  std::string numbered(json::Value event) const;
  // What came after that number, oldest first; nothing where not all of it is kept.
  std::optional<std::vector<std::string>> since(std::uint64_t number) const;

 private:
  std::string run_;
  std::uint64_t last_ = 0;
  std::deque<std::string> kept_;  // the last of them has the number last_
  std::size_t bytes_ = 0;
};

}  // namespace tollgate::server
