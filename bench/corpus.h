// The everyday commands of tests/decisions/everyday, each with its policy and the look at its
// world. Everything is read and looked at beforehand, so that a benchmark measures deciding alone.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/situation.h"
#include "core/tool_call.h"
#include "core/verdict.h"
#include "policy/policy.h"

namespace tollgate::bench {

struct Everyday {
  const Policy* policy = nullptr;
  ToolCall call;
  std::string text;  // the command
  std::string home;
  Situation situation;
  Verdict want = Verdict::kDeny;
};

struct Corpus {
  std::deque<Policy> policies;
  std::vector<Everyday> commands;
};

// Ends the program when a case file cannot be read, or a case is not judged as it says.
Corpus everyday_corpus(const std::string& directory);

}  // namespace tollgate::bench
