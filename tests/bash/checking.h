// One script held against what it ran: what is wrong, and the smallest text with the same fault.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bash/prediction.h"
#include "bash/stub_world.h"

namespace tollgate::bash {

enum class Fault {
  kNone,
  kUnforeseen,  // it was allowed and ran something else
  kUncovered,   // it was allowed and ran what no rule allows
  kMuddled,     // static, and not every word of what ran was known beforehand, or something unknown
};

struct Finding {
  Fault fault = Fault::kNone;
  std::string cause;  // what makes two findings of the same kind
};

// A script that is not allowed although it only does what is allowed has no fault by this.
Finding unsound(const Judged& judgement, const Runs& runs);
// REQUIRES: the script is static.
Finding muddled(const Judged& judgement, const Runs& runs);

// The text without whatever can go while it stays `bad`, which is asked about many at once.
using Bad = std::function<std::vector<bool>(const std::vector<std::string>&)>;
std::string shrunk(std::string text, const Bad& bad);

// The smallest script with that finding. A muddled one stays static: it runs the same in both
// worlds.
std::string smallest(StubWorld& world, const std::string& script, const Finding& finding);

// Everything there is to say about one script.
std::string report(StubWorld& world, const std::string& script);

}  // namespace tollgate::bash
