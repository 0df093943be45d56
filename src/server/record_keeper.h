// What the daemon does for the record while nobody asks: heads of the chain go where agents cannot
// change them, and rows that are older than `retention` go away.
// On the daemon's own thread; reading, the journal and files are the pool's.
// SAFETY: nothing here is on the way of a decision. A place that cannot be reached is told of and
// tried again; what no place has seen shows as unattested.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "audit/anchor.h"
#include "config/settings.h"
#include "notify/courier.h"
#include "os/clock.h"
#include "os/two_clocks.h"
#include "server/age_clock.h"
#include "server/loop.h"
#include "server/policies.h"
#include "store/store.h"

namespace tollgate::server {

struct NoticeRoute;

struct RecordParts {
  Loop& loop;
  store::Store& store;
  Policies& policies;
  notify::Sender& sender;
  // The webhook of that name, nothing where there is none.
  std::function<const NoticeRoute*(const std::string&)> route;
  std::function<void(const std::string& line)> log;
  std::string place;  // where the store lies, as heads have it
};

class RecordKeeper {
 public:
  explicit RecordKeeper(RecordParts parts) : parts_(std::move(parts)) {}

  // Before the first tick, with what the store has kept.
  void restore(const std::vector<std::pair<std::string, std::string>>& settings, store::Millis now,
               store::Millis boot = os::now_since_boot(),
               const std::string& start = os::boot_name());
  // `boot` is by the machine's own clock.
  void tick(store::Millis now, store::Millis boot = os::now_since_boot());
  // At the end, when the loop is over: the last head goes to the journal and the file, and to no
  // webhook, which would hold up the end.
  void last_words();

  // {"store", "first", "last", "head", "anchored": [{"to", "number", "at", "why"?}]} beside what
  // the store says now.
  json::Value value(const store::RecordState& state) const;

 private:
  // What became of the last head that went to one place.
  struct Place {
    std::string name;         // journal, file, webhook
    std::int64_t number = 0;  // of the head that arrived last, 0 for none
    store::Millis at = 0;     // when that was
    std::string why;          // it did not arrive
    std::string weak;         // it did, and attests nothing against the agents' user
  };

  void anchor(store::Millis now);
  // Those of the places that have not got the head of this number.
  config::AnchorPlaces without(config::AnchorPlaces where, std::int64_t number) const;
  void send(const Anchor& head, const std::string& target);
  void settle(Place place);
  void remove_old(store::Millis now, store::Millis boot);

  Anchor head_of(const store::RecordState& state, store::Millis now) const;
  static std::vector<Place> put(const Anchor& head, const config::AnchorPlaces& where);

  RecordParts parts_;
  std::vector<Place> places_;
  store::Millis next_anchor_ = 0;
  store::Millis next_removal_ = 0;
  AgeClock age_;
  bool anchoring_ = false;
  bool sending_ = false;  // to the webhook
  bool removing_ = false;
  bool removed_ = false;  // rows went the last time
};

}  // namespace tollgate::server
