// Plays an act again and again, each time with another of its system and store calls failing, until
// a time comes at which none was left to fail. Included by tests only.
// The points are counted while it plays, so a call that is new in the code is tried by itself.
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <string>

#include "os/fault.h"

namespace tollgate::faults {

struct Fault {
  const char* name;
  int error;
  os::FaultSweep::Lasting lasting;
};

inline constexpr Fault kFaults[] = {
    {"one call fails", EIO, os::FaultSweep::Lasting::kOnce},
    {"all fail from there on", EIO, os::FaultSweep::Lasting::kOnwards},
    {"the disk is full from there on", ENOSPC, os::FaultSweep::Lasting::kOnwards},
    {"no descriptor is left at one call", EMFILE, os::FaultSweep::Lasting::kOnce},
    {"there is no memory at one call", ENOMEM, os::FaultSweep::Lasting::kOnce},
    {"permission is refused from there on", EACCES, os::FaultSweep::Lasting::kOnwards},
};
// The last three are played where TOLLGATE_LONG=1 wants them.
inline constexpr int kUsualFaults = 3;

// `play` begins with nothing failing, takes a function that makes things fail as long as what it
// gives lives, and ends with nothing failing. Gives how often each call was struck first.
template <class Play>
std::map<std::string, int> at_every_point(const Play& play) {
  std::map<std::string, int> struck;
  const bool all = std::getenv("TOLLGATE_LONG") != nullptr;
  for (int kind = 0; kind < (all ? static_cast<int>(std::size(kFaults)) : kUsualFaults); ++kind) {
    const Fault& fault = kFaults[kind];
    for (int point = 0;; ++point) {
      std::string call;
      {
        SCOPED_TRACE(std::string(fault.name) + ", point " + std::to_string(point));
        play([&](const auto& act) {
          os::FaultSweep sweep(point, fault.error, fault.lasting);
          act();
          call = sweep.struck();
        });
        if (testing::Test::HasFailure()) {
          ADD_FAILURE() << "struck first: " << call;
          return struck;
        }
      }
      if (call.empty()) break;
      ++struck[call];
    }
  }
  return struck;
}

inline std::string listed(const std::map<std::string, int>& struck) {
  std::string out;
  int all = 0;
  for (const auto& [call, times] : struck) {
    out += " " + call + ":" + std::to_string(times);
    all += times;
  }
  return std::to_string(all) + " points:" + out;
}

}  // namespace tollgate::faults
