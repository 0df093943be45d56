// Counts wrong secrets by where they came from, and says when a place has to wait.
// Bounded: a crowd of places cannot fill memory, nor push out one that has to wait.
// Secrets have 256 bits, so a right one is never refused here: whoever shares a place with a
// guesser, as a person and an agent share this machine, is not locked out by it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/rows.h"

namespace tollgate::approvals {

// LIMIT: wrong secrets before a place has to wait; the waits double from the first to the last.
inline constexpr int kFreeGuesses = 10;
inline constexpr store::Millis kFirstWait = 1'000;
inline constexpr store::Millis kLongestWait = 900'000;
// LIMIT: places that are counted apart; all others are counted together.
inline constexpr std::size_t kMaxPlaces = 4'096;
// A place that was quiet for so long begins anew.
inline constexpr store::Millis kGuessesForgotten = 3'600'000;

class Guesses {
 public:
  // How long a place has to wait before a guess of it counts as one; 0 for not at all.
  store::Millis wait(const std::string& from, store::Millis now) const;
  // A wrong one. REQUIRES: the place need not wait.
  void note_wrong(const std::string& from, store::Millis now);
  void tick(store::Millis now);
  std::size_t places() const { return places_.size(); }

 private:
  struct Place {
    int wrong = 0;
    store::Millis until = 0;
    store::Millis last = 0;
  };
  static std::string key_of(const std::string& from);
  Place& place(const std::string& key, store::Millis now);

  std::map<std::string, Place> places_;
  Place others_;
};

}  // namespace tollgate::approvals
