// Where words on a message of Slack may go later: the places that presses of its buttons named.
// On the daemon's own thread, in memory: after a restart a message keeps its buttons.
// SAFETY: a place takes words and gives no power; it is kept only of what Slack has signed, and
// reply_to_slack() speaks to the target's own host alone.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/rows.h"

namespace tollgate::server {

using store::Millis;

// LIMIT: Slack takes words at a place for half an hour; a little less is safe.
inline constexpr Millis kSlackPlaceLifetime = 29LL * 60 * 1000;

struct SlackPlace {
  std::string target;  // name
  std::string url;

  bool operator==(const SlackPlace&) const = default;
};

class SlackPlaces {
 public:
  // A newer place of the same message takes the older one's place.
  void keep(const std::string& question, SlackPlace place, Millis now);
  void drop(const std::string& question, const std::string& target);
  // Those of the question that still take words; they are forgotten here.
  std::vector<SlackPlace> take(const std::string& question, Millis now);
  void tick(Millis now);
  std::size_t size() const { return held_.size(); }

 private:
  struct Held {
    std::string url;
    Millis until = 0;
  };
  std::map<std::pair<std::string, std::string>, Held> held_;  // by question and target
};

// How a question ended and by whom, for those who read the message later. What people wrote is not
// in it.
std::string slack_words(const store::Question& question);

}  // namespace tollgate::server
