// The table of places that guessed.
// SAFETY: where the table is full of places that have to wait, newcomers share one count.
#include "approvals/guesses.h"

#include <algorithm>

#include "approvals/digest.h"

namespace tollgate::approvals {
namespace {

constexpr std::size_t kLongestName = 128;

}  // namespace

std::string Guesses::key_of(const std::string& from) {
  return from.size() <= kLongestName ? from : sha256(from);
}

store::Millis Guesses::wait(const std::string& from, store::Millis now) const {
  const auto found = places_.find(key_of(from));
  const bool apart = found != places_.end();
  if (!apart && places_.size() < kMaxPlaces) return 0;
  const Place& place = apart ? found->second : others_;
  return std::max<store::Millis>(place.until - now, 0);
}

void Guesses::note_wrong(const std::string& from, store::Millis now) {
  Place& where = place(key_of(from), now);
  if (now - where.last >= kGuessesForgotten) where.wrong = 0;
  where.last = now;
  if (++where.wrong < kFreeGuesses) return;
  const int doubled = std::min(where.wrong - kFreeGuesses, 20);
  where.until = now + std::min(kFirstWait << doubled, kLongestWait);
}

Guesses::Place& Guesses::place(const std::string& key, store::Millis now) {
  if (places_.contains(key) || places_.size() < kMaxPlaces) return places_[key];
  auto oldest = places_.end();
  for (auto one = places_.begin(); one != places_.end(); ++one)
    if (one->second.until <= now &&
        (oldest == places_.end() || one->second.last < oldest->second.last))
      oldest = one;
  if (oldest == places_.end()) return others_;
  places_.erase(oldest);
  return places_[key];
}

void Guesses::tick(store::Millis now) {
  std::erase_if(places_, [now](const auto& one) {
    return one.second.until <= now && now - one.second.last >= kGuessesForgotten;
  });
}

}  // namespace tollgate::approvals
