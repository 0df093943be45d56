// The time by which rows of the record count as old. It never goes faster than the machine's own
// clock, so nobody makes a row old by setting the time of day.
// Beside ClockKeeper, whose time people see; RecordKeeper removes by this one.
// SAFETY: where it is wrong it is behind, and then rows stay too long, by what was not measured in
// the last `retention` of measured time at most.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/rows.h"

namespace tollgate::server {

using store::Millis;

class AgeClock {
 public:
  struct Start {
    Millis now = 0;     // by the daemon's clock
    Millis boot = 0;    // by the machine's own, which nobody sets
    std::string name;   // of this start of the machine
    Millis newest = 0;  // the time of the newest row, 0 where there is none
  };
  // Goes on from what was kept. Time in which the machine was off was measured by nobody and does
  // not count; where nothing was kept, time since the newest row does not.
  void restore(const std::vector<std::pair<std::string, std::string>>& settings,
               const Start& start);

  // Rows older than this time less `keep` have been there for `keep` as the machine measured it.
  // Behind the daemon's clock by each step of that, until `keep` was measured after the step: the
  // rows from before it have come of age then.
  Millis look(Millis now, Millis boot, Millis keep);

  // What to write down, and whether it is time to: now and then, and after each step.
  bool is_due() const { return due_; }
  std::pair<std::string, std::string> kept();

 private:
  struct Lag {
    Millis by = 0;
    Millis end = 0;  // of the hour in which it came, in measured time
  };
  void fall_behind(Millis by);
  void catch_up(Millis by);

  std::string name_;
  std::vector<Lag> lags_;  // the newest last
  Millis now_ = 0;         // by the daemon's clock, at the last look
  Millis boot_ = 0;        // by the machine's own, at the last look
  Millis measured_ = 0;    // in all
  Millis written_ = 0;
  bool due_ = true;
};

}  // namespace tollgate::server
